"""Jump window: `RANGE …, FREQUENCY …`: the last tuples or ticks, seen only at evaluations (CSQL §4.4, §9).

An element is an evaluation if its number in its substream is a multiple of n (FREQUENCY n TUPLES), or if it is the
first one at or after a multiple of t (FREQUENCY t SECONDS). A tuple is in the window from the first evaluation at or
after it on. With a range in ticks it leaves at a known position; with a range of r tuples it leaves at the first
evaluation that is r or more elements later. A tuple that no evaluation can see is dropped as it comes: with a range
below the frequency, the tuples between two windows are neither kept nor copied.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from tailrace.columnar import segments
from tailrace.columnar.delta import FOREVER, Delta, Span, concat
from tailrace.columnar.keys import groups
from tailrace.columnar.sorting import stable_order
from tailrace.logical.windows import Every
from tailrace.operators.names import Names, by_columns
from tailrace.operators.operator import KeyLink, Operator, TaskContext
from tailrace.operators.output_watermark import BITS, OutputWatermark, first_place
from tailrace.state.group_ids import find_group_ids
from tailrace.state.key_index import KeyTable, pairs_in_ranges
from tailrace.state.numbered_tuples import NumberedTuples
from tailrace.state.resharding import ShardKey, find_in_table
from tailrace.state.runs import Run, append_run, bisect, merge_runs, places, sorted_run
from tailrace.state.state_classes import register_state

Groups = np.ndarray | int  # for each row the number of its substream; a single number if all rows are of one
Columns = Callable[[np.ndarray], tuple[pa.Array, ...]]


@register_state("jump-window")
@dataclass(frozen=True)
class JumpWindowState(NumberedTuples):
    """The tuples that later evaluations may see; `counts` also has the last evaluation and instant of a substream."""


@dataclass(frozen=True)
class StepArrivals:
    """The elements of a batch, one substream after the other, each in order of position."""

    rows: Delta
    order: np.ndarray | None
    place: np.ndarray
    group: Groups  # 0 if there is only one substream
    slots: np.ndarray  # by substream, from here on: its group id
    keys: tuple[pa.Array, ...]
    before: np.ndarray  # how many elements it had before the batch
    total: np.ndarray
    head: np.ndarray  # its first row
    was: np.ndarray  # the number of its last evaluation before the batch
    now: np.ndarray  # the same after it
    instant: np.ndarray  # its last
    evaluations: EvaluationCounter

    def of(self, chosen: np.ndarray) -> Groups:
        """The substreams of the chosen elements."""
        return self.group if isinstance(self.group, int) else self.group[chosen]

    def numbers(self, chosen: np.ndarray) -> np.ndarray:
        """The numbers of the chosen elements in their substreams."""
        group = self.of(chosen)
        return np.asarray(chosen - self.head[group] + self.before[group] + 1)

    def first_evaluation_place(self, group: Groups, number: np.ndarray) -> np.ndarray:
        """The position of the first evaluation at or after elements of these numbers; FOREVER if it has not come."""
        first = self.evaluations.after(group, np.maximum(number, self.before[group] + 1), self)
        known = first <= self.total[group]
        row = np.where(known, self.head[group] + first - self.before[group] - 1, 0)
        return np.where(known, self.place[row], FOREVER)

    def take(self, chosen: np.ndarray) -> tuple[pa.Array, ...]:
        """The columns of the chosen elements."""
        taken = pa.array(chosen if self.order is None else self.order[chosen])
        return tuple(column.take(taken) for column in self.rows.columns)


class EvaluationCounter:
    """Tells which elements are evaluations; this class: every n-th element of a substream."""

    def __init__(self, every: int) -> None:
        self.every = every

    def after(self, group: Groups, number: np.ndarray, new: StepArrivals) -> np.ndarray:
        """The number of the first evaluation at or after these elements' numbers; above `total` if it has not come."""
        return -(-number // self.every) * self.every

    def last(self, before: np.ndarray, total: np.ndarray, was: np.ndarray) -> np.ndarray:
        """The number of the last evaluation of each substream."""
        return np.maximum(total // self.every * self.every, was)


class InTicks(EvaluationCounter):
    """Evaluations in time: the first element at or after each multiple of `every` ticks.

    `last` are the instants that the substreams had reached before the batch.
    """

    def __init__(self, every: int, instant: np.ndarray, head: np.ndarray, stop: np.ndarray, last: np.ndarray) -> None:
        super().__init__(every)
        multiple = instant // every
        before = np.append(0, multiple[:-1])
        before[head] = last // every
        self.at = np.flatnonzero(multiple > before)
        self.passed = np.append(0, np.cumsum(multiple > before))
        self.stop = stop

    def after(self, group: Groups, number: np.ndarray, new: StepArrivals) -> np.ndarray:
        row = np.minimum(new.head[group] + number - new.before[group] - 1, self.stop[group])
        found = self.passed[row]
        known = found < self.passed[self.stop[group]]
        at = self.at[np.where(known, found, 0)] if len(self.at) else row
        return np.where(known, at - new.head[group] + new.before[group] + 1, FOREVER)

    def last(self, before: np.ndarray, total: np.ndarray, was: np.ndarray) -> np.ndarray:
        head, count = self.stop - (total - before), self.passed[self.stop]
        some = count > self.passed[head]
        at = self.at[np.maximum(count - 1, 0)] if len(self.at) else head
        return np.where(some, at - head + before + 1, was)


@dataclass(frozen=True)
class JumpWindow(Operator):
    """Elements are ordered by their positions, which are the last column; each value of `key` is a substream."""

    kind: ClassVar[str] = "jump-window"
    range: Every
    frequency: Every
    key: tuple[int, ...] = ()

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        return tuple(KeyLink((index,), (index,)) for index in self.key)

    def initial_state(self) -> JumpWindowState:
        return JumpWindowState()

    def shard_columns(self, keys: Sequence[ShardKey]) -> tuple[ShardKey, ...]:
        return (find_in_table(keys[0], self.key),)

    def pace(self, inputs: Sequence[OutputWatermark]) -> OutputWatermark:
        return replace(inputs[0], in_positions=True)

    @property
    def is_single(self) -> bool:
        """Whether at most one evaluation sees a tuple."""
        both = self.range.in_tuples and self.frequency.in_tuples
        return both and self.range.count <= self.frequency.count

    @property
    def stays(self) -> bool:
        """Whether several evaluations may see a tuple and it is not known beforehand when it leaves."""
        return self.range.in_tuples and not self.is_single

    def may_retract(self, inputs: Sequence[bool]) -> bool:
        return self.stays

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        return f"range {self.range}, frequency {self.frequency}{by_columns(self.key, inputs[0])}"

    def apply(
        self, inputs: Sequence[Delta], state: JumpWindowState, span: Span, context: TaskContext
    ) -> tuple[Delta, Any]:
        if not len(inputs[0]):
            return inputs[0], state
        new = self.arrivals(inputs[0], state.counts)
        seen = self.may_be_seen(new)
        group, number = new.of(seen), new.numbers(seen)
        parts = [self.rows_entering(new, group, number, new.place[seen], lambda at: new.take(seen[at]))]
        for owner, run in self.find_remembered(new, state.tuples):
            parts += self.rows_entering_or_leaving(new, owner, run)
        return concat(parts, self.types), self.state_after(new, seen, state, span)

    # Arrivals -----------------------------------------------------------------------------------------

    def arrivals(self, rows: Delta, known: KeyTable) -> StepArrivals:
        codes, first = groups([rows.columns[index] for index in self.key], len(rows))
        keys = tuple(rows.columns[index].take(pa.array(first)) for index in self.key)
        slots, found = find_group_ids(known, self.table_types(keys), keys, len(first))
        stored = known.read(found, self.table_types(keys))
        before, was, last = (stored[i].fill_null(0).to_numpy() for i in (0, -2, -1))
        place, order = rows.columns[-1].to_numpy(), None
        group: Groups = 0
        count = np.array([len(rows)])
        if len(first) > 1:
            order = np.lexsort((place, codes))
            group, count = codes[order], np.bincount(codes)
        elif (place[1:] < place[:-1]).any():
            order = stable_order(place)
        place = place if order is None else place[order]
        stop = np.cumsum(count)
        head, total = stop - count, before + count
        evaluations = EvaluationCounter(self.frequency.count)
        if not self.frequency.in_tuples:
            evaluations = InTicks(self.frequency.count, place >> BITS, head, stop, last)
        now, instant = evaluations.last(before, total, was), place[stop - 1] >> BITS
        return StepArrivals(rows, order, place, group, slots, keys, before, total, head, was, now, instant, evaluations)

    def table_types(self, keys: Sequence[pa.Array]) -> tuple[pa.DataType, ...]:
        return pa.int64(), *(key.type for key in keys), pa.int64(), pa.int64()

    def may_be_seen(self, new: StepArrivals) -> np.ndarray:
        """The elements that an evaluation may see, judged by their numbers."""
        everything = np.arange(len(new.place))
        if not self.is_single:
            return everything
        if not isinstance(new.group, int):
            return everything[-new.numbers(everything) % self.frequency.count < self.range.count]
        # With one substream, windows are ranges of rows: rows between the windows are not even looked at.
        before, total = int(new.before[0]), int(new.total[0])
        last = np.arange(before // self.frequency.count + 1, -(-total // self.frequency.count) + 1)
        last *= self.frequency.count
        return pairs_in_ranges(
            np.maximum(last - self.range.count, before) - before, np.minimum(last, total) - before
        ).row

    # Entering and leaving -----------------------------------------------------------------------------

    def rows_entering(
        self, new: StepArrivals, group: Groups, number: np.ndarray, place: np.ndarray, columns: Columns
    ) -> Delta:
        """A row for each tuple that enters: from the first evaluation at or after it on, if that has come."""
        start = new.first_evaluation_place(group, number)
        if self.stays:
            until = new.first_evaluation_place(group, number + self.range.count)
        elif self.range.in_tuples:
            until = np.where(start < FOREVER, start + 1, FOREVER)
        else:
            until = first_place((place >> BITS) + self.range.count)
        inside = np.flatnonzero((start < until) & (start < FOREVER))
        return Delta(start[inside], until[inside], np.ones(len(inside), np.int64), columns(inside))

    def rows_entering_or_leaving(self, new: StepArrivals, group: np.ndarray, run: Run) -> list[Delta]:
        """Of remembered tuples, rows for those that enter now, and retractions of those that leave."""
        number, rows = run.columns[0].to_numpy(), run.columns[1:]
        place = rows[-1].to_numpy()
        was_there = number <= new.was[group]
        fresh, old = np.flatnonzero(~was_there), np.flatnonzero(was_there)

        def take_columns(at: np.ndarray) -> tuple[pa.Array, ...]:
            return tuple(column.take(pa.array(at)) for column in rows)

        found = [self.rows_entering(new, group[fresh], number[fresh], place[fresh], lambda at: take_columns(fresh[at]))]
        if len(old):
            leaves = new.first_evaluation_place(group[old], number[old] + self.range.count)
            found.append(Delta(leaves, leaves, np.full(len(old), -1, np.int64), take_columns(old)).forever())
        return found

    def find_remembered(self, new: StepArrivals, runs: Sequence[Run]) -> list[tuple[np.ndarray, Run]]:
        """The remembered tuples that enter or leave at the evaluations of this batch, with their substreams."""
        touched = np.flatnonzero(new.now > new.was)
        if not len(touched):
            return []
        was, now = new.was[touched], new.now[touched]
        stretches = [(was, new.before[touched])]
        if self.stays:
            stretches.append((was - self.range.count, np.minimum(now - self.range.count, was)))
        found = []
        for run in runs:
            low, high = places(run, new.slots[touched])
            numbers = run.columns[0].to_numpy()
            for after, to in stretches:
                pairs = pairs_in_ranges(bisect(numbers, low, high, after + 1), bisect(numbers, low, high, to + 1))
                if len(pairs.row):
                    found.append((touched[pairs.probe], run.take(pairs.row)))
        return found

    # State --------------------------------------------------------------------------------------------

    def state_after(self, new: StepArrivals, seen: np.ndarray, state: JumpWindowState, span: Span) -> JumpWindowState:
        columns = (pa.array(new.total), *new.keys, pa.array(new.now), pa.array(new.instant))
        known = state.counts.put(new.slots, columns)
        group = new.of(seen)
        instant = new.place[seen] >> BITS
        wanted = self.still_wanted(new.numbers(seen), instant, new.now[group], new.total[group], span)
        stay = seen[wanted]
        slots = np.broadcast_to(new.slots[new.of(stay)], len(stay))
        rows = Run(slots, (pa.array(new.numbers(stay)), *new.take(stay)))

        def merge_staying(runs: Sequence[Run]) -> Run:
            run = merge_runs(runs)
            heads = segments.heads(run.order)
            types = self.table_types(new.keys)
            stored = known.read(known.locate(run.order[heads]), types)
            times = np.diff(np.append(heads, len(run)))
            total, now = (np.repeat(stored[i].to_numpy(), times) for i in (0, -2))
            wanted = self.still_wanted(run.columns[0].to_numpy(), run.columns[-1].to_numpy() >> BITS, now, total, span)
            return run if wanted.all() else run.take(np.flatnonzero(wanted))

        return JumpWindowState(known, append_run(state.tuples, sorted_run(rows.order, rows.columns), merge_staying))

    def still_wanted(
        self, number: np.ndarray, instant: np.ndarray, now: np.ndarray, total: np.ndarray, span: Span
    ) -> np.ndarray:
        """Which tuples must be remembered, since an evaluation to come may see or must retract them.

        `now` is the number of the last evaluation in a tuple's substream, `total` how many elements that has had.
        """
        if self.stays:
            # The next evaluation comes with one more element at least.
            waits = number > total + 1 - self.range.count
            return np.where(number > now, waits, number > now - self.range.count)
        waits = number > now
        if self.range.in_tuples:
            return waits
        next_ = np.full(len(number), (span.to >> BITS) + 1)
        if not self.frequency.in_tuples:
            next_ = np.maximum(next_, (instant // self.frequency.count + 1) * self.frequency.count)
        return np.asarray(waits & (instant + self.range.count > next_))
