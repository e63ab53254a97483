"""Group state: the sums (quantities) of each group, as they are now and as they will change at later known instants.

A group has a group id, a number that belongs to its key only (see state/group_ids.py); in the code, `slots` are group
ids. `open_batch` looks up the groups that a batch touches, and no others, and lays out their changes in time. `commit`
writes these groups back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa

from tailrace.columnar import keys as keyed
from tailrace.columnar import segments
from tailrace.columnar.delta import FOREVER, Delta, Span
from tailrace.columnar.keys import hashes
from tailrace.columnar.segments import Cells
from tailrace.operators.aggregates.exact_sums import Part, Sums, pack_limbs, unpack_limbs
from tailrace.state.group_ids import ActiveMembers, drop_empty_groups, drop_groups_of, find_group_ids
from tailrace.state.key_index import KeyTable
from tailrace.state.resharding import Shard, ShardKey
from tailrace.state.runs import Run
from tailrace.state.state_classes import register_state
from tailrace.state.timers import TimerQueue

EXACT = pa.list_(pa.int64())
# A bin of an exact sum has room for this many tuples a batch.
ROOM = 1 << 34


@register_state("groups")
@dataclass(frozen=True)
class GroupState:
    """What an operator remembers of its groups."""

    table: KeyTable = field(default_factory=KeyTable)  # a row for each group
    calendar: TimerQueue = field(default_factory=TimerQueue)  # changes at later instants
    left: int = 0  # how many members of a family had left when their groups were last dropped
    begun: bool = False  # without keys: the one group begins with the first decided instant

    def of(self, roster: ActiveMembers | None, past: int) -> tuple[GroupState, np.ndarray]:
        """Drop the groups of members that have left; also returns their ids. The table is read only if one left."""
        if roster is None or roster.left == self.left:
            return self, np.empty(0, np.uint64)
        table, slots = drop_groups_of(self.table, roster.numbers, past, stay=True)
        return replace(self, table=table, left=roster.left), slots

    def without(self, slots: np.ndarray, past: int) -> GroupState:
        """Drop the groups whose first key is one of these: group ids of another state, which dropped them."""
        if not len(slots):
            return self
        return replace(self, table=drop_groups_of(self.table, slots.view(np.int64), past, stay=False)[0])

    def split(self, key: ShardKey, shard: Shard) -> GroupState:
        return self._with_table(self.table.split(key, shard))

    def of_groups(self, group_ids: np.ndarray) -> GroupState:
        """The groups whose keys begin with a group id of another state, one of these."""
        return self._with_table(self.table.of_groups(group_ids))

    def _with_table(self, table: KeyTable) -> GroupState:
        return replace(self, table=table, calendar=self.calendar.of_groups(table.group_ids))

    @classmethod
    def merge(cls, parts: Sequence[GroupState]) -> GroupState:
        return cls(
            KeyTable.merge([part.table for part in parts]),
            TimerQueue.merge([part.calendar for part in parts]),
            min(part.left for part in parts),
            any(part.begun for part in parts),
        )


@dataclass(frozen=True)
class GroupLayout:
    """The columns of a group's row: its key, its quantities, its notes."""

    keys: tuple[pa.DataType, ...]
    exact: tuple[bool, ...]  # of each quantity: an exact sum, or a plain counter
    notes: tuple[pa.DataType, ...] = ()  # what MIN, MAX and users' aggregates remember
    always: bool = False  # no key, and so one group, which exists even without tuples

    @property
    def types(self) -> tuple[pa.DataType, ...]:
        """The types of the table's columns; the first is the last instant at which the group is known to change."""
        quantities = tuple(EXACT if exact else pa.int64() for exact in self.exact)
        return (pa.int64(), *self.keys, *quantities, *self.notes)

    @property
    def counters(self) -> list[int]:
        """The indexes of the counters among the table's columns."""
        return [1 + len(self.keys) + number for number, exact in enumerate(self.exact) if not exact]

    def columns_of_sums(self, sums: Sequence[Sums], length: int) -> list[pa.Array]:
        kinds = zip(sums, self.exact, strict=True)
        return [pack_limbs(each, length) if exact else pa.array(each[0]) for each, exact in kinds]

    def read(self, columns: Sequence[pa.Array]) -> tuple[Sums, ...]:
        kinds = zip(columns, self.exact, strict=True)
        return tuple(unpack_limbs(each) if exact else {0: _fill_null(each)} for each, exact in kinds)


