"""Time window: an element at t is in the window from when it is first covered until it is passed (CQL's seq-window).

Both instants follow from t alone (CQL §6.1.1, §6.1.4), so the window remembers nothing: it writes them down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tailrace.columnar.delta import FOREVER, Delta, Span
from tailrace.logical.windows import TimeWindow
from tailrace.operators.names import Names
from tailrace.operators.operator import Operator, TaskContext
from tailrace.operators.pushdown import Pushdown

if TYPE_CHECKING:
    from tailrace.columnar.delta import Instants

ENDLESS = FOREVER >> 2  # as a size: longer than any time, and short enough to be added to an instant


@dataclass(frozen=True)
class TimeWindowOp(Operator):
    kind: ClassVar[str] = "time-window"
    window: TimeWindow

    label: ClassVar[str] = "window"
    row_local: ClassVar[bool] = True

    def horizon(self, inputs: Sequence[int]) -> int | None:
        size = self.window.size
        return None if size is None else max(inputs) + size + self.window.slide + 1

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        return str(self.window)

    def push_down(self, below: Pushdown) -> Pushdown:
        return below.with_window(self)

    @property
    def time_window(self) -> TimeWindow:
        return self.window

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        (delta,) = inputs
        start, until = self.lifetimes(delta.start)
        lives = Delta(start, until, delta.weight, delta.columns)
        return lives.where(start < until), state

    def lifetimes(self, instants: Instants) -> tuple[Instants, Instants]:
        """When elements of these instants enter and leave.

        >>> TimeWindowOp((), TimeWindow(10, 7)).lifetimes(np.array([0, 3, 7, 8]))
        (array([ 6,  7,  7, 14]), array([14, 14, 21, 21]))
        """
        return lifetimes(instants, ENDLESS if self.window.size is None else self.window.size, self.window.slide)


def lifetimes(instants: Instants, size: int | Instants, slide: int | Instants) -> tuple[Instants, Instants]:
    """When elements enter and leave a window, or each a window of its own; an unbounded window has the size ENDLESS."""
    if np.ndim(slide) == 0 and slide == 1:
        start, until = instants, instants + (size + 1)
    else:
        start, until = np.maximum(_up(instants, slide), slide - 1), _up(instants + (size + 1), slide)
    if np.ndim(size):
        return start, np.where(size == ENDLESS, FOREVER, until)
    return start, until if size != ENDLESS else np.full(len(instants), FOREVER, np.int64)


def _up(instants: Instants, slide: int | Instants) -> Instants:
    """The multiples of the slide at or after the instants."""
    return -(-instants // slide) * slide
