"""BOOL_AND, BOOL_OR: whether all, or any, of the values other than NULL are true; NULL if there are none."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from tailrace.operators.aggregates.aggregation import Aggregation, Quantity, quantity
from tailrace.operators.aggregates.exact_sums import Sums
from tailrace.operators.aggregates.nulls import null_where

ALL = ("bool_and", "every", "logical_and")


def quantities(of: Aggregation) -> tuple[Quantity, ...]:
    return quantity("tuples", of), quantity("true", of)


def result(of: Aggregation, totals: Sequence[Sums], scale: int) -> pa.Array:
    known, true = totals[0][0], totals[1][0]
    return null_where(known == 0, pa.array(true == known if of.function in ALL else true > 0))
