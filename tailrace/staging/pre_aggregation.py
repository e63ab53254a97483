"""Partial aggregates: what Catalyst can add up per key and instant before rows travel.

The stage then gets one row for the tuples of a key and an instant, or, in a window that slides, for those that enter
and leave together. Only what comes out the same to the last digit is left to Catalyst: counts, extremes, sums of whole
numbers and of decimals that cannot overflow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import pyarrow as pa

from tailrace.catalog.sources import Relation
from tailrace.columnar.arrow_types import arrow_type
from tailrace.logical.expressions import Expression
from tailrace.logical.windows import TimeWindow
from tailrace.operators.aggregates.aggregation import Aggregation
from tailrace.operators.relational.aggregate import Aggregate
from tailrace.operators.windows.time_window import TimeWindowOp
from tailrace.staging.pushdown import Pushdown

COUNTED = ("count", "sum", "avg", "mean")


@dataclass(frozen=True)
class PartialSum:
    """A sum that Catalyst makes of an argument, `None` for tuples: count, count_if, sum, min or max."""

    function: str
    argument: Expression | None
    condition: Expression | None
    type: pa.DataType


@dataclass(frozen=True)
class PreAggregation:
    """The keys and the sums of a partial aggregation, the window whose elements are summed, the fold that follows."""

    keys: tuple[Expression, ...]
    sums: tuple[PartialSum, ...]
    window: TimeWindow | None
    fold: Aggregate

    @property
    def types(self) -> tuple[pa.DataType, ...]:
        return (*(arrow_type(key.type) for key in self.keys), *(each.type for each in self.sums))


def partial(work: Aggregate, chain: Pushdown | None) -> PreAggregation | None:
    """The partial aggregation that can go before an aggregate over a source's rows, if one can."""
    if chain is None or isinstance(chain.origin, int):
        return None
    if isinstance(chain.origin, Relation) and chain.origin.op:
        return None  # its rows count negatively
    sums = [PartialSum("count", None, None, pa.int64())]
    width = len(work.keys)

    def place(each: PartialSum) -> int:
        if each not in sums:
            sums.append(each)
        return width + sums.index(each)

    found = []
    for of in work.aggregations:
        parted = _over_partial_sums(of, chain, place)
        if parted is None:
            return None
        found.append(parted)
    windows = [window.window for window in chain.windows if isinstance(window, TimeWindowOp)]
    fold = replace(work, keys=tuple(range(width)), aggregations=tuple(found), rows=width)
    keys = tuple(chain.columns[key] for key in work.keys)
    return PreAggregation(keys, tuple(sums), windows[0] if windows else None, fold)


def _over_partial_sums(of: Aggregation, chain: Pushdown, place: Callable[[PartialSum], int]) -> Aggregation | None:
    """The aggregation over partial sums."""
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
    """The type of a sum that loses nothing; None where there is none.

    A BIGINT that wraps around does so in parts as well as in one; an average of it would be wrong.
    """
    if pa.types.is_decimal(type):
        return pa.decimal128(type.precision + 10, type.scale) if type.precision <= 28 else None
    if pa.types.is_int64(type):
        return pa.int64() if function == "sum" else None
    return pa.int64() if pa.types.is_integer(type) else None
