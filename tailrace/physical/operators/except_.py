"""Except: the left tuples that are not on the right.

At every instant a tuple is there once if l > 0 and r = 0; with ALL, max(l − r, 0) times (l, r: left's and right's).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tailrace.physical.operators.counts import Counts


@dataclass(frozen=True)
class Except(Counts):
    all: bool

    def multiplicity(self, counts: Sequence[np.ndarray]) -> np.ndarray:
        left, right = counts
        if self.all:
            return np.maximum(left - right, 0)
        return ((left > 0) & (right <= 0)).astype(np.int64)
