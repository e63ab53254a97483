"""Timers: rows that wait until an instant is decided, in order of that instant.

The rows that are due are a prefix of each run, so taking them moves no data: the queue only notes how far they were
taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from tailrace.columnar.delta import FOREVER
from tailrace.state.runs import Run, Synopsis, append_run, find_groups, merge_runs, sorted_run, split_runs
from tailrace.state.state_classes import register_state


@register_state("timers")
@dataclass(frozen=True)
class TimerQueue(Synopsis):
    """Rows by the instant at which they become due, in runs; the rows up to `past` have been taken."""

    past: int = -1

    def add(self, instants: np.ndarray, columns: Sequence[pa.Array]) -> TimerQueue:
        """Add rows, which become due after `past`."""
        return replace(self, runs=append_run(self.runs, sorted_run(instants, columns), self._merge))

    def add_runs(self, runs: Sequence[Run]) -> TimerQueue:
        """Add the rows of other queues' runs that become due after `past`, as one run."""
        whole = [part for run in runs if len(part := self._between(run, FOREVER))]
        return replace(self, runs=(*self.runs, merge_runs(whole)) if whole else self.runs)

    def _merge(self, runs: Sequence[Run]) -> Run:
        return merge_runs([self._between(run, FOREVER) for run in runs])

    def _between(self, run: Run, to: int) -> Run:
        """The rows of a run that become due after `past`, up to an instant."""
        return run.slice(*(int(np.searchsorted(run.order, instant, "right")) for instant in (self.past, to)))

    def pop_due(self, to: int) -> tuple[Run | None, TimerQueue]:
        """The rows that are due up to an instant, and the queue without them."""
        due = [part for run in self.runs if len(part := self._between(run, to))]
        left = tuple(run for run in self.runs if run.order[-1] > to)
        return (merge_runs(due) if due else None), TimerQueue(left, max(to, self.past))

    def of_groups(self, group_ids: np.ndarray) -> TimerQueue:
        """The rows of some groups; a row's first column is its group id."""
        return replace(self, runs=split_runs(self.runs, lambda run: find_groups(run.columns[0].to_numpy(), group_ids)))

    @classmethod
    def merge(cls, parts: Sequence[TimerQueue]) -> TimerQueue:
        past = max(part.past for part in parts)
        return cls((), past).add_runs([run for part in parts for run in part.runs])

    def __len__(self) -> int:
        return sum(len(self._between(run, FOREVER)) for run in self.runs)
