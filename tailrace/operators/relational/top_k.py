"""Top k: ORDER BY … LIMIT … OFFSET: at every instant the first `limit` tuples in an order, after the first `offset`.

Tuples that are equal in the order are ordered by all their columns, so the answer is always the same. The first n
tuples are those up to a threshold, the rank of the n-th tuple: a tuple is among the first n while its rank is not above
the threshold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from tailrace.columnar import segments
from tailrace.columnar.delta import FOREVER, Delta, Span, concat, empty
from tailrace.columnar.keys import groups, hashes
from tailrace.operators.aggregates.order_statistics import Events, select_ranks
from tailrace.operators.aggregates.ranks import sort_key
from tailrace.operators.aggregates.value_counts import Bag, consolidate
from tailrace.operators.names import Names, disambiguate
from tailrace.operators.operator import KeyLink, Operator, TaskContext
from tailrace.operators.relational.counts import drop_empty_intervals
from tailrace.state.runs import Run, merge_runs
from tailrace.state.state_classes import register_state
from tailrace.state.timers import TimerQueue


@register_state("top-k")
@dataclass(frozen=True)
class TopKState:
    """The tuples that are there now, and the changes that are known to come later."""

    bag: Bag = field(default_factory=Bag)
    calendar: TimerQueue = field(default_factory=TimerQueue)


@dataclass(frozen=True)
class TopK(Operator):
    """`order` has for each sort key its column, whether it descends, and whether NULLs come first."""

    kind: ClassVar[str] = "top-k"
    forgets: ClassVar[bool] = True
    order: tuple[tuple[int, bool, bool], ...]
    limit: int | None
    offset: int = 0

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        return ()

    def initial_state(self) -> TopKState:
        return TopKState()

    def may_retract(self, inputs: Sequence[bool]) -> bool:
        return True

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        names, keys = disambiguate(inputs[0]), []
        for column, descending, nulls_first in self.order:
            nulls = "" if nulls_first != descending else f" NULLS {'FIRST' if nulls_first else 'LAST'}"
            keys.append(f"{names[column]}{' DESC' if descending else ''}{nulls}")
        offset = f" offset {self.offset}" if self.offset else ""
        return f"{'all' if self.limit is None else self.limit} by {', '.join(keys)}{offset}"

    def apply(self, inputs: Sequence[Delta], state: TopKState, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        delta = drop_empty_intervals(inputs[0])
        if self.limit is None and not self.offset:
            return delta, state
        if self.limit is None:
            left_out, state = replace(self, limit=self.offset, offset=0).apply([delta], state, span, context)
            return concat([delta, left_out.negate()], self.types), state
        now, calendar = changes(delta, state.calendar, span)
        if now is None:
            return empty(self.types), replace(state, calendar=calendar)
        old = consolidate(merge_runs(state.bag.runs)) if state.bag.runs else None
        bag = state.bag.add(hashes(now.columns[:-1], len(now)), now.columns)
        both = (
            [pa.concat_arrays(list(pair)) for pair in zip(old.columns, now.columns, strict=True)]
            if old
            else now.columns
        )
        codes, first = groups(both[:-1], len(both[-1]))
        rank = self.ranks([column.take(pa.array(first)) for column in both[:-1]], len(first))
        ticks = segments.distinct(now.order)
        row = np.append(np.zeros(len(codes) - len(now), np.int64), np.searchsorted(ticks, now.order) + 1)
        events = Events(row, rank[codes], both[-1].to_numpy())
        upper, lower = (among_first(events, n, len(ticks) + 1) for n in (self.offset + self.limit, self.offset))
        places = first[np.argsort(rank)]
        tuples = [column.take(pa.array(places)) for column in both[:-1]]
        return shifts(upper, lower, tuples, ticks), TopKState(bag, calendar)

    def ranks(self, columns: Sequence[pa.Array], length: int) -> np.ndarray:
        """The rank of each tuple in the order; the tuples are distinct."""
        keys = [sort_key(columns[index], descending, first) for index, descending, first in self.order]
        keys += [sort_key(column, False, True) for column in columns]
        rank = np.empty(length, np.int64)
        rank[np.lexsort(keys[::-1]) if keys else slice(None)] = np.arange(length)
        return rank


def changes(delta: Delta, calendar: TimerQueue, span: Span) -> tuple[Run | None, TimerQueue]:
    """The changes up to `span.to`, by instant: a tuple and its change in number; and the queue of later changes."""
    due, calendar = calendar.pop_due(span.to)
    ends = np.flatnonzero(delta.until != FOREVER)
    taken = pa.array(ends)
    amounts = pa.array(np.concatenate([delta.weight, -delta.weight[ends]]))
    columns = [pa.concat_arrays([column, column.take(taken)]) for column in delta.columns]
    run = consolidate(Run(np.concatenate([delta.start, delta.until[ends]]), (*columns, amounts)))
    later = run.order > span.to
    if later.any():
        coming = run.take(np.flatnonzero(later))
        calendar = calendar.add(coming.order, coming.columns)
    run = run.take(np.flatnonzero(~later))
    found = [each for each in (due, run) if each is not None and len(each)]
    return (merge_runs(found) if found else None), calendar


def among_first(events: Events, n: int, length: int) -> Events:
    """The changes of the bag of the first n tuples, given the changes of the whole bag over `length` rows of time."""
    cells, of = segments.cells(events.rank, events.row)
    starts = segments.heads(cells.group)
    counts = segments.running_sums(segments.sum_by_place(of, events.change, len(cells)), starts)
    total = np.cumsum(segments.sum_by_place(events.row, events.change, length))
    full = np.flatnonzero(total >= n) if n else np.empty(0, np.int64)
    threshold = np.full(length, int(events.rank.max(initial=0)) + 1 if n else -1)
    if len(full):
        threshold[full] = select_ranks(events, np.zeros(length, np.int64), full, np.full(len(full), n - 1))
    there = np.flatnonzero((counts > 0) & (cells.group <= threshold.max()))
    low, high = cells.instant[there], segments.until_next(cells.instant, cells.group, length)[there]
    piece, low, high = stretches(threshold, low, high, cells.group[there])
    rank, count = cells.group[there][piece], counts[there][piece]
    # Up to the threshold there may be more than n tuples; the surplus ones equal the tuple at the threshold.
    reached = segments.sum_by_place(low, count, length + 1) - segments.sum_by_place(high, count, length + 1)
    excess = np.cumsum(reached)[full] - n
    over, excess = full[excess > 0], excess[excess > 0]
    return Events(
        np.concatenate([low, high, over, over + 1]),
        np.concatenate([rank, rank, threshold[over], threshold[over]]),
        np.concatenate([count, -count, -excess, excess]),
    )


def stretches(
    threshold: np.ndarray, low: np.ndarray, high: np.ndarray, rank: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The longest parts of the ranges low … high−1 in which the threshold is not below the range's rank.

    For each part: the number of its range, its first row, and the row after its last one.

    >>> [part.tolist() for part in stretches(np.array([5, 1, 1, 6, 0]), np.array([0]), np.array([5]), np.array([2]))]
    [[0, 0], [0, 3], [1, 4]]
    """
    highest, lowest = _tables(threshold, np.maximum), _tables(threshold, np.minimum)
    # In most ranges the threshold never reaches the rank: the highest of two overlapping halves tells so at once.
    step = np.frexp((high - low).astype(np.float64))[1] - 1
    reach = np.maximum(highest[step, low], highest[step, high - (1 << step)]) if len(low) else low
    owner = np.flatnonzero(reach >= rank)
    at = low[owner]
    found = [(owner[:0], low[:0], high[:0])]
    while len(owner):
        begin = _skip(at, high[owner], highest, np.less, rank[owner])
        inside = begin < high[owner]
        owner, begin = owner[inside], begin[inside]
        at = _skip(begin, high[owner], lowest, np.greater_equal, rank[owner])
        found.append((owner, begin, at))
    owners, begins, ends = zip(*found, strict=True)
    return np.concatenate(owners), np.concatenate(begins), np.concatenate(ends)


