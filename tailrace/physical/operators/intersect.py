"""Intersect: the tuples on both sides.

At every instant a tuple is there once if l > 0 and r > 0; with ALL, min(l, r) times (l, r: left's and right's).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tailrace.physical.operators.counts import Counts


@dataclass(frozen=True)
class Intersect(Counts):
    all: bool

    def multiplicity(self, counts: Sequence[np.ndarray]) -> np.ndarray:
        left, right = counts
        if self.all:
            return np.maximum(np.minimum(left, right), 0)
        return ((left > 0) & (right > 0)).astype(np.int64)
