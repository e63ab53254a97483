"""Ranks: integers in the same order as the values of a column, for any type that has an order.

NaN is equal to itself and larger than every number, −0.0 equals 0.0, texts go by their bytes, as in Spark.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc


def rank_values(column: pa.Array) -> tuple[np.ndarray, pa.Array]:
    """The rank of each value, equal for equal values, and the values by rank; NULL has the rank −1.

    >>> numbers, values = rank_values(pa.array(["b", None, "a", "b"]))
    >>> numbers.tolist(), values.to_pylist()
    ([1, -1, 0, 1], ['a', 'b'])
    """
    if pa.types.is_nested(column.type):
        return _rank_nested(column)
    if column.null_count:
        known = column.is_valid().to_numpy(zero_copy_only=False)
        found, values = rank_values(column.drop_null())
        numbers = np.full(len(column), -1, np.int64)
        numbers[known] = found
        return numbers, values
    if pa.types.is_floating(column.type):
        distinct, numbers = np.unique(column.to_numpy(zero_copy_only=False), return_inverse=True)
        return numbers.astype(np.int64), pa.array(distinct, column.type)
    if pa.types.is_integer(column.type) and len(column):
        close = _close(column)
        if close is not None:
            return close
    encoded = column.dictionary_encode()
    order = _order(encoded.dictionary)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return rank[encoded.indices.to_numpy(zero_copy_only=False)], encoded.dictionary.take(pa.array(order))


def sort_key(column: pa.Array, descending: bool, nulls_first: bool) -> np.ndarray:
    """Numbers that sort rows as ORDER BY with this column does.

    >>> sort_key(pa.array([3, None, 5]), True, False).tolist()
    [0, 4, -2]
    """
    rank, values = rank_values(column)
    missing = rank < 0
    rank = -rank if descending else rank
    edge = len(values) + 1
    return np.where(missing, -edge if nulls_first else edge, rank)


def encode_order(column: pa.Array) -> tuple[np.ndarray, Callable[[np.ndarray], pa.Array]]:
    """Numbers in the order of the values, equal for equal values, and a function from numbers back to values.

    None of the values is NULL. For numbers, dates and the like this is faster than ranks, which need a sort.

    >>> codes, back = encode_order(pa.array([0.5, -2.0]))
    >>> bool(codes[1] < codes[0]), back(codes).to_pylist()
    (True, [0.5, -2.0])
    """
    type = column.type
    if pa.types.is_floating(type):
        doubles = column.cast(pa.float64()).to_numpy(zero_copy_only=False)
        return _bits(doubles), lambda codes: pa.array(_flip_negative(codes).view(np.float64)).cast(type)
    if pa.types.is_integer(type) or pa.types.is_temporal(type):
        width = pa.int32() if pa.types.is_temporal(type) and type.bit_width == 32 else pa.int64()
        numbers = column.cast(width).cast(pa.int64()).to_numpy(zero_copy_only=False)
        return numbers, lambda codes: pa.array(codes).cast(width).cast(type)
    numbers, values = rank_values(column)
    return numbers, lambda codes: values.take(pa.array(codes))


def _bits(doubles: np.ndarray) -> np.ndarray:
    """The bits of doubles, as integers in the same order."""
    doubles = np.where(np.isnan(doubles), np.nan, doubles + 0.0)
    return _flip_negative(doubles.view(np.int64))


def _flip_negative(bits: np.ndarray) -> np.ndarray:
    """Reverse the order of negative numbers, since the bits of negative doubles fall as the doubles rise."""
    return np.where(bits < 0, bits ^ np.iinfo(np.int64).max, bits)


def _order(values: pa.Array) -> np.ndarray:
    if pa.types.is_integer(values.type):
        return np.argsort(values.to_numpy(zero_copy_only=False))
    if pa.types.is_boolean(values.type):
        values = values.cast(pa.int8())
    return np.asarray(pc.array_sort_indices(values).to_numpy(zero_copy_only=False)).astype(np.int64)


def _close(column: pa.Array) -> tuple[np.ndarray, pa.Array] | None:
    """The ranks of integers that lie close together, without a sort: a rank may belong to no value. Else None."""
    values = column.cast(pa.int64()).to_numpy(zero_copy_only=False)
    low, high = int(values.min()), int(values.max())
    if high - low > 2 * len(values) + 1000:
        return None
    return values - low, pa.array(low + np.arange(high - low + 1)).cast(column.type)


def _rank_nested(column: pa.Array) -> tuple[np.ndarray, pa.Array]:
    """The ranks of arrays and structs, which Arrow cannot sort: they are compared element by element, NULL first."""
    keys = [None if value is None else _key(value) for value in column.to_pylist()]
    first = {repr(key): place for place, key in reversed(list(enumerate(keys))) if key is not None}
    places = sorted(first.values(), key=lambda place: keys[place])
    number = {repr(keys[place]): rank for rank, place in enumerate(places)}
    numbers = [-1 if key is None else number[repr(key)] for key in keys]
    return np.array(numbers, np.int64), column.take(pa.array(places, pa.int64()))


def _key(value: Any) -> Any:
    if value is None:
        return (0,)
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return (1, tuple(_key(each) for each in value))
    return (2, True, 0.0) if value != value else (2, False, value) if isinstance(value, float) else (2, value)
