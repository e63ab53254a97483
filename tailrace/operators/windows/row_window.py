"""Row window: `[PARTITION BY … ROWS N SLIDE M]`: the last N tuples of each partition, moving every M tuples.

The i-th tuple of a partition enters with tuple number ⌈i/M⌉·M and leaves with number ⌈(i+N)/M⌉·M (semantics B.1);
with M = 1 it enters as it comes and leaves with the N-th tuple after it. Tuples of one instant are in order of arrival.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from tailrace.columnar import segments
from tailrace.columnar.delta import FOREVER, Delta, Span, concat
from tailrace.columnar.keys import groups
from tailrace.logical.windows import RowWindow as Window
from tailrace.operators.names import Names, list_columns
from tailrace.operators.operator import KeyLink, Operator, TaskContext
from tailrace.state.group_ids import find_group_ids
from tailrace.state.key_index import KeyTable, pairs_in_ranges
from tailrace.state.numbered_tuples import NumberedTuples
from tailrace.state.resharding import ShardKey, find_in_table
from tailrace.state.runs import Run, append_run, merge_runs, places, sorted_run
from tailrace.state.state_classes import register_state


@register_state("row-window")
@dataclass(frozen=True)
class RowWindowState(NumberedTuples):
    """How many tuples each partition has had, and the tuples that have not left the window."""


@dataclass(frozen=True)
class RowArrivals:
    """The tuples of a batch, partition by partition; numbers go on from those of earlier batches."""

    tuples: Delta
    group: np.ndarray  # the partition of each row
    number: np.ndarray
    slots: np.ndarray  # by partition, from here on: its group id
    keys: tuple[pa.Array, ...]
    before: np.ndarray  # how many tuples it had before the batch
    total: np.ndarray  # and has with it

    def instant(self, group: np.ndarray, number: np.ndarray, there: np.ndarray) -> np.ndarray:
        """When tuples of these numbers arrived in this batch; for those that are not `there`, any instant."""
        heads = np.cumsum(self.total - self.before) - self.total
        return self.tuples.start[np.where(there, heads[group] + number - 1, 0)]


@dataclass(frozen=True)
class RowWindow(Operator):
    kind: ClassVar[str] = "row-window"
    reacts_to_time: ClassVar[bool] = False
    label: ClassVar[str] = "window"
    window: Window

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        return tuple(KeyLink((index,), (index,)) for index in self.window.partition)

    def initial_state(self) -> RowWindowState:
        return RowWindowState()

    def shard_columns(self, keys: Sequence[ShardKey]) -> tuple[ShardKey, ...]:
        return (find_in_table(keys[0], self.window.partition),)

    def may_retract(self, inputs: Sequence[bool]) -> bool:
        return True

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        by_position = ", ".join(f"#{column}" for column in self.window.partition)
        return str(self.window).replace(by_position, list_columns(self.window.partition, inputs[0]), 1)

    def apply(
        self, inputs: Sequence[Delta], state: RowWindowState, span: Span, context: TaskContext
    ) -> tuple[Delta, Any]:
        if not len(inputs[0]):
            return inputs[0], state
        new = self.arrivals(inputs[0].in_time_order().one_per_copy(), state.counts)
        owner, old = self.find_remembered(new, state.tuples)
        group = np.concatenate([owner, new.group])
        number = np.concatenate([*(run.columns[0].to_numpy() for run in old), new.number])
        columns = [
            pa.concat_arrays([*(run.columns[1 + index] for run in old), column])
            for index, column in enumerate(new.tuples.columns)
        ]
        enters, leaves = self.up(number), self.up(number + self.window.size)
        comes = (enters > new.before[group]) & (enters <= new.total[group])
        goes = leaves <= new.total[group]
        start = new.instant(group, enters, comes)
        until = np.where(goes, new.instant(group, leaves, goes), FOREVER)
        weight = np.ones(len(group), np.int64)
        entering = Delta(start, until, weight, tuple(columns)).where(comes & (start < until))
        leaving = Delta(until, until, -weight, tuple(columns)).where(goes & (enters <= new.before[group])).forever()
        return concat([entering, leaving], self.types), self.state_after(new, state)

    def arrivals(self, rows: Delta, counts: KeyTable) -> RowArrivals:
        codes, first = groups([rows.columns[index] for index in self.window.partition], len(rows))
        keys = tuple(rows.columns[index].take(pa.array(first)) for index in self.window.partition)
        slots, place = find_group_ids(counts, self.count_types, keys, len(first))
        (known,) = counts.read(place, self.count_types[:1])
        before = known.fill_null(0).to_numpy()
        if len(first) > 1:
            order = np.argsort(codes, kind="stable")
            rows, codes = rows.take(order), codes[order]
        heads = segments.heads(codes)
        number = np.arange(len(codes)) - heads[codes] + before[codes] + 1
        return RowArrivals(rows, codes, number, slots, keys, before, before + np.bincount(codes))

    @property
    def count_types(self) -> tuple[pa.DataType, ...]:
        return pa.int64(), *(self.types[index] for index in self.window.partition)

    def find_remembered(self, new: RowArrivals, runs: Sequence[Run]) -> tuple[np.ndarray, list[Run]]:
        """The remembered tuples that leave now or have not entered yet, as runs, and the partition of each tuple."""
        left = self.last_number_out(new.before)
        leaves = np.minimum(self.last_number_out(new.total), new.before)
        entered = np.maximum(self.down(new.before), leaves)
        owners, found = [np.empty(0, np.int64)], []
        for run in runs:
            low, high = places(run, new.slots)
            numbers = run.columns[0].to_numpy()
            base = np.where(low < high, numbers[np.minimum(low, len(run) - 1)] - 1, 0)
            for after, to in ((left, leaves), (entered, new.before)):
                pairs = pairs_in_ranges(np.maximum(low, low + after - base), np.minimum(high, low + to - base))
                owners.append(pairs.probe)
                found.append(run.take(pairs.row))
        return np.concatenate(owners), found

    def state_after(self, new: RowArrivals, state: RowWindowState) -> RowWindowState:
        counts = state.counts.put(new.slots, (pa.array(new.total), *new.keys))

        def merge_staying(runs: Sequence[Run]) -> Run:
            run = merge_runs(runs)
            heads = segments.heads(run.order)
            (count,) = counts.read(counts.locate(run.order[heads]), self.count_types[:1])
            left = np.repeat(self.last_number_out(count.to_numpy()), np.diff(np.append(heads, len(run))))
            stays = run.columns[0].to_numpy() > left
            return run if stays.all() else run.take(np.flatnonzero(stays))

        stays = new.number > self.last_number_out(new.total)[new.group]
        rows = Run(new.slots[new.group], (pa.array(new.number), *new.tuples.columns))
        rows = rows if stays.all() else rows.take(np.flatnonzero(stays))
        return RowWindowState(counts, append_run(state.tuples, sorted_run(rows.order, rows.columns), merge_staying))

    def last_number_out(self, total: np.ndarray) -> np.ndarray:
        """The number of the last tuple that has left when `total` tuples have come."""
        return self.down(total) - self.window.size

    def up(self, numbers: np.ndarray) -> np.ndarray:
        return -(-numbers // self.window.slide) * self.window.slide

    def down(self, numbers: np.ndarray) -> np.ndarray:
        return numbers // self.window.slide * self.window.slide
