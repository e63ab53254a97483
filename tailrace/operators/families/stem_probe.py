"""Stem probe: one batch of a stem join: new tuples probe the stems, one after the other, for the members of a family.

Lineage says which members want a combination of tuples. In the end each combination becomes a row for each of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from tailrace.columnar.delta import FOREVER, Delta, Span
from tailrace.columnar.keys import same
from tailrace.logical.expressions import columns_of
from tailrace.operators.families.routing.eddy import Eddy
from tailrace.operators.families.routing.lineage import Words, any_member_wants
from tailrace.operators.families.routing.lineage_table import decode, route_lineages, row_member_pairs
from tailrace.operators.families.routing.policies import POLICIES, FilterStats, StatsByFilter
from tailrace.operators.families.stem import OWN, StemBatch
from tailrace.operators.windows.time_window import lifetimes
from tailrace.state.runs import Run
from tailrace.state.tuple_index import between, with_type

if TYPE_CHECKING:
    from tailrace.columnar.delta import Indexes, Instants
    from tailrace.operators.families.stem_join import StemJoin

    ByPlace = Mapping[int, Indexes]

# Combinations are made in portions, so that memory follows the result and not the product.
PORTION = 1 << 20


@dataclass(frozen=True)
class StemCombination:
    """Combinations of tuples of some stems: which rows of which runs (`at`), their instants, and who wants them.

    For stems with row windows there are the tuples' `numbers` too. All combinations began with tuples of the stem
    `origin`. Columns are put together in the end, so that a combination that finds no partner costs a few numbers.
    """

    origin: int
    hashes: Indexes
    lineage: Words
    latest: Instants  # the latest instant of its tuples, at least StemProbe.since
    last: Instants  # the last instant at which all its tuples can be in a window: partners must come by then
    instants: Mapping[int, Instants]
    numbers: Mapping[int, Indexes]
    at: Mapping[int, tuple[Indexes, Indexes]]

    def __len__(self) -> int:
        return len(self.latest)

    def take(self, rows: Indexes | slice) -> StemCombination:
        instants = {place: each[rows] for place, each in self.instants.items()}
        numbers = {place: each[rows] for place, each in self.numbers.items()}
        at = {place: (run[rows], row[rows]) for place, (run, row) in self.at.items()}
        hashes, lineage = self.hashes[rows], self.lineage[rows]
        return StemCombination(self.origin, hashes, lineage, self.latest[rows], self.last[rows], instants, numbers, at)


class StemProbe:
    """One batch of a StemJoin: finds the combinations with new tuples and emits them to the members that want them."""

    weight = 1

    def __init__(self, join: StemJoin, held: Sequence[StemBatch], span: Span, known: StatsByFilter) -> None:
        self.join, self.stems, flow = join, held, join.flow
        self.since = -1  # combinations matter from this instant on
        self.clocks = {place: each.clock for place, each in enumerate(held) if each.clock}
        seed = abs(span.to)
        self.eddy = Eddy(flow.blocks, POLICIES[flow.policy](), known, seed)
        names = [f"stem {place}" for place in range(len(held))]
        self.stem_stats = FilterStats(names, [len(flow.windows.numbers)] * len(held), known)
        self.policy, self.random = POLICIES[flow.policy](), np.random.default_rng(seed)
        self.tables: dict[Run, Words] = {}

    def new_rows(self) -> Iterator[Delta]:
        """The output rows of all combinations, for one stem of origin after the other."""
        for origin in self.origins:
            others = [place for place in range(len(self.stems)) if place != origin]
            if all(any(map(len, self.runs(origin, place))) for place in others):
                order = [place for place in self.policy.order(self.stem_stats, self.random) if place != origin]
                for run, rows in self.beginners(origin):
                    yield from self.extend(self.start_combinations(origin, run, rows), order)
                    self.stem_stats.decay(len(rows))

    @property
    def origins(self) -> list[int]:
        """The stems with whose tuples combinations begin: those that have new tuples."""
        return [place for place, each in enumerate(self.stems) if len(each.new)]

    def beginners(self, origin: int) -> Iterator[tuple[int, Indexes]]:
        """The tuples of the stem `origin` with which combinations begin, by run."""
        yield 0, np.arange(len(self.stems[origin].new))

    def runs(self, origin: int, place: int) -> tuple[Run, ...]:
        """The runs of the stem `place` with which tuples of the stem `origin` are combined: what came before them.

        Tuples are ordered by batch and, within a batch, by stem. So new tuples are combined with all remembered ones
        and with the new ones of earlier stems.
        """
        held = self.stems[place]
        if origin == place:
            return (held.new,)
        return (*held.old, held.new) if place < origin else held.old

    def start_combinations(self, origin: int, number: int, rows: Indexes) -> StemCombination:
        """Combinations of one tuple each: some rows of a run of the stem `origin`, as far as any member wants them."""
        run = self.runs(origin, origin)[number]
        lineage = self.table(run)[run.columns[1].indices.to_numpy()[rows]]
        nobody: dict[int, Indexes] = {}
        earliest, latest = np.full(len(rows), self.since), np.full(len(rows), FOREVER - 1)
        found = StemCombination(origin, run.order[rows], lineage, earliest, latest, nobody, nobody, {})
        found = self.add_stem_rows(found, origin, (np.full(len(rows), number), rows))
        return found.take(np.flatnonzero(any_member_wants(lineage)))

    def add_stem_rows(self, rows: StemCombination, place: int, at: tuple[Indexes, Indexes]) -> StemCombination:
        """The combinations with a row each of one more stem; none is left out."""
        first, moment = self.column(rows.origin, place, -OWN, at).to_numpy(), self.join.moments[place]
        instants = first if moment is None else self.column(rows.origin, place, moment, at).to_numpy()
        numbers = rows.numbers if moment is None else {**rows.numbers, place: first}
        last = np.minimum(rows.last, self.lasts(place, first))
        every, where = {**rows.instants, place: instants}, {**rows.at, place: at}
        latest = np.maximum(rows.latest, instants)
        return StemCombination(rows.origin, rows.hashes, rows.lineage, latest, last, every, numbers, where)

    def lasts(self, place: int, first: Instants | Indexes) -> Instants:
        """The last instants at which tuples can be in any member's window; `first` are their instants or numbers."""
        reach = self.join.flow.windows.reach[place]
        return self.clocks[place].came(first + reach) - 1 if place in self.clocks else first + reach

    def table(self, run: Run) -> Words:
        """The lineages of a run, with the bits of this family's members only."""
        windows = self.join.flow.windows
        if run not in self.tables:
            self.tables[run] = decode(run.columns[1].dictionary, windows.words) & windows.everyone
        return self.tables[run]

    def extend(self, rows: StemCombination, order: Sequence[int]) -> Iterator[Delta]:
        """The output rows of combinations, once they are extended by the stems in `order`, one after the other."""
        if not len(rows):
            return
        if not order:
            yield from self.emit(rows)
            return
        begun, returned, elsewhere = perf_counter(), 0, 0.0
        for more in self.probe(rows, order[0]):
            returned += len(more)
            left = perf_counter()
            yield from self.extend(more, order[1:])
            elsewhere += perf_counter() - left
        self.stem_stats.record(order[0], len(rows), returned, perf_counter() - begun - elsewhere)

    def probe(self, rows: StemCombination, place: int) -> Iterator[StemCombination]:
        """Combinations with the tuples of one more stem that have the same hash of the key, in portions."""
        reach, first, last = self.join.flow.windows.reach[place], rows.latest, rows.last
        if place in self.clocks:
            first, last = self.clocks[place].count(first) + 1, self.clocks[place].count(last)
        parts, tables, known = [], [], 0
        for which, run in enumerate(self.runs(rows.origin, place)):
            pairs = between(run, rows.hashes, first - reach, last)
            if len(pairs.probe):
                lineages = run.columns[1].indices.to_numpy()[pairs.row] + known
                parts.append((pairs.probe, np.full(len(pairs.row), which), pairs.row, lineages))
                tables.append(self.table(run))
                known += len(tables[-1])
        if not parts:
            return
        probe, number, row, bitmap = (np.concatenate(each) for each in zip(*parts, strict=True))
        table = np.concatenate(tables)
        for start in range(0, len(probe), PORTION):
            part = slice(start, start + PORTION)
            lineage = rows.lineage[probe[part]] & table[bitmap[part]]
            kept = np.flatnonzero(any_member_wants(lineage))
            at = number[part][kept], row[part][kept]
            yield self.join_stem_rows(replace(rows.take(probe[part][kept]), lineage=lineage[kept]), place, at)

    def join_stem_rows(self, rows: StemCombination, place: int, at: tuple[Indexes, Indexes]) -> StemCombination:
        """The combinations with a row each of one more stem, where the key itself is equal and not only its hash."""
        own, other = self.join.keys[rows.origin], self.join.keys[place]
        more = self.add_stem_rows(rows, place, at)
        mine = [self.column(rows.origin, rows.origin, key, rows.at[rows.origin]) for key in own]
        equal = same(mine, [self.column(rows.origin, place, key, at) for key in other])
        return more if equal.all() else more.take(np.flatnonzero(equal))

    def column(self, origin: int, place: int, column: int, at: tuple[Indexes, Indexes]) -> pa.Array:
        """A column of a stem's rows, which are given by run number and row number."""
        columns, (number, row) = [run.columns[OWN + column] for run in self.runs(origin, place)], at
        type = self.stems[place].new.columns[OWN + column].type
        if len(columns) == 1:
            return with_type(columns[0].take(pa.array(row)), type)
        order = np.argsort(number, kind="stable")
        ends = np.searchsorted(number[order], np.arange(len(columns) + 1))
        parts = [
            with_type(each.take(pa.array(row[order[first:last]])), type)
            for each, first, last in zip(columns, ends[:-1], ends[1:], strict=True)
        ]
        back = np.empty(len(order), np.int64)
        back[order] = np.arange(len(order))
        return pa.concat_arrays(parts).take(pa.array(back))

    # Members --------------------------------------------------------------------------------------------

    def emit(self, rows: StemCombination) -> Iterator[Delta]:
        """The rows of complete combinations: one for each member that wants it, while it is in the member's windows."""
        windows = self.join.flow.windows
        rows = self.filter_combinations(rows)
        step = max(1, PORTION // len(windows.numbers))
        for first in range(0, len(rows), step):
            part = rows.take(slice(first, first + step))
            row, number = row_member_pairs(part.lineage, windows.words)
            start, until = self.lives(part, row, number)
            lives = start < until
            if not lives.all():
                row, number, start, until = row[lives], number[lives], start[lives], until[lives]
            columns = (self.column(part.origin, *place, part.at[place[0]]) for place in self.join.columns)
            taken = (column.take(pa.array(row)) for column in columns)
            yield Delta(start, until, np.full(len(row), self.weight), (pa.array(number), *taken))

    def lives(self, rows: StemCombination, row: Indexes, number: Indexes) -> tuple[Instants, Instants]:
        """From when until when all tuples of a combination (`row`) are in the windows of a member (`number`)."""
        windows = self.join.flow.windows
        if windows.are_alike:
            start, until = self.common_interval(rows.instants, rows.numbers, windows.sizes[:, 0], windows.slides[:, 0])
            return start[row], until[row]
        member = np.searchsorted(windows.numbers, number)
        instants = {place: each[row] for place, each in rows.instants.items()}
        numbers = {place: each[row] for place, each in rows.numbers.items()}
        return self.common_interval(instants, numbers, windows.sizes[:, member], windows.slides[:, member])

    def common_interval(
        self, instants: ByPlace, numbers: ByPlace, sizes: Indexes, slides: Indexes
    ) -> tuple[Instants, Instants]:
        """From when until when all tuples of a combination are in windows of these sizes and slides."""
        starts, untils = together(instants, numbers, sizes, slides)
        leaves = [self.clocks[place].came(each + sizes[place]) for place, each in numbers.items()]
        return starts, np.minimum.reduce([untils, *leaves])

    def filter_combinations(self, rows: StemCombination) -> StemCombination:
        """The combinations that any member wants, once the members' conditions on whole combinations are evaluated."""
        if self.join.flow.asks_nothing:
            return rows
        unused = pa.nulls(len(rows))
        columns = [
            self.column(rows.origin, *place, rows.at[place[0]]) if index in self.asked_columns else unused
            for index, place in enumerate(self.join.places)
        ]
        earliest = np.minimum.reduce(list(rows.instants.values()))
        lineages = route_lineages(self.eddy, (*columns, pa.array(earliest)), len(rows))
        table = np.zeros((len(lineages.table), rows.lineage.shape[1]), np.uint64)
        table[:, np.searchsorted(self.join.flow.windows.words, lineages.words)] = lineages.table
        lineage = rows.lineage & table[lineages.places]
        return replace(rows, lineage=lineage).take(np.flatnonzero(any_member_wants(lineage)))

    @cached_property
    def asked_columns(self) -> set[int]:
        """The columns that the members' conditions on combinations read."""
        blocks = self.join.flow.blocks
        indexed = {index.column for block in blocks for index in block.indexes}
        return indexed.union(*(columns_of(each.condition) for block in blocks for each in block.residuals))


def together(instants: ByPlace, numbers: ByPlace, sizes: Indexes, slides: Indexes) -> tuple[Instants, Instants]:
    """From when until when all tuples of a combination are in windows; those with `numbers` count as never leaving."""
    lives = [
        (each, np.full(len(each), FOREVER)) if place in numbers else lifetimes(each, sizes[place], slides[place])
        for place, each in instants.items()
    ]
    starts, untils = zip(*lives, strict=True)
    return np.maximum.reduce(starts), np.minimum.reduce(untils)
