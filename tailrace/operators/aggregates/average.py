"""AVG: the exact sum of the values other than NULL, divided by their number; NULL if there are none.

A DECIMAL result is rounded half up.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from tailrace.operators.aggregates.aggregation import Aggregation, Quantity, quantity
from tailrace.operators.aggregates.decimal_sums import to_decimals
from tailrace.operators.aggregates.exact_sums import Sums, to_doubles
from tailrace.operators.aggregates.nulls import null_where


def quantities(of: Aggregation) -> tuple[Quantity, ...]:
    return quantity("tuples", of), quantity("total", of)


def result(of: Aggregation, totals: Sequence[Sums], scale: int) -> pa.Array:
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
