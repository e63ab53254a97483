"""Ledger: what adds up per group, as it stands now and as it will change at instants already known.

A group has a slot: the hash of its key or, where other keys are there before it, one of the numbers that follow.
So a slot stands for exactly one key, whatever the hash does. `turn` opens the ledger for a batch: it looks up the
groups that the batch touches, and no others, and lays their changes out in time; `close` writes them back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from tailrace.physical import segments
from tailrace.physical.aggregates.exact import Part, Sums, packed, unpacked
from tailrace.physical.delta import FOREVER, Delta, Span
from tailrace.physical.keys import hashes, same
from tailrace.physical.segments import Cells
from tailrace.physical.synopses.calendar import Calendar
from tailrace.physical.synopses.index import Table
from tailrace.physical.synopses.runs import Run

EXACT = pa.list_(pa.int64())


@dataclass(frozen=True)
class Ledger:
    table: Table = field(default_factory=Table)
    calendar: Calendar = field(default_factory=Calendar)


@dataclass(frozen=True)
class Layout:
    """The columns of a ledger: a group's key, its quantities (`exact` or plain counters), whatever else is noted.

    `always`: the one group of an empty key, which exists even without tuples.
    """

    keys: tuple[pa.DataType, ...]
    exact: tuple[bool, ...]
    notes: tuple[pa.DataType, ...] = ()
    always: bool = False

    @property
    def types(self) -> tuple[pa.DataType, ...]:
        """The columns of the table: the last instant at which the group is known to change comes first."""
        quantities = tuple(EXACT if exact else pa.int64() for exact in self.exact)
        return (pa.int64(), *self.keys, *quantities, *self.notes)

    def written(self, sums: Sequence[Sums], length: int) -> list[pa.Array]:
        kinds = zip(sums, self.exact, strict=True)
        return [packed(each, length) if exact else pa.array(each[0]) for each, exact in kinds]

    def read(self, columns: Sequence[pa.Array]) -> tuple[Sums, ...]:
        kinds = zip(columns, self.exact, strict=True)
        return tuple(unpacked(each) if exact else {0: _filled(each)} for each, exact in kinds)


@dataclass(frozen=True)
class Rows:
    """Rows of a batch with their groups, and the cells in which they begin and (where `ends` says so) end."""

    delta: Delta
    group: np.ndarray
    begin: np.ndarray
    ends: np.ndarray
    end: np.ndarray

    def where(self, mask: np.ndarray | None) -> Rows:
        if mask is None or mask.all():
            return self
        ending = np.zeros(len(mask), bool)
        ending[self.ends] = True
        kept = mask[self.ends]
        ends = np.flatnonzero(ending[mask])
        return Rows(self.delta.where(mask), self.group[mask], self.begin[mask], ends, self.end[kept])


@dataclass(frozen=True)
class Timeline:
    """The groups that change in a batch: for each a row for how it stood before, then one for each instant.

    `of_cell` is the row of a cell that is due, `head` and `stop` are a group's first row and the row after its last.
    """

    group: np.ndarray
    instant: np.ndarray
    heads: np.ndarray
    of_cell: np.ndarray
    head: np.ndarray
    stop: np.ndarray

    def __len__(self) -> int:
        return len(self.group)

    @property
    def touched(self) -> np.ndarray:
        """The groups on it, in order."""
        return self.group[self.heads]


@dataclass(frozen=True)
class Page:
    """A ledger opened for one batch."""

    layout: Layout
    table: Table
    calendar: Calendar
    span: Span
    slots: np.ndarray
    keys: tuple[pa.Array, ...]
    last: np.ndarray
    there: np.ndarray
    base: tuple[Sums, ...]
    notes: tuple[pa.Array, ...]
    rows: Rows
    cells: Cells
    due: np.ndarray
    due_sums: tuple[Sums, ...]
    timeline: Timeline

    def groups_of(self, slots: np.ndarray) -> np.ndarray:
        return np.searchsorted(self.slots, slots)

    def find(self, groups: np.ndarray, instants: np.ndarray) -> np.ndarray:
        """The rows of the timeline for instants at which groups change."""
        return self.timeline.of_cell[self.cells.find(groups, instants)]

    def placed(self, delta: Delta, groups: np.ndarray) -> Rows:
        """Other rows, which begin and end at instants at which the groups change anyway."""
        ends = np.flatnonzero(delta.until != FOREVER)
        begin = self.cells.find(groups, delta.start)
        return Rows(delta, groups, begin, ends, self.cells.find(groups[ends], delta.until[ends]))

    def summed(self, number: int, rows: Rows, parts: Sequence[Part]) -> Sums:
        """What each cell adds to a quantity: the rows that begin, less those that end, and what was due."""
        sums: Sums = {} if self.layout.exact[number] else {0: np.zeros(len(self.cells), np.int64)}
        weight = rows.delta.weight
        plain = bool((weight == 1).all())
        for bin, part in parts:
            amounts = part if plain else part * weight
            into = sums.setdefault(bin, np.zeros(len(self.cells), np.int64))
            np.add.at(into, rows.begin, amounts)
            np.subtract.at(into, rows.end, amounts[rows.ends])
        for bin, due in self.due_sums[number].items():
            np.add.at(sums.setdefault(bin, np.zeros(len(self.cells), np.int64)), self.due, due)
        return sums

    def running(self, number: int, sums: Sums) -> Sums:
        """The quantity at each row of the timeline."""
        line, base = self.timeline, self.base[number]
        due = np.flatnonzero(line.of_cell >= 0)
        found: Sums = {}
        for bin in sums.keys() | base.keys():
            amounts = np.zeros(len(line), np.int64)
            if bin in sums:
                amounts[line.of_cell[due]] = sums[bin][due]
            if bin in base:
                amounts[line.heads] = base[bin][line.touched]
            found[bin] = segments.running(amounts, line.heads)
        return found

    def close(self, sums: Sequence[Sums], totals: Sequence[Sums], notes: Sequence[pa.Array] = ()) -> Ledger:
        """The ledger after the batch, given the sums of its cells and the running totals."""
        line, size = self.timeline, len(self.slots)
        last = segments.tails(line.heads, len(line))
        now = []
        for total, base in zip(totals, self.base, strict=True):
            found = {bin: base.get(bin, np.zeros(size, np.int64)).copy() for bin in total.keys() | base.keys()}
            for bin, amounts in total.items():
                found[bin][line.touched] = amounts[last]
            now.append(found)
        columns = (pa.array(self.last), *self.keys, *self.layout.written(now, size), *notes)
        table = self.table.put(self.slots, columns)
        later = np.flatnonzero(line.of_cell < 0)
        calendar = self.calendar
        if len(later):
            coming = [{bin: amounts[later] for bin, amounts in each.items()} for each in sums]
            slots = pa.array(self.slots[self.cells.group[later]].view(np.int64))
            calendar = calendar.add(self.cells.instant[later], (slots, *self.layout.written(coming, len(later))))
        return Ledger(swept(self.table, table, self.layout, self.span.to), calendar)


def turn(ledger: Ledger, layout: Layout, delta: Delta, keys: Sequence[pa.Array], span: Span) -> Page | None:
    """The ledger opened for the rows of a batch; None when nothing happens in it."""
    due, calendar = ledger.calendar.take(span.to)
    if not len(delta) and due is None and not layout.always:
        return None
    codes, first = segments.numbered(keys, len(delta))
    mine = tuple(key.take(pa.array(first)) for key in keys)
    slots = located(ledger.table, mine, len(first), layout) if not layout.always else hashes((), 1)
    due_slots = due.columns[0].to_numpy().view(np.uint64) if due else np.empty(0, np.uint64)
    slots, index = np.unique(np.concatenate([slots, due_slots]), return_inverse=True)
    size = len(first) if not layout.always else 1
    there, stored = ledger.table.find(slots, layout.types)
    width = 1 + len(layout.keys)
    quantities, notes = stored[width : width + len(layout.exact)], stored[width + len(layout.exact) :]
    known = tuple(_either(there, old, new, index[:size]) for old, new in zip(stored[1:width], mine, strict=True))
    begins = layout.always and not (there[0] and span.after >= 0) and span.to > span.after
    if not len(delta) and due is None and not begins:
        return None
    rows, cells, due_cells = _laid_out(
        delta, index[:size][codes], due, index[size:], span.after + 1 if begins else None
    )
    return Page(
        layout, ledger.table, calendar, span, slots, known,
        _last(_filled(stored[0], -1), cells), there, layout.read(quantities), notes, rows, cells, due_cells,
        layout.read(due.columns[1:]) if due else tuple({} for _ in layout.exact),
        _timeline(cells, span, len(slots)),
    )  # fmt: skip


def _laid_out(
    delta: Delta, groups: np.ndarray, due: Run | None, due_groups: np.ndarray, first: int | None
) -> tuple[Rows, Cells, np.ndarray]:
    """The cells of all events: rows that begin, rows that end, what was due, and the first instant of all."""
    ends = np.flatnonzero(delta.until != FOREVER)
    start = [0] if first is not None else []
    cells, of = segments.cells(
        np.concatenate([groups, groups[ends], due_groups, np.array(start, np.int64)]),
        np.concatenate(
            [delta.start, delta.until[ends], due.order if due else start[:0], np.array([first] * len(start))]
        ).astype(np.int64),
    )
    middle = len(groups) + len(ends)
    rows = Rows(delta, groups, of[: len(groups)], ends, of[len(groups) : middle])
    return rows, cells, of[middle : middle + len(due_groups)]


def _timeline(cells: Cells, span: Span, size: int) -> Timeline:
    due = np.flatnonzero(cells.instant <= span.to)
    first = segments.heads(cells.group[due])
    number = segments.numbers_of(first, len(due))
    rows = np.arange(len(due)) + number + 1
    heads = first + np.arange(len(first))
    length = len(due) + len(first)
    group, instant = np.empty(length, np.int64), np.full(length, span.after, np.int64)
    touched = cells.group[due[first]]
    group[rows], group[heads] = cells.group[due], touched
    instant[rows] = cells.instant[due]
    of_cell = np.full(len(cells), -1, np.int64)
    of_cell[due] = rows
    head, stop = np.full(size, -1, np.int64), np.full(size, -1, np.int64)
    head[touched], stop[touched] = heads, segments.tails(heads, length) + 1
    return Timeline(group, instant, heads, of_cell, head, stop)


def located(table: Table, keys: Sequence[pa.Array], length: int, layout: Layout) -> np.ndarray:
    """The slot of each key, the keys being distinct: its own, or the first that is free from its hash on."""
    slots = hashes(keys, length)
    claimed = np.empty(0, np.uint64)
    waiting = np.arange(length)
    while len(waiting):
        wanted = slots[waiting]
        there, stored = table.find(wanted, layout.types[: 1 + len(layout.keys)])
        asked = pa.array(waiting)
        mine = there & same(stored[1:], [key.take(asked) for key in keys])
        free = ~there & ~np.isin(wanted, claimed)
        claims = np.flatnonzero(free)
        claims = claims[np.unique(wanted[claims], return_index=True)[1]]
        settled = mine
        settled[claims] = True
        claimed = np.concatenate([claimed, wanted[claims]])
        waiting = waiting[~settled]
        slots[waiting] += np.uint64(1)
    return slots


def swept(before: Table, table: Table, layout: Layout, past: int) -> Table:
    """The table without groups that are empty and will not change, dropped when it was just rewritten as a whole.

    A slot stays while the next one is taken: a key that found this one taken may be behind it.
    """
    if layout.always or len(table.runs) != 1 or before.runs[:1] == table.runs:
        return table
    run = table.runs[0]
    first = 1 + len(layout.keys)
    over = run.columns[0].to_numpy() <= past
    for column, exact in zip(run.columns[first:], layout.exact, strict=False):
        if not exact:
            over &= column.to_numpy() == 0
    over &= np.append(run.order[1:] - run.order[:-1], np.uint64(2)) != 1
    if not over.any():
        return table
    kept = run.take(np.flatnonzero(~over))
    return Table((kept,)) if len(kept) else Table()


def _either(there: np.ndarray, old: pa.Array, new: pa.Array, index: np.ndarray) -> pa.Array:
    """The old key where there is one, else the new."""
    if there.all():
        return old
    place = np.arange(len(there))
    fresh = ~there[index]
    place[index[fresh]] = len(there) + np.flatnonzero(fresh)
    return pa.concat_arrays([old, new]).take(pa.array(place))


def _last(known: np.ndarray, cells: Cells) -> np.ndarray:
    first = segments.heads(cells.group)
    found = known.copy()
    found[cells.group[first]] = np.maximum(known[cells.group[first]], cells.instant[segments.tails(first, len(cells))])
    return found


def _filled(column: pa.Array, with_: int = 0) -> np.ndarray:
    return np.asarray(column.fill_null(with_).to_numpy(zero_copy_only=False))
