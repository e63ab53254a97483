"""SUM: the exact sum of the values other than NULL; NULL if there are none.

A BIGINT sum that does not fit wraps around; a DECIMAL sum that does not fit is NULL.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from tailrace.operators.aggregates.aggregation import Aggregation, Quantity, quantity
from tailrace.operators.aggregates.decimal_sums import to_decimals
from tailrace.operators.aggregates.exact_sums import Sums, to_doubles, to_integers
from tailrace.operators.aggregates.nulls import null_where


def quantities(of: Aggregation) -> tuple[Quantity, ...]:
    return quantity("tuples", of), quantity("total", of)


def result(of: Aggregation, totals: Sequence[Sums], scale: int) -> pa.Array:
    known, sums = totals[0][0], totals[1]
    if pa.types.is_decimal(of.type):
        found = to_decimals(sums, len(known), scale, of.type)
    elif pa.types.is_floating(of.type):
        found = pa.array(to_doubles(sums, len(known))).cast(of.type)
    else:
        found = pa.array(to_integers(sums, len(known))).cast(of.type)
    return null_where(known == 0, found)
