"""Distinct intervals: DISTINCT inside an aggregate, such as COUNT(DISTINCT x), over tuples that are never retracted.

Equal tuples of a group count once, from the start of the first until the end of the last. All tuples that began in
earlier batches began before the new ones do. So the times in which they are there, as far as these matter now, are one
stretch up to their latest end, and that end is all that is remembered of equal tuples. A new tuple adds the time after
it: of a tuple that is there until 310, a copy from 40 to 340 adds the instants from 310 on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa

from tailrace.columnar import segments
from tailrace.columnar.delta import FOREVER, Delta, Span, concat
from tailrace.columnar.keys import groups
from tailrace.state.group_ids import drop_empty_groups, drop_groups_of, find_group_ids
from tailrace.state.key_index import KeyTable
from tailrace.state.state_classes import register_state
from tailrace.state.timers import TimerQueue


@register_state("distinct-intervals")
@dataclass(frozen=True)
class DistinctIntervals:
    """The latest end of each distinct tuple of a group. A tuple's first column is the group's id."""

    table: KeyTable = field(default_factory=KeyTable)  # a row for each distinct tuple: its latest end, its columns
    later: TimerQueue = field(default_factory=TimerQueue)  # rows that begin after the decided instants, with their ends

    def add(self, delta: Delta, span: Span) -> tuple[Delta, DistinctIntervals]:
        """Add the rows of a batch. Returns the time that each adds to its tuple, as rows of weight 1."""
        delta, later = self._take_begun(delta, span)
        codes, first = groups(delta.columns, len(delta))
        columns = [column.take(pa.array(first)) for column in delta.columns]
        ids, place = find_group_ids(self.table, (pa.int64(), *delta.types), columns, len(first))
        known = self.table.read(place, (pa.int64(),))[0].fill_null(-1).to_numpy(zero_copy_only=False)
        code, start, until = added_intervals(codes, delta.start, delta.until, known)
        latest = known.copy()
        np.maximum.at(latest, code, until)
        ends = self.table.put(ids, (pa.array(latest), *columns))
        ends = drop_empty_groups(self.table, ends, (), span.to)
        chosen = pa.array(code)
        rows = Delta(start, until, np.ones(len(code), np.int64), tuple(column.take(chosen) for column in columns))
        return rows, DistinctIntervals(ends, later)

    def _take_begun(self, delta: Delta, span: Span) -> tuple[Delta, TimerQueue]:
        """The rows that begin in the span, also those of earlier batches; and the queue of those that begin later."""
        due, later = self.later.pop_due(span.to)
        waits = delta.start > span.to
        if waits.any():
            rows = delta.where(waits)
            later = later.add(rows.start, (*rows.columns, pa.array(rows.until)))
            delta = delta.where(~waits)
        if due is None:
            return delta, later
        until = due.columns[-1].to_numpy()
        return concat(
            [Delta(due.order, until, np.ones(len(due), np.int64), due.columns[:-1]), delta], delta.types
        ), later

    def of_groups(self, group_ids: np.ndarray) -> DistinctIntervals:
        """The tuples of some groups."""
        return DistinctIntervals(self.table.of_groups(group_ids), self.later.of_groups(group_ids))

    def without(self, group_ids: np.ndarray, past: int) -> DistinctIntervals:
        """Drop the tuples of groups that change no more after `past`: their tuples have ended, or stay for ever."""
        if not len(group_ids):
            return self
        table, _ = drop_groups_of(self.table, group_ids.view(np.int64), FOREVER, stay=False)
        return replace(self, table=table)

    @classmethod
    def merge(cls, parts: Sequence[DistinctIntervals]) -> DistinctIntervals:
        return cls(KeyTable.merge([part.table for part in parts]), TimerQueue.merge([part.later for part in parts]))


def added_intervals(
    codes: np.ndarray, start: np.ndarray, until: np.ndarray, known: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The intervals that rows add to their tuples: the number of each one's tuple, its start, and its end.

    `codes` has the number of each row's tuple. `known` has for each tuple the instant up to which it is there already,
    if that is after the starts of its rows.

    >>> added = added_intervals(np.array([0, 1, 0]), np.array([4, 5, 6]), np.array([9, 10, 11]), np.array([-1, 8]))
    >>> [part.tolist() for part in added]
    [[0, 1], [4, 8], [11, 10]]
    """
    if not len(codes):
        return codes, start, until
    if until.min() >= start.max():
        # Every row lasts until the last one begins, so equal tuples leave no gap between them.
        code = np.arange(len(known))
        low, high = np.full(len(known), np.iinfo(np.int64).max), known.copy()
        np.minimum.at(low, codes, start)
        np.maximum.at(high, codes, until)
        start, until = np.maximum(low, known), high
    else:
        order = np.lexsort((start, codes))
        code, start, until = codes[order], start[order], until[order]
        start = np.maximum(start, _latest_end_before(code, until, known))
    adds = np.flatnonzero(start < until)
    return code[adds], start[adds], until[adds]


def _latest_end_before(code: np.ndarray, until: np.ndarray, known: np.ndarray) -> np.ndarray:
    """For rows in order of their tuples: the latest end among the earlier rows of the tuple and what is known of it."""
    ticks = segments.distinct(np.concatenate([until, known]))
    rank, floor = np.searchsorted(ticks, until), code * len(ticks)
    before = np.append(0, (floor + rank)[:-1])
    heads = segments.heads(code)
    before[heads] = floor[heads] + np.searchsorted(ticks, known[code[heads]])
    return ticks[np.maximum.accumulate(np.maximum(before, floor)) - floor]