@dataclass(frozen=True)
class GroupRows:
    """Rows of a batch with their groups; a cell is a pair of a group and an instant at which it changes."""

    start: np.ndarray
    until: np.ndarray
    weight: np.ndarray
    group: np.ndarray
    begin: np.ndarray  # the cell in which each row begins
    ends: np.ndarray  # the indexes of the rows that have an end
    end: np.ndarray  # the cells in which these end

    def where(self, mask: np.ndarray | None) -> GroupRows:
        if mask is None:
            return self
        kept = mask[self.ends]
        ends = (np.cumsum(mask) - 1)[self.ends[kept]]
        return GroupRows(
            start=self.start[mask],
            until=self.until[mask],
            weight=self.weight[mask],
            group=self.group[mask],
            begin=self.begin[mask],
            ends=ends,
            end=self.end[kept],
        )


@dataclass(frozen=True)
class Timeline:
    """The groups that change in a batch: for each a row for the time before, then one for each instant of change."""

    group: np.ndarray
    instant: np.ndarray
    heads: np.ndarray  # the first rows of groups
    of_cell: np.ndarray  # the row of a cell, −1 if its instant is not decided yet
    head: np.ndarray  # by group, the first row; −1 if it is not on the timeline
    stop: np.ndarray  # by group, the row after the last

    def __len__(self) -> int:
        return len(self.group)

    @property
    def groups(self) -> np.ndarray:
        """The groups on the timeline, in order."""
        return self.group[self.heads]


@dataclass(frozen=True)
class GroupsBefore:
    """The groups of a batch as they were before it, in order of group id."""

    slots: np.ndarray
    keys: tuple[pa.Array, ...]
    last: np.ndarray  # the last instant at which each is known to change, also by this batch
    base: tuple[Sums, ...]  # their quantities
    notes: tuple[pa.Array, ...]

    def __len__(self) -> int:
        return len(self.slots)


@dataclass(frozen=True)
class GroupBatch:
    """A group state that is open for one batch: its groups, its rows, and the timeline of its changes."""

    layout: GroupLayout
    before: GroupState
    span: Span
    groups: GroupsBefore
    rows: GroupRows
    cells: Cells
    due_cells: np.ndarray  # of changes that earlier batches left in the calendar
    due_sums: tuple[Sums, ...]
    timeline: Timeline
    begins: bool  # whether the one group of a state without keys begins in this batch

    def groups_of(self, slots: np.ndarray) -> np.ndarray:
        return np.searchsorted(self.groups.slots, slots)

    def find(self, groups: np.ndarray, instants: np.ndarray) -> np.ndarray:
        """The row of the timeline for each group and instant; the group must change at the instant."""
        return self.timeline.of_cell[self.cells.find(groups, instants)]

    def sum_by_cell(self, number: int, rows: GroupRows, parts: Iterable[Part]) -> Sums:
        """What each cell adds to a quantity: the rows that begin in it, less those that end in it, and what is due."""
        exact, size = self.layout.exact[number], len(self.cells)
        sums: Sums = {} if exact else {0: np.zeros(size, np.int64)}
        if exact and np.abs(rows.weight).sum() >= ROOM:
            raise OverflowError("more tuples in one batch than an exact sum has room for")
        single = bool((rows.weight == 1).all())
        for bin, part in parts:
            amounts = part if single else part * rows.weight
            into = sums.setdefault(bin, np.zeros(size, np.int64))
            np.add.at(into, rows.begin, amounts)
            np.subtract.at(into, rows.end, amounts[rows.ends])
        for bin, due in self.due_sums[number].items():
            np.add.at(sums.setdefault(bin, np.zeros(size, np.int64)), self.due_cells, due)
        return sums

    def running_totals(self, number: int, sums: Sums) -> Sums:
        """The quantity at each row of the timeline."""
        line, base = self.timeline, self.groups.base[number]
        due = np.flatnonzero(line.of_cell >= 0)
        found: Sums = {}
        for bin in sums.keys() | base.keys():
            amounts = np.zeros(len(line), np.int64)
            if bin in sums:
                amounts[line.of_cell[due]] = sums[bin][due]
            if bin in base:
                amounts[line.heads] = base[bin][line.groups]
            found[bin] = segments.running_sums(amounts, line.heads)
        return found

    def commit(self, sums: Sequence[Sums], totals: Sequence[Sums], notes: Sequence[pa.Array] = ()) -> GroupState:
        """The group state after the batch, given the sums of cells, the running totals and the new notes."""
        line, size = self.timeline, len(self.groups)
        last = segments.tails(line.heads, len(line))
        now = []
        for total, base in zip(totals, self.groups.base, strict=True):
            found = {bin: base[bin].copy() if bin in base else np.zeros(size, np.int64) for bin in total}
            for bin, amounts in total.items():
                found[bin][line.groups] = amounts[last]
            now.append(found)
        columns = (pa.array(self.groups.last), *self.groups.keys, *self.layout.columns_of_sums(now, size), *notes)
        table = self.before.table.put(self.groups.slots, columns)
        if not self.layout.always:
            table = drop_empty_groups(self.before.table, table, self.layout.counters, self.span.to)
        return replace(self.before, table=table, calendar=self._calendar(sums))

    def _calendar(self, sums: Sequence[Sums]) -> TimerQueue:
        """The calendar after the batch. A cell stays in it even if its sums are zero: values may change there."""
        later = np.flatnonzero(self.timeline.of_cell < 0)
        if not len(later):
            return self.before.calendar
        coming = [{bin: amounts[later] for bin, amounts in each.items()} for each in sums]
        slots = pa.array(self.groups.slots[self.cells.group[later]].view(np.int64))
        columns = (slots, *self.layout.columns_of_sums(coming, len(later)))
        return self.before.calendar.add(self.cells.instant[later], columns)


