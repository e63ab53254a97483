"""Stream-shepherd: holds arriving rows back until their instant is decided, then lets them go in order of time.

What comes at or before the last heartbeat is late: it is left out and counted, never folded in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from tailrace.columnar.delta import Delta, Span, concat
from tailrace.operators.operator import Link, Operator
from tailrace.state.timers import Calendar


@dataclass(frozen=True)
class Waiting:
    """The rows that are early, and how many came late so far."""

    early: Calendar = field(default_factory=Calendar)
    late: int = 0


@dataclass(frozen=True)
class Shepherd(Operator):
    """`key` are the columns whose values have an order of their own; of none, all rows have one order."""

    called: ClassVar[str] = "stream-shepherd"
    key: tuple[int, ...] = ()

    def links(self, inputs: int) -> tuple[Link, ...]:
        return tuple(Link((index,), (index,)) for index in self.key)

    def start(self) -> Waiting:
        return Waiting()

    def apply(self, inputs: Sequence[Delta], state: Waiting, span: Span) -> tuple[Delta, Any]:
        (delta,) = inputs
        late = delta.start <= span.after
        due, early = state.early.take(span.to)
        ahead = delta.where(delta.start > span.to)
        if len(ahead):
            early = early.add(ahead.start, (pa.array(ahead.weight), *ahead.columns))
        now = delta.where(~late & (delta.start <= span.to))
        if due is not None:
            weight = due.columns[0].to_numpy()
            now = concat([Delta(due.order, due.order + 1, weight, due.columns[1:]), now], self.types)
        if (now.start[1:] < now.start[:-1]).any():
            now = now.take(np.argsort(now.start, kind="stable"))
        return now, Waiting(early, state.late + int(late.sum()))
