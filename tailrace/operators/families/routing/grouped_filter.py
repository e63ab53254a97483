"""Grouped filter: the regions of many members over one column, applied to a value by one search (CACQ §3.2.6).

The cuts of all regions, sorted, part the column's keys into intervals, in each of which the same members are
satisfied. A table has a bitmap for each interval, and one for NULL. So a value costs a search among the cuts, or one
look into an array if the cuts lie close together, and an AND of its bitmap with the row's lineage.

Member 0 wants adults, from 18 on; member 1 wants teens, from 13 up to 20; member 2 wants everyone.

>>> cuts, bits = np.array([18, 13, 20]), np.array([0, 1, 1], np.uint16)
>>> filter = compile_filter(CutIndex(0, cuts, bits, everyone=0b111, members=0b011, below=0, null=0))
>>> [f"{bitmap:03b}" for bitmap in filter.table[filter.places(np.array([5, 13, 19, 40])), 0]]
['100', '110', '111', '101']
"""

from __future__ import annotations

import pickle
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any

import numpy as np

from tailrace.logical.expressions import Column
from tailrace.operators.families.routing.lineage import WORD, Indexes, Mask, Words, any_member_wants, words_of
from tailrace.operators.families.routing.ordinals import LEAST, MOST, SMALL, Ordinals, is_long
from tailrace.operators.families.routing.regions import Key, Region

NEAR = 1 << 16  # up to this many keys from the first cut to the last, an array has the row of each key
CACHED_BYTES = 1 << 30


@dataclass(frozen=True, eq=False)
class CutIndex:
    """The regions of many members over one column: whose region begins or ends at which cut. Members are bits."""

    column: int
    cuts: np.ndarray[Any, Any]
    bits: np.ndarray[Any, np.dtype[np.uint16]]  # the member that begins or ceases to be satisfied at each cut
    everyone: int  # in use
    members: int  # that have a region here
    below: int  # satisfied below their first cut
    null: int  # satisfied by NULL

    @cached_property
    def key(self) -> bytes:
        """A hash of the content: the same in every process."""
        cuts = pickle.dumps(self.cuts.tolist()) if self.cuts.dtype == object else self.cuts.tobytes()
        found = blake2b(cuts, digest_size=16)
        found.update(self.bits.tobytes())
        found.update(repr((self.column, self.everyone, self.members, self.below, self.null)).encode())
        return found.digest()

    @property
    def words(self) -> int:
        return -(-self.everyone.bit_length() // WORD)

    @property
    def predicates(self) -> int:
        return self.members.bit_count()


@dataclass(frozen=True, eq=False)
class GroupedFilter:
    """A compiled index: row 0 of the table is for keys below the first cut, the last row for NULL."""

    column: int
    cuts: np.ndarray[Any, Any]
    table: Words
    alive: Mask  # for each row of the table, whether any member is left
    near: Indexes | None  # the row of the table for each key from just below the first cut on

    @cached_property
    def lets_all_pass(self) -> bool:
        return bool(self.alive.all())

    def places(self, keys: np.ndarray[Any, Any], small: bool = False) -> Indexes:
        """The rows of the table for keys that are not NULL; differences of `small` keys fit into 64 bits."""
        if self.near is None:
            return np.searchsorted(self.cuts, keys, "right")
        if len(self.near) == 1:
            return np.zeros(len(keys), np.int64)
        before = int(self.cuts[0]) - 1
        if not small:
            keys = np.clip(keys, before, int(self.cuts[-1]))
        return self.near.take(np.subtract(keys, before, dtype=np.int64), mode="clip")


@dataclass(frozen=True, eq=False)
class Probe:
    """A filter together with the keys of a whole column, which is asked for some of the column's rows."""

    filter: GroupedFilter
    keys: Ordinals

    @cached_property
    def _by_code(self) -> Indexes:
        distinct = self.keys.distinct
        assert distinct is not None
        if distinct.dtype == object:
            return np.append(self.filter.places(distinct), 0)
        # These numbers are sorted: each cut begins the next row of the table.
        first = np.searchsorted(distinct, self.filter.cuts, "left")
        return np.repeat(np.arange(len(first) + 1), np.diff(first, prepend=0, append=len(distinct) + 1))

    def rows(self, at: slice | Indexes) -> Indexes:
        """The rows of the table for the values in these rows of the column."""
        numbers = self.keys.numbers[at]
        by_code = self.keys.distinct is not None
        found = self._by_code.take(numbers) if by_code else self.filter.places(numbers, self.keys.are_small)
        if self.keys.nulls is not None:
            found[self.keys.nulls[at]] = len(self.filter.table) - 1
        return found


def compile_filter(index: CutIndex) -> GroupedFilter:
    """The compiled filter of an index, from a cache that is limited to CACHED_BYTES."""
    known = _compiled.get(index.key)
    if known is not None:
        _compiled.move_to_end(index.key)
        return known
    made = _compile(index)
    _compiled[index.key] = made
    while len(_compiled) > 1 and sum(each.table.nbytes for each in _compiled.values()) > CACHED_BYTES:
        _compiled.popitem(last=False)
    return made


_compiled: OrderedDict[bytes, GroupedFilter] = OrderedDict()


def _compile(index: CutIndex) -> GroupedFilter:
    words = index.words
    cuts, places = np.unique(index.cuts, return_inverse=True)
    table = np.zeros((len(cuts) + 2, words), np.uint64)
    others = index.everyone & ~index.members
    table[0] = words_of(others | index.below, words)
    # Mark each member's bit at each of its cuts; XOR of all marks up to a row then gives the row's members.
    changes = (places + 1) * words + (index.bits >> 6)
    np.bitwise_xor.at(table.reshape(-1), changes, np.uint64(1) << (index.bits & 63).astype(np.uint64))
    np.bitwise_xor.accumulate(table[:-1], axis=0, out=table[:-1])
    table[-1] = words_of(others | index.null, words)
    return GroupedFilter(index.column, cuts, table, any_member_wants(table), _near(cuts))


def _near(cuts: np.ndarray[Any, Any]) -> Indexes | None:
    if cuts.dtype == object or (len(cuts) and not (-SMALL < cuts[0] <= cuts[-1] < min(SMALL, int(cuts[0]) + NEAR))):
        return None
    if not len(cuts):
        return np.zeros(1, np.int64)
    keys = np.arange(int(cuts[-1]) - int(cuts[0]) + 1) + cuts[0]
    return np.concatenate([[0], np.searchsorted(cuts, keys, "right")])


def clip_to_64_bits(region: Region) -> Region:
    """The region among numbers of 64 bits: without the cuts that lie outside of them.

    >>> clip_to_64_bits(Region(False, (-(1 << 70), 5, 1 << 70), False))
    Region(below=True, cuts=(5,), null=False)
    """
    cuts = region.cuts
    if not cuts or (cuts[0] > LEAST and cuts[-1] <= MOST):
        return region
    before = sum(cut <= LEAST for cut in cuts)
    return Region(region.below ^ (before % 2 == 1), tuple(c for c in cuts if LEAST < c <= MOST), region.null)


def cut_array(cuts: list[Key], column: Column) -> np.ndarray[Any, Any]:
    """Cuts as an array of 64-bit numbers or, for texts and wide decimals, of objects."""
    if is_long(column.of):
        return np.array(cuts, np.int64)
    found = np.empty(len(cuts), object)
    found[:] = cuts
    return found
