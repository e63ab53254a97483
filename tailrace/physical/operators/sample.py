"""Sample: every n-th element of a stream, or the last of each slot of time once it is over; of each substream.

Slot j is ((j−1)t, jt], the first one with instant 0 (semantics A.6). An element keeps its own instant, so what follows
is decided up to the last slot that is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from tailrace.logical.windows import Every
from tailrace.physical.aggregates.slots import located
from tailrace.physical.delta import Delta, Span, concat, elements
from tailrace.physical.keys import groups
from tailrace.physical.operator import Link, Operator
from tailrace.physical.operators.number import counted
from tailrace.physical.pace import BITS, Pace
from tailrace.physical.synopses.calendar import Calendar
from tailrace.physical.synopses.index import Table


@dataclass(frozen=True)
class Sample(Operator):
    """Elements have their places as last column, by which they are in order; `key` tells the substreams apart."""

    called: ClassVar[str] = "stream-sample"
    frequency: Every
    key: tuple[int, ...] = ()

    def links(self, inputs: int) -> tuple[Link, ...]:
        return tuple(Link((index,), (index,)) for index in self.key)

    def start(self) -> Table | Calendar:
        """How many elements each substream has had, or the last ones so far of slots that are not over."""
        return Table() if self.frequency.in_tuples else Calendar()

    def pace(self, inputs: Sequence[Pace]) -> Pace:
        return inputs[0] if self.frequency.in_tuples else inputs[0].after_slots(self.frequency.count)

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span) -> tuple[Delta, Any]:
        return self.by_tuples(inputs[0], state) if self.frequency.in_tuples else self.by_slots(inputs[0], state, span)

    def by_tuples(self, delta: Delta, counts: Table) -> tuple[Delta, Table]:
        if not len(delta):
            return delta, counts
        codes, first = groups([delta.columns[index] for index in self.key], len(delta))
        keys = tuple(delta.columns[index].take(pa.array(first)) for index in self.key)
        types = (pa.int64(), *(key.type for key in keys))
        slots, place = located(counts, types, keys, len(first))
        before = counts.fetch(place, types[:1])[0].fill_null(0).to_numpy()
        order = np.lexsort((delta.columns[-1].to_numpy(), codes))
        number = counted(codes[order]) + before[codes[order]] + 1
        chosen = np.sort(order[number % self.frequency.count == 0])
        return delta.take(chosen), counts.put(slots, (pa.array(before + np.bincount(codes)), *keys))

    def by_slots(self, delta: Delta, waiting: Calendar, span: Span) -> tuple[Delta, Calendar]:
        due, waiting = waiting.take(span.to)
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
        """Of each substream and slot the last element, in order of their places."""
        slots = pa.array(self.ends(rows.start))
        codes, _ = groups([slots, *(rows.columns[index] for index in self.key)], len(rows))
        order = np.lexsort((rows.columns[-1].to_numpy(), codes))
        last = np.append(codes[order][1:] != codes[order][:-1], True)[: len(order)]
        chosen = order[last]
        return rows.take(chosen[np.argsort(rows.columns[-1].to_numpy()[chosen], kind="stable")])

    def ends(self, instants: np.ndarray) -> np.ndarray:
        """The last instants of the slots in which these are.

        >>> Sample((), Every(20, "ticks")).ends(np.array([0, 1, 20, 21])).tolist()
        [20, 20, 20, 40]
        """
        length = self.frequency.count
        return np.maximum(-(-instants // length), 1) * length