def _tables(values: np.ndarray, best: np.ufunc) -> np.ndarray:
    """Table k has for each row the best of the 2^k values from that row on, or of as many as there are."""
    tables = [values]
    half = 1
    while 2 * half <= len(values):
        tables.append(np.append(best(tables[-1][:-half], tables[-1][half:]), tables[-1][-half:]))
        half *= 2
    return np.stack(tables)


def _skip(at: np.ndarray, stop: np.ndarray, tables: np.ndarray, holds: np.ufunc, rank: np.ndarray) -> np.ndarray:
    """The first row from `at` on, but at most `stop`, of which `holds(value, rank)` is not true."""
    for step in reversed(range(len(tables))):
        fits = at + (1 << step) <= stop
        fits &= holds(tables[step][np.where(fits, at, 0)], rank)
        at = np.where(fits, at + (1 << step), at)
    return at


def shifts(upper: Events, lower: Events, tuples: Sequence[pa.Array], ticks: np.ndarray) -> Delta:
    """The upper bag without the lower one, as changes to what that was before the batch, which is row 0."""
    rank, row = np.append(upper.rank, lower.rank), np.append(upper.row, lower.row)
    change = np.append(upper.change, -lower.change)
    inside = row <= len(ticks)
    cells, of = segments.cells(rank[inside], row[inside])
    starts = segments.heads(cells.group)
    now = segments.running_sums(segments.sum_by_place(of, change[inside], len(cells)), starts)
    before = np.append(0, now[:-1])[: len(now)]
    before[starts] = 0
    base = np.where(cells.instant[starts] == 0, now[starts], 0)[segments.numbers_of(starts, len(cells))]
    at = np.flatnonzero((now != before) & (cells.instant > 0))
    group, instant = cells.group[at], ticks[cells.instant[at] - 1]
    until = segments.until_next(instant, group, FOREVER)
    weight = now[at] - base[at]
    kept = np.flatnonzero(weight)
    taken = pa.array(group[kept])
    return Delta(instant[kept], until[kept], weight[kept], tuple(column.take(taken) for column in tuples))
