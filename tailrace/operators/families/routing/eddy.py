"""Eddy: routes chunks of rows through the filters of a block, in an order that a policy draws for each chunk.

Rows leave the chunk when no member wants them any more, and when the members that want them have no filter to come.
The order changes how long routing takes, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from time import perf_counter

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.evaluate import evaluate
from tailrace.logical.expressions import columns_of
from tailrace.logical.text.expression_text import text_of
from tailrace.operators.families.routing.grouped_filter import Probe
from tailrace.operators.families.routing.lineage import (
    Indexes,
    Mask,
    Words,
    any_member_wants,
    fold,
    gather_rows,
    narrow,
    pairs,
    words_of,
)
from tailrace.operators.families.routing.lookahead import Lookahead, places
from tailrace.operators.families.routing.member_block import MemberBlock, Residual
from tailrace.operators.families.routing.ordinals import Ordinals, ordinals
from tailrace.operators.families.routing.policies import (
    Best,
    FilterCounts,
    FilterStats,
    Policy,
    StatsByFilter,
    merge_stats,
    seconds_a_row,
)

CHUNK = 4096
AHEAD = 16 * CHUNK  # rows for which one look ahead, at some of them, gives the order
WORTH_A_LOOK = 0.02  # a filter that removes a smaller share of its rows is measured only now and then
LOOK = 1 / 8  # the chance that a chunk measures all filters
MANY_SEARCHES = 4  # from this many filters on one column on it is faster to sort its keys once
WORTH_LEAVING = 1 / 16  # the share of a chunk's rows that must leave for it to pay to move the others together


@dataclass(frozen=True, eq=False)
class RoutedRows:
    """Rows of a batch, in their order, and which members of a block want them; the next part overwrites `lineage`."""

    block: MemberBlock
    rows: Indexes
    lineage: Words

    def pairs(self) -> tuple[Indexes, Indexes]:
        """Each row with the number of each member that wants it."""
        places, bits = pairs(self.lineage)
        return self.rows[places], self.block.numbers[bits]


class Eddy:
    """Routes rows through the blocks of a family by a policy; the same seed gives the same random choices."""

    def __init__(
        self,
        blocks: Sequence[MemberBlock],
        policy: Policy | None = None,
        known: StatsByFilter | None = None,
        seed: int = 0,
    ) -> None:
        self.policy = policy or Best()
        self.random = np.random.default_rng(seed)
        self.visits = 0  # how many rows the filters were applied to, in sum
        self.courses = [_BlockRouter(block, known or {}) for block in blocks]
        self.room = np.empty((3, CHUNK * max((block.words for block in blocks), default=0)), np.uint64)

    def route(self, columns: Sequence[pa.Array], length: int) -> Iterator[RoutedRows]:
        """The rows that any member wants, chunk by chunk, for one block after the other."""
        keys = self._keys(columns)
        for course in self.courses:
            course.enter(columns, keys, self.room)
            seen = first = 0
            while first < length:
                if self.policy.looks_ahead and first >= seen:
                    seen = min(first + AHEAD, length)
                    course.look_ahead(first, seen)
                rows = CHUNK if self.policy.looks_ahead else course.standing.chunk(CHUNK)
                last = min(first + rows, length)
                order = self.policy.order(course.standing, self.random)
                part, visits = course.route_chunk(first, last, order, self.random.random() < LOOK)
                self.visits += visits
                first = last
                if len(part.rows):
                    yield part

    def _keys(self, columns: Sequence[pa.Array]) -> dict[int, Ordinals]:
        """The ordinals of the columns; by rank where many filters would search for them."""
        filters = [filter for course in self.courses for filter in course.filters]
        found = {column: ordinals(columns[column]) for column in {filter.column for filter in filters}}
        for column, keys in found.items():
            searches = sum(filter.column == column and filter.near is None for filter in filters)
            if keys.distinct is None and searches >= MANY_SEARCHES:
                found[column] = keys.by_rank
        return found

    def statistics(self) -> dict[str, FilterCounts]:
        """The statistics recorded here, to be merged with those of other workers."""
        return merge_stats(course.standing.new_counts() for course in self.courses)


@dataclass
class _Chunk:
    """Rows on their way through the filters, from row `first` of the batch on; without a lineage all want all rows."""

    first: int
    rows: Indexes
    at: slice | Indexes  # the same rows
    lineage: Words | None = None
    done: Mask | None = None  # of all its rows, those that left early: their lineage is in `finished`

    def keep(self, kept: Indexes | Mask) -> None:
        self.at = self.rows = self.rows[kept]


class _BlockRouter:
    """Routes the rows of one batch after another through the filters of one block."""

    def __init__(self, block: MemberBlock, known: StatsByFilter) -> None:
        self.block = block
        self.filters = block.filters
        self.residuals = [each for each in block.residuals if not each.waits]
        self.waiting = [each for each in block.residuals if each.waits]
        names = [f"{block.place} {each.column}" for each in self.filters]
        names += [f"{block.place} {text_of(each.condition)}" for each in self.residuals]
        self.members = [each.members for each in block.indexes] + [each.members for each in self.residuals]
        self.standing = FilterStats(names, [each.bit_count() for each in self.members], known)
        self.room: Words = np.empty((3, 0, 0), np.uint64)
        self.finished: Words = self.room[2]
        self.columns: Sequence[pa.Array] = ()
        self.probes: list[Probe] = []

    def enter(self, columns: Sequence[pa.Array], keys: dict[int, Ordinals], room: Words) -> None:
        """Begin with a batch; `room` is a buffer that all routers of an eddy use, one after the other."""
        self.room = room[:, : CHUNK * self.block.words].reshape(3, CHUNK, self.block.words)
        self.finished = self.room[2]
        self.columns = columns
        self.probes = [Probe(filter, keys[filter.column]) for filter in self.filters]

    def look_ahead(self, first: int, last: int) -> None:
        """Show some of these rows to every filter, which gives the order of filters for all of the rows."""
        if len(self.members) < 2:
            return
        rows = places(first, last)
        passed = np.empty((len(self.members), len(rows), self.block.words), np.uint64)
        for place, probe in enumerate(self.probes):
            gather_rows(probe.filter.table, probe.rows(rows), passed[place])
        for place, residual in enumerate(self.residuals, len(self.probes)):
            passed[place] = self.block.all_members
            passed[place, ~self._truth(residual, rows)] &= ~words_of(residual.members, self.block.words)
        late = reduce(or_, (each.members for each in self.waiting), 0)
        seconds = seconds_a_row(self.standing.sums())
        self.standing.ahead = Lookahead(passed, tuple(self.members), late, self.block.everyone, seconds).order

    def route_chunk(self, first: int, last: int, order: Sequence[int], look: bool) -> tuple[RoutedRows, int]:
        """The wanted rows of a chunk, and how many filters its rows visited; `look`: measure all filters."""
        chunk, visits = _Chunk(first, np.arange(first, last), slice(first, last)), 0
        looks = (self.standing.removed_share() >= WORTH_A_LOOK) | look
        for place, pending in zip(order, self._members_after(order), strict=True):
            taken = len(chunk.rows)
            if not taken:
                break
            visits += taken
            begun = perf_counter()
            if place < len(self.probes):
                self._filter(chunk, self.probes[place])
            else:
                self._check(chunk, self.residuals[place - len(self.probes)])
            if looks[place]:
                self._leave(chunk, pending)
                self.standing.record(place, taken, len(chunk.rows), perf_counter() - begun)
        self.standing.decay(last - first)
        for residual in self.waiting:
            visits += len(chunk.rows)
            self._check(chunk, residual)
        return self._rows_of(chunk), visits

    def _members_after(self, order: Sequence[int]) -> list[int]:
        """For each filter of the order, the members that have other filters after it."""
        left = reduce(or_, (each.members for each in self.waiting), 0)
        found = []
        for place in reversed(order):
            found.append(left)
            left |= self.members[place]
        return found[::-1]

    def _rows_of(self, chunk: _Chunk) -> RoutedRows:
        """The rows of a chunk that any member wants, those that left early among them."""
        lineage = self._lineage(chunk)
        if chunk.done is not None:
            self._put_aside(chunk, chunk.rows, lineage)
            places = np.flatnonzero(chunk.done)
            chunk.rows = places + chunk.first
            chunk.lineage = lineage = gather_rows(self.finished, places, self._spare(chunk))
        fold(lineage, self.block.folds, self.block.homes)
        kept = np.flatnonzero(any_member_wants(lineage))
        if len(kept) < len(lineage):
            lineage = gather_rows(lineage, kept, self._spare(chunk))
        return RoutedRows(self.block, chunk.rows[kept], lineage)

    def _put_aside(self, chunk: _Chunk, rows: Indexes, lineage: Words) -> None:
        if chunk.done is None:
            chunk.done = np.zeros(CHUNK, bool)
        chunk.done[rows - chunk.first] = True
        self.finished[rows - chunk.first] = lineage

    def _lineage(self, chunk: _Chunk) -> Words:
        if chunk.lineage is None:
            chunk.lineage = self._spare(chunk)[: len(chunk.rows)]
            chunk.lineage[:] = self.block.all_members
        return chunk.lineage

    def _spare(self, chunk: _Chunk) -> Words:
        """That one of two buffers that does not hold the chunk's lineage."""
        taken = chunk.lineage is not None and np.may_share_memory(chunk.lineage, self.room[0])
        return self.room[1] if taken else self.room[0]

    def _filter(self, chunk: _Chunk, probe: Probe) -> None:
        places = probe.rows(chunk.at)
        if chunk.lineage is not None:
            narrow(chunk.lineage, probe.filter.table, places, self._spare(chunk))
            return
        if not probe.filter.lets_all_pass:
            alive = probe.filter.alive[places]
            if not alive.all():
                chunk.keep(alive)
                places = places[alive]
        chunk.lineage = gather_rows(probe.filter.table, places, self._spare(chunk))

    def _check(self, chunk: _Chunk, residual: Residual) -> None:
        """Evaluate a condition for the rows that its members still want."""
        lineage = self._lineage(chunk)
        members = words_of(residual.members, self.block.words)
        words = np.flatnonzero(members)
        asked = np.flatnonzero((lineage[:, words] & members[words]).any(axis=1))
        if not len(asked):
            return
        failed = asked[~self._truth(residual, chunk.rows[asked])]
        lineage[failed[:, None], words] &= ~members[words]

    def _truth(self, residual: Residual, rows: Indexes) -> Mask:
        used, taken = columns_of(residual.condition), pa.array(rows)
        given = [column.take(taken) if place in used else column for place, column in enumerate(self.columns)]
        truth = evaluate(residual.condition, given, len(rows))
        return np.asarray(pc.fill_null(truth, False).to_numpy(zero_copy_only=False), bool)

    def _leave(self, chunk: _Chunk, pending: int) -> None:
        """Take the rows out of the chunk for which no later filter matters, unless they are too few."""
        lineage = self._lineage(chunk)
        # After the last filter, which has none pending, rows leave as well, so that it gets its tickets.
        everyone = pending in (0, self.block.everyone)
        going_on = any_member_wants(lineage if everyone else lineage & words_of(pending, self.block.words))
        kept = np.flatnonzero(going_on)
        if len(lineage) - len(kept) <= WORTH_LEAVING * len(lineage):
            return
        if not everyone:
            gone = np.flatnonzero(~going_on)
            gone = gone[any_member_wants(lineage[gone])]
            if len(gone):
                self._put_aside(chunk, chunk.rows[gone], lineage[gone])
        chunk.lineage = gather_rows(lineage, kept, self._spare(chunk))
        chunk.keep(kept)
