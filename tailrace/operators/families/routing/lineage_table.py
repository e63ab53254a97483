"""Lineage table: which members want each of many rows, by the members' numbers, as it is remembered with the rows.

A number is never given twice, so the lineage of a remembered row stays true whichever members come and go; and the
lineages of rows of different streams can be ANDed. Member n is bit n % 64 of word n // 64. Few lineages differ, so each
row has an index into a table of bitmaps. The table has only the words in which any member has a bit.

>>> some = LineageTable(np.array([1, 0, 1]), np.array([0, 2]), np.array([[0, 0], [0b101, 1]], np.uint64))
>>> kept = some.encode()
>>> kept.indices.to_pylist(), decode(kept.dictionary, np.array([2, 7])).tolist()
([1, 0, 1], [[0, 0], [1, 0]])
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from tailrace.operators.families.routing.eddy import Eddy, RoutedRows
from tailrace.operators.families.routing.lineage import WORD, Indexes, Mask, Words, any_member_wants, bits_of, pairs
from tailrace.operators.families.routing.member_block import MemberBlock

SLICE = 1 << 15  # rows that are routed at a time
ENTRY = 16  # bytes of a word together with its number


@dataclass(frozen=True, eq=False)
class LineageTable:
    """`places` has for each row its index into the table; each row of the table is a bitmap of the words `words`."""

    places: Indexes
    words: Indexes
    table: Words

    @property
    def wanted_rows(self) -> Mask:
        """The rows that any member wants."""
        return any_member_wants(self.table)[self.places]

    def take(self, rows: Indexes) -> LineageTable:
        return LineageTable(self.places[rows], self.words, self.table)

    def encode(self) -> pa.DictionaryArray:
        """The lineages as a dictionary column. Of a bitmap only words that are not 0 are stored, with their numbers."""
        used, places = np.unique(self.places, return_inverse=True)
        rows, columns = np.nonzero(self.table[used])
        entries = np.column_stack([self.words[columns].astype(np.uint64), self.table[used[rows], columns]])
        ends = np.cumsum(np.bincount(rows, minlength=len(used))) * ENTRY
        offsets = np.append(0, ends).astype(np.int32)
        buffers = [None, pa.py_buffer(offsets), pa.py_buffer(np.ascontiguousarray(entries))]
        bitmaps = pa.BinaryArray.from_buffers(pa.binary(), len(used), buffers)
        return pa.DictionaryArray.from_arrays(pa.array(places.astype(np.int32)), bitmaps)


def decode(bitmaps: pa.BinaryArray, words: Indexes) -> Words:
    """The words of these numbers, which rise, of the bitmaps that `encode` stored."""
    found = np.zeros((len(bitmaps), len(words)), np.uint64)
    _, offsets, entries = bitmaps.buffers()
    ends = np.frombuffer(offsets, np.int32)[bitmaps.offset : bitmaps.offset + len(bitmaps) + 1] // ENTRY
    if not len(words) or ends[-1] == ends[0]:
        return found
    numbers, bits = np.frombuffer(entries, np.uint64, 2 * ends[-1]).reshape(-1, 2)[ends[0] :].T
    rows = np.repeat(np.arange(len(bitmaps)), np.diff(ends))
    at = np.minimum(np.searchsorted(words, numbers.astype(np.int64)), len(words) - 1)
    here = words[at] == numbers.astype(np.int64)
    found[rows[here], at[here]] = bits[here]
    return found


def row_member_pairs(lineage: Words, words: Indexes) -> tuple[Indexes, Indexes]:
    """Each row with the number of each member that wants it; the bitmaps have the words of these numbers."""
    rows, bits = pairs(lineage)
    return rows, words[bits // WORD] * WORD + bits % WORD


def route_lineages(eddy: Eddy, columns: Sequence[pa.Array], length: int) -> LineageTable:
    """Route rows through an eddy and return which members want each of them."""
    words = np.unique(np.concatenate([np.zeros(0, np.int64), *(seats(each.block)[1] // WORD for each in eddy.courses)]))
    places, tables, known = [np.zeros(0, np.int64)], [np.zeros((0, len(words)), np.uint64)], 0
    for first in range(0, length, SLICE):
        rows = min(SLICE, length - first)
        sliced = [column.slice(first, rows) for column in columns]
        at, table = together(eddy.route(sliced, rows), rows, words)
        places.append(at + known)
        tables.append(table)
        known += len(table)
    return LineageTable(np.concatenate(places), words, np.concatenate(tables))


def together(parts: Iterable[RoutedRows], length: int, words: Indexes) -> tuple[Indexes, Words]:
    """For each row its index into a table of bitmaps, and the table; a row may be in a part of each block."""
    places, table = np.zeros(length, np.int64), np.zeros((1, len(words)), np.uint64)
    for part in parts:
        found, bitmaps = by_number(part, words)
        rows = np.zeros(length, np.int64)
        rows[part.rows] = found + 1
        both, places = np.unique(places * (len(bitmaps) + 1) + rows, return_inverse=True)
        one, other = np.divmod(both, len(bitmaps) + 1)
        table = table[one] | np.concatenate([table[:1] * 0, bitmaps])[other]
    return places, table


def by_number(part: RoutedRows, words: Indexes) -> tuple[Indexes, Words]:
    """For each row of a part its index into a table of bitmaps by members' numbers, and the table."""
    places, lineages = distinct(part.lineage)
    homes, numbers = seats(part.block)
    found = np.zeros((len(lineages), len(words) * WORD), np.uint8)
    found[:, np.searchsorted(words, numbers // WORD) * WORD + numbers % WORD] = bits_of(lineages)[:, homes]
    return places, np.packbits(found, axis=1, bitorder="little").view(np.uint64)


def seats(block: MemberBlock) -> tuple[Indexes, Indexes]:
    """The bits of a block that stand for members, and the members' numbers."""
    homes = np.flatnonzero(block.numbers >= 0)
    return homes, block.numbers[homes]


def distinct(lineage: Words) -> tuple[Indexes, Words]:
    """For each row its index into the distinct rows, and these."""
    size = lineage.shape[1] * 8
    raw = pa.py_buffer(np.ascontiguousarray(lineage))
    encoded = pa.Array.from_buffers(pa.binary(size), len(lineage), [None, raw]).dictionary_encode()
    rows = np.frombuffer(encoded.dictionary.buffers()[1], np.uint64, len(encoded.dictionary) * lineage.shape[1])
    return encoded.indices.to_numpy().astype(np.int64), rows.reshape(-1, lineage.shape[1])
