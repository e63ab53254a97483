"""Top of partition: at every instant the first `limit` tuples of each partition in an order.

Tuples that are equal in the order are ordered by all their columns. As in top-k, a partition's first n tuples are those
up to a threshold, the rank of its n-th tuple; with `ties` also those that equal the n-th in the order. A batch loads
the partitions that change with it, and no others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from tailrace.columnar import segments
from tailrace.columnar.delta import FOREVER, Delta, Span, empty
from tailrace.columnar.keys import hashes
from tailrace.operators.aggregates.order_statistics import Events, select_ranks
from tailrace.operators.aggregates.value_counts import Bag
from tailrace.operators.names import Names
from tailrace.operators.operator import KeyLink, Operator, TaskContext
from tailrace.operators.over.over import Order, PartitionState, TouchedPartitions, load, sorted_text
from tailrace.operators.relational.counts import drop_empty_intervals
from tailrace.operators.relational.top_k import changes, stretches
from tailrace.state.resharding import ShardKey


@dataclass(frozen=True)
class TopOfPartition(Operator):
    """`partition` are columns; `order` is that of window functions (over.py)."""

    kind: ClassVar[str] = "top-of-partition"
    forgets: ClassVar[bool] = True
    label: ClassVar[str] = "top"
    may_drop_rows: ClassVar[bool] = True
    partition: tuple[int, ...]
    order: Order
    limit: int
    ties: bool = False
    grows: bool = False  # no tuple ever leaves the input, so one that is not among the first never will be

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        return tuple(KeyLink((index,), (index,)) for index in self.partition)

    def initial_state(self) -> PartitionState:
        return PartitionState()

    def shard_columns(self, keys: Sequence[ShardKey]) -> tuple[ShardKey, ...]:
        return (keys[0],)

    def may_retract(self, inputs: Sequence[bool]) -> bool:
        return True

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        ties = " with ties" if self.ties else ""
        return f"{self.limit}{ties}{sorted_text(self.partition, self.order, inputs[0])}"

    def apply(
        self, inputs: Sequence[Delta], state: PartitionState, span: Span, context: TaskContext
    ) -> tuple[Delta, Any]:
        now, calendar = changes(drop_empty_intervals(inputs[0]), state.calendar, span)
        state = replace(state, calendar=calendar)
        if now is None:
            return empty(self.types), state
        loaded, after = load(self.partition, self.order, now, state)
        line = PartitionTimeline(loaded)
        kept = line.among_first(self.limit, self.ties)
        if self.grows:
            after = replace(state, bag=self.forget_others(loaded, line.last_counts(kept), state.bag))
        return line.shifts(kept), after

    def forget_others(self, loaded: TouchedPartitions, count: np.ndarray, bag: Bag) -> Bag:
        """The tuples that are remembered, with those of the batch that are among the first, and no others."""
        changed = np.flatnonzero(count != loaded.count)
        if not len(changed):
            return bag
        columns = [column.take(pa.array(changed)) for column in loaded.columns]
        number = hashes([columns[index] for index in self.partition], len(changed))
        return bag.add(number, (*columns, pa.array((count - loaded.count)[changed])))


@dataclass(frozen=True)
class PartitionTimeline:
    """A row for each partition for the time before the batch, then one for each instant at which it changes."""

    loaded: TouchedPartitions

    @cached_property
    def cells(self) -> tuple[segments.Cells, np.ndarray]:
        return segments.cells(self.loaded.partition[self.loaded.who], self.loaded.when)

    @cached_property
    def lengths(self) -> np.ndarray:
        """Of each partition how many rows it has."""
        return np.bincount(self.cells[0].group, minlength=int(self.loaded.partition.max()) + 1) + 1

    @cached_property
    def heads(self) -> np.ndarray:
        return np.cumsum(self.lengths) - self.lengths

    @cached_property
    def group(self) -> np.ndarray:
        return np.repeat(np.arange(len(self.lengths)), self.lengths)

    def head_of(self, ranks: np.ndarray) -> np.ndarray:
        """The first row of the partition of each tuple."""
        return self.heads[self.loaded.partition[ranks]]

    def stop_of(self, ranks: np.ndarray) -> np.ndarray:
        """The row after the last of the partition of each tuple."""
        return self.head_of(ranks) + self.lengths[self.loaded.partition[ranks]]

    def events(self) -> Events:
        """How many there are of each tuple before the batch, and the changes of that."""
        loaded, (_, of) = self.loaded, self.cells
        known = np.flatnonzero(loaded.count)
        partition = loaded.partition[loaded.who]
        # Every partition has one row more than cells, its first.
        row = of + partition + 1
        return Events(
            np.concatenate([self.head_of(known), row]),
            np.concatenate([known, loaded.who]),
            np.concatenate([loaded.count[known], loaded.amount]),
        )

    def among_first(self, n: int, ties: bool) -> Events:
        """The changes of the bags of the partitions' first n tuples."""
        events, length = self.events(), len(self.group)
        total = segments.running_sums(segments.sum_by_place(events.row, events.change, length), self.heads)
        full = np.flatnonzero(total >= n)
        threshold = np.full(length, len(self.loaded))
        if len(full):
            threshold[full] = select_ranks(events, self.group, full, np.full(len(full), n - 1))
        if ties:
            threshold[full] = np.searchsorted(self.loaded.peer, self.loaded.peer[threshold[full]], "right") - 1
        cells, of = segments.cells(events.rank, events.row)
        starts = segments.heads(cells.group)
        counts = segments.running_sums(segments.sum_by_place(of, events.change, len(cells)), starts)
        there = np.flatnonzero(counts > 0)
        rank = cells.group[there]
        high = segments.until_next(cells.instant, cells.group, FOREVER)[there]
        high = np.minimum(high, self.stop_of(rank))
        piece, low, high = stretches(threshold, cells.instant[there], high, rank)
        rank, count = rank[piece], counts[there][piece]
        # Up to the threshold there may be more than n tuples; the surplus ones equal the tuple at the threshold.
        reached = segments.sum_by_place(low, count, length + 1) - segments.sum_by_place(high, count, length + 1)
        excess = np.cumsum(reached)[full] - n
        over = np.flatnonzero((excess > 0) & (not ties))
        full, excess = full[over], excess[over]
        return Events(
            np.concatenate([low, high, full, full + 1]),
            np.concatenate([rank, rank, threshold[full], threshold[full]]),
            np.concatenate([count, -count, -excess, excess]),
        )

    def last_counts(self, kept: Events) -> np.ndarray:
        """How often each tuple is among the first after the batch."""
        inside = kept.row < self.stop_of(kept.rank)
        return segments.sum_by_place(kept.rank[inside], kept.change[inside], len(self.loaded))

    def shifts(self, kept: Events) -> Delta:
        """The bags as changes to what they were before the batch, which is the first row of each partition."""
        inside = kept.row < self.stop_of(kept.rank)
        cells, of = segments.cells(kept.rank[inside], kept.row[inside])
        starts = segments.heads(cells.group)
        now = segments.running_sums(segments.sum_by_place(of, kept.change[inside], len(cells)), starts)
        before = np.append(0, now[:-1])[: len(now)]
        before[starts] = 0
        is_head = cells.instant == self.head_of(cells.group)
        base = np.where(is_head[starts], now[starts], 0)[segments.numbers_of(starts, len(cells))]
        at = np.flatnonzero((now != before) & ~is_head)
        rank, row = cells.group[at], cells.instant[at]
        instant = self.cells[0].instant[row - self.group[row] - 1]
        until = segments.until_next(instant, rank, FOREVER)
        weight = now[at] - base[at]
        changed = np.flatnonzero(weight)
        taken = pa.array(rank[changed])
        columns = tuple(column.take(taken) for column in self.loaded.columns)
        return Delta(instant[changed], until[changed], weight[changed], columns)
