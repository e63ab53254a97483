"""Slots: numbers that stand for exactly one key each, though they come from a hash.

A key's slot is its hash or, where other keys have that number and those after it, the first free number that
follows. Looking up is the same walk, comparing keys on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from tailrace.columnar import keys as key_numbers
from tailrace.columnar.delta import Delta
from tailrace.state.key_index import KeyTable, keep_newest
from tailrace.state.runs import with_directory


def find_group_ids(
    table: KeyTable, types: Sequence[pa.DataType], keys: Sequence[pa.Array], length: int
) -> tuple[np.ndarray, np.ndarray]:
    """The slots of distinct keys and where they are in the table, in which the key stands behind the first column."""
    slots = key_numbers.hashes(keys, length)
    claimed = np.empty(0, np.uint64)
    waiting = np.arange(length)
    place = np.full(length, -1, np.int64)
    while len(waiting):
        wanted = slots[waiting]
        found = table.locate(wanted)
        there = found >= 0
        settled = there.copy()
        if keys:
            stored, asked = table.read(found, types[: 1 + len(keys)]), pa.array(waiting)
            settled &= key_numbers.same(stored[1:], [key.take(asked) for key in keys])
        place[waiting] = np.where(settled, found, -1)
        free = np.flatnonzero(~there & ~np.isin(wanted, claimed))
        free = free[np.unique(wanted[free], return_index=True)[1]]
        settled[free] = True
        claimed = np.concatenate([claimed, wanted[free]])
        waiting = waiting[~settled]
        slots[waiting] += np.uint64(1)
    return slots, place


def drop_empty_groups(before: KeyTable, table: KeyTable, counters: Sequence[int], past: int) -> KeyTable:
    """The table without the groups that are empty and will not change any more.

    It costs a look at everything, so it is done when everything was rewritten anyway. A slot stays while the next
    one is taken: the key there may have found this one taken.
    """
    if len(table.runs) != 1 or (before.runs and before.runs[0] is table.runs[0]):
        return table
    run = table.runs[0]
    empty = np.ones(len(run), bool)
    for number in counters:
        empty &= run.columns[number].to_numpy() == 0
    return drop_groups(table, empty, past)[0]


def drop_groups(table: KeyTable, unwanted: np.ndarray, past: int) -> tuple[KeyTable, np.ndarray]:
    """A table of one run without the groups that are unwanted and will not change any more, and the slots of those."""
    run = table.runs[0]
    over = unwanted & (run.columns[0].to_numpy() <= past)
    over &= np.append(run.order[1:] - run.order[:-1], np.uint64(2)) != 1
    if not over.any():
        return table, run.order[:0]
    kept = run.take(np.flatnonzero(~over))
    return KeyTable((with_directory(kept),) if len(kept) else ()), run.order[over]


@dataclass(frozen=True, eq=False)
class ActiveMembers:
    """The numbers of those for whom groups are kept, which are the groups' first keys, and how many have left."""

    numbers: np.ndarray
    left: int

    def rows(self, delta: Delta, column: int) -> Delta:
        """The rows of those who are there: what others left behind may go on for a while."""
        return delta.where(np.isin(delta.columns[column].to_numpy(), self.numbers))


def drop_groups_of(table: KeyTable, first_keys: np.ndarray, past: int, stay: bool) -> tuple[KeyTable, np.ndarray]:
    """A table without the groups whose first keys are among these or, if those `stay`, are not; and their slots."""
    if not table.runs:
        return table, np.empty(0, np.uint64)
    whole = KeyTable((keep_newest(table.runs),))
    unwanted = np.isin(whole.runs[0].columns[1].to_numpy(), first_keys, invert=stay)
    return drop_groups(whole, unwanted, past)
