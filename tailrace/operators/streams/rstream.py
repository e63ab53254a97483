"""Rstream: the whole relation at every instant (CQL §6.3): Rstream(R) at τ is R(τ).

Snapshot emits the relation only as it is at the end of each batch: R(span.to), as rows of that one instant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from tailrace.columnar.delta import FOREVER, Delta, Span, concat, empty
from tailrace.columnar.segments import sum_equal_rows
from tailrace.operators.operator import Operator, TaskContext
from tailrace.operators.streams.changelog import cancel_pairs
from tailrace.state.resharding import ShardKey


@dataclass(frozen=True)
class RStream(Operator):
    kind: ClassVar[str] = "rstream"
    label: ClassVar[str] = "r-stream"
    forgets: ClassVar[bool] = True
    makes_stream: ClassVar[bool] = True
    emits_in_order: ClassVar[bool] = True

    def initial_state(self) -> Delta:
        return empty(self.types)

    def shard_columns(self, keys: Sequence[ShardKey]) -> tuple[ShardKey, ...]:
        return tuple(keys)

    def may_retract(self, inputs: Sequence[bool]) -> bool:
        return False

    def apply(self, inputs: Sequence[Delta], state: Delta, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        rows = concat([state, inputs[0]], self.types)
        first = np.maximum(rows.start, span.after + 1)
        last = np.minimum(rows.until - 1, span.to)
        counts = np.maximum(last - first + 1, 0)
        repeated = rows.take(np.repeat(np.arange(len(rows)), counts))
        ends = np.cumsum(counts)
        instants = np.repeat(first, counts) + np.arange(len(repeated)) - np.repeat(ends - counts, counts)
        out = cancel_pairs(Delta(instants, instants + 1, repeated.weight, repeated.columns))
        return out.in_time_order(), alive(rows, self.next_shown(span))

    def next_shown(self, span: Span) -> int:
        """The first instant that the next batch may show."""
        return span.to + 1


def alive(rows: Delta, since: int) -> Delta:
    """The rows that instants from `since` on may show; a tuple and its retraction cancel out."""
    rows = rows.where(rows.until > since)
    if not (rows.weight < 0).any():
        return rows
    settled = (rows.start < since) & (rows.until == FOREVER)
    old = rows.where(settled)
    first, weight = sum_equal_rows(old.columns, old.weight)
    return concat([replace(old.take(first), weight=weight), rows.where(~settled)], rows.types)


@dataclass(frozen=True)
class Snapshot(RStream):
    kind: ClassVar[str] = "snapshot"
    label: ClassVar[str] = "snapshot"

    def apply(self, inputs: Sequence[Delta], state: Delta, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        return super().apply(inputs, state, Span(span.to - 1, span.to), context)

    def next_shown(self, span: Span) -> int:
        """The same instant again, if the next batch comes before time goes on."""
        return span.to
