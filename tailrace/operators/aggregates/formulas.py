"""Formulas: the function that computes each aggregate.

Algebraic aggregates are formulas over quantities, which are sums. Holistic aggregates need the values themselves: they
get every change of a group's values, in order of time, and give the result at each row of the timeline. A user's
aggregate (add, remove, result) is holistic and replays the changes of each group; it is in neither table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pyarrow as pa

from tailrace.operators.aggregates import average, boolean, count, sum, variance
from tailrace.operators.aggregates import extremes as extreme
from tailrace.operators.aggregates import order_statistics as median
from tailrace.operators.aggregates.aggregation import Aggregation, Quantity
from tailrace.operators.aggregates.exact_sums import Sums
from tailrace.operators.aggregates.group_state import Timeline
from tailrace.operators.aggregates.order_statistics import Events


@dataclass(frozen=True)
class Algebraic:
    """An aggregate that is a formula over quantities.

    `quantities` are those it needs; `result` computes its values from their totals and the scale of its argument.
    """

    quantities: Callable[[Aggregation], tuple[Quantity, ...]]
    result: Callable[[Aggregation, Sequence[Sums], int], pa.Array]


_counting = Algebraic(count.quantities, count.result)
_summing = Algebraic(sum.quantities, sum.result)
_averaging = Algebraic(average.quantities, average.result)
_spreading = Algebraic(variance.quantities, variance.result)
_judging = Algebraic(boolean.quantities, boolean.result)

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
