"""Distinct: each tuple once. At every instant a tuple is there min(c, 1) times, c being how often the input has it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tailrace.physical.operators.counts import Counts


@dataclass(frozen=True)
class Distinct(Counts):
    called: ClassVar[str] = "duplicate-eliminate"

    def multiplicity(self, counts: Sequence[np.ndarray]) -> np.ndarray:
        return (counts[0] > 0).astype(np.int64)
