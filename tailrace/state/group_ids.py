"""Group ids: a 64-bit number for each key, which is made from a hash and still belongs to one key only.

A key's group id is its hash. If other keys have that number and the next ones, the id is the first free number that
follows (linear probing). A lookup walks the same way and compares keys. In the code, `slots` are group ids.
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
    """The group ids of distinct keys, which follow the table's first column, and their places in it (−1: new)."""
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
    """Drop groups whose counters are 0 and that do not change after `past`; done when all runs were just merged."""
    if len(table.runs) != 1 or (before.runs and before.runs[0] is table.runs[0]):
        return table
    run = table.runs[0]
    empty = np.ones(len(run), bool)
    for number in counters:
        empty &= run.columns[number].to_numpy() == 0
    return drop_groups(table, empty, past)[0]


def drop_groups(table: KeyTable, unwanted: np.ndarray, past: int) -> tuple[KeyTable, np.ndarray]:
    """Drop the `unwanted` groups that will not change after `past`; returns the table and the dropped group ids.

    The table has one run. Its first column is the last instant at which a group is known to change. A group stays if
    the next group id is taken: the key there may have moved on because this id was taken.
    """
    run = table.runs[0]
    over = unwanted & (run.columns[0].to_numpy() <= past)
    over &= np.append(run.order[1:] - run.order[:-1], np.uint64(2)) != 1
    if not over.any():
        return table, run.order[:0]
    kept = run.take(np.flatnonzero(~over))
    return KeyTable((with_directory(kept),) if len(kept) else ()), run.order[over]


@dataclass(frozen=True, eq=False)
class ActiveMembers:
    """The members of a family, whose groups are kept: their numbers (a group's first key), and how many have left."""

    numbers: np.ndarray
    left: int

    def rows(self, delta: Delta, column: int) -> Delta:
        """The rows of active members, by the numbers in `column`; rows of members that left may come for a while."""
        return delta.where(np.isin(delta.columns[column].to_numpy(), self.numbers))


def drop_groups_of(table: KeyTable, first_keys: np.ndarray, past: int, stay: bool) -> tuple[KeyTable, np.ndarray]:
    """Drop the groups whose first key is one of these or, with `stay`, is none of these; also returns their group ids.

    A group that will still change after `past` is not dropped yet.
    """
    if not table.runs:
        return table, np.empty(0, np.uint64)
    whole = KeyTable((keep_newest(table.runs),))
    unwanted = np.isin(whole.runs[0].columns[1].to_numpy(), first_keys, invert=stay)
    return drop_groups(whole, unwanted, past)
