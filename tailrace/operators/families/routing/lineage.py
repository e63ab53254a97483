"""Lineage: for each row, a bitmap of the members that may still want it (CACQ's queriesCompleted, the other way round).

A bitmap is some words of 64 bits; the lineage of many rows is an array of rows × words. Member 0 is the lowest bit of
the first word.

>>> lineage = np.array([[0b101], [0b000], [0b100]], np.uint64)
>>> any_member_wants(lineage).tolist(), count(lineage)[:3].tolist(), [part.tolist() for part in pairs(lineage)]
([True, False, True], [1, 0, 2], [[0, 0, 2], [0, 2, 2]])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Words = np.ndarray[Any, np.dtype[np.uint64]]
Mask = np.ndarray[Any, np.dtype[np.bool_]]
Indexes = np.ndarray[Any, np.dtype[np.int64]]

WORD = 64
TILE = 1 << 15  # words that are gathered at a time, so that they are still in the cache when they are used
SLICE = 1 << 12  # words that are added up at a time
FEW = 8  # slices that are added up without waiting for more
LONG = 256  # rows of a segment that is counted on its own


def words_of(bits: int, words: int) -> Words:
    """A bitmap of the members that are given as the bits of one number."""
    return np.frombuffer(bits.to_bytes(words * 8, "little"), np.uint64)


def any_member_wants(lineage: Words) -> Mask:
    """The rows that any member still wants."""
    words = lineage.shape[1]
    if words < 2:
        return np.asarray(lineage.any(axis=1))
    # As byte strings, which NumPy pads with zeros: comparing with the empty one ends at the first byte that is not 0.
    return np.asarray(np.ascontiguousarray(lineage).view(f"S{words * 8}").ravel() != b"")


def gather_rows(table: Words, rows: Indexes, out: Words) -> Words:
    """Rows of a table, put into the first rows of `out`."""
    return np.take(table, rows, axis=0, out=out[: len(rows)], mode="clip")


def narrow(lineage: Words, table: Words, rows: Indexes, room: Words) -> None:
    """AND each row with a row of a table, in place; `room` is a buffer of as many rows, which is overwritten."""
    tile = max(1, TILE // table.shape[1])
    for first in range(0, len(rows), tile):
        part = lineage[first : first + tile]
        np.bitwise_and(part, gather_rows(table, rows[first : first + tile], room), out=part)


# Several bits of one member ---------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class WordFold:
    """Members that have a further bit, `distance` words behind their home bit and at the same place in its word."""

    distance: int
    members: Words


def fold(lineage: Words, folds: Sequence[WordFold], homes: Words) -> None:
    """OR all bits of a member into its home bit, in place; the other bits are cleared."""
    if not folds:
        return
    start = lineage.copy()
    for each in folds:
        places = np.flatnonzero(each.members)
        lineage[:, places] |= start[:, places + each.distance] & each.members[places]
    lineage &= homes


# Counts -----------------------------------------------------------------------------------------------------


class Tally:
    """How many rows each member wants, added up over lineages.

    Rows are added as numbers whose digits lie in different words: three words of weight 1 are one of weight 1 and one
    of weight 2, for all 64 members at once. So each row takes five operations on its words, however many members.
    """

    def __init__(self, words: int) -> None:
        self.words = words
        self.rows = max(1, SLICE // max(words, 1))
        self.digits: list[list[Words]] = []

    def add(self, lineage: Words) -> None:
        whole = len(lineage) // self.rows * self.rows
        for first in range(0, whole, self.rows):
            self._carry(0, lineage[first : first + self.rows])
        if whole < len(lineage):
            last = np.zeros((self.rows, self.words), np.uint64)
            last[: len(lineage) - whole] = lineage[whole:]
            self._carry(0, last)
        # The caller may use its array again.
        if self.digits:
            self.digits[0] = [kept.copy() for kept in self.digits[0]]

    def _carry(self, weight: int, new: Words) -> None:
        if weight == len(self.digits):
            self.digits.append([])
        held = self.digits[weight]
        held.append(new)
        if len(held) == 3:
            left, carry = add_three(*held)
            self.digits[weight] = [left]
            self._carry(weight + 1, carry)

    def total(self) -> Indexes:
        """The count of each member."""
        found = np.zeros(self.words * WORD, np.int64)
        carry = np.zeros((0, self.words), np.uint64)
        weight = 0
        while weight < len(self.digits) or len(carry):
            held = self.digits[weight] if weight < len(self.digits) else []
            left, carry = add_rows(np.concatenate([carry, *held]))
            found += bits_of(left).sum(axis=0, dtype=np.int64) << weight
            weight += 1
        return found


def add_three(one: Words, two: Words, three: Words) -> tuple[Words, Words]:
    """The sum of three bits, for all of them at once: the bits of weight 1 and of weight 2."""
    left = one ^ two
    carry = one & two
    np.bitwise_or(carry, left & three, out=carry)
    np.bitwise_xor(left, three, out=left)
    return left, carry


def add_rows(rows: Words) -> tuple[Words, Words]:
    """Rows with the same sum: at most two of weight 1, and others of weight 2."""
    carries = []
    while len(rows) > 2:
        third = len(rows) // 3
        left, carry = add_three(rows[:third], rows[third : 2 * third], rows[2 * third : 3 * third])
        carries.append(carry)
        rows = np.concatenate([left, rows[3 * third :]]) if len(rows) > 3 * third else left
    return rows, np.concatenate(carries) if carries else rows[:0]


def bits_of(lineage: Words) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Rows × members of 0 and 1."""
    return np.unpackbits(np.ascontiguousarray(lineage).view(np.uint8), axis=1, bitorder="little")


