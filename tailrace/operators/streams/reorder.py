"""Reorder: buffers rows until the watermark passes their event time, then emits them in order (stream-shepherd).

A row at or before the watermark of the batch before is late: it is dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pyarrow as pa

from tailrace.columnar.delta import Delta, Span, concat
from tailrace.operators.names import Names, by_columns
from tailrace.operators.operator import KeyLink, Operator, TaskContext
from tailrace.state.timers import TimerQueue


@dataclass(frozen=True)
class Reorder(Operator):
    """`key` are the columns by which rows may be sharded: each value has an order of its own. Without any, all rows
    have one order."""

    kind: ClassVar[str] = "reorder"
    reacts_to_time: ClassVar[bool] = False
    forgets: ClassVar[bool] = True
    needs_arrival_order: ClassVar[bool] = True
    key: tuple[int, ...] = ()

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        return tuple(KeyLink((index,), (index,)) for index in self.key)

    def initial_state(self) -> TimerQueue:
        return TimerQueue()

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        return by_columns(self.key, inputs[0]).strip()

    def apply(self, inputs: Sequence[Delta], state: TimerQueue, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        (delta,) = inputs
        due, early = state.pop_due(span.to)
        ahead = delta.where(delta.start > span.to)
        if len(ahead):
            early = early.add(ahead.start, (pa.array(ahead.weight), *ahead.columns))
        now = delta.where((delta.start > span.after) & (delta.start <= span.to))
        if due is not None:
            weight = due.columns[0].to_numpy()
            now = concat([Delta(due.order, due.order + 1, weight, due.columns[1:]), now], self.types)
        return now.in_time_order(), early
