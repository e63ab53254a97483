"""Thin: drops elements that no evaluation of a sequence query can see, as far as their instants tell (CSQL §9).

It stands before rows are exchanged, where nobody knows all elements of a slot: of those at hand it keeps each that is
the first of its slot, or the last, and so the one that is it of all. What it need not keep it may.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pyarrow as pa

from tailrace.logical.windows import Every
from tailrace.physical.delta import Delta, Span
from tailrace.physical.keys import groups
from tailrace.physical.operator import Operator

if TYPE_CHECKING:
    from tailrace.physical.delta import Instants, Mask


@dataclass(frozen=True)
class Thin(Operator):
    """With a range, for a jumping window: slot m is [mt, mt + t), its first element may be evaluated with, and the next
    evaluation is in a later slot. Without one, for a sample: of slot ((j−1)t, jt] the last element counts."""

    scattered: ClassVar[bool] = True
    range: Every | None
    frequency: Every
    key: tuple[int, ...] = ()

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span) -> tuple[Delta, Any]:
        """The elements that may matter; late ones take no other's place.

        >>> rows = Delta(np.array([3, 4, 5, 7, 9]), np.array([4, 5, 6, 8, 10]), np.ones(5, np.int64), ())
        >>> Thin((), Every(3, "ticks"), Every(10, "ticks")).apply([rows], None, Span(3, 9))[0].start.tolist()
        [3, 4, 9]
        """
        (rows,) = inputs
        timely, kept = np.flatnonzero(rows.start > span.after), np.ones(len(rows), bool)
        keys = [rows.columns[index].take(pa.array(timely)) for index in self.key]
        kept[timely] = self.kept(rows.start[timely], keys)
        return rows.where(kept), state

    def kept(self, instants: Instants, keys: Sequence[pa.Array]) -> Mask:
        """Which elements may matter, given the columns that tell substreams apart."""
        kept = self.is_seen(instants)
        rest = np.flatnonzero(~kept)
        if len(rest):
            start, taken = instants[rest], pa.array(rest)
            codes, _ = groups([pa.array(self.slots(start)), *(key.take(taken) for key in keys)], len(rest))
            kept[rest] = start == self.bounds(start, codes)[codes]
        return kept

    def is_seen(self, instants: Instants) -> Mask:
        """Whether an evaluation in a later slot can see elements of these instants.

        >>> Thin((), Every(3, "ticks"), Every(10, "ticks")).is_seen(np.array([7, 8, 10])).tolist()
        [False, True, False]
        """
        if self.range is None:
            return np.zeros(len(instants), bool)
        return np.asarray(instants + self.range.count > (self.slots(instants) + 1) * self.frequency.count)

    def slots(self, instants: Instants) -> Instants:
        if self.range is None:
            return np.asarray(np.maximum(-(-instants // self.frequency.count), 1))
        return np.asarray(instants // self.frequency.count)

    def bounds(self, instants: Instants, codes: np.ndarray) -> Instants:
        """Of each slot and substream the first instant, or the last."""
        worst, better = (np.iinfo(np.int64).max, np.minimum) if self.range else (-1, np.maximum)
        found = np.full(int(codes.max()) + 1, worst, np.int64)
        better.at(found, codes, instants)
        return found
