"""Over: window functions: each tuple with values that depend on the tuples of its partition, in an order.

At every instant the output holds each tuple of the input with a column more for each function. Tuples that the order
does not tell apart are ordered by all their columns. A batch loads the partitions that change with it, and no others.
Each of their snapshots is sorted, all functions are computed on all snapshots at once, and a row is emitted where a
tuple's values are not those of the snapshot before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from tailrace.columnar import segments
from tailrace.columnar.delta import FOREVER, Delta, Span, concat, empty
from tailrace.columnar.keys import groups, hashes, same
from tailrace.operators.aggregates.ranks import sort_key
from tailrace.operators.aggregates.value_counts import Bag, consolidate
from tailrace.operators.names import Names, disambiguate
from tailrace.operators.operator import KeyLink, Operator, TaskContext
from tailrace.operators.over.sorted_rows import SortedRows, SortKeyColumn
from tailrace.operators.over.window_functions import WindowCall
from tailrace.operators.relational.counts import drop_empty_intervals
from tailrace.operators.relational.top_k import changes
from tailrace.state.resharding import Shard, ShardKey, merge_states
from tailrace.state.runs import Run, concat_runs
from tailrace.state.state_classes import register_state
from tailrace.state.timers import TimerQueue

Order = tuple[tuple[int, bool, bool], ...]  # of each sort key its column, whether it descends, whether NULLs are first
MOST_ROWS = 1 << 19  # of the snapshots that are computed at once


@register_state("partitions")
@dataclass(frozen=True)
class PartitionState:
    """The tuples that are there now, by the hash of their partition, and the changes that are known to come later."""

    bag: Bag = field(default_factory=Bag)
    calendar: TimerQueue = field(default_factory=TimerQueue)

    def split(self, key: ShardKey, shard: Shard) -> PartitionState:
        return PartitionState(self.bag.split(key, shard), self.calendar.split(key, shard))

    @classmethod
    def merge(cls, parts: Sequence[PartitionState]) -> PartitionState:
        return cls(*merge_states([(part.bag, part.calendar) for part in parts]))


@dataclass(frozen=True)
class TouchedPartitions:
    """The distinct tuples of the partitions that change in a batch, in order: by partition, sort keys, all columns."""

    columns: tuple[pa.Array, ...]
    partition: np.ndarray  # of each tuple
    peer: np.ndarray  # equal for tuples that partition and order do not tell apart
    count: np.ndarray  # how often each is there before the batch
    who: np.ndarray  # of each change the tuple, the instant and the change of its number
    when: np.ndarray
    amount: np.ndarray

    def __len__(self) -> int:
        return len(self.partition)


def load(
    partition: Sequence[int], order: Order, now: Run, state: PartitionState
) -> tuple[TouchedPartitions, PartitionState]:
    """The partitions that change with the changes `now`, and the state after these."""
    number = hashes([now.columns[index] for index in partition], len(now))
    found = [run for run in state.bag.of(np.unique(number))[1] if len(run)]
    old = consolidate(concat_runs(found)) if found else Run(now.order[:0], tuple(c.slice(0, 0) for c in now.columns))
    both = [pa.concat_arrays([*pair]) for pair in zip(old.columns, now.columns, strict=True)]
    codes, first = groups(both[:-1], len(both[-1]))
    columns = [column.take(pa.array(first)) for column in both[:-1]]
    own, _ = groups([columns[index] for index in partition], len(first))
    keys = [own, *(sort_key(columns[index], *how) for index, *how in order)]
    by_value = [sort_key(column, False, True) for column in columns]
    places = np.lexsort([*by_value[::-1], *keys[::-1]])
    rank = np.empty(len(places), np.int64)
    rank[places] = np.arange(len(places))
    new = np.zeros(len(places), bool)
    for key in keys:
        new[1:] |= key[places][1:] != key[places][:-1]
    amounts = both[-1].to_numpy()
    loaded = TouchedPartitions(
        columns=tuple(column.take(pa.array(places)) for column in columns),
        partition=own[places],
        peer=np.cumsum(new),
        count=segments.sum_by_place(rank[codes[: len(old)]], amounts[: len(old)], len(places)),
        who=rank[codes[len(old) :]],
        when=now.order,
        amount=amounts[len(old) :],
    )
    return loaded, replace(state, bag=state.bag.add(number, now.columns))


@dataclass(frozen=True)
class Over(Operator):
    """`partition` are columns of the input; the output has all columns of the input and one for each function."""

    kind: ClassVar[str] = "over"
    forgets: ClassVar[bool] = True
    partition: tuple[int, ...]
    order: Order
    functions: tuple[WindowCall, ...]

    @property
    def width(self) -> int:
        return len(self.types) - len(self.functions)

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        return tuple(KeyLink((index,), (index,)) for index in self.partition)

    def initial_state(self) -> PartitionState:
        return PartitionState()

    def shard_columns(self, keys: Sequence[ShardKey]) -> tuple[ShardKey, ...]:
        return (keys[0],)

    def may_retract(self, inputs: Sequence[bool]) -> bool:
        return True

    def column_origins(self, inputs: int) -> list[list[tuple[int, int]]]:
        return [*([(0, index)] for index in range(self.width)), *([] for _ in self.functions)]

    def computed_names(self, inputs: Sequence[Names]) -> Mapping[int, str]:
        names = disambiguate(inputs[0])
        return dict(enumerate((each.describe(names) for each in self.functions), self.width))

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        functions = ", ".join(each.describe(disambiguate(inputs[0])) for each in self.functions)
        return functions + sorted_text(self.partition, self.order, inputs[0])

    def apply(
        self, inputs: Sequence[Delta], state: PartitionState, span: Span, context: TaskContext
    ) -> tuple[Delta, Any]:
        now, calendar = changes(drop_empty_intervals(inputs[0]), state.calendar, span)
        state = replace(state, calendar=calendar)
        if now is None:
            return empty(self.types), state
        loaded, state = load(self.partition, self.order, now, state)
        found = [self.versions(loaded, block) for block in blocks(loaded)]
        return concat(found, self.types), state

    def versions(self, loaded: TouchedPartitions, block: Block) -> Delta:
        """A row for each new version of a tuple, and one that retracts a version from before the block."""
        rows = SortedRows(block.source, block.starts, loaded.columns, loaded.peer, self.sort_key_column(loaded))
        values = [function.values(rows) for function in self.functions]
        later = np.flatnonzero(block.before >= 0)
        earlier = block.before[later]
        equal = same([each.take(pa.array(later)) for each in values], [each.take(pa.array(earlier)) for each in values])
        begins, lasts = np.ones(len(rows), bool), np.ones(len(rows), bool)
        begins[later[equal]] = False
        lasts[earlier[equal]] = False
        first, last = block.by_item(np.flatnonzero(begins)), block.by_item(np.flatnonzero(lasts))
        start, until = block.instant(block.step[first]), block.instant(block.after(last))
        is_old = block.step[first] == block.first_step[first]
        kept = np.flatnonzero(~is_old | (until < FOREVER))
        first, is_old = first[kept], is_old[kept]
        taken = pa.array(first)
        columns = [column.take(pa.array(rows.source[first])) for column in loaded.columns]
        return Delta(
            np.where(is_old, until[kept], start[kept]),
            np.where(is_old, FOREVER, until[kept]),
            np.where(is_old, -1, 1),
            (*columns, *(column.take(taken) for column in values)),
        )

    def sort_key_column(self, loaded: TouchedPartitions) -> SortKeyColumn | None:
        if not any(function.frame.by_difference for function in self.functions):
            return None
        ((index, descending, nulls_first),) = self.order
        return SortKeyColumn(loaded.columns[index], descending, nulls_first)


def sorted_text(partition: Sequence[int], order: Order, names: Names) -> str:
    """The partition and the order of a window, for EXPLAIN."""
    names, keys = disambiguate(names), []
    for column, descending, nulls_first in order:
        nulls = "" if nulls_first != descending else f" NULLS {'FIRST' if nulls_first else 'LAST'}"
        keys.append(f"{names[column]}{' DESC' if descending else ''}{nulls}")
    of_each = f" of each {', '.join(names[column] for column in partition)}" if partition else ""
    return of_each + (f" by {', '.join(keys)}" if keys else "")


# Snapshots ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Block:
    """The rows of snapshots of some partitions: one for the time before, then one for each instant of change.

    `step` numbers the snapshots of all partitions; those of one partition follow each other.
    """

    source: np.ndarray  # of each row the number of its tuple
    copy: np.ndarray  # the number of the row among the equal rows of its snapshot
    step: np.ndarray
    before: np.ndarray  # the row of the same tuple and copy in the snapshot before; −1 if there is none
    starts: np.ndarray  # the first row of each snapshot that has rows
    instants: np.ndarray  # of each step; that of a partition's first step plays no part
    first_step: np.ndarray  # of each row the first step of its partition
    is_last: np.ndarray  # of each step whether it is the last one of its partition

    def by_item(self, rows: np.ndarray) -> np.ndarray:
        """Rows in order of tuple, copy and time."""
        return rows[np.lexsort((self.step[rows], self.copy[rows], self.source[rows]))]

    def instant(self, steps: np.ndarray) -> np.ndarray:
        return np.where(steps < 0, FOREVER, self.instants[np.maximum(steps, 0)])

    def after(self, rows: np.ndarray) -> np.ndarray:
        """The step after each row's; −1 where the block ends."""
        return np.where(self.is_last[self.step[rows]], -1, self.step[rows] + 1)


