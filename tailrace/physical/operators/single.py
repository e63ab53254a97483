"""Single: the left tuples for which a scalar subquery gave no row; a subquery that gave several is an error.

The inputs are the left tuples, and the left tuples once for each row that was found for them. At every instant the
output holds a tuple as often as the first has it more often; where the second has it more often, two rows were found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tailrace.errors import RunError
from tailrace.physical.aggregates.ledger import Timeline
from tailrace.physical.operators.counts import Counts


@dataclass(frozen=True)
class Single(Counts):
    def multiplicity(self, counts: Sequence[np.ndarray]) -> np.ndarray:
        left, found = counts
        return left - found

    def check(self, counts: Sequence[np.ndarray], line: Timeline) -> None:
        left, found = counts
        double = np.flatnonzero(found > left)
        if len(double):
            instant = int(line.instant[double].min())
            hint = "aggregate its rows, or pick one by ORDER BY … LIMIT 1"
            raise RunError(f"a scalar subquery gave more than one row at instant {instant}", None, hint)
