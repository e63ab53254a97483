"""Meet: combinations of a tuple of each stem that agree on the key, each once for each member that wants it.

Law: a member has a combination for as long as all of its tuples are in that member's windows, if the member wants each
tuple and the combination. Tuples have one total order: by batch and, within one, by stem. Each combination is found by
the last of its tuples, which meets the other stems one after the other (CACQ §3.3.1): so it is found once, and nothing
that is found on the way is remembered. Lineage tells who wants a combination; rows are copied for members in the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pyarrow as pa

from tailrace.logical.expressions import columns_of
from tailrace.physical.delta import Delta, Span, concat, empty
from tailrace.physical.flows.eddy import Eddy
from tailrace.physical.flows.flow import MeetFlow
from tailrace.physical.flows.lessons import known_of, learn
from tailrace.physical.flows.lineage import Words, wanted
from tailrace.physical.flows.lineages import paired, read, routed
from tailrace.physical.flows.policies import POLICIES, Standing
from tailrace.physical.keys import same
from tailrace.physical.operator import Link, Operator
from tailrace.physical.operators.seq_window import lifetimes
from tailrace.physical.operators.stem import OWN, Held
from tailrace.physical.synopses.memory import between, typed
from tailrace.physical.synopses.runs import Run

if TYPE_CHECKING:
    from tailrace.physical.delta import Indexes, Instants

# Combinations are made in portions, so that memory follows the result and not the product.
PORTION = 1 << 20


@dataclass(frozen=True)
class Meet(Operator):
    """`keys` has the key's columns of each stem, `columns` for each column of the output its stem and column there.

    `places` has the same for all columns that a condition may be about.
    """

    family: str
    keys: tuple[tuple[int, ...], ...]
    columns: tuple[tuple[int, int], ...]
    places: tuple[tuple[int, int], ...]
    flow: MeetFlow = field(compare=False, repr=False)
    learns: ClassVar[bool] = True
    undivided: ClassVar[bool] = True

    def links(self, inputs: int) -> tuple[Link, ...]:
        found = []
        for several in zip(*self.keys, strict=True):
            outputs = [at for at, place in enumerate(self.columns, 1) if place in enumerate(several)]
            found.append(Link(several, tuple(outputs)))
        return tuple(found)

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span) -> tuple[Delta, Any]:
        held = [each for each in inputs if isinstance(each, Held)]
        if not any(len(each.new) for each in held):
            return empty(self.types), state
        meeting = Meeting(self, held, span)
        found = concat(list(meeting.found()), self.types)
        learn(self.family, meeting.standing.learned())
        learn(self.family, meeting.eddy.learned())
        return found, state


@dataclass(frozen=True)
class Combined:
    """Combinations of tuples of some stems: which rows of which runs, their instants, and who wants them.

    All are found by new tuples of the stem `origin`. Columns are put together in the end, so that a combination that
    finds no partner costs a few numbers.
    """

    origin: int
    hashes: Indexes
    lineage: Words
    latest: Instants  # the latest instant of its tuples
    last: Instants  # the last instant that a tuple may have to share one with all of them
    instants: Mapping[int, Instants]
    at: Mapping[int, tuple[Indexes, Indexes]]

    def __len__(self) -> int:
        return len(self.latest)

    def take(self, rows: Indexes | slice) -> Combined:
        instants = {place: each[rows] for place, each in self.instants.items()}
        at = {place: (run[rows], row[rows]) for place, (run, row) in self.at.items()}
        hashes, lineage = self.hashes[rows], self.lineage[rows]
        return Combined(self.origin, hashes, lineage, self.latest[rows], self.last[rows], instants, at)


class Meeting:
    """The new tuples of all stems, and what is remembered of each."""

    def __init__(self, meet: Meet, held: Sequence[Held], span: Span) -> None:
        self.meet, self.held, flow = meet, held, meet.flow
        known, seed = known_of(meet.family), abs(span.to)
        self.eddy = Eddy(flow.blocks, POLICIES[flow.policy](), known, seed)
        names = [f"stem {place}" for place in range(len(held))]
        self.standing = Standing(names, [len(flow.windows.numbers)] * len(held), known)
        self.policy, self.random = POLICIES[flow.policy](), np.random.default_rng(seed)
        self.tables: dict[Run, Words] = {}

    def found(self) -> Iterator[Delta]:
        """What the new tuples add."""
        places = range(len(self.held))
        for origin in places:
            others = [place for place in places if place != origin]
            if len(self.held[origin].new) and all(any(map(len, self.runs(origin, place))) for place in others):
                order = [place for place in self.policy.order(self.standing, self.random) if place != origin]
                yield from self.extended(self.begun(origin), order)
                self.standing.age(len(self.held[origin].new))

    def runs(self, origin: int, place: int) -> tuple[Run, ...]:
        """What of a stem came before the new tuples of another."""
        held = self.held[place]
        if origin == place:
            return (held.new,)
        return (*held.old, held.new) if place < origin else held.old

    def begun(self, origin: int) -> Combined:
        """The new tuples of a stem that any member wants."""
        run = self.held[origin].new
        instants, rows = run.columns[0].to_numpy(), np.arange(len(run))
        lineage = self.table(run)[run.columns[1].indices.to_numpy()]
        last = instants + self.meet.flow.windows.reach[origin]
        found = Combined(origin, run.order, lineage, instants, last, {origin: instants}, {origin: (rows * 0, rows)})
        return found.take(np.flatnonzero(wanted(lineage)))

    def table(self, run: Run) -> Words:
        """The lineages of a run, as far as they are about the family."""
        windows = self.meet.flow.windows
        if run not in self.tables:
            self.tables[run] = read(run.columns[1].dictionary, windows.words) & windows.everyone
        return self.tables[run]

    def extended(self, rows: Combined, order: Sequence[int]) -> Iterator[Delta]:
        """Combinations with tuples of the stems that are left."""
        if not len(rows):
            return
        if not order:
            yield from self.told(rows)
            return
        begun, returned, elsewhere = perf_counter(), 0, 0.0
        for more in self.met(rows, order[0]):
            returned += len(more)
            left = perf_counter()
            yield from self.extended(more, order[1:])
            elsewhere += perf_counter() - left
        self.standing.note(order[0], len(rows), returned, perf_counter() - begun - elsewhere)

    def met(self, rows: Combined, place: int) -> Iterator[Combined]:
        """Combinations with the tuples of one more stem, in portions."""
        reach = self.meet.flow.windows.reach[place]
        parts, tables, known = [], [], 0
        for which, run in enumerate(self.runs(rows.origin, place)):
            pairs = between(run, rows.hashes, rows.latest - reach, rows.last)
            if len(pairs.probe):
                lineages = run.columns[1].indices.to_numpy()[pairs.row] + known
                parts.append((pairs.probe, np.full(len(pairs.row), which), pairs.row, lineages))
                tables.append(self.table(run))
                known += len(tables[-1])
        if not parts:
            return
        probe, number, row, bitmap = (np.concatenate(each) for each in zip(*parts, strict=True))
        table = np.concatenate(tables)
        for first in range(0, len(probe), PORTION):
            part = slice(first, first + PORTION)
            lineage = rows.lineage[probe[part]] & table[bitmap[part]]
            kept = np.flatnonzero(wanted(lineage))
            at = number[part][kept], row[part][kept]
            yield self.joined(rows.take(probe[part][kept]), place, at, lineage[kept])

    def joined(self, rows: Combined, place: int, at: tuple[Indexes, Indexes], lineage: Words) -> Combined:
        """Combinations with a row each of one more stem, where the key itself is equal and not only its hash."""
        own, other = self.meet.keys[rows.origin], self.meet.keys[place]
        instants = self.column(rows.origin, place, -OWN, at).to_numpy()
        latest = np.maximum(rows.latest, instants)
        last = np.minimum(rows.last, instants + self.meet.flow.windows.reach[place])
        every, where = {**rows.instants, place: instants}, {**rows.at, place: at}
        more = Combined(rows.origin, rows.hashes, lineage, latest, last, every, where)
        mine = [self.column(rows.origin, rows.origin, key, rows.at[rows.origin]) for key in own]
        equal = same(mine, [self.column(rows.origin, place, key, at) for key in other])
        return more if equal.all() else more.take(np.flatnonzero(equal))

    def column(self, origin: int, place: int, column: int, at: tuple[Indexes, Indexes]) -> pa.Array:
        """A column of a stem's rows."""
        columns, (number, row) = [run.columns[OWN + column] for run in self.runs(origin, place)], at
        type = self.held[place].new.columns[OWN + column].type
        if len(columns) == 1:
            return typed(columns[0].take(pa.array(row)), type)
        order = np.argsort(number, kind="stable")
        ends = np.searchsorted(number[order], np.arange(len(columns) + 1))
        parts = [
            typed(each.take(pa.array(row[order[first:last]])), type)
            for each, first, last in zip(columns, ends[:-1], ends[1:], strict=True)
        ]
        back = np.empty(len(order), np.int64)
        back[order] = np.arange(len(order))
        return pa.concat_arrays(parts).take(pa.array(back))

    # Members --------------------------------------------------------------------------------------------

    def told(self, rows: Combined) -> Iterator[Delta]:
        """Whole combinations, each for the members that want it while it is in their windows."""
        windows = self.meet.flow.windows
        rows = self.chosen(rows)
        step = max(1, PORTION // len(windows.numbers))
        for first in range(0, len(rows), step):
            part = rows.take(slice(first, first + step))
            row, number = paired(part.lineage, windows.words)
            start, until = self.lives(part, row, number)
            lives = start < until
            if not lives.all():
                row, number, start, until = row[lives], number[lives], start[lives], until[lives]
            columns = (self.column(part.origin, *place, part.at[place[0]]) for place in self.meet.columns)
            taken = (column.take(pa.array(row)) for column in columns)
            yield Delta(start, until, np.ones(len(row), np.int64), (pa.array(number), *taken))

    def lives(self, rows: Combined, row: Indexes, number: Indexes) -> tuple[Instants, Instants]:
        """From when until when all tuples of combinations, each given by its row, are in the windows of a member."""
        windows = self.meet.flow.windows
        if windows.are_alike:
            start, until = shared(rows.instants, windows.sizes[:, 0], windows.slides[:, 0])
            return start[row], until[row]
        member = np.searchsorted(windows.numbers, number)
        instants = {place: each[row] for place, each in rows.instants.items()}
        return shared(instants, windows.sizes[:, member], windows.slides[:, member])

    def chosen(self, rows: Combined) -> Combined:
        """The combinations of which what members ask of combinations is true."""
        if self.meet.flow.asks_nothing:
            return rows
        unused = pa.nulls(len(rows))
        columns = [
            self.column(rows.origin, *place, rows.at[place[0]]) if index in self.asked else unused
            for index, place in enumerate(self.meet.places)
        ]
        earliest = np.minimum.reduce(list(rows.instants.values()))
        lineages = routed(self.eddy, (*columns, pa.array(earliest)), len(rows))
        table = np.zeros((len(lineages.table), rows.lineage.shape[1]), np.uint64)
        table[:, np.searchsorted(self.meet.flow.windows.words, lineages.words)] = lineages.table
        lineage = rows.lineage & table[lineages.places]
        return replace(rows, lineage=lineage).take(np.flatnonzero(wanted(lineage)))

    @cached_property
    def asked(self) -> set[int]:
        """The columns of combinations that members ask about."""
        blocks = self.meet.flow.blocks
        indexed = {index.column for block in blocks for index in block.indexes}
        return indexed.union(*(columns_of(each.condition) for block in blocks for each in block.residuals))


def shared(instants: Mapping[int, Instants], sizes: Instants, slides: Instants) -> tuple[Instants, Instants]:
    """From when until when tuples of these instants, by stem, are all in windows of these sizes and slides."""
    lives = [lifetimes(each, sizes[place], slides[place]) for place, each in instants.items()]
    starts, untils = zip(*lives, strict=True)
    return np.maximum.reduce(starts), np.minimum.reduce(untils)