def blocks(loaded: TouchedPartitions) -> Iterator[Block]:
    """All snapshots of the partitions, in blocks of about MOST_ROWS rows; a block begins where the one before ended."""
    cells, of = segments.cells(loaded.partition[loaded.who], loaded.when)
    partitions = int(loaded.partition.max()) + 1
    steps = np.bincount(cells.group, minlength=partitions)
    first_cell = np.append(0, np.cumsum(steps))
    sizes = np.bincount(loaded.partition, minlength=partitions)
    step = of - first_cell[loaded.partition[loaded.who]] + 1
    count = loaded.count.copy()
    low = 0
    while low < partitions:
        rows = np.cumsum(sizes[low:] * (steps[low:] + 1))
        high = low + max(1, int(np.searchsorted(rows, MOST_ROWS, "right")))
        at_once = max(1, MOST_ROWS // int(sizes[low])) if high == low + 1 else int(steps[low:high].max()) or 1
        for done in range(0, int(steps[low:high].max()), at_once):
            yield block_of(loaded, cells, first_cell, step, count, range(low, high), done, done + at_once)
        low = high


def block_of(
    loaded: TouchedPartitions,
    cells: segments.Cells,
    first_cell: np.ndarray,
    step: np.ndarray,
    count: np.ndarray,
    which: range,
    done: int,
    to: int,
) -> Block:
    """The steps from `done` up to `to` of some partitions. `count` has the number of each tuple, and is moved on."""
    begin, stop = np.searchsorted(loaded.partition, [which.start, which.stop])
    owner = loaded.partition[begin:stop] - which.start
    steps = np.diff(first_cell[which.start : which.stop + 1])
    length = np.minimum(steps, to) - done + 1  # of each partition: its snapshots
    sizes = np.bincount(owner, minlength=len(which))
    heads = np.append(0, np.cumsum(sizes))[:-1]  # the first tuple of each partition
    # Cells of tuple and snapshot, first by tuple, to sum up the changes of each.
    tuple_starts = np.append(0, np.cumsum(length[owner]))
    counts = counts_of(loaded, step, count, begin, tuple_starts, done, to)
    # Then by snapshot, which are sorted rows.
    tuple_ = np.repeat(np.arange(stop - begin), length[owner])
    local = np.arange(len(counts)) - tuple_starts[tuple_]
    part = owner[tuple_]
    place = tuple_starts[heads][part] + local * sizes[part] + tuple_ - heads[part]
    by_place = np.empty(len(place), np.int64)
    by_place[place] = np.arange(len(place))
    counts, tuple_, local, part = (each[by_place] for each in (counts, tuple_, local, part))
    step_starts = np.append(0, np.cumsum(length))
    cell = np.repeat(np.arange(len(counts)), counts)
    first_row = np.cumsum(counts) - counts
    copy = np.arange(len(cell)) - first_row[cell]
    earlier = np.where(local[cell] > 0, cell - sizes[part[cell]], 0)
    there = (local[cell] > 0) & (copy < counts[earlier])
    steps_of_cells = step_starts[part] + local
    of_step = np.repeat(np.arange(len(which)), length)
    local_step = np.arange(len(of_step)) - step_starts[of_step]
    known = first_cell[which.start : which.stop][of_step] + done + local_step - 1
    return Block(
        source=tuple_[cell] + begin,
        copy=copy,
        step=steps_of_cells[cell],
        before=np.where(there, first_row[earlier] + copy, -1),
        starts=segments.heads(steps_of_cells[cell]),
        instants=cells.instant[np.clip(known, 0, len(cells) - 1)],
        first_step=step_starts[part[cell]],
        is_last=np.append(of_step[1:] != of_step[:-1], True)[: len(of_step)],
    )


def counts_of(
    loaded: TouchedPartitions,
    step: np.ndarray,
    count: np.ndarray,
    begin: int,
    tuple_starts: np.ndarray,
    done: int,
    to: int,
) -> np.ndarray:
    """How often each tuple from `begin` on is there in each snapshot; those of a tuple follow each other."""
    stop = begin + len(tuple_starts) - 1
    amounts = np.zeros(int(tuple_starts[-1]), np.int64)
    amounts[tuple_starts[:-1]] = count[begin:stop]
    mine = np.flatnonzero((loaded.who >= begin) & (loaded.who < stop) & (step > done) & (step <= to))
    np.add.at(amounts, tuple_starts[loaded.who[mine] - begin] + step[mine] - done, loaded.amount[mine])
    counts = np.maximum(segments.running_sums(amounts, tuple_starts[:-1]), 0)
    count[begin:stop] = counts[tuple_starts[1:] - 1]
    return counts
