"""Frequency: FREQUENCY without a range (FrequencySample), and what may be dropped before the shuffle (Prefilter).

FrequencySample takes every n-th element of a stream, or the last element of each slot of time once the slot is over; in
each substream by itself. Slot j is ((j−1)t, jt], and the first one also holds instant 0 (semantics A.6). An element
keeps its own instant, so the output is final up to the end of the last slot that is over.

Prefilter drops elements before the shuffle that no evaluation of a sequence query can see, judged by their instants
(CSQL §9). A task sees only some elements of a slot, so it keeps those of the first (for samples: last) instant that
*it* has: the slot's true first is always among these. It may keep more than needed, never less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pyarrow as pa

from tailrace.columnar.delta import Delta, Span, concat, elements
from tailrace.columnar.keys import groups
from tailrace.columnar.segments import count_equal_before
from tailrace.logical.expressions import Expression
from tailrace.logical.windows import Every
from tailrace.operators.names import Names, by_columns
from tailrace.operators.operator import KeyLink, Operator, TaskContext
from tailrace.operators.output_watermark import BITS, OutputWatermark
from tailrace.operators.pushdown import Pushdown
from tailrace.state.group_ids import find_group_ids
from tailrace.state.key_index import KeyTable
from tailrace.state.resharding import ShardKey, find_in_table
from tailrace.state.timers import TimerQueue

if TYPE_CHECKING:
    from tailrace.columnar.delta import Instants, Mask


@dataclass(frozen=True)
class FrequencySample(Operator):
    """Elements are ordered by their positions, which are the last column; each value of `key` is a substream."""

    kind: ClassVar[str] = "frequency"
    frequency: Every
    key: tuple[int, ...] = ()

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        return tuple(KeyLink((index,), (index,)) for index in self.key)

    def initial_state(self) -> KeyTable | TimerQueue:
        """How many elements each substream has had; or, of slots that are not over, the last elements so far."""
        return KeyTable() if self.frequency.in_tuples else TimerQueue()

    def shard_columns(self, keys: Sequence[ShardKey]) -> tuple[ShardKey, ...]:
        return (find_in_table(keys[0], self.key) if self.frequency.in_tuples else keys[0],)

    def pace(self, inputs: Sequence[OutputWatermark]) -> OutputWatermark:
        return inputs[0] if self.frequency.in_tuples else inputs[0].delayed_by_slots(self.frequency.count)

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        return f"every {self.frequency}{by_columns(self.key, inputs[0])}"

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        return self.by_tuples(inputs[0], state) if self.frequency.in_tuples else self.by_slots(inputs[0], state, span)

    def by_tuples(self, delta: Delta, counts: KeyTable) -> tuple[Delta, KeyTable]:
        if not len(delta):
            return delta, counts
        codes, first = groups([delta.columns[index] for index in self.key], len(delta))
        keys = tuple(delta.columns[index].take(pa.array(first)) for index in self.key)
        types = (pa.int64(), *(key.type for key in keys))
        slots, place = find_group_ids(counts, types, keys, len(first))
        before = counts.read(place, types[:1])[0].fill_null(0).to_numpy()
        order = np.lexsort((delta.columns[-1].to_numpy(), codes))
        number = count_equal_before(codes[order]) + before[codes[order]] + 1
        chosen = np.sort(order[number % self.frequency.count == 0])
        return delta.take(chosen), counts.put(slots, (pa.array(before + np.bincount(codes)), *keys))

    def by_slots(self, delta: Delta, waiting: TimerQueue, span: Span) -> tuple[Delta, TimerQueue]:
        due, waiting = waiting.pop_due(span.to)
        rows = delta
        if due is not None:
            rows = concat([elements(due.columns[-1].to_numpy() >> BITS, due.columns), delta], self.types)
        rows = self.last_of_slots(rows)
        ends = self.ends(rows.start)
        later = rows.where(ends > span.to)
        if len(later):
            waiting = waiting.add(self.ends(later.start), later.columns)
        return rows.where(ends <= span.to), waiting

    def last_of_slots(self, rows: Delta) -> Delta:
        """The last element of each substream and slot, in order of position."""
        slots = pa.array(self.ends(rows.start))
        codes, _ = groups([slots, *(rows.columns[index] for index in self.key)], len(rows))
        order = np.lexsort((rows.columns[-1].to_numpy(), codes))
        last = np.append(codes[order][1:] != codes[order][:-1], True)[: len(order)]
        chosen = order[last]
        return rows.take(chosen[np.argsort(rows.columns[-1].to_numpy()[chosen], kind="stable")])

    def ends(self, instants: np.ndarray) -> np.ndarray:
        """For each instant the last instant of its slot.

        >>> FrequencySample((), Every(20, "ticks")).ends(np.array([0, 1, 20, 21])).tolist()
        [20, 20, 20, 40]
        """
        length = self.frequency.count
        return np.maximum(-(-instants // length), 1) * length


@dataclass(frozen=True)
class Prefilter(Operator):
    """With a range, for a jumping window: slot m is [mt, mt + t). Its first element may be an evaluation, and the next
    evaluation is in a later slot. Without a range, for a sample: the last element of slot ((j−1)t, jt] counts."""

    kind: ClassVar[str] = "prefilter"
    row_local: ClassVar[bool] = True
    range: Every | None
    frequency: Every
    key: tuple[int, ...] = ()

    @property
    def extent(self) -> str:
        """The rows of each slot that it keeps, as text."""
        what = "the last" if self.range is None else f"the first and the last {self.range.count}"
        return f"{what} of each {self.frequency}"

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        return f"to {self.extent}"

    def push_down(self, below: Pushdown) -> Pushdown | None:
        key = tuple(below.columns[index] for index in self.key)
        return replace(below, thinned=PushedPrefilter(self, key)) if below.is_of_elements else None

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        """The elements that may matter. Late elements pass, and do not count as first or last of a slot.

        >>> rows = Delta(np.array([3, 4, 5, 7, 9]), np.array([4, 5, 6, 8, 10]), np.ones(5, np.int64), ())
        >>> prefilter = Prefilter((), Every(3, "ticks"), Every(10, "ticks"))
        >>> prefilter.apply([rows], None, Span(3, 9), TaskContext.empty())[0].start.tolist()
        [3, 4, 9]
        """
        (rows,) = inputs
        timely, kept = np.flatnonzero(rows.start > span.after), np.ones(len(rows), bool)
        keys = [rows.columns[index].take(pa.array(timely)) for index in self.key]
        kept[timely] = self.is_needed(rows.start[timely], keys)
        return rows.where(kept), state

    def is_needed(self, instants: Instants, keys: Sequence[pa.Array]) -> Mask:
        """Which elements an evaluation may need; `keys` are the columns that tell substreams apart."""
        kept = self.is_seen(instants)
        rest = np.flatnonzero(~kept)
        if len(rest):
            start, taken = instants[rest], pa.array(rest)
            codes, _ = groups([pa.array(self.slots(start)), *(key.take(taken) for key in keys)], len(rest))
            kept[rest] = start == self.bounds(start, codes)[codes]
        return kept

    def is_seen(self, instants: Instants) -> Mask:
        """Whether an evaluation in a later slot can see elements of these instants.

        >>> Prefilter((), Every(3, "ticks"), Every(10, "ticks")).is_seen(np.array([7, 8, 10])).tolist()
        [False, True, False]
        """
        if self.range is None:
            return np.zeros(len(instants), bool)
        return np.asarray(instants + self.range.count > (self.slots(instants) + 1) * self.frequency.count)

    def slots(self, instants: Instants) -> Instants:
        if self.range is None:
            return np.asarray(np.maximum(-(-instants // self.frequency.count), 1))
        return np.asarray(instants // self.frequency.count)

    def bounds(self, instants: Instants, codes: np.ndarray) -> Instants:
        """The first instant of each slot and substream (`codes`); without a range, the last."""
        worst, better = (np.iinfo(np.int64).max, np.minimum) if self.range else (-1, np.maximum)
        found = np.full(int(codes.max()) + 1, worst, np.int64)
        better.at(found, codes, instants)
        return found


@dataclass(frozen=True)
class PushedPrefilter:
    """A prefilter that Catalyst runs over a source's rows; `key` tells the substreams of a sequence query apart."""

    by: Prefilter
    key: tuple[Expression, ...]
