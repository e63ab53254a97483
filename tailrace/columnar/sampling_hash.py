"""Sampling hash: the hash by which a sample takes or leaves an element, computed on whole Arrow columns.

The code calls this hash the element's lot. It follows from the seed, the element's instant and its columns, as
`logical/sampling.py` defines it, by Spark's xxhash64. So it equals, to the bit, what Catalyst computes from the
expression that `logical/text/spark_sql.py` writes.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.arrow_types import type_of
from tailrace.logical.sampling import has_lot

FIRST = np.uint64(42)  # the seed of Spark's xxhash64
P1, P2, P3, P4, P5 = (
    np.uint64(prime)
    for prime in (
        0x9E3779B185EBCA87,
        0xC2B2AE3D27D4EB4F,
        0x165667B19E3779F9,
        0x85EBCA77C2B2AE63,
        0x27D4EB2F165667C5,
    )
)


def sample_hashes(seed: int, instants: np.ndarray, columns: Sequence[pa.Array]) -> np.ndarray:
    """The sampling hash of each element."""
    mixed = of_long(np.full(len(instants), seed, np.int64), np.full(len(instants), FIRST))
    mixed = of_long(instants, mixed)
    for column in columns:
        if has_lot(type_of(column.type)):
            mixed = of_column(column, mixed)
    return mixed.view(np.int64)


def of_column(column: pa.Array, before: np.ndarray) -> np.ndarray:
    """The hashes so far (`before`) mixed with a column's values; a NULL leaves its hash unchanged."""
    kind = column.type
    if pa.types.is_decimal(kind):
        # A decimal of at most 18 digits fits into the lower 64 of its 128 bits.
        halves = np.frombuffer(column.buffers()[1], np.int64)[2 * column.offset :]
        found = of_long(halves[: 2 * len(column) : 2], before)
    elif pa.types.is_floating(kind):
        found = of_fractions(column, before)
    elif pa.types.is_string(kind) or pa.types.is_binary(kind):
        found = of_long(checksums(column), before)
    elif pa.types.is_temporal(kind):
        wide = kind.bit_width == 64
        whole = pc.fill_null(column.cast(pa.int64() if wide else pa.int32()), 0).to_numpy(zero_copy_only=False)
        found = of_long(whole, before) if wide else of_int(whole, before)
    else:
        whole = pc.fill_null(column.cast(pa.int64()), 0).to_numpy(zero_copy_only=False)
        found = of_long(whole, before) if pa.types.is_int64(kind) else of_int(whole.astype(np.int32), before)
    if column.null_count:
        found = np.where(column.is_null().to_numpy(zero_copy_only=False), before, found)
    return found


def of_fractions(column: pa.Array, before: np.ndarray) -> np.ndarray:
    """The hashes so far mixed with the bits of FLOATs or DOUBLEs; -0.0 counts as 0.0, and all NaNs as one."""
    values = pc.fill_null(column, 0.0).to_numpy(zero_copy_only=False)
    values = np.where(np.isnan(values), np.array(np.nan, values.dtype), values + 0.0)
    if pa.types.is_float64(column.type):
        return of_long(values.view(np.int64), before)
    return of_int(values.view(np.int32), before)


def checksums(column: pa.Array) -> np.ndarray:
    """The crc32 of each text; it is computed once for each distinct text."""
    encoded = column.cast(pa.binary()).dictionary_encode(null_encoding="encode")
    found = np.array([zlib.crc32(value or b"") for value in encoded.dictionary.to_pylist()], np.int64)
    return found[encoded.indices.to_numpy(zero_copy_only=False)] if len(found) else np.empty(0, np.int64)


def of_long(values: np.ndarray, before: np.ndarray) -> np.ndarray:
    mixed = (before + P5 + np.uint64(8)) ^ (rotate_left(values.astype(np.int64).view(np.uint64) * P2, 31) * P1)
    return mix_final(rotate_left(mixed, 27) * P1 + P4)


def of_int(values: np.ndarray, before: np.ndarray) -> np.ndarray:
    mixed = (before + P5 + np.uint64(4)) ^ (values.view(np.uint32).astype(np.uint64) * P1)
    return mix_final(rotate_left(mixed, 23) * P2 + P3)


def rotate_left(bits: np.ndarray, by: int) -> np.ndarray:
    return (bits << np.uint64(by)) | (bits >> np.uint64(64 - by))


def mix_final(mixed: np.ndarray) -> np.ndarray:
    mixed = (mixed ^ (mixed >> np.uint64(33))) * P2
    mixed = (mixed ^ (mixed >> np.uint64(29))) * P3
    return mixed ^ (mixed >> np.uint64(32))