@dataclass(frozen=True)
class TouchedGroups:
    """The groups that a batch touches, found in the table, before their changes are laid out in time."""

    layout: GroupLayout
    before: GroupState
    span: Span
    delta: Delta
    slots: np.ndarray
    rows: np.ndarray  # the group of each row of the delta
    due: Run | None  # changes that earlier batches left in the calendar
    due_groups: np.ndarray  # the group of each
    keys: tuple[pa.Array, ...]
    stored: tuple[pa.Array, ...]  # the columns of the table, NULLs for new groups
    begins: bool

    def groups_of(self, slots: pa.Array) -> np.ndarray:
        """The groups that have these ids."""
        return np.searchsorted(self.slots, slots.to_numpy().view(np.uint64))

    def lay_out(self, more: Sequence[tuple[Delta, np.ndarray]] = ()) -> tuple[GroupBatch, list[GroupRows]]:
        """Open the batch. `more` are other rows, with their groups, whose starts and ends get cells too."""
        layout, sets = self.layout, [(self.delta, self.rows), *more]
        first = self.span.after if self.begins else None
        (rows, *others), cells, due_cells = _lay_out_cells(sets, self.due, self.due_groups, first)
        middle = 1 + len(layout.keys)
        end = middle + len(layout.exact)
        groups = GroupsBefore(
            slots=self.slots,
            keys=self.keys,
            last=_last(_fill_null(self.stored[0], -1), cells),
            base=layout.read(self.stored[middle:end]),
            notes=self.stored[end:],
        )
        due_sums = layout.read(self.due.columns[1:]) if self.due else tuple({} for _ in layout.exact)
        line = _timeline(cells, self.span, len(self.slots))
        page = GroupBatch(layout, self.before, self.span, groups, rows, cells, due_cells, due_sums, line, self.begins)
        return page, others


def open_batch(
    ledger: GroupState, layout: GroupLayout, delta: Delta, keys: Sequence[pa.Array], span: Span
) -> GroupBatch | None:
    """Open a group state for the rows of a batch, which have these keys; None if no group changes."""
    touched = find_touched_groups(ledger, layout, delta, keys, span)
    return touched.lay_out()[0] if touched else None


