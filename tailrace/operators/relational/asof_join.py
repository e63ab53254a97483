"""As-of join: each left tuple with the one right tuple of equal keys that is nearest in an order.

A batch loads the tuples of the keys that it touches. Right tuples stand in order of key, value and tie, the best of
equal ones last, so that a left tuple's partner is the last one that is there among those up to its bound. A change of a
right tuple matters to the left tuples from its bound up to the next right tuple that stays all the time; only these are
looked at again, at that instant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from tailrace.columnar import segments
from tailrace.columnar.delta import FOREVER, Delta, Span, concat, empty
from tailrace.columnar.evaluate import evaluate
from tailrace.columnar.keys import groups, hashes
from tailrace.logical.expressions import Expression
from tailrace.operators.aggregates.ranks import rank_values, sort_key
from tailrace.operators.aggregates.value_counts import Bag
from tailrace.operators.names import Names, disambiguate, text_with
from tailrace.operators.operator import KeyLink, Operator, TaskContext
from tailrace.operators.relational.binary_join import JoinKey
from tailrace.operators.relational.counts import drop_empty_intervals
from tailrace.operators.relational.top_k import changes
from tailrace.state.key_index import pairs_in_ranges
from tailrace.state.resharding import ShardKey
from tailrace.state.runs import Run
from tailrace.state.timers import TimerQueue

SideState = tuple[Bag, TimerQueue]  # the tuples that are there now, and the changes that are known to come later


@dataclass(frozen=True)
class AsofJoinOp(Operator):
    """`nearest` has the compared column of each side; `greatest` says that the right one is at most the left one."""

    kind: ClassVar[str] = "asof-join"
    label: ClassVar[str] = "asof-join"
    forgets: ClassVar[bool] = True
    keys: tuple[JoinKey, ...]
    width: int  # how many columns the left side has
    nearest: tuple[int, int]
    greatest: bool
    strict: bool
    outer: bool
    residual: Expression | None  # true of all partners up to some distance, and of none that is farther away
    keeps_last: bool = False  # left tuples are later than all right ones of earlier instants: one of a key is enough

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        return tuple(KeyLink((key.left, key.right), (key.left,)) for key in self.keys)

    def initial_state(self) -> tuple[Bag, TimerQueue, Bag, TimerQueue]:
        return Bag(), TimerQueue(), Bag(), TimerQueue()

    def shard_columns(self, keys: Sequence[ShardKey]) -> tuple[ShardKey, ...]:
        return (keys[0], keys[0], keys[1], keys[1])

    def may_retract(self, inputs: Sequence[bool]) -> bool:
        return True

    def input_column(self, column: int) -> tuple[int, int]:
        return (0, column) if column < self.width else (1, column - self.width)

    def column_origins(self, inputs: int) -> list[list[tuple[int, int]]]:
        return [[self.input_column(column)] for column in range(len(self.types))]

    @property
    def computed_expressions(self) -> tuple[Expression, ...]:
        return (self.residual,) if self.residual else ()

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        apart = disambiguate(output)
        pairs = [(apart[key.left], "=", apart[self.width + key.right]) for key in self.keys]
        sign = (">" if self.greatest else "<") + ("" if self.strict else "=")
        pairs.append((apart[self.nearest[0]], sign, apart[self.width + self.nearest[1]]))
        parts = [" ".join(pair) for pair in pairs] + [text_with(output, each) for each in self.computed_expressions]
        return f"{'left ' if self.outer else ''}on {' AND '.join(parts)}"

    def apply(
        self, inputs: Sequence[Delta], state: tuple[Bag, TimerQueue, Bag, TimerQueue], span: Span, context: TaskContext
    ) -> tuple[Delta, Any]:
        mine, left_later = changes(drop_empty_intervals(inputs[0]), state[1], span)
        theirs, right_later = changes(self.matchable(drop_empty_intervals(inputs[1])), state[3], span)
        if mine is None and theirs is None:
            return empty(self.types), (state[0], left_later, state[2], right_later)
        left_hashes, right_hashes = self.hashes_of(mine, 0), self.hashes_of(theirs, 1)
        touched = segments.distinct(np.concatenate([left_hashes, right_hashes]))
        ticks = segments.distinct(np.concatenate([run.order for run in (mine, theirs) if run is not None]))
        left = history(state[0], mine, touched, ticks, self.types[: self.width])
        right = history(state[2], theirs, touched, ticks, self.types[self.width :])
        order = arrange(self, left, right)
        out = self.moves(left, right, order, ticks)
        left_bag = state[0] if mine is None else state[0].add(left_hashes, mine.columns)
        right_bag = state[2] if theirs is None else state[2].add(right_hashes, theirs.columns)
        if self.keeps_last and theirs is not None:
            old = find_surpassed(right, order, int(np.searchsorted(ticks, span.to)))
            right_bag = right_bag.add(self.hashes_of(old, 1), old.columns)
        return out, (left_bag, left_later, right_bag, right_later)

    def matchable(self, delta: Delta) -> Delta:
        """The right rows that some left row can match: those without a NULL in what is compared."""
        fine = np.ones(len(delta), bool)
        for column in (*(key.right for key in self.keys), self.nearest[1]):
            fine &= delta.columns[column].is_valid().to_numpy(zero_copy_only=False)
        return delta.where(fine)

    def hashes_of(self, run: Run | None, side: int) -> np.ndarray:
        if run is None:
            return np.empty(0, np.uint64)
        return hashes([run.columns[key.right if side else key.left] for key in self.keys], len(run))

    def moves(self, left: History, right: History, order: Arrangement, ticks: np.ndarray) -> Delta:
        """The changes of the result: a row for each stretch of time in which a left tuple has another partner."""
        alive = right.stretches()
        place = Stretches(order.position[alive.tuple], alive.low, alive.high)
        asked = questions(left, order, place, len(ticks) + 1)
        count = left.counts_at(asked.tuple, asked.row)
        found = latest_alive(place, asked.row, order.bound[asked.tuple], order.first[asked.tuple])
        partner = np.where(found >= 0, order.tuples[found], -1) if len(order.tuples) else found
        if self.residual is not None:
            partner = self.within(left, right, asked.tuple, partner)
        if not self.outer:
            count = np.where(partner < 0, 0, count)
        partner = np.where(count > 0, partner, -2)
        return self.differences(left, right, ticks, PartnersInTime(asked.tuple, asked.row, partner, count))

    def within(self, left: History, right: History, tuples: np.ndarray, partner: np.ndarray) -> np.ndarray:
        """The partners of which the rest of the condition is true, and −1 in place of the others."""
        assert self.residual is not None
        have = np.flatnonzero(partner >= 0)
        mine, theirs = pa.array(tuples[have]), pa.array(partner[have])
        columns = [*(each.take(mine) for each in left.columns), *(each.take(theirs) for each in right.columns)]
        fits = evaluate(self.residual, columns, len(have)).fill_null(False).to_numpy(zero_copy_only=False)
        partner = partner.copy()
        partner[have[~fits]] = -1
        return partner

    def differences(self, left: History, right: History, ticks: np.ndarray, given: PartnersInTime) -> Delta:
        starts = segments.heads(given.tuple)
        differs = np.append(True, (given.partner[1:] != given.partner[:-1]) | (given.count[1:] != given.count[:-1]))
        differs = differs[: len(given.tuple)]
        differs[starts] = True
        given = given.take(np.flatnonzero(differs))
        starts = segments.heads(given.tuple)
        base = starts[segments.numbers_of(starts, len(given.tuple))]
        until = segments.until_next(np.append(0, ticks)[given.row], given.tuple, FOREVER)
        found = []
        same = given.partner == given.partner[base]
        later = np.flatnonzero(given.row > 0)
        for rows, of, weight in (
            (later[same[later]], later[same[later]], given.count - given.count[base]),
            (later[~same[later]], later[~same[later]], given.count),
            (later[~same[later]], base[later[~same[later]]], -given.count[base]),
        ):
            amounts = weight[rows]
            rows, of, amounts = rows[amounts != 0], of[amounts != 0], amounts[amounts != 0]
            mine, partner = pa.array(given.tuple[rows]), given.partner[of]
            theirs = pa.array(np.maximum(partner, 0), mask=partner < 0)
            columns = (*(each.take(mine) for each in left.columns), *(each.take(theirs) for each in right.columns))
            found.append(Delta(ticks[given.row[rows] - 1], until[rows], amounts, columns))
        return concat(found, self.types)


@dataclass(frozen=True)
class PartnersInTime:
    """The partner of left tuples at rows of time, sorted by both: −1 for none, −2 if the tuple is not there."""

    tuple: np.ndarray
    row: np.ndarray
    partner: np.ndarray
    count: np.ndarray

    def take(self, rows: np.ndarray) -> PartnersInTime:
        return PartnersInTime(self.tuple[rows], self.row[rows], self.partner[rows], self.count[rows])


@dataclass(frozen=True)
class Questions:
    """Left tuples at rows of time, sorted by both: who is their partner then?"""

    tuple: np.ndarray
    row: np.ndarray


@dataclass(frozen=True)
class Stretches:
    """Stretches low … high−1 of rows of time, of tuples or of places."""

    tuple: np.ndarray
    low: np.ndarray
    high: np.ndarray


@dataclass(frozen=True)
class History:
    """The distinct tuples of a side, and how often each is there from its cells on; row 0 is before the batch."""

    columns: tuple[pa.Array, ...]
    cells: segments.Cells
    counts: np.ndarray
    length: int  # rows of time

    @property
    def size(self) -> int:
        return len(self.columns[0])

    def stretches(self) -> Stretches:
        starts = segments.heads(self.cells.group)
        low, high = segments.positive(self.counts, starts)
        until = segments.until_next(self.cells.instant, self.cells.group, self.length)
        return Stretches(self.cells.group[low], self.cells.instant[low], until[high - 1])

    def counts_at(self, tuples: np.ndarray, rows: np.ndarray) -> np.ndarray:
        keys = self.cells.group * self.length + self.cells.instant
        at = np.searchsorted(keys, tuples * self.length + rows, "right") - 1
        known = (at >= 0) & (self.cells.group[at] == tuples) if len(keys) else np.zeros(len(at), bool)
        return np.where(known, self.counts[at], 0) if len(keys) else np.zeros(len(at), np.int64)


def history(bag: Bag, now: Run | None, touched: np.ndarray, ticks: np.ndarray, types: Sequence[pa.DataType]) -> History:
    """The tuples of touched keys, as they were before the batch and as its changes make them."""
    _, old = bag.of(touched)
    runs = [*old, *([now] if now is not None else [])]
    rows = [np.zeros(sum(map(len, old)), np.int64)]
    rows += [np.searchsorted(ticks, now.order) + 1] if now is not None else []
    row = np.concatenate(rows)
    columns = [
        pa.concat_arrays([run.columns[place] for run in runs]) if runs else pa.array([], type)
        for place, type in enumerate(types)
    ]
    change = np.concatenate([np.empty(0, np.int64), *(run.columns[-1].to_numpy() for run in runs)])
    codes, first = groups(columns, len(row))
    cells, of = segments.cells(codes, row)
    amounts = segments.sum_by_place(of, change, len(cells))
    counts = segments.running_sums(amounts, segments.heads(cells.group))
    return History(tuple(column.take(pa.array(first)) for column in columns), cells, counts, len(ticks) + 1)


@dataclass(frozen=True)
class Arrangement:
    """Right tuples in places, by key, value and tie; the partner of a left tuple is the last there below its bound."""

    tuples: np.ndarray  # the right tuple at each place
    position: np.ndarray  # the place of each right tuple
    last: np.ndarray  # for each place, where the places of its key end
    bound: np.ndarray  # for each left tuple, the place after the last that may be its partner
    first: np.ndarray  # for each left tuple, where the places of its key begin


def arrange(work: AsofJoinOp, left: History, right: History) -> Arrangement:
    both = [(left.columns[key.left], right.columns[key.right]) for key in work.keys]
    length = left.size + right.size
    key, _ = groups([pa.concat_arrays(list(pair)) for pair in both], length)
    mine, theirs = left.columns[work.nearest[0]], right.columns[work.nearest[1]]
    rank, _ = rank_values(pa.concat_arrays([mine, theirs]))
    missing = rank[: left.size] < 0
    rank = rank if work.greatest else -rank
    rank = rank - rank.min(initial=0)
    wide = int(rank.max(initial=0)) + 2
    code = key * wide + rank
    tie = np.empty(right.size, np.int64)
    ascending = [sort_key(column, False, True) for column in right.columns]
    tie[np.lexsort(ascending[::-1])] = np.arange(right.size)
    tuples = np.lexsort((-tie, code[left.size :]))
    position = np.empty(right.size, np.int64)
    position[tuples] = np.arange(right.size)
    sorted_code = code[left.size :][tuples]
    wanted = np.where(missing, key[: left.size] * wide - 1, code[: left.size])
    bound = np.searchsorted(sorted_code, wanted, "left" if work.strict else "right")
    first = np.searchsorted(sorted_code, key[: left.size] * wide)
    last = np.searchsorted(sorted_code, (sorted_code // wide + 1) * wide)
    return Arrangement(tuples, position, last, np.maximum(bound, first), first)


def find_surpassed(right: History, order: Arrangement, row: int) -> Run:
    """The changes that take away the right tuples that are there at a row of time, but for the last one of each key.

    The row is the last one before the instant of left tuples that are there still: what came since may be too late for
    some of them.
    """
    count = right.counts_at(order.tuples, np.full(right.size, row))
    there = np.flatnonzero(count > 0)
    key = order.last[there]
    old = there[np.append(key[1:] == key[:-1], False)[: len(there)]]
    tuples = pa.array(order.tuples[old])
    amounts = pa.array(-count[old])
    return Run(np.zeros(len(old), np.int64), (*(column.take(tuples) for column in right.columns), amounts))


def questions(left: History, order: Arrangement, place: Stretches, length: int) -> Questions:
    """The left tuples, and the rows of time at which their partner or number may change; row 0 is among them."""
    always = np.sort(place.tuple[(place.low == 0) & (place.high == length)])
    begins, ends = place.low > 0, place.high < length
    at = np.concatenate([place.tuple[begins], place.tuple[ends]])
    row = np.concatenate([place.low[begins], place.high[ends]])
    next_always = np.append(always, len(order.tuples))[np.searchsorted(always, at, "right")]
    stop = np.minimum(next_always, order.last[at])
    able = np.flatnonzero(order.bound > order.first)
    able = able[np.argsort(order.bound[able], kind="stable")]
    bounds = order.bound[able]
    pairs = pairs_in_ranges(np.searchsorted(bounds, at, "right"), np.searchsorted(bounds, stop, "right"))
    moved = able[pairs.row] * length + row[pairs.probe]
    own = left.cells.group * length + left.cells.instant
    touched = np.concatenate([moved, own[left.cells.instant > 0]])
    asked = segments.distinct(np.concatenate([touched, touched // length * length]))
    return Questions(asked // length, asked % length)


def latest_alive(place: Stretches, row: np.ndarray, bound: np.ndarray, first: np.ndarray) -> np.ndarray:
    """For each question the greatest place below its bound, and not below `first`, that is there then; −1 if none.

    A stretch of time is a few stretches whose lengths are powers of two, at multiples of these. So for each power there
    is one sorted list of pairs (stretch, place), and a question is one binary search in each list.
    """
    found = np.full(len(row), -1, np.int64)
    low, high, who, level = place.low.copy(), place.high.copy(), place.tuple, 0
    size = int(max(place.tuple.max(initial=0), bound.max(initial=0))) + 1
    while len(who):
        odd_low, odd_high = (low & 1).astype(bool), (high & 1).astype(bool)
        nodes = np.concatenate([low[odd_low], high[odd_high] - 1]) * size
        listed = np.sort(nodes + np.concatenate([who[odd_low], who[odd_high]]))
        if len(listed):
            node = (row >> level) * size
            at = np.searchsorted(listed, node + bound) - 1
            best = np.where(at >= 0, listed[at] - node, -1)
            found = np.maximum(found, np.where(best >= first, best, -1))
        low, high, level = (low + 1) >> 1, high >> 1, level + 1
        rest = low < high
        low, high, who = low[rest], high[rest], who[rest]
    return found
