"""Counts: operators that look at nothing but how often each input holds a tuple.

At every instant the output holds a tuple f(c₁, c₂, …) times, cᵢ being how often input i holds it then. With c for a
single input's count, l and r for those of the left and the right input, f is:

* Distinct, each tuple once: min(c, 1).
* Except, the left tuples that are not on the right: 1 if l > 0 and r = 0, else 0; with ALL, max(l − r, 0).
* Intersect, the tuples on both sides: 1 if l > 0 and r > 0, else 0; with ALL, min(l, r).
* SingleRowCheck, the left tuples for which a scalar subquery gave no row: l − r. The right input holds a left tuple
  once for each row that the subquery gave for it; so r > l means that it gave two rows, which is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from tailrace.columnar import segments
from tailrace.columnar.delta import FOREVER, Delta, Span, concat, empty
from tailrace.errors import RunError
from tailrace.operators.aggregates.group_state import GroupBatch, GroupLayout, GroupState, Timeline, open_batch
from tailrace.operators.names import Names
from tailrace.operators.operator import Operator, TaskContext
from tailrace.state.group_ids import ActiveMembers


@dataclass(frozen=True)
class CountOperator(Operator):
    """The base of these operators. Each distinct tuple is a group; its quantities are its counts, one per input."""

    forgets: ClassVar[bool] = True
    cost_group: ClassVar[str] = "counts"

    # Of a family: its members, whose numbers are the first column.
    roster: ActiveMembers | None = field(default=None, compare=False, repr=False, kw_only=True)

    def multiplicity(self, counts: Sequence[np.ndarray]) -> np.ndarray:
        raise AssertionError("each of these operators has its function")

    def check(self, counts: Sequence[np.ndarray], line: Timeline) -> None:
        """Raise an error if some counts are not allowed; `line` tells at which instants the counts hold."""

    def initial_state(self) -> GroupState:
        return GroupState()

    def may_retract(self, inputs: Sequence[bool]) -> bool:
        return True

    def apply(self, inputs: Sequence[Delta], state: GroupState, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        delta = drop_empty_intervals(concat(inputs, self.types))
        origin = np.repeat(np.arange(len(inputs)), [len(each) for each in inputs])
        if len(delta) < len(origin):
            origin = origin[np.concatenate([each.until > each.start for each in inputs])]
        layout = GroupLayout(self.types, (False,) * len(inputs))
        state, _ = state.of(self.roster, span.after)
        if self.roster:
            delta = self.roster.rows(delta, 0)
        page = open_batch(state, layout, delta, delta.columns, span)
        if page is None:
            return empty(self.types), state
        sums = []
        for number in range(len(inputs)):
            rows = page.rows.where(origin == number) if len(inputs) > 1 else page.rows
            sums.append(page.sum_by_cell(number, rows, [(0, np.ones(len(rows.start), np.int64))]))
        totals = [page.running_totals(number, each) for number, each in enumerate(sums)]
        counts = [total[0] for total in totals]
        self.check(counts, page.timeline)
        multiplicity = self.multiplicity(counts)
        return shifts(page, multiplicity), page.commit(sums, totals)


def drop_empty_intervals(delta: Delta) -> Delta:
    """The rows that hold at some instant: those that end after they start."""
    return delta.where(delta.until > delta.start)


def shifts(page: GroupBatch, multiplicity: np.ndarray) -> Delta:
    """A row for each stretch of time in which a tuple's multiplicity changed in the batch; its weight is the change."""
    line = page.timeline
    differs = np.append(False, multiplicity[1:] != multiplicity[:-1])[: len(line)]
    differs[line.heads] = False
    at = np.flatnonzero(differs)
    group = line.group[at]
    weight = multiplicity[at] - multiplicity[line.head[group]]
    until = segments.until_next(line.instant[at], group, FOREVER)
    kept = np.flatnonzero(weight)
    taken = pa.array(group[kept])
    columns = tuple(column.take(taken) for column in page.groups.keys)
    return Delta(line.instant[at][kept], until[kept], weight[kept], columns)


@dataclass(frozen=True)
class Distinct(CountOperator):
    kind: ClassVar[str] = "distinct"

    def multiplicity(self, counts: Sequence[np.ndarray]) -> np.ndarray:
        return (counts[0] > 0).astype(np.int64)


@dataclass(frozen=True)
class Except(CountOperator):
    kind: ClassVar[str] = "except"
    all: bool

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        return "all" if self.all else ""

    def multiplicity(self, counts: Sequence[np.ndarray]) -> np.ndarray:
        left, right = counts
        if self.all:
            return np.maximum(left - right, 0)
        return ((left > 0) & (right <= 0)).astype(np.int64)


@dataclass(frozen=True)
class Intersect(CountOperator):
    kind: ClassVar[str] = "intersect"
    all: bool

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        return "all" if self.all else ""

    def multiplicity(self, counts: Sequence[np.ndarray]) -> np.ndarray:
        left, right = counts
        if self.all:
            return np.maximum(np.minimum(left, right), 0)
        return ((left > 0) & (right > 0)).astype(np.int64)


@dataclass(frozen=True)
class SingleRowCheck(CountOperator):
    kind: ClassVar[str] = "single-row-check"

    def multiplicity(self, counts: Sequence[np.ndarray]) -> np.ndarray:
        left, found = counts
        return left - found

    label: ClassVar[str] = "single-row"

    def check(self, counts: Sequence[np.ndarray], line: Timeline) -> None:
        left, found = counts
        double = np.flatnonzero(found > left)
        if len(double):
            instant = int(line.instant[double].min())
            hint = "aggregate its rows, or pick one by ORDER BY … LIMIT 1"
            raise RunError(f"a scalar subquery gave more than one row at instant {instant}", None, hint)
