"""Seq-window on time: an element at t is in the window from when it is first covered until it is passed.

Both instants follow from t alone (CQL §6.1.1, §6.1.4), so the window remembers nothing: it writes them down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tailrace.logical.windows import TimeWindow
from tailrace.physical.delta import FOREVER, Delta, Span
from tailrace.physical.operator import Operator


@dataclass(frozen=True)
class SeqWindow(Operator):
    window: TimeWindow
    scattered: ClassVar[bool] = True

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span) -> tuple[Delta, Any]:
        (delta,) = inputs
        start, until = self.lifetimes(delta.start)
        lives = Delta(start, until, delta.weight, delta.columns)
        return lives.where(start < until), state

    def lifetimes(self, instants: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """When elements of these instants enter and leave.

        >>> SeqWindow((), TimeWindow(10, 7)).lifetimes(np.array([0, 3, 7, 8]))
        (array([ 6,  7,  7, 14]), array([14, 14, 21, 21]))
        """
        size, slide = self.window.size, self.window.slide
        start = instants if slide == 1 else np.maximum(_up(instants, slide), slide - 1)
        if size is None:
            return start, np.full(len(instants), FOREVER, np.int64)
        passed = instants + (size + 1)
        return start, passed if slide == 1 else _up(passed, slide)


def _up(instants: np.ndarray, slide: int) -> np.ndarray:
    """The multiples of the slide at or after the instants."""
    return -(-instants // slide) * slide
