"""Segments: array kernels over rows sorted by group and instant; each works on all groups at once.

A segment is the stretch of neighbouring rows that belong to one group; `heads` are the indexes where segments
begin. Sums are of 64-bit integers and wrap around, so they are exact and do not depend on the order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from tailrace.columnar.keys import groups, same_column

# A lookup table over all pairs of group and instant is used while it has at most DENSE · rows + SMALL entries.
DENSE = 8
SMALL = 1 << 16


def heads(groups: np.ndarray) -> np.ndarray:
    """The indexes where segments begin.

    >>> heads(np.array([3, 3, 5, 7, 7])).tolist()
    [0, 2, 3]
    """
    if not len(groups):
        return np.empty(0, np.int64)
    return np.flatnonzero(np.append(True, groups[1:] != groups[:-1]))


def tails(starts: np.ndarray, length: int) -> np.ndarray:
    """The last index of each segment.

    >>> tails(np.array([0, 2, 3]), 5).tolist()
    [1, 2, 4]
    """
    return np.append(starts[1:], length)[: len(starts)] - 1


def numbers_of(starts: np.ndarray, length: int) -> np.ndarray:
    """For each row the number of its segment.

    >>> numbers_of(np.array([0, 2, 3]), 5).tolist()
    [0, 0, 1, 2, 2]
    """
    marks = np.zeros(length, np.int64)
    marks[starts[1:]] = 1
    return np.cumsum(marks)


def running_sums(amounts: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Running sums that restart in each segment. A base to start from is put into the segment's first row.

    >>> running_sums(np.array([1, 2, 3, 10, 1]), np.array([0, 3])).tolist()
    [1, 3, 6, 10, 11]
    """
    if len(starts) <= 1:
        return np.cumsum(amounts)
    sums = np.cumsum(amounts)
    before = sums[starts] - amounts[starts]
    return sums - np.repeat(before, np.diff(np.append(starts, len(amounts))))


def count_equal_before(*numbers: np.ndarray) -> np.ndarray:
    """For each row how many rows directly before it are equal to it; equal rows must be neighbours.

    >>> count_equal_before(np.array([5, 5, 5, 8])).tolist()
    [0, 1, 2, 0]
    """
    length = len(numbers[0])
    new = np.zeros(length, bool)
    new[:1] = True
    for each in numbers:
        new[1:] |= each[1:] != each[:-1]
    starts = np.flatnonzero(new)
    return np.arange(length) - np.repeat(starts, np.diff(np.append(starts, length)))


def sum_by_place(places: np.ndarray, amounts: np.ndarray, size: int) -> np.ndarray:
    """For each place from 0 to size − 1 the sum of the amounts that have this place.

    >>> sum_by_place(np.array([2, 0, 2]), np.array([1, 5, 7]), 4).tolist()
    [5, 0, 8, 0]
    """
    sums = np.zeros(size, np.int64)
    np.add.at(sums, places, amounts)
    return sums


