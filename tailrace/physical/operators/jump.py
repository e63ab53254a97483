"""Jump-window: the last tuples or ticks, seen at every n-th element or at the first of each t ticks (CSQL §4.4, §9).

An element is evaluated with if its number among those of its substream is a multiple of n, or if it is the first at or
after a multiple of t. A tuple is in the window from the first evaluation at or after it on. It leaves at a known place
if the range is in ticks, else with the first evaluation that is so many elements later. What no evaluation can see is
dropped as it comes: with a range below the frequency, the tuples between two windows are neither kept nor copied.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from tailrace.logical.windows import Every
from tailrace.physical import segments
from tailrace.physical.aggregates.slots import located
from tailrace.physical.delta import FOREVER, Delta, Span, concat
from tailrace.physical.keys import groups
from tailrace.physical.operator import Link, Operator
from tailrace.physical.operators.number import counted
from tailrace.physical.pace import BITS, Pace, first_place
from tailrace.physical.sorting import stable_order
from tailrace.physical.synopses.index import Table, spread
from tailrace.physical.synopses.runs import Run, added, joined, sorted_run
from tailrace.physical.synopses.search import bisect, places

Columns = Callable[[np.ndarray], tuple[pa.Array, ...]]


@dataclass(frozen=True)
class Jumped:
    """Of each substream how many elements it has had, the number of the last one that was evaluated with and the last
    instant; and tuples that evaluations to come may see, by the substream's slot, the first column their numbers."""

    substreams: Table = field(default_factory=Table)
    tuples: tuple[Run, ...] = ()


@dataclass(frozen=True)
class Arrivals:
    """The elements of a batch, one substream after the other, each in order.

    Of a substream: its slot and key, `before` and `total` elements, the number of the last evaluation before and now;
    `head` and `stop` are its rows. `passed` is how many evaluations there are before a row, `at` are their places.
    """

    rows: Delta
    order: np.ndarray | None
    place: np.ndarray
    group: np.ndarray
    number: np.ndarray
    slots: np.ndarray
    keys: tuple[pa.Array, ...]
    before: np.ndarray
    total: np.ndarray
    was: np.ndarray
    now: np.ndarray
    instant: np.ndarray
    head: np.ndarray
    stop: np.ndarray
    passed: np.ndarray
    at: np.ndarray

    def evaluation(self, group: np.ndarray, number: np.ndarray) -> np.ndarray:
        """The first evaluation at or after elements of these numbers; −1 if it has not come."""
        row = self.head[group] + np.maximum(number - self.before[group] - 1, 0)
        found = self.passed[np.minimum(row, self.stop[group])]
        return np.where(found < self.passed[self.stop[group]], found, -1)

    def take(self, chosen: np.ndarray) -> tuple[pa.Array, ...]:
        """The columns of some of the elements."""
        taken = pa.array(chosen if self.order is None else self.order[chosen])
        return tuple(column.take(taken) for column in self.rows.columns)


