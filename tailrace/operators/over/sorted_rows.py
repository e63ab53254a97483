"""Sorted rows: the tuples of partitions at some instants, in order, and where the frames of tuples begin and end.

A snapshot is one partition at one instant. Its rows stand side by side, in the order of the window; a tuple that is
there several times has several rows. All functions work on all snapshots at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from tailrace.columnar import segments
from tailrace.logical.over import Frame
from tailrace.operators.aggregates.ranks import encode_order
from tailrace.state.runs import bisect

MOST = np.iinfo(np.int64).max
FARTHEST = 1 << 62


@dataclass(frozen=True)
class SortKeyColumn:
    """The one sort key of distinct tuples, for frames by its difference."""

    values: pa.Array
    descending: bool
    nulls_first: bool

    def move(self, by: float) -> np.ndarray:
        """The order of the keys, moved by a distance, as numbers that rise in the window's order; 0 for NULL."""
        values = self.values.drop_null()
        by = -by if self.descending else by
        if pa.types.is_floating(values.type):
            numbers, _ = encode_order(pa.array(values.cast(pa.float64()).to_numpy(zero_copy_only=False) + by))
        else:
            numbers = add_within_bounds(encode_order(values)[0], int(max(min(by, FARTHEST), -FARTHEST)))
        found = np.zeros(len(self.values), np.int64)
        found[self.is_known] = ~numbers if self.descending else numbers
        return found

    @cached_property
    def is_known(self) -> np.ndarray:
        return np.asarray(self.values.is_valid().to_numpy(zero_copy_only=False))


def add_within_bounds(numbers: np.ndarray, by: int) -> np.ndarray:
    """Sums of 64-bit integers; one that does not fit becomes the largest or smallest number."""
    sums = numbers + np.int64(by)
    over = sums < numbers if by > 0 else sums > numbers
    return np.where(over, MOST if by > 0 else -MOST - 1, sums)


@dataclass(frozen=True)
class SortedRows:
    source: np.ndarray  # of each row the number of its tuple, by which `columns`, `peer` and `key` are found
    starts: np.ndarray  # the first row of each snapshot
    columns: Sequence[pa.Array]
    peer: np.ndarray  # equal for tuples of a partition that the order does not tell apart
    key: SortKeyColumn | None = None

    def __len__(self) -> int:
        return len(self.source)

    def value_by_row(self, starts: np.ndarray, values: np.ndarray) -> np.ndarray:
        """A value for each stretch of rows as a value for each row."""
        return np.repeat(values, np.diff(np.append(starts, len(self))))

    @cached_property
    def row(self) -> np.ndarray:
        return np.arange(len(self))

    @cached_property
    def begin(self) -> np.ndarray:
        """For each row the first row of its snapshot."""
        return self.value_by_row(self.starts, self.starts)

    @cached_property
    def end(self) -> np.ndarray:
        """For each row the row after the last of its snapshot."""
        return self.value_by_row(self.starts, segments.tails(self.starts, len(self)) + 1)

    @cached_property
    def group_starts(self) -> np.ndarray:
        """The first row of each group of peers."""
        peer = self.peer[self.source]
        new = np.append(True, peer[1:] != peer[:-1])[: len(self)]
        new[self.starts] = True
        return np.flatnonzero(new)

    @cached_property
    def group(self) -> np.ndarray:
        """For each row the number of its group of peers."""
        return segments.numbers_of(self.group_starts, len(self))

    @cached_property
    def group_ends(self) -> np.ndarray:
        return segments.tails(self.group_starts, len(self)) + 1

    @cached_property
    def peers_begin(self) -> np.ndarray:
        return self.group_starts[self.group]

    @cached_property
    def peers_end(self) -> np.ndarray:
        return self.group_ends[self.group]

    def frame(self, frame: Frame) -> tuple[np.ndarray, np.ndarray]:
        """For each row the first row of its frame, and the row after the last; an empty frame ends where it begins."""
        low = self.begin if frame.first is None else self.place(frame, frame.first, ends=False)
        high = self.end if frame.last is None else self.place(frame, frame.last, ends=True)
        return low, np.maximum(low, high)

    def place(self, frame: Frame, distance: float, ends: bool) -> np.ndarray:
        """For each row where a frame begins or ends that is bounded by a distance."""
        if frame.unit == "rows":
            return np.clip(self.row + int(min(max(distance, -FARTHEST), FARTHEST)) + ends, self.begin, self.end)
        if frame.unit == "groups":
            return self.group_place(int(min(max(distance, -FARTHEST), FARTHEST)), ends)
        beside = self.peers_end if ends else self.peers_begin
        return self.key_place(distance, ends, beside) if distance else beside

    def group_place(self, distance: int, ends: bool) -> np.ndarray:
        wanted, first, last = self.group + distance, self.group[self.begin], self.group[self.end - 1]
        places = self.group_ends if ends else self.group_starts
        found = places[np.clip(wanted, 0, len(places) - 1)] if len(places) else wanted
        return np.where(wanted < first, self.begin, np.where(wanted > last, self.end, found))

    def key_place(self, distance: float, ends: bool, beside: np.ndarray) -> np.ndarray:
        """The place of a distance in the sort key, by binary search; rows without a key are peers of each other."""
        assert self.key is not None
        known = self.key.is_known[self.source]
        missing = np.append(0, np.cumsum(~known))
        nulls = missing[self.end] - missing[self.begin]
        low = self.begin + nulls if self.key.nulls_first else self.begin
        high = self.end if self.key.nulls_first else self.end - nulls
        keys, wanted = self.key.move(0)[self.source], self.key.move(distance)[self.source]
        if ends:
            found = np.where(wanted == MOST, high, bisect(keys, low, high, np.where(wanted == MOST, MOST, wanted + 1)))
        else:
            found = bisect(keys, low, high, wanted)
        return np.where(known, found, beside)