def count(lineage: Words) -> Indexes:
    """How many rows each member wants."""
    tally = Tally(lineage.shape[1])
    if len(lineage) <= FEW * tally.rows:
        tally.digits = [[lineage]]
    else:
        tally.add(lineage)
    return tally.total()


def count_segments(lineage: Words, starts: Indexes) -> np.ndarray[Any, np.dtype[np.int32]]:
    """How many rows of each segment each member wants: segments × members. Each segment begins at its start.

    >>> count_segments(np.array([[1], [3], [2], [2]], np.uint64), np.array([0, 1]))[:, :2].tolist()
    [[1, 0], [1, 3]]
    """
    ends = np.append(starts[1:], len(lineage))
    lengths = ends - starts
    found = np.zeros((len(starts), lineage.shape[1] * WORD), np.int32)
    for place in np.flatnonzero(lengths >= LONG).tolist():
        found[place] = count(lineage[starts[place] : ends[place]])
    short = np.flatnonzero((lengths < LONG) & (lengths > 0))
    short = short[np.argsort(-lengths[short], kind="stable")]
    if len(short):
        found[short] = _short_segments(lineage, starts[short], lengths[short])
    return found


def _short_segments(lineage: Words, starts: Indexes, lengths: Indexes) -> np.ndarray[Any, np.dtype[np.int32]]:
    """Counts of segments in the order of falling lengths, the n-th rows of all of them added at once."""
    digits: list[Words] = []
    for step in range(int(lengths[0])):
        still = int(np.searchsorted(-lengths, -step, "left"))
        carry = lineage[starts[:still] + step]
        for weight in range((step + 1).bit_length()):
            if weight == len(digits):
                digits.append(np.zeros((len(starts), lineage.shape[1]), np.uint64))
            digit = digits[weight][:still]
            both = digit & carry
            digit ^= carry
            carry = both
    found = bits_of(digits[0])
    for weight, digit in enumerate(digits[1:], 1):
        found += bits_of(digit) << np.uint8(weight)
    return found.astype(np.int32)


# Pairs ------------------------------------------------------------------------------------------------------


def pairs(lineage: Words) -> tuple[Indexes, Indexes]:
    """Each row with each member that wants it, in their order: rows, members."""
    words = lineage.shape[1]
    flat = np.ascontiguousarray(lineage).reshape(-1)
    # Comparing first, since places are found ten times as fast among truth values as among numbers.
    full = np.flatnonzero(flat != 0)
    held = flat[full].view(np.uint8)
    bytes_ = np.flatnonzero(held != 0)
    hits = np.flatnonzero(np.unpackbits(held[bytes_], bitorder="little").view(bool))
    at = bytes_[hits >> 3]
    place = (full[at >> 3] << 6) | ((at & 7) << 3) | (hits & 7)
    rows = place // (words * WORD)
    return rows, place - rows * (words * WORD)
