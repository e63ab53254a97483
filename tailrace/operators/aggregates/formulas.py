"""Formulas: the function that computes each aggregate.

Algebraic aggregates are formulas over quantities, which are sums. Holistic aggregates need the values themselves: they
get every change of a group's values, in order of time, and give the result at each row of the timeline. A user's
aggregate (add, remove, result) is holistic and replays the changes of each group; it is in neither table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from tailrace.operators.aggregates import extremes as extreme
from tailrace.operators.aggregates import order_statistics as median
from tailrace.operators.aggregates.aggregation import Aggregation, Quantity, null_where, quantity
from tailrace.operators.aggregates.decimal_sums import to_decimals
from tailrace.operators.aggregates.exact_sums import (
    NAN,
    Sums,
    difference,
    limbs_of_counts,
    magnitudes,
    nearest,
    product,
    to_doubles,
    to_integers,
)
from tailrace.operators.aggregates.group_state import Timeline
from tailrace.operators.aggregates.order_statistics import Events

ALL = ("bool_and", "every", "logical_and")


@dataclass(frozen=True)
class Algebraic:
    """An aggregate that is a formula over quantities: `result` computes values from their totals and a scale."""

    quantities: Callable[[Aggregation], tuple[Quantity, ...]]
    result: Callable[[Aggregation, Sequence[Sums], int], pa.Array]


def count_quantities(of: Aggregation) -> tuple[Quantity, ...]:
    partly = of.counts is not None
    return (quantity("true" if of.function == "count_if" and not partly else "tuples", of),)


def count_result(of: Aggregation, totals: Sequence[Sums], scale: int) -> pa.Array:
    """COUNT: how many tuples there are, or how many without a NULL argument. COUNT_IF: how many with a true one."""
    return pa.array(totals[0][0]).cast(of.type)


def sum_quantities(of: Aggregation) -> tuple[Quantity, ...]:
    return quantity("tuples", of), quantity("total", of)


def sum_result(of: Aggregation, totals: Sequence[Sums], scale: int) -> pa.Array:
    """SUM: the exact sum; NULL without values. A BIGINT sum wraps around; a DECIMAL sum that does not fit is NULL."""
    known, sums = totals[0][0], totals[1]
    if pa.types.is_decimal(of.type):
        found = to_decimals(sums, len(known), scale, of.type)
    elif pa.types.is_floating(of.type):
        found = pa.array(to_doubles(sums, len(known))).cast(of.type)
    else:
        found = pa.array(to_integers(sums, len(known))).cast(of.type)
    return null_where(known == 0, found)


def average_result(of: Aggregation, totals: Sequence[Sums], scale: int) -> pa.Array:
    """AVG: the exact sum divided by the number of values, a DECIMAL rounded half up; NULL without values."""
    known, sums = totals[0][0], totals[1]
    among = np.maximum(known, 1)
    if pa.types.is_duration(of.type):
        units = to_decimals(sums, len(known), 0, pa.decimal128(18, 0), among)
        found = units.cast(pa.int64()).cast(of.type)
    elif pa.types.is_decimal(of.type):
        found = to_decimals(sums, len(known), scale, of.type, among)
    else:
        found = pa.array(to_doubles(sums, len(known)) / 10.0**scale / among).cast(of.type)
    return null_where(known == 0, found)


def variance_quantities(of: Aggregation) -> tuple[Quantity, ...]:
    assert of.counts is None, f"{of.function} of partial sums would lose digits"
    return quantity("tuples", of), quantity("total", of), quantity("squares", of)


def variance_result(of: Aggregation, totals: Sequence[Sums], scale: int) -> pa.Array:
    """VARIANCE, STDDEV: the squared distances from the mean, divided by n − 1 (or n: VAR_POP), and the square root.

    The result is NULL if the divisor is 0. Σ(x − m)² = (n Σx² − (Σx)²) / n is computed in whole numbers: no digits
    cancel, however far the mean is from zero.
    """
    known = totals[0][0]
    missing = 0 if of.function.endswith("_pop") else 1
    sums, squares = (magnitudes(each)[0] for each in totals[1:])
    spread, _ = magnitudes(difference(product(limbs_of_counts(known), squares), product(sums, sums)))
    above = nearest(spread) if spread else np.zeros(len(known))
    count = known.astype(np.float64)
    found = above / np.maximum(count * (count - missing), 1) / 10.0 ** (2 * scale)
    for bin, limbs in totals[1].items():
        if bin >= NAN:
            found = np.where(limbs > 0, np.nan, found)
    if of.function.startswith("std"):
        found = np.sqrt(found)
    return null_where(known <= missing, pa.array(found).cast(of.type))


def boolean_quantities(of: Aggregation) -> tuple[Quantity, ...]:
    return quantity("tuples", of), quantity("true", of)


def boolean_result(of: Aggregation, totals: Sequence[Sums], scale: int) -> pa.Array:
    """BOOL_AND, BOOL_OR: whether all, or any, of the values other than NULL are true; NULL if there are none."""
    known, true = totals[0][0], totals[1][0]
    return null_where(known == 0, pa.array(true == known if of.function in ALL else true > 0))


_counting = Algebraic(count_quantities, count_result)
_summing = Algebraic(sum_quantities, sum_result)
_averaging = Algebraic(sum_quantities, average_result)
_spreading = Algebraic(variance_quantities, variance_result)
_judging = Algebraic(boolean_quantities, boolean_result)

ALGEBRAIC: dict[str, Algebraic] = {
    **dict.fromkeys(("count", "count_if"), _counting),
    "sum": _summing,
    **dict.fromkeys(("avg", "mean"), _averaging),
    **dict.fromkeys(("stddev", "stddev_samp", "std", "stddev_pop"), _spreading),
    **dict.fromkeys(("variance", "var_samp", "var_pop"), _spreading),
    **dict.fromkeys(("bool_and", "every", "bool_or", "any", "some"), _judging),
}
HOLISTIC: dict[str, Callable[[str, Events, pa.Array, Timeline], pa.Array]] = {
    "min": extreme.result,
    "max": extreme.result,
    "median": median.result,
}
# The aggregates that are the same with and without DISTINCT.
INDIFFERENT = ("min", "max", "bool_and", "every", "bool_or", "any", "some")
