"""Counts: operators that look at nothing but how often each input holds a tuple.

At every instant the output holds a tuple f(c₁, c₂, …) times, cᵢ being how often input i holds it then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from tailrace.physical import segments
from tailrace.physical.aggregates.ledger import Layout, Ledger, Page, Timeline, turn
from tailrace.physical.aggregates.slots import Roster
from tailrace.physical.delta import FOREVER, Delta, Span, concat, empty
from tailrace.physical.operator import Operator


@dataclass(frozen=True)
class Counts(Operator):
    """The base of these operators. A tuple's counts are its group's quantities, one for each input."""

    # Of a family, with whose members tuples begin.
    roster: Roster | None = field(default=None, compare=False, repr=False, kw_only=True)

    def multiplicity(self, counts: Sequence[np.ndarray]) -> np.ndarray:
        raise AssertionError("each of these operators has its function")

    def check(self, counts: Sequence[np.ndarray], line: Timeline) -> None:
        """Refuse counts that may not be, at the rows of a timeline."""

    def start(self) -> Ledger:
        return Ledger()

    def takes_back(self, inputs: Sequence[bool]) -> bool:
        return True

    def apply(self, inputs: Sequence[Delta], state: Ledger, span: Span) -> tuple[Delta, Any]:
        delta = covering(concat(inputs, self.types))
        origin = np.repeat(np.arange(len(inputs)), [len(each) for each in inputs])
        if len(delta) < len(origin):
            origin = origin[np.concatenate([each.until > each.start for each in inputs])]
        layout = Layout(self.types, (False,) * len(inputs))
        state, _ = state.of(self.roster, span.after)
        if self.roster:
            delta = self.roster.rows(delta, 0)
        page = turn(state, layout, delta, delta.columns, span)
        if page is None:
            return empty(self.types), state
        sums = []
        for number in range(len(inputs)):
            rows = page.rows.where(origin == number) if len(inputs) > 1 else page.rows
            sums.append(page.summed(number, rows, [(0, np.ones(len(rows.start), np.int64))]))
        totals = [page.running(number, each) for number, each in enumerate(sums)]
        counts = [total[0] for total in totals]
        self.check(counts, page.timeline)
        multiplicity = self.multiplicity(counts)
        return shifts(page, multiplicity), page.close(sums, totals)


def covering(delta: Delta) -> Delta:
    """The rows that hold at some instant."""
    return delta.where(delta.until > delta.start)


def shifts(page: Page, multiplicity: np.ndarray) -> Delta:
    """What the multiplicities of tuples are above, or below, how they stood before the batch."""
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
