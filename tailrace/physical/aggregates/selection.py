"""Selection: the k-th smallest of the values that are there, for many moments and groups at once.

All questions walk down the bits of the answer together: those for which at least k values have a zero in the bit
go left with these values, the others go right with the rest. A walk costs one pass over events and questions for
each bit, and no sorting after the first.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Events:
    """Changes of how often values are there: at a row of a timeline, a value's rank and the change."""

    row: np.ndarray
    rank: np.ndarray
    change: np.ndarray


def selected(events: Events, group: np.ndarray, rows: np.ndarray, places: np.ndarray) -> np.ndarray:
    """The rank of the value at `places` (0 is the smallest) among those there at `rows`; `group` is by row.

    >>> events = Events(np.array([0, 0, 1, 2]), np.array([5, 3, 4, 3]), np.array([1, 2, 1, -2]))
    >>> selected(events, np.zeros(3, int), np.array([0, 1, 2, 2]), np.array([2, 2, 0, 1])).tolist()
    [5, 4, 4, 5]
    """
    row = np.concatenate([events.row, rows])
    rank = np.concatenate([events.rank, np.zeros(len(rows), np.int64)])
    amount = np.concatenate([events.change, places])
    asks = np.append(np.zeros(len(events.row), bool), np.ones(len(rows), bool))
    # Rows run on from group to group, so sorting by them sorts by group; questions come after events of their row.
    order = np.argsort(2 * row + asks, kind="stable")
    of = group[row[order]]
    starts = np.flatnonzero(np.append(True, of[1:] != of[:-1])) if len(of) else np.empty(0, np.int64)
    begin = np.repeat(starts, np.diff(np.append(starts, len(of))))
    for bit in reversed(range(int(events.rank.max(initial=0)).bit_length())):
        order, begin = _down(order, begin, bit, rank, amount, asks)
    return rank[len(events.row) :]


def _down(
    order: np.ndarray, begin: np.ndarray, bit: int, rank: np.ndarray, amount: np.ndarray, asks: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """One bit further: the answers get it, and each node is parted in two, left before right."""
    asking = asks[order]
    right = (rank[order] >> bit & 1).astype(bool)
    smaller = np.append(0, np.cumsum(np.where(asking | right, 0, amount[order])))
    smaller = smaller[1:] - smaller[begin]
    further = asking & (amount[order] >= smaller)
    amount[order[further]] -= smaller[further]
    rank[order[further]] |= 1 << bit
    right |= further
    lefts = np.append(0, np.cumsum(~right))
    before = lefts[:-1] - lefts[begin]
    starts = np.flatnonzero(np.append(True, begin[1:] != begin[:-1])) if len(begin) else begin
    stops = np.append(starts[1:], len(begin))
    split = np.repeat(starts + lefts[stops] - lefts[starts], stops - starts)
    place = np.where(right, split + np.arange(len(order)) - begin - before, begin + before)
    parted, borders = np.empty_like(order), np.empty_like(begin)
    parted[place] = order
    borders[place] = np.where(right, split, begin)
    return parted, borders
