"""Changelog: the net changes of a relation at each instant, tuple by tuple; Istream and Dstream keep one sign of them.

At τ a tuple's change is R(τ) − R(τ−1): the weights of the rows that begin at τ less those of the rows that end there.
Istream(R) at τ is R(τ) − R(τ−1), Dstream(R) is R(τ−1) − R(τ), both as bags (CQL §6.3): the positive or the negative
net changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar import segments
from tailrace.columnar.delta import FOREVER, Delta, Span, concat
from tailrace.columnar.keys import hashes
from tailrace.operators.operator import Operator, TaskContext
from tailrace.state.timers import TimerQueue


@dataclass(frozen=True)
class Changelog(Operator):
    """A relation's changelog: rows of one instant, whose weight is the change. This is what a sink writes."""

    kind: ClassVar[str] = "changelog"
    forgets: ClassVar[bool] = True
    cost_group: ClassVar[str] = "changes"

    def initial_state(self) -> TimerQueue:
        return TimerQueue()

    def apply(self, inputs: Sequence[Delta], state: TimerQueue, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        events, calendar = self.due(inputs[0], state, span)
        return cancel_pairs(events).in_time_order(), calendar

    def due(self, delta: Delta, calendar: TimerQueue, span: Span) -> tuple[Delta, TimerQueue]:
        """The changes up to the span's end, and the queue of later ones: rows change R where they begin and end."""
        due, calendar = calendar.pop_due(span.to)
        ending = delta.where(delta.until != FOREVER)
        begins = Delta(delta.start, delta.start + 1, delta.weight, delta.columns)
        ends = Delta(ending.until, ending.until + 1, -ending.weight, ending.columns)
        later = concat([each.where(each.start > span.to) for each in (begins, ends)], self.types)
        if len(later):
            calendar = calendar.add(later.start, (pa.array(later.weight), *later.columns))
        parts = [each.where(each.start <= span.to) for each in (begins, ends)]
        if due is not None:
            parts.append(Delta(due.order, due.order + 1, due.columns[0].to_numpy(), due.columns[1:]))
        return concat(parts, self.types), calendar


def cancel_pairs(events: Delta) -> Delta:
    """Cancel changes out, so that no tuple both comes and goes at one instant. Each row is of one instant."""
    comes = events.weight > 0
    if comes.all() or not comes.any():
        return events
    numbers = hashes((pa.array(events.start), *events.columns), len(events)).view(np.int64)
    goes_too = among(numbers[comes], numbers[~comes])
    if not goes_too.any():
        return events
    # Only rows whose hash occurs with both signs can cancel out, and these are few.
    met = np.zeros(len(events), bool)
    met[comes] = goes_too
    met[~comes] = among(numbers[~comes], numbers[comes])
    both = events.where(met)
    rows, weight = segments.sum_equal_rows((pa.array(both.start), *both.columns), both.weight)
    return concat([events.where(~met), replace(both.take(rows), weight=weight)], events.types)


def among(numbers: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Which of the numbers are among the others."""
    found = pc.is_in(pa.array(numbers), value_set=pa.array(others))
    return np.asarray(found.to_numpy(zero_copy_only=False))


@dataclass(frozen=True)
class IStream(Changelog):
    """The tuples that came in at each instant."""

    kind: ClassVar[str] = "istream"
    label: ClassVar[str] = "i-stream"
    makes_stream: ClassVar[bool] = True
    emits_in_order: ClassVar[bool] = True

    def may_retract(self, inputs: Sequence[bool]) -> bool:
        return False

    def apply(self, inputs: Sequence[Delta], state: TimerQueue, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        events, calendar = self.due(inputs[0], state, span)
        return self.choose_sign(cancel_pairs(events)).in_time_order(), calendar

    def choose_sign(self, changes: Delta) -> Delta:
        return changes.where(changes.weight > 0)


@dataclass(frozen=True)
class DStream(IStream):
    """The tuples that went out at each instant."""

    kind: ClassVar[str] = "dstream"
    label: ClassVar[str] = "d-stream"

    def choose_sign(self, changes: Delta) -> Delta:
        return changes.where(changes.weight < 0).negate()
