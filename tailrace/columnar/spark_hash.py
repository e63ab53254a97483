"""Spark hash: Spark's own `hash(…)` of columns, computed without Spark.

Resharding splits state by this hash, so that state lies in the shard to which Spark's shuffle sends the same key. The
hash is Murmur3 of 32 bits. Columns are hashed one after the other, each with the hash so far as its seed; a NULL
leaves the hash unchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Context

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

SEED = 42
LONG_DIGITS = 18  # a decimal of at most this many digits is hashed as a BIGINT
EXACT = Context(prec=80)  # more digits than a decimal has, so nothing is rounded


def shards_of(key: Sequence[pa.Array], length: int, shards: int) -> np.ndarray:
    """For each row the number of its shard: pmod(hash(key), shards).

    >>> shards_of([pa.array([1, 2, None]), pa.array(["a", "b", "c"])], 3, 5).tolist()
    [4, 2, 2]
    """
    return hash_rows(key, length).view(np.int32).astype(np.int64) % shards


def hash_rows(columns: Sequence[pa.Array], length: int) -> np.ndarray:
    """Spark's hash of each row, as an unsigned number of 32 bits."""
    found = np.full(length, SEED, np.uint32)
    for column in columns:
        if column.null_count < len(column):
            known = column.is_valid().to_numpy(zero_copy_only=False)
            found = np.where(known, _column(column, found), found)
    return found


def _column(column: pa.Array, seed: np.ndarray) -> np.ndarray:
    """The hash of each value, given the hashes so far as seeds; it means nothing where the value is NULL."""
    kind = column.type
    if pa.types.is_string(kind) or pa.types.is_binary(kind):
        return _bytes(column.cast(pa.binary()), seed)
    if pa.types.is_decimal(kind):
        return _decimals(column, seed)
    if pa.types.is_floating(kind):
        values = pc.fill_null(column, 0).to_numpy(zero_copy_only=False)
        # -0.0 is hashed as 0.0, and all NaNs alike.
        values = np.where(
            values == 0, values.dtype.type(0), np.where(np.isnan(values), values.dtype.type("nan"), values)
        )
        whole = values.view(np.int32 if kind == pa.float32() else np.int64)
    elif pa.types.is_boolean(kind):
        whole = pc.fill_null(column, False).to_numpy(zero_copy_only=False).astype(np.int32)
    else:
        # Integers as they are; dates, timestamps and intervals as their number of days, months or microseconds.
        width = pa.int32() if kind.bit_width <= 32 else pa.int64()
        whole = pc.fill_null(column.cast(width), 0).to_numpy(zero_copy_only=False)
    return _ints(whole.view(np.uint32), seed) if whole.itemsize == 4 else _longs(whole.view(np.uint64), seed)


def _ints(values: np.ndarray, seed: np.ndarray) -> np.ndarray:
    return _mix_final(_mix(seed, values), np.uint32(4))


def _longs(values: np.ndarray, seed: np.ndarray) -> np.ndarray:
    low, high = values.astype(np.uint32), (values >> np.uint64(32)).astype(np.uint32)
    return _mix_final(_mix(_mix(seed, low), high), np.uint32(8))


def _decimals(column: pa.Array, seed: np.ndarray) -> np.ndarray:
    """Decimals are hashed by their digits without the point: as a BIGINT or, if that may be too short, as bytes."""
    kind = column.type
    digits = [0 if value is None else int(value.scaleb(kind.scale, EXACT)) for value in column.to_pylist()]
    if kind.precision <= LONG_DIGITS:
        return _longs(np.array(digits, np.int64).view(np.uint64), seed)
    # As few bytes as the number and its sign need, the highest first.
    texts = [each.to_bytes((each + (each < 0)).bit_length() // 8 + 1, "big", signed=True) for each in digits]
    return _bytes(pa.array(texts, pa.binary()), seed)


def _bytes(column: pa.Array, seed: np.ndarray) -> np.ndarray:
    """Texts and bytes are hashed four bytes at a time, the last ones one by one."""
    offsets = np.frombuffer(column.buffers()[1], np.int32)[column.offset :][: len(column) + 1].astype(np.int64)
    content = column.buffers()[2]
    data = np.append(np.frombuffer(content, np.uint8) if content else np.empty(0, np.uint8), np.zeros(4, np.uint8))
    begin, length = offsets[:-1], np.diff(offsets)
    found = seed.copy()
    for word in range(int(length.max(initial=0)) // 4):
        rows = np.flatnonzero(length // 4 > word)
        at = begin[rows] + 4 * word
        four = sum(data[at + place].astype(np.uint32) << np.uint32(8 * place) for place in range(4))
        found[rows] = _mix(found[rows], np.asarray(four, np.uint32))
    for place in range(3):
        rows = np.flatnonzero(length % 4 > place)
        one = data[begin[rows] + length[rows] // 4 * 4 + place].view(np.int8).astype(np.int32)
        found[rows] = _mix(found[rows], one.view(np.uint32))
    return _mix_final(found, length.astype(np.uint32))


def _mix(seed: np.ndarray, values: np.ndarray) -> np.ndarray:
    values = _rotate_left(values * np.uint32(0xCC9E2D51), 15) * np.uint32(0x1B873593)
    return _rotate_left(seed ^ values, 13) * np.uint32(5) + np.uint32(0xE6546B64)


def _rotate_left(values: np.ndarray, bits: int) -> np.ndarray:
    return (values << np.uint32(bits)) | (values >> np.uint32(32 - bits))


def _mix_final(values: np.ndarray, length: np.ndarray | np.uint32) -> np.ndarray:
    values = values ^ length
    values = (values ^ (values >> np.uint32(16))) * np.uint32(0x85EBCA6B)
    values = (values ^ (values >> np.uint32(13))) * np.uint32(0xC2B2AE35)
    return np.asarray(values ^ (values >> np.uint32(16)))
