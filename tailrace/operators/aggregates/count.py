"""COUNT: how many tuples there are, or how many without a NULL argument. COUNT_IF: how many whose argument is true."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from tailrace.operators.aggregates.aggregation import Aggregation, Quantity, quantity
from tailrace.operators.aggregates.exact_sums import Sums


def quantities(of: Aggregation) -> tuple[Quantity, ...]:
    partly = of.counts is not None
    return (quantity("true" if of.function == "count_if" and not partly else "tuples", of),)


def result(of: Aggregation, totals: Sequence[Sums], scale: int) -> pa.Array:
    return pa.array(totals[0][0]).cast(of.type)
