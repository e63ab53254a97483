"""Row window: the last N tuples, of each partition, moving every M tuples.

The i-th tuple of a partition enters with tuple number ⌈i/M⌉·M and leaves with number ⌈(i+N)/M⌉·M (READINGS B.1);
with M = 1 that is: it enters as it comes and leaves with the N-th after it. Ties go by arrival.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tailrace.logical.windows import RowWindow as Window
from tailrace.physical.delta import FOREVER, Delta, Span, concat, empty
from tailrace.physical.keys import groups
from tailrace.physical.operator import Link, Operator


@dataclass(frozen=True)
class Kept:
    """The tuples that have not left, with their numbers in their partitions; the last of each is always here."""

    number: np.ndarray
    tuples: Delta


@dataclass(frozen=True)
class RowWindow(Operator):
    window: Window

    def links(self, inputs: int) -> tuple[Link, ...]:
        return tuple(Link((index,), (index,)) for index in self.window.partition)

    def start(self) -> Kept:
        return Kept(np.empty(0, np.int64), empty(self.types))

    def takes_back(self, inputs: Sequence[bool]) -> bool:
        return True

    def apply(self, inputs: Sequence[Delta], state: Kept, span: Span) -> tuple[Delta, Kept]:
        new = one_by_one(inputs[0])
        if not len(new):
            return new, state
        both = concat([state.tuples, new], self.types)
        codes, _ = groups([both.columns[index] for index in self.window.partition], len(both))
        order = np.argsort(codes, kind="stable")
        number, seen, base = numbered(codes[order], order, state.number)
        enters = _up(number, self.window.slide)
        leaves = _up(number + self.window.size, self.window.slide)
        total = base + np.bincount(codes, minlength=codes.max() + 1)[codes[order]]
        instants = both.start[order]
        at = np.arange(len(order)) - number
        comes = (enters > seen) & (enters <= total)
        goes = leaves <= total
        start = np.where(comes, instants[np.where(comes, at + enters, 0)], 0)
        until = np.where(goes, instants[np.where(goes, at + leaves, 0)], FOREVER)
        sorted_ = both.take(order)
        inside = comes & (start < until)
        entering = Delta(start, until, sorted_.weight, sorted_.columns).where(inside)
        left = (enters <= seen) & goes
        forever = np.full(len(order), FOREVER, np.int64)
        leaving = Delta(until, forever, -sorted_.weight, sorted_.columns).where(left)
        return concat([entering, leaving], self.types), Kept(number[~goes], sorted_.where(~goes))


def one_by_one(delta: Delta) -> Delta:
    """Elements in order of time and arrival, each row one of them."""
    if len(delta) and (delta.start[1:] < delta.start[:-1]).any():
        delta = delta.take(np.argsort(delta.start, kind="stable"))
    if (delta.weight == 1).all():
        return delta
    single = delta.take(np.repeat(np.arange(len(delta)), delta.weight))
    return Delta(single.start, single.until, np.ones(len(single), np.int64), single.columns)


def numbered(codes: np.ndarray, order: np.ndarray, kept: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For tuples sorted by partition: each one's number, how many its partition had seen before, and the number
    before its partition's first here."""
    first = np.flatnonzero(np.append(True, codes[1:] != codes[:-1]))
    sizes = np.diff(np.append(first, len(codes)))
    is_kept = order < len(kept)
    base = np.where(is_kept[first], kept[np.where(is_kept[first], order[first], 0)] - 1, 0) if len(kept) else 0 * first
    number = np.arange(len(codes)) - np.repeat(first, sizes) + 1 + np.repeat(base, sizes)
    seen = np.repeat(base + np.add.reduceat(is_kept.astype(np.int64), first), sizes)
    return number, seen, np.repeat(base, sizes)


def _up(numbers: np.ndarray, slide: int) -> np.ndarray:
    return numbers if slide == 1 else -(-numbers // slide) * slide
