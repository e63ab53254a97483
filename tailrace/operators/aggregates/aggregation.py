"""Aggregation: one aggregate function applied to columns, and the sums (quantities) from which it is computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal as Word

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.catalog.user_functions import UserAggregate
from tailrace.operators.aggregates.exact_sums import Part, decimals, doubles, integers, squares
from tailrace.operators.names import Names, list_columns
from tailrace.stable_encoding import stable


@stable("operator-aggregation")
@dataclass(frozen=True)
class Aggregation:
    """An aggregate function of columns; after a pre-aggregation a row stands for several tuples of one instant."""

    function: str
    arguments: tuple[int, ...]
    type: pa.DataType
    distinct: bool = False
    filter: int | None = None  # the column that must be true for a row to take part
    counts: int | None = None  # how many tuples a row stands for; the argument is their sum
    user: UserAggregate | None = None  # the aggregate itself if it was registered from Python

    def describe(self, names: Names, over_sums: bool = False) -> str:
        """The aggregate as text, such as `SUM(v)`; `names` are those of the input's columns.

        After a pre-aggregation (`over_sums`) it is the aggregate over the original tuples: AVG(v), not AVG(SUM(v)).
        """
        name = self.user.name if self.user else self.function.upper()
        if over_sums:
            return f"{name}({names[self.arguments[0]].partition('(')[2]}"  # AVG(v) for SUM(v)
        arguments = list_columns(self.arguments, names) or "*"
        condition = "" if self.filter is None else f" FILTER (WHERE {list_columns([self.filter], names)})"
        return f"{name}({'DISTINCT ' if self.distinct else ''}{arguments}){condition}"


def describe_results(texts: Mapping[int, str], output: Names) -> str:
    """The texts of an operator's aggregates, by output column, each with the column's name if it has another one."""
    return ", ".join(text if text == output[at] else f"{text} AS {output[at]}" for at, text in texts.items())


@dataclass(frozen=True)
class Quantity:
    """A number that is summed over those tuples of a group that pass the filter and have no NULL among the arguments.

    `tuples` counts these tuples, `true` counts those whose argument is true, `total` is the exact sum of the argument
    and `squares` that of its square.
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
        """The column from which the quantity is computed, if it needs one."""
        return self.counts if self.kind == "tuples" else self.arguments[0]


def quantity(kind: Word["tuples", "true", "total", "squares"], of: Aggregation) -> Quantity:
    counts = of.counts if kind == "tuples" else None
    return Quantity(kind, of.arguments, of.distinct, of.filter, counts)


def taking_part(columns: Sequence[pa.Array], arguments: Sequence[int], filter: int | None) -> np.ndarray | None:
    """Which rows pass the filter and have no NULL among the arguments; None if all rows do.

    >>> columns = [pa.array([1, None, 3]), pa.array([True, True, None])]
    >>> taking_part(columns, (0,), 1).tolist(), taking_part(columns, (), None)
    ([True, False, False], None)
    """
    wanted = [columns[index].is_valid() for index in arguments if columns[index].null_count]
    if filter is not None:
        wanted.append(columns[filter].fill_null(False))
    return np.logical_and.reduce([mask.to_numpy(zero_copy_only=False) for mask in wanted]) if wanted else None


def parts(of: Quantity, column: pa.Array, length: int) -> Iterator[Part]:
    """What each row adds to the quantity, bin by bin (see exact_sums.py); all rows take part in the quantity.

    `column` is the argument; for the quantity `tuples` it is the column `counts`, or None.
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
    """The parts of a column of numbers without NULLs. A column of type NULL is empty here, and has no parts."""
    if not len(column):
        return iter(())
    if pa.types.is_decimal(column.type):
        return decimals(column)
    if pa.types.is_floating(column.type):
        return doubles(np.asarray(column.cast(pa.float64()).to_numpy(zero_copy_only=False)))
    return integers(whole(column))


def whole(column: pa.Array) -> np.ndarray:
    """A column without NULLs as 64-bit integers: integers as they are, times and intervals as their number of units."""
    if column.type.bit_width == 32 and pa.types.is_temporal(column.type):
        column = column.cast(pa.int32())
    return np.asarray(column.cast(pa.int64()).to_numpy(zero_copy_only=False))


def null_where(mask: np.ndarray, column: pa.Array) -> pa.Array:
    """The column with NULL in place of some of its values.

    >>> null_where(np.array([True, False]), pa.array([1, 2])).to_pylist()
    [None, 2]
    """
    return pc.if_else(pa.array(~mask), column, pa.scalar(None, column.type)) if mask.any() else column