def sum_equal_rows(columns: Sequence[pa.Array], amounts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sum amounts over equal rows: the first row of each sum that is not 0, and the sum.

    >>> rows, sums = sum_equal_rows([pa.array(["a", "b", "a", "b"])], np.array([1, 5, -1, 2]))
    >>> rows.tolist(), sums.tolist()
    ([1], [7])
    """
    codes, first = groups(columns, len(amounts))
    sums = sum_by_place(codes, amounts, len(first))
    kept = np.flatnonzero(sums)
    return first[kept], sums[kept]


@dataclass(frozen=True)
class Cells:
    """The cells of some events: their distinct pairs (group, instant), sorted."""

    group: np.ndarray
    instant: np.ndarray
    place: np.ndarray  # group · width + the rank of the instant
    ticks: np.ndarray | int  # the first instant, from which ranks count, or all distinct ones if a count leaves gaps
    width: int

    def __len__(self) -> int:
        return len(self.group)

    def find(self, groups: np.ndarray, instants: np.ndarray) -> np.ndarray:
        """The index of the cell of each group and instant; the cell must exist."""
        return np.searchsorted(self.place, groups * self.width + _ranks(instants, self.ticks))


def cells(groups: np.ndarray, instants: np.ndarray) -> tuple[Cells, np.ndarray]:
    """The cells of some events, and for each event the index of its cell.

    >>> made, of = cells(np.array([1, 0, 1]), np.array([50, 70, 50]))
    >>> made.group.tolist(), made.instant.tolist(), of.tolist()
    ([0, 1], [70, 50], [1, 0, 1])
    """
    if not len(groups):
        nothing = np.empty(0, np.int64)
        return Cells(nothing, nothing, nothing, 0, 1), nothing
    low, high = int(instants.min()), int(instants.max())
    ticks: np.ndarray | int
    if high - low < DENSE * len(groups) + SMALL:
        ticks, width = low, high - low + 1
    else:
        ticks = distinct(instants)
        width = len(ticks)
    places = groups * width
    places += _ranks(instants, ticks)
    place, of = _distinct_places(places, (int(groups.max()) + 1) * width)
    group, rank = np.divmod(place, width)
    return Cells(group, rank + ticks if isinstance(ticks, int) else ticks[rank], place, ticks, width), of


def _ranks(instants: np.ndarray, ticks: np.ndarray | int) -> np.ndarray:
    return instants - ticks if isinstance(ticks, int) else np.searchsorted(ticks, instants)


def _distinct_places(places: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """The distinct places in order, and for each given place its index among them."""
    if size > DENSE * len(places) + SMALL:
        found, of = np.unique(places, return_inverse=True)
        return found, of
    present = np.zeros(size, bool)
    present[places] = True
    found = np.flatnonzero(present)
    number = np.empty(size, np.int64)
    number[found] = np.arange(len(found))
    return found, number[places]


def distinct(values: np.ndarray) -> np.ndarray:
    """The distinct values, sorted.

    >>> distinct(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    # np.unique without further results goes through a hash table, which is many times slower than the sort.
    ordered = np.sort(values)
    return ordered[np.append(True, ordered[1:] != ordered[:-1])] if len(ordered) else ordered


def positive(counts: np.ndarray, starts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The longest stretches of a segment in which the count is positive: their first rows, and the rows after the last.

    >>> low, high = positive(np.array([1, 2, 0, 3, 1, 1]), np.array([0, 4]))
    >>> low.tolist(), high.tolist()
    ([0, 3, 4], [2, 4, 6])
    """
    alive = np.append(counts > 0, False)
    first = np.zeros(len(alive), bool)
    first[starts] = True
    first[-1] = True
    before = np.append(False, alive[:-1]) & ~first
    return np.flatnonzero(alive & ~before), _ends(alive, first)


def _ends(alive: np.ndarray, first: np.ndarray) -> np.ndarray:
    """The row after the last of each stretch: a stretch ends before a row that is not alive or begins a segment."""
    over = np.append(~alive[1:] | first[1:], True)
    return np.flatnonzero(alive & over) + 1


def least_covering_rank(low: np.ndarray, high: np.ndarray, ranks: np.ndarray, size: int, nothing: int) -> np.ndarray:
    """For each row the least rank among the stretches low … high−1 that cover it; `nothing` where none does.

    A stretch is the union of two overlapping ones whose length is a power of two. The rank of such a one is noted at
    its first row, and handed down from each length to its two halves, so n stretches over m rows cost n + m log m.

    >>> least_covering_rank(np.array([0, 1]), np.array([3, 5]), np.array([7, 9]), 6, 99).tolist()
    [7, 7, 7, 9, 9, 99]
    """
    level = np.frexp((high - low).astype(np.float64))[1] - 1
    top = int(level.max(initial=0))
    best = np.full(size, nothing, np.int64)
    order = np.argsort(level, kind="stable")
    bounds = np.searchsorted(level[order], np.arange(top + 2))
    for step in range(top, -1, -1):
        chosen = order[bounds[step] : bounds[step + 1]]
        np.minimum.at(best, low[chosen], ranks[chosen])
        np.minimum.at(best, high[chosen] - (1 << step), ranks[chosen])
        if step:
            half = 1 << (step - 1)
            np.minimum(best[half:], best[:-half].copy(), out=best[half:])
    return best


def differs_from_previous(columns: Sequence[pa.Array], alive: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Which rows differ from the row before them in their segment; rows that are not alive all count as equal.

    >>> column = pa.array([1, 1, None, None, 5])
    >>> differs_from_previous([column], np.array([True, True, True, False, True]), np.array([0, 4])).tolist()
    [False, False, True, True, False]
    """
    differs = np.zeros(len(alive), bool)
    for column in columns:
        differs[1:] |= ~same_column(column.slice(1), column.slice(0, max(len(column) - 1, 0)))
    differs[1:] &= alive[1:]
    differs[1:] |= alive[1:] != alive[:-1]
    differs[starts] = False
    return differs


def until_next(instants: np.ndarray, groups: np.ndarray, forever: int) -> np.ndarray:
    """For rows sorted by group and instant: the instant of the group's next row, or `forever`.

    >>> until_next(np.array([3, 5, 4]), np.array([0, 0, 1]), 99).tolist()
    [5, 99, 99]
    """
    if not len(instants):
        return instants
    return np.where(np.append(groups[1:] == groups[:-1], False), np.append(instants[1:], forever), forever)
