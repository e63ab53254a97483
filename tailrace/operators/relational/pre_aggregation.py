"""Pre-aggregation: lets Catalyst aggregate the tuples of each key and instant before the shuffle.

The stage then gets one row for the tuples of a key and an instant or, in a sliding window, for those that enter and
leave together. Catalyst does this only if the result is the same to the last digit: for counts, extremes, and sums of
whole numbers and of decimals that cannot overflow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pyarrow as pa

from tailrace.catalog.sources import Relation
from tailrace.columnar.arrow_types import arrow_type
from tailrace.logical.expressions import Expression
from tailrace.logical.windows import TimeWindow
from tailrace.operators.aggregates.aggregation import Aggregation
from tailrace.operators.names import Names, text_with
from tailrace.operators.pushdown import Pushdown

if TYPE_CHECKING:
    from tailrace.operators.relational.aggregate import Aggregate

COUNTED = ("count", "sum", "avg", "mean")


@dataclass(frozen=True)
class PartialSum:
    """An aggregate that Catalyst computes: count, count_if, sum, min or max of an argument; None counts tuples."""

    function: str
    argument: Expression | None
    condition: Expression | None
    type: pa.DataType

    def describe(self, names: Names) -> str:
        """The sum as text, such as `SUM(v)`, over columns of these names."""
        argument = "*" if self.argument is None else text_with(names, self.argument)
        condition = "" if self.condition is None else f" FILTER (WHERE {text_with(names, self.condition)})"
        return f"{self.function.upper()}({argument}){condition}"


@dataclass(frozen=True)
class PreAggregation:
    """The keys and the partial sums that Catalyst computes."""

    keys: tuple[Expression, ...]
    sums: tuple[PartialSum, ...]
    window: TimeWindow | None  # below the aggregate; its slide decides which instants are summed together
    fold: Aggregate  # the aggregate that the stage runs over the sums

    @property
    def types(self) -> tuple[pa.DataType, ...]:
        return (*(arrow_type(key.type) for key in self.keys), *(each.type for each in self.sums))

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """The keys, and the arguments and conditions of the sums."""
        parts = (part for each in self.sums for part in (each.argument, each.condition) if part is not None)
        return (*self.keys, *parts)


def pre_aggregate(work: Aggregate, below: Pushdown) -> PreAggregation | None:
    """The pre-aggregation of rows of a source without deletions, if all aggregations allow it; None otherwise."""
    if not below.of_source or (isinstance(below.origin, Relation) and below.origin.op):
        return None  # rows may have negative weights
    sums = [PartialSum("count", None, None, pa.int64())]
    width = len(work.keys)

    def place(each: PartialSum) -> int:
        if each not in sums:
            sums.append(each)
        return width + sums.index(each)

    found = []
    for of in work.aggregations:
        parted = _over_partial_sums(of, below, place)
        if parted is None:
            return None
        found.append(parted)
    windows = [each.time_window for each in below.windows if each.time_window]
    fold = replace(work, keys=tuple(range(width)), aggregations=tuple(found), rows=width)
    keys = tuple(below.columns[key] for key in work.keys)
    return PreAggregation(keys, tuple(sums), windows[0] if windows else None, fold)


def _over_partial_sums(of: Aggregation, chain: Pushdown, place: Callable[[PartialSum], int]) -> Aggregation | None:
    """The aggregation over partial sums, which `place` adds as columns; None if it cannot be computed from such."""
    if of.user or of.distinct or len(of.arguments) > 1:
        return None
    condition = None if of.filter is None else chain.columns[of.filter]
    argument = chain.columns[of.arguments[0]] if of.arguments else None
    known = place(PartialSum("count", argument, condition, pa.int64())) if of.function in COUNTED else 0
    if of.function == "count":
        return replace(of, arguments=(known,), filter=None, counts=known)
    if argument is None:
        return None
    if of.function == "count_if":
        true = place(PartialSum("count_if", argument, condition, pa.int64()))
        return replace(of, arguments=(true,), filter=None, counts=true)
    if of.function in ("min", "max"):
        best = place(PartialSum(of.function, argument, condition, arrow_type(argument.type)))
        return replace(of, arguments=(best,), filter=None)
    total = summed_type(of.function, arrow_type(argument.type))
    if of.function in ("sum", "avg", "mean") and total is not None:
        return replace(of, arguments=(place(PartialSum("sum", argument, condition, total)),), filter=None, counts=known)
    return None


def summed_type(function: str, type: pa.DataType) -> pa.DataType | None:
    """The type in which partial sums are exact, None if there is none: averages of wrapped BIGINT sums are wrong."""
    if pa.types.is_decimal(type):
        return pa.decimal128(type.precision + 10, type.scale) if type.precision <= 28 else None
    if pa.types.is_int64(type):
        return pa.int64() if function == "sum" else None
    return pa.int64() if pa.types.is_integer(type) else None
