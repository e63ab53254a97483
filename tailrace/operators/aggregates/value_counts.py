"""Value counts: how often each group has each value, now and at later known instants.

Holistic aggregates, such as MEDIAN, need them. A batch loads the values of the groups that it touches, and no others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa

from tailrace.columnar.segments import sum_equal_rows
from tailrace.operators.aggregates.group_state import GroupBatch, GroupRows
from tailrace.operators.aggregates.order_statistics import Events
from tailrace.operators.aggregates.ranks import rank_values
from tailrace.state.key_index import pairs_in_ranges
from tailrace.state.resharding import merge_states
from tailrace.state.runs import (
    Run,
    Synopsis,
    append_run,
    find_groups,
    merge_all,
    merge_runs,
    places,
    sorted_run,
    split_runs,
)
from tailrace.state.state_classes import register_state
from tailrace.state.timers import TimerQueue


@register_state("bag")
@dataclass(frozen=True)
class Bag(Synopsis):
    """A bag of rows, found by a number. A row's last column is a change of its count; merged runs sum the changes."""

    def add(self, numbers: np.ndarray, columns: Sequence[pa.Array]) -> Bag:
        return replace(self, runs=append_run(self.runs, consolidate(sorted_run(numbers, columns)), _merge))

    def of(self, numbers: np.ndarray) -> tuple[np.ndarray, list[Run]]:
        """For each row that has one of these distinct numbers the index of that number; and the rows, as runs."""
        probes, found = [np.empty(0, np.int64)], []
        for run in self.runs:
            pairs = pairs_in_ranges(*places(run, numbers))
            probes.append(pairs.probe)
            found.append(run.take(pairs.row))
        return np.concatenate(probes), found

    def without(self, numbers: np.ndarray) -> Bag:
        """Drop the rows with these numbers."""
        kept = (run.take(np.flatnonzero(np.isin(run.order, numbers, invert=True))) for run in self.runs)
        return Bag(tuple(run for run in kept if len(run))) if len(numbers) else self

    def of_groups(self, group_ids: np.ndarray) -> Bag:
        """The rows whose numbers are group ids, one of these."""
        return Bag(split_runs(self.runs, lambda run: find_groups(run.order, group_ids)))

    @classmethod
    def merge(cls, parts: Sequence[Bag]) -> Bag:
        return cls(merge_all((part.runs for part in parts), _merge))


def _merge(runs: Sequence[Run]) -> Run:
    return consolidate(merge_runs(runs))


def consolidate(run: Run) -> Run:
    """Sum the last column over rows that are otherwise equal, and drop rows whose sum is 0."""
    if not len(run):
        return run
    *others, change = run.columns
    rows, sums = sum_equal_rows([pa.array(run.order.view(np.int64)), *others], change.to_numpy())
    order = np.argsort(rows)
    taken = Run(run.order, tuple(others)).take(rows[order])
    return Run(taken.order, (*taken.columns, pa.array(sums[order])))


@register_state("value-counts")
@dataclass(frozen=True)
class ValueCounts:
    # The values of groups by group id: `bag` has them as they are now, `calendar` their changes at later instants.
    bag: Bag = field(default_factory=Bag)
    calendar: TimerQueue = field(default_factory=TimerQueue)

    def of_groups(self, group_ids: np.ndarray) -> ValueCounts:
        return ValueCounts(self.bag.of_groups(group_ids), self.calendar.of_groups(group_ids))

    @classmethod
    def merge(cls, parts: Sequence[ValueCounts]) -> ValueCounts:
        return cls(*merge_states([(part.bag, part.calendar) for part in parts]))

    def turn(self, page: GroupBatch, rows: GroupRows, column: pa.Array) -> tuple[Events, pa.Array, ValueCounts]:
        """Apply a batch of values, none NULL: their changes on its timeline, the values by rank, and the new counts."""
        line = page.timeline
        due, calendar = self.calendar.pop_due(page.span.to)
        probe, old = self.bag.of(page.groups.slots[line.groups])
        places = [line.heads[probe], line.of_cell[rows.begin], line.of_cell[rows.end]]
        values = [*(run.columns[0] for run in old), column, column.take(pa.array(rows.ends))]
        changes = [*(run.columns[1].to_numpy() for run in old), rows.weight, -rows.weight[rows.ends]]
        if due is not None:
            slots = due.columns[0].to_numpy().view(np.uint64)
            places.append(page.find(page.groups_of(slots), due.order))
            values.append(due.columns[1])
            changes.append(due.columns[2].to_numpy())
        place, change = np.concatenate(places), np.concatenate(changes)
        value = pa.concat_arrays(values)
        group = np.concatenate([line.groups[probe], rows.group, rows.group[rows.ends]])
        later = np.flatnonzero(place[: len(group)] < 0)
        if len(later):
            instant = np.concatenate([np.zeros(len(probe), np.int64), rows.start, rows.until[rows.ends]])[later]
            slots = pa.array(page.groups.slots[group[later]].view(np.int64))
            coming = Run(instant, (slots, value.take(pa.array(later)), pa.array(change[later])))
            coming = consolidate(coming)
            calendar = calendar.add(coming.order, coming.columns)
        now = np.flatnonzero(place >= 0)
        numbers, distinct = rank_values(value.take(pa.array(now)) if len(later) else value)
        new = now[now >= len(probe)]
        slots_now = page.groups.slots[line.group[place[new]]]
        bag = self.bag.add(slots_now, (value.take(pa.array(new)), pa.array(change[new])))
        return Events(place[now], numbers, change[now]), distinct, ValueCounts(bag, calendar)
