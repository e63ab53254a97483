"""Aggregation: one aggregate of a fold, its arguments being columns, and the quantities that add up to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal as Word

import numpy as np
import pyarrow as pa

from tailrace.catalog.user_functions import UserAggregate
from tailrace.operators.aggregates.exact_sums import Part, decimals, doubles, integers, squares


@dataclass(frozen=True)
class Aggregation:
    """A function of columns of the input; `filter` is a column that must be true for a row to take part.

    `counts` is for rows that stand for several tuples of one instant (a partial aggregation went before): the
    column with their number. The argument is then their sum; for COUNT it does not matter. `user` is the aggregate
    itself where it was registered from Python.
    """

    function: str
    arguments: tuple[int, ...]
    type: pa.DataType
    distinct: bool = False
    filter: int | None = None
    counts: int | None = None
    user: UserAggregate | None = None


@dataclass(frozen=True)
class Quantity:
    """Something that adds up over the tuples of a group whose arguments are all known and that pass the filter.

    `tuples` counts them, `true` counts those whose argument is true, `total` and `squares` are exact sums.
    """

    kind: Word["tuples", "true", "total", "squares"]
    arguments: tuple[int, ...] = ()
    distinct: bool = False
    filter: int | None = None
    counts: int | None = None

    @property
    def is_exact(self) -> bool:
        return self.kind in ("total", "squares")

    @property
    def column(self) -> int | None:
        """The column it is taken from, if it needs one."""
        return self.counts if self.kind == "tuples" else self.arguments[0]


def quantity(kind: Word["tuples", "true", "total", "squares"], of: Aggregation) -> Quantity:
    counts = of.counts if kind == "tuples" else None
    return Quantity(kind, of.arguments, of.distinct, of.filter, counts)


def taking_part(columns: Sequence[pa.Array], arguments: Sequence[int], filter: int | None) -> np.ndarray | None:
    """Which rows have known arguments and pass the filter; None for all of them.

    >>> columns = [pa.array([1, None, 3]), pa.array([True, True, None])]
    >>> taking_part(columns, (0,), 1).tolist(), taking_part(columns, (), None)
    ([True, False, False], None)
    """
    wanted = [columns[index].is_valid() for index in arguments if columns[index].null_count]
    if filter is not None:
        wanted.append(columns[filter].fill_null(False))
    return np.logical_and.reduce([mask.to_numpy(zero_copy_only=False) for mask in wanted]) if wanted else None


def parts(of: Quantity, column: pa.Array, length: int) -> Iterator[Part]:
    """What each row adds to the quantity, bin by bin; the rows all take part in it.

    The column is the argument, or for `tuples` the one of `counts` or None.
    """
    if of.kind == "tuples":
        yield 0, np.ones(length, np.int64) if column is None else whole(column)
    elif of.kind == "true":
        yield 0, column.to_numpy(zero_copy_only=False).astype(np.int64)
    elif of.kind == "total":
        yield from numbers(column)
    else:
        yield from squares(numbers(column))


def numbers(column: pa.Array) -> Iterator[Part]:
    """The parts of a column of numbers without NULLs; a column that knows no other values is empty."""
    if not len(column):
        return iter(())
    if pa.types.is_decimal(column.type):
        return decimals(column)
    if pa.types.is_floating(column.type):
        return doubles(np.asarray(column.cast(pa.float64()).to_numpy(zero_copy_only=False)))
    return integers(whole(column))


def whole(column: pa.Array) -> np.ndarray:
    """A column without NULLs of integers, or of what is a number of units, as 64-bit integers."""
    if column.type.bit_width == 32 and pa.types.is_temporal(column.type):
        column = column.cast(pa.int32())
    return np.asarray(column.cast(pa.int64()).to_numpy(zero_copy_only=False))