def find_touched_groups(
    ledger: GroupState, layout: GroupLayout, delta: Delta, keys: Sequence[pa.Array], span: Span
) -> TouchedGroups | None:
    """The groups that change with the rows of a batch, which have these keys; None if no group changes."""
    due, calendar = ledger.calendar.pop_due(span.to)
    if not len(delta) and due is None and not layout.always:
        return None
    codes, first = keyed.groups(keys, len(delta))
    mine = [key.take(pa.array(first)) for key in keys]
    if layout.always:
        slots, known = hashes((), 1), ledger.table.locate(hashes((), 1))
    else:
        slots, known = find_group_ids(ledger.table, layout.types, mine, len(first))
    count = len(slots)
    due_slots = due.columns[0].to_numpy().view(np.uint64) if due else np.empty(0, np.uint64)
    slots, index = np.unique(np.concatenate([slots, due_slots]), return_inverse=True)
    place = np.empty(len(slots), np.int64)
    place[index] = np.concatenate([known, ledger.table.locate(due_slots)])
    there, stored = place >= 0, ledger.table.read(place, layout.types)
    begins = layout.always and span.to > span.after and not ledger.begun
    if not len(delta) and due is None and not begins:
        return None
    stored_keys = stored[1 : 1 + len(layout.keys)]
    return TouchedGroups(
        layout=layout,
        before=replace(ledger, calendar=calendar, begun=ledger.begun or begins),
        span=span,
        delta=delta,
        slots=slots,
        rows=index[:count][codes],
        due=due,
        due_groups=index[count:],
        keys=tuple(_either(there, *pair, index[:count]) for pair in zip(stored_keys, mine, strict=True)),
        stored=stored,
        begins=begins,
    )


def _lay_out_cells(
    sets: Sequence[tuple[Delta, np.ndarray]], due: Run | None, due_groups: np.ndarray, before: int | None
) -> tuple[list[GroupRows], Cells, np.ndarray]:
    """The cells of all events: rows of some sets that begin or end, each with its group, and changes that are due.

    If `before` is given, the one group of a state without keys begins at the instant after it: that is an event too.
    """
    ends = [np.flatnonzero(delta.until != FOREVER) for delta, _ in sets]
    first = np.array([] if before is None else [before + 1], np.int64)
    events = [
        (due_groups, np.empty(0, np.int64) if due is None else due.order),
        (np.zeros(len(first), np.int64), first),
    ]
    for (delta, groups), ending in zip(sets, ends, strict=True):
        events += [(groups, delta.start), (groups[ending], delta.until[ending])]
    cells, of = segments.cells(*(np.concatenate(each) for each in zip(*events, strict=True)))
    due_cells, _, *found = np.split(of, np.cumsum([len(groups) for groups, _ in events])[:-1])
    rows = [
        GroupRows(delta.start, delta.until, delta.weight, groups, begin, ending, end)
        for (delta, groups), ending, begin, end in zip(sets, ends, found[::2], found[1::2], strict=True)
    ]
    return rows, cells, due_cells


def _timeline(cells: Cells, span: Span, size: int) -> Timeline:
    due = np.flatnonzero(cells.instant <= span.to)
    first = segments.heads(cells.group[due])
    rows = np.arange(len(due)) + segments.numbers_of(first, len(due)) + 1
    heads = first + np.arange(len(first))
    length = len(due) + len(first)
    touched = cells.group[due[first]]
    group, instant = np.empty(length, np.int64), np.full(length, span.after, np.int64)
    group[rows], group[heads] = cells.group[due], touched
    instant[rows] = cells.instant[due]
    of_cell = np.full(len(cells), -1, np.int64)
    of_cell[due] = rows
    head, stop = np.full(size, -1, np.int64), np.full(size, -1, np.int64)
    head[touched], stop[touched] = heads, segments.tails(heads, length) + 1
    return Timeline(group, instant, heads, of_cell, head, stop)


def _either(there: np.ndarray, old: pa.Array, new: pa.Array, index: np.ndarray) -> pa.Array:
    """The stored key of each group, or the new key if the group is new."""
    if there.all():
        return old
    place = np.arange(len(there))
    fresh = np.flatnonzero(~there[index])
    place[index[fresh]] = len(there) + fresh
    return pa.concat_arrays([old, new]).take(pa.array(place))


def _last(known: np.ndarray, cells: Cells) -> np.ndarray:
    """The last instant at which each group is known to change."""
    first = segments.heads(cells.group)
    groups = cells.group[first]
    known[groups] = np.maximum(known[groups], cells.instant[segments.tails(first, len(cells))])
    return known


def _fill_null(column: pa.Array, missing: int = 0) -> np.ndarray:
    return np.array(column.fill_null(missing).to_numpy(zero_copy_only=False))
