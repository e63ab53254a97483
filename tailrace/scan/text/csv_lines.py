"""Csv lines: finds the lines of a block that Arrow cannot split as Spark does.

A line is plain if no value of it begins with a quote, and quoted if all its quotes open and close whole values. Arrow
reads both, with and without quotes. Everything else is odd: too few or too many values, escapes, quotes inside quotes,
bytes that are not UTF-8. Lines of blanks alone are dropped.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tailrace.columnar.functions.kernel import Mask, Numbers

NEW_LINE, QUOTE, ESCAPE, BLANK, LAST_ASCII = 0x0A, 0x22, 0x5C, 0x20, 0x7F


@dataclass(frozen=True)
class LineTable:
    """The lines of a block that are not blank: where they begin and end, and of which kind they are."""

    block: bytes
    starts: Numbers
    ends: Numbers
    plain: Mask
    quoted: Mask

    @property
    def odd(self) -> Mask:
        return ~(self.plain | self.quoted)

    def line(self, number: int) -> bytes:
        return self.block[self.starts[number] : self.ends[number]]

    def select(self, wanted: Mask) -> bytes:
        """The bytes of some lines, each with a line end."""
        if wanted.all() and len(self.starts) and self.is_dense:
            return self.block
        if not wanted.any():
            return b""
        letters = np.frombuffer(self.block, np.uint8)
        edges = np.zeros(len(letters) + 2, np.int8)
        edges[self.starts[wanted]] += 1
        edges[self.ends[wanted] + 1] -= 1
        found: bytes = letters[np.cumsum(edges[: len(letters)], dtype=np.int8).view(bool)].tobytes()
        return found if found.endswith(b"\n") else found + b"\n"

    @property
    def is_dense(self) -> bool:
        """Whether no line of the block was dropped."""
        is_whole = self.starts[0] == 0 and self.ends[-1] >= len(self.block) - 1
        return bool(is_whole and (self.starts[1:] == self.ends[:-1] + 1).all())


def classify_lines(block: bytes, separator: int, columns: int, may_be_empty: bool) -> LineTable:
    """Find the lines of a block, whose line ends are all "\\n", and their kinds.

    With `may_be_empty`, empty quotes mean the same as nothing at all; else a line with them is odd.
    """
    letters = np.frombuffer(block, np.uint8)
    breaks = np.flatnonzero(letters == NEW_LINE)
    starts = np.concatenate(([0], breaks + 1))
    ends = np.concatenate((breaks, [len(letters)]))
    there = ends > starts
    starts, ends = starts[there], ends[there]
    if not len(starts):
        return LineTable(block, starts, ends, starts > 0, starts > 0)
    highest = np.maximum.reduceat(letters, starts)
    there = highest > BLANK
    starts, ends, highest = starts[there], ends[there], highest[there]
    is_separator = letters == separator
    plain = _are_utf8(block, starts, ends, highest)
    quoted = np.zeros(len(starts), bool)
    if QUOTE in block:
        quotes = np.flatnonzero(letters == QUOTE)
        begins, regular = _judge_quotes(letters, is_separator, quotes, starts, ends, may_be_empty)
        quoted = plain & begins & regular
        plain = plain & ~begins
        is_separator = is_separator & ~_inside(len(letters), quotes, quoted, starts)
    fits = _count(np.flatnonzero(is_separator), starts, ends) == columns - 1
    return LineTable(block, starts, ends, plain & fits, quoted & fits)


def _count(places: Numbers, starts: Numbers, ends: Numbers) -> Numbers:
    """How many of the places lie in each line."""
    return np.searchsorted(places, ends) - np.searchsorted(places, starts)


def _are_utf8(block: bytes, starts: Numbers, ends: Numbers, highest: Numbers) -> Mask:
    """Which lines are UTF-8."""
    found = np.ones(len(starts), bool)
    if is_utf8(block):
        return found
    for number in np.flatnonzero(highest > LAST_ASCII):
        found[number] = is_utf8(block[starts[number] : ends[number]])
    return found


def is_utf8(text: bytes) -> bool:
    try:
        return text.isascii() or bool(text.decode("utf-8") or True)
    except UnicodeDecodeError:
        return False


def _judge_quotes(
    letters: Numbers, is_separator: Mask, quotes: Numbers, starts: Numbers, ends: Numbers, may_be_empty: bool
) -> tuple[Mask, Mask]:
    """In which lines a value begins with a quote, and in which all quotes open and close whole values."""
    size = len(starts)
    line = np.searchsorted(starts, quotes, "right") - 1
    opens = (quotes == starts[line]) | is_separator[quotes - 1]
    closes = (quotes + 1 == ends[line]) | is_separator[np.minimum(quotes + 1, len(letters) - 1)]
    counts = np.bincount(line, minlength=size)
    is_first = (np.arange(len(quotes)) - (np.cumsum(counts) - counts)[line]) % 2 == 0
    wrong = np.where(is_first, ~opens, ~closes)
    if not may_be_empty:
        wrong[1:] |= ~is_first[1:] & (np.diff(quotes) == 1)
    begins = np.bincount(line[opens], minlength=size) > 0
    escapes = _count(np.flatnonzero(letters == ESCAPE), starts, ends)
    return begins, (counts % 2 == 0) & (escapes == 0) & (np.bincount(line[wrong], minlength=size) == 0)


def _inside(size: int, quotes: Numbers, quoted: Mask, starts: Numbers) -> Mask:
    """Which bytes of quoted lines lie inside quotes."""
    of_quoted = quotes[quoted[np.searchsorted(starts, quotes, "right") - 1]]
    edges = np.zeros(size, np.int8)
    edges[of_quoted[0::2]] = 1
    edges[of_quoted[1::2]] = -1
    return np.cumsum(edges, dtype=np.int8).view(bool)
