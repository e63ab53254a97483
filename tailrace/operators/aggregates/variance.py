"""VARIANCE, STDDEV: the sum of squared distances from the mean, divided by n − 1 (or n: VAR_POP), and its square root.

The result is NULL if the divisor is 0. Σ(x − m)² = (n Σx² − (Σx)²) / n is computed in whole numbers: no digits cancel,
however far the mean is from zero.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from tailrace.operators.aggregates.aggregation import Aggregation, Quantity, quantity
from tailrace.operators.aggregates.exact_sums import (
    NAN,
    Sums,
    difference,
    limbs_of_counts,
    magnitudes,
    nearest,
    product,
)
from tailrace.operators.aggregates.nulls import null_where


def quantities(of: Aggregation) -> tuple[Quantity, ...]:
    assert of.counts is None, f"{of.function} of partial sums would lose digits"
    return quantity("tuples", of), quantity("total", of), quantity("squares", of)


def result(of: Aggregation, totals: Sequence[Sums], scale: int) -> pa.Array:
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
