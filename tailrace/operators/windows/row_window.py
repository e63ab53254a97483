"""Row window: the last N tuples, of each partition, moving every M tuples.

The i-th tuple of a partition enters with tuple number ⌈i/M⌉·M and leaves with number ⌈(i+N)/M⌉·M (semantics B.1);
with M = 1 that is: it enters as it comes and leaves with the N-th after it. Ties go by arrival.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from tailrace.columnar import segments
from tailrace.columnar.delta import FOREVER, Delta, Span, concat
from tailrace.columnar.keys import groups
from tailrace.logical.windows import RowWindow as Window
from tailrace.operators.operator import Link, Operator
from tailrace.state.group_ids import located
from tailrace.state.key_index import Table, spread
from tailrace.state.runs import Run, added, joined, places, sorted_run


@dataclass(frozen=True)
class Kept:
    """How many tuples each partition has had, and those that have not left, by the partition's slot and number.

    The first column of a tuple is its number. In a run the numbers of a slot follow each other without a gap.
    """

    counts: Table = field(default_factory=Table)
    tuples: tuple[Run, ...] = ()


@dataclass(frozen=True)
class Arrivals:
    """The tuples of a batch, partition by partition, numbered on from those before."""

    tuples: Delta
    group: np.ndarray
    number: np.ndarray
    slots: np.ndarray
    keys: tuple[pa.Array, ...]
    before: np.ndarray
    total: np.ndarray

    def instant(self, group: np.ndarray, number: np.ndarray, there: np.ndarray) -> np.ndarray:
        """When tuples of these numbers arrived; those that are not `there` are not looked for."""
        heads = np.cumsum(self.total - self.before) - self.total
        return self.tuples.start[np.where(there, heads[group] + number - 1, 0)]


@dataclass(frozen=True)
class RowWindow(Operator):
    called: ClassVar[str] = "seq-window"
    window: Window

    def links(self, inputs: int) -> tuple[Link, ...]:
        return tuple(Link((index,), (index,)) for index in self.window.partition)

    def start(self) -> Kept:
        return Kept()

    def takes_back(self, inputs: Sequence[bool]) -> bool:
        return True

    def apply(self, inputs: Sequence[Delta], state: Kept, span: Span) -> tuple[Delta, Any]:
        if not len(inputs[0]):
            return inputs[0], state
        new = self.arrivals(one_by_one(inputs[0]), state.counts)
        owner, old = self.remembered(new, state.tuples)
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
        forever = np.full(len(group), FOREVER, np.int64)
        leaving = Delta(until, forever, -weight, tuple(columns)).where(goes & (enters <= new.before[group]))
        return concat([entering, leaving], self.types), self.kept(new, state)

    def arrivals(self, rows: Delta, counts: Table) -> Arrivals:
        codes, first = groups([rows.columns[index] for index in self.window.partition], len(rows))
        keys = tuple(rows.columns[index].take(pa.array(first)) for index in self.window.partition)
        slots, place = located(counts, self.count_types, keys, len(first))
        (known,) = counts.fetch(place, self.count_types[:1])
        before = known.fill_null(0).to_numpy()
        if len(first) > 1:
            order = np.argsort(codes, kind="stable")
            rows, codes = rows.take(order), codes[order]
        heads = segments.heads(codes)
        number = np.arange(len(codes)) - heads[codes] + before[codes] + 1
        return Arrivals(rows, codes, number, slots, keys, before, before + np.bincount(codes))

    @property
    def count_types(self) -> tuple[pa.DataType, ...]:
        return pa.int64(), *(self.types[index] for index in self.window.partition)

    def remembered(self, new: Arrivals, runs: Sequence[Run]) -> tuple[np.ndarray, list[Run]]:
        """The tuples of before that leave now, or have yet to enter, and the partition of each."""
        left = self.left(new.before)
        leaves = np.minimum(self.left(new.total), new.before)
        entered = np.maximum(self.down(new.before), leaves)
        owners, found = [np.empty(0, np.int64)], []
        for run in runs:
            low, high = places(run, new.slots)
            numbers = run.columns[0].to_numpy()
            base = np.where(low < high, numbers[np.minimum(low, len(run) - 1)] - 1, 0)
            for after, to in ((left, leaves), (entered, new.before)):
                pairs = spread(np.maximum(low, low + after - base), np.minimum(high, low + to - base))
                owners.append(pairs.probe)
                found.append(run.take(pairs.row))
        return np.concatenate(owners), found

    def kept(self, new: Arrivals, state: Kept) -> Kept:
        counts = state.counts.put(new.slots, (pa.array(new.total), *new.keys))

        def staying(runs: Sequence[Run]) -> Run:
            run = joined(runs)
            heads = segments.heads(run.order)
            (count,) = counts.fetch(counts.seek(run.order[heads]), self.count_types[:1])
            left = np.repeat(self.left(count.to_numpy()), np.diff(np.append(heads, len(run))))
            stays = run.columns[0].to_numpy() > left
            return run if stays.all() else run.take(np.flatnonzero(stays))

        stays = new.number > self.left(new.total)[new.group]
        rows = Run(new.slots[new.group], (pa.array(new.number), *new.tuples.columns))
        rows = rows if stays.all() else rows.take(np.flatnonzero(stays))
        return Kept(counts, added(state.tuples, sorted_run(rows.order, rows.columns), staying))

    def left(self, total: np.ndarray) -> np.ndarray:
        """The number of the last tuple that has left when so many have come."""
        return self.down(total) - self.window.size

    def up(self, numbers: np.ndarray) -> np.ndarray:
        return -(-numbers // self.window.slide) * self.window.slide

    def down(self, numbers: np.ndarray) -> np.ndarray:
        return numbers // self.window.slide * self.window.slide


def one_by_one(delta: Delta) -> Delta:
    """Elements in order of time and arrival, each row one of them."""
    if len(delta) and (delta.start[1:] < delta.start[:-1]).any():
        delta = delta.take(np.argsort(delta.start, kind="stable"))
    if (delta.weight == 1).all():
        return delta
    single = delta.take(np.repeat(np.arange(len(delta)), delta.weight))
    return Delta(single.start, single.until, np.ones(len(single), np.int64), single.columns)