@dataclass(frozen=True)
class Jump(Operator):
    """Elements have their places as last column, by which they are in order."""

    called: ClassVar[str] = "jump-window"
    range: Every
    frequency: Every
    key: tuple[int, ...] = ()

    def links(self, inputs: int) -> tuple[Link, ...]:
        return tuple(Link((index,), (index,)) for index in self.key)

    def start(self) -> Jumped:
        return Jumped()

    def pace(self, inputs: Sequence[Pace]) -> Pace:
        return replace(inputs[0], in_places=True)

    @property
    def stays(self) -> bool:
        """Whether a tuple may be in several windows and nobody knows yet when it leaves."""
        if not self.range.in_tuples:
            return False
        return not self.frequency.in_tuples or self.range.count > self.frequency.count

    def takes_back(self, inputs: Sequence[bool]) -> bool:
        return self.stays

    def apply(self, inputs: Sequence[Delta], state: Jumped, span: Span) -> tuple[Delta, Any]:
        if not len(inputs[0]):
            return inputs[0], state
        new = self.arrivals(inputs[0], state.substreams)
        seen = np.flatnonzero(self.may_be_seen(new.number))
        parts = [self.entering(new, new.group[seen], new.number[seen], new.place[seen], lambda at: new.take(seen[at]))]
        for owner, run in self.remembered(new, state.tuples):
            parts += self.moving(new, owner, run)
        return concat(parts, self.types), self.kept(new, seen, state, span)

    # What comes ---------------------------------------------------------------------------------------

    def arrivals(self, rows: Delta, known: Table) -> Arrivals:
        codes, first = groups([rows.columns[index] for index in self.key], len(rows))
        keys = tuple(rows.columns[index].take(pa.array(first)) for index in self.key)
        slots, found = located(known, self.table_types(keys), keys, len(first))
        stored = known.fetch(found, self.table_types(keys))
        before, was, last = (stored[i].fill_null(0).to_numpy() for i in (0, -2, -1))
        place = rows.columns[-1].to_numpy()
        order = None
        if len(first) > 1 or (place[1:] < place[:-1]).any():
            order = np.lexsort((place, codes)) if len(first) > 1 else stable_order(place)
            place, codes = place[order], codes[order]
        count = np.bincount(codes)
        stop = np.cumsum(count)
        head = stop - count
        number = counted(codes) + before[codes] + 1
        instant = place >> BITS
        begins = self.begins(number, instant, head, last)
        passed = np.append(0, np.cumsum(begins))
        at = np.flatnonzero(begins)
        now = was.copy()
        now[codes[at]] = number[at]  # the last of each substream is written last
        total, latest = before + count, instant[stop - 1]
        return Arrivals(
            rows,
            order,
            place,
            codes,
            number,
            slots,
            keys,
            before,
            total,
            was,
            now,
            latest,
            head,
            stop,
            passed,
            place[at],
        )

    def begins(self, number: np.ndarray, instant: np.ndarray, head: np.ndarray, last: np.ndarray) -> np.ndarray:
        """Which elements are evaluated with; `last` are the instants that the substreams had reached."""
        if self.frequency.in_tuples:
            return number % self.frequency.count == 0
        multiple = instant // self.frequency.count
        before = np.append(0, multiple[:-1])
        before[head] = last // self.frequency.count
        return multiple > before

    def table_types(self, keys: Sequence[pa.Array]) -> tuple[pa.DataType, ...]:
        return pa.int64(), *(key.type for key in keys), pa.int64(), pa.int64()

    def may_be_seen(self, number: np.ndarray) -> np.ndarray:
        """Whether tuples of these numbers may be in a window, as far as that follows from their numbers."""
        if not (self.range.in_tuples and self.frequency.in_tuples) or self.stays:
            return np.ones(len(number), bool)
        return -number % self.frequency.count < self.range.count

    # What enters and leaves ---------------------------------------------------------------------------

    def entering(
        self, new: Arrivals, group: np.ndarray, number: np.ndarray, place: np.ndarray, columns: Columns
    ) -> Delta:
        """Tuples from the first evaluation at or after them on, as far as that has come."""
        first = new.evaluation(group, number)
        start = new.at[np.maximum(first, 0)] if len(new.at) else first
        if self.stays:
            last = new.evaluation(group, number + self.range.count)
            until = np.where(last >= 0, new.at[last], FOREVER) if len(new.at) else start
        elif self.range.in_tuples:
            # It is over with this evaluation; to say so only at the next keeps what follows short.
            next_ = first + 1
            known = next_ < new.passed[new.stop[group]]
            until = np.where(known, new.at[np.minimum(next_, len(new.at) - 1)], start + 1) if len(new.at) else start
        else:
            until = first_place((place >> BITS) + self.range.count)
        inside = np.flatnonzero((first >= 0) & (start < until))
        return Delta(start[inside], until[inside], np.ones(len(inside), np.int64), columns(inside))

    def moving(self, new: Arrivals, group: np.ndarray, run: Run) -> list[Delta]:
        """Of tuples that were remembered, those that enter now and those that were there and leave."""
        number, rows = run.columns[0].to_numpy(), run.columns[1:]
        place = rows[-1].to_numpy()
        was_there = number <= new.was[group]
        fresh = np.flatnonzero(~was_there)

        def taken(at: np.ndarray) -> tuple[pa.Array, ...]:
            return tuple(column.take(pa.array(at)) for column in rows)

        found = [self.entering(new, group[fresh], number[fresh], place[fresh], lambda at: taken(fresh[at]))]
        old = np.flatnonzero(was_there)
        if len(old):
            leaves = new.at[new.evaluation(group[old], number[old] + self.range.count)]
            forever = np.full(len(old), FOREVER, np.int64)
            found.append(Delta(leaves, forever, np.full(len(old), -1, np.int64), taken(old)))
        return found

    def remembered(self, new: Arrivals, runs: Sequence[Run]) -> list[tuple[np.ndarray, Run]]:
        """The tuples of before that enter or leave with the evaluations of this batch, and whose they are."""
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
                pairs = spread(bisect(numbers, low, high, after + 1), bisect(numbers, low, high, to + 1))
                if len(pairs.row):
                    found.append((touched[pairs.probe], run.take(pairs.row)))
        return found

    # What is remembered -------------------------------------------------------------------------------

    def kept(self, new: Arrivals, seen: np.ndarray, state: Jumped, span: Span) -> Jumped:
        columns = (pa.array(new.total), *new.keys, pa.array(new.now), pa.array(new.instant))
        known = state.substreams.put(new.slots, columns)
        group = new.group[seen]
        stay = seen[
            self.still_wanted(new.number[seen], new.place[seen] >> BITS, new.now[group], new.total[group], span)
        ]
        rows = Run(new.slots[new.group[stay]], (pa.array(new.number[stay]), *new.take(stay)))

        def staying(runs: Sequence[Run]) -> Run:
            run = joined(runs)
            heads = segments.heads(run.order)
            types = self.table_types(new.keys)
            stored = known.fetch(known.seek(run.order[heads]), types)
            times = np.diff(np.append(heads, len(run)))
            total, now = (np.repeat(stored[i].to_numpy(), times) for i in (0, -2))
            wanted = self.still_wanted(run.columns[0].to_numpy(), run.columns[-1].to_numpy() >> BITS, now, total, span)
            return run if wanted.all() else run.take(np.flatnonzero(wanted))

        return Jumped(known, added(state.tuples, sorted_run(rows.order, rows.columns), staying))

    def still_wanted(
        self, number: np.ndarray, instant: np.ndarray, now: np.ndarray, total: np.ndarray, span: Span
    ) -> np.ndarray:
        """Whether an evaluation after the last one `now` may see, or must take back, tuples; `total` have come."""
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
