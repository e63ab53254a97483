"""Search: where hashes stand in a sorted run.

Hashes are spread evenly, so a hash's place can be guessed, and its true place is near: a search that starts there
touches one page of a run where a binary search over all of it touches twenty.
"""

from __future__ import annotations

import numpy as np

# Below this many rows a plain binary search stays in the cache.
SMALL = 1 << 18
# A guess among n evenly spread numbers is off by about half the root of n; this many roots are looked at around it.
ROOTS = 4
LAST = np.uint64(2**64 - 1)


def bisect(values: np.ndarray, low: np.ndarray, high: np.ndarray, target: np.ndarray) -> np.ndarray:
    """For each i the first place in low[i] … high[i] where a value is not below target[i]; values rise in between.

    >>> bisect(np.array([1, 3, 5, 2, 4]), np.array([0, 3]), np.array([3, 5]), np.array([4, 4])).tolist()
    [2, 4]
    """
    low, high = low.copy(), high.copy()
    open_ = np.flatnonzero(low < high)
    while len(open_):
        middle = (low[open_] + high[open_]) >> 1
        below = values[middle] < target[open_]
        low[open_[below]] = middle[below] + 1
        high[open_[~below]] = middle[~below]
        open_ = open_[low[open_] < high[open_]]
    return low


def first_places(order: np.ndarray, hashes: np.ndarray) -> np.ndarray:
    """For each hash the first place in the order, which rises, where the number is not below it."""
    if len(order) < SMALL or not len(hashes):
        return np.searchsorted(order, hashes, "left")
    # Neighbours look at the same pages one after the other.
    sorting = np.argsort(hashes) if (hashes[1:] < hashes[:-1]).any() else None
    wanted = hashes if sorting is None else hashes[sorting]
    found = _guessed(order, wanted)
    if sorting is None:
        return found
    back = np.empty_like(found)
    back[sorting] = found
    return back


def _guessed(order: np.ndarray, hashes: np.ndarray) -> np.ndarray:
    length = len(order)
    exact = hashes.astype(np.float64)
    low, width, fits = _around(order, hashes, exact * (length / 2.0**64), length)
    # What lies around is spread evenly as well, so the second guess is much nearer.
    floor, top = (order[place].astype(np.float64) for place in (low, low + (width - 1)))
    share = (exact - floor) / np.maximum(top - floor, 1.0)
    low, width, near = _around(order, hashes, low + share * width, width)
    fits &= near
    step = width
    while step > 1:
        step //= 2
        low += step * (order[low + (step - 1)] < hashes)
    low += order[low] < hashes
    if not fits.all():
        # As when few keys have many rows each.
        low[~fits] = np.searchsorted(order, hashes[~fits], "left")
    return low


def _around(order: np.ndarray, hashes: np.ndarray, guess: np.ndarray, among: int) -> tuple[np.ndarray, int, np.ndarray]:
    """Stretches around guesses among so many rows: where they begin, how long they are, which hold the place."""
    last = len(order) - 1
    width = 1 << int(ROOTS * among**0.5).bit_length()
    low = np.clip(guess, width // 2, len(order) - width // 2).astype(np.int64) - width // 2
    low = np.minimum(low, len(order) - width)
    fits = (low == 0) | (order[np.maximum(low - 1, 0)] < hashes)
    fits &= (low + width > last) | (order[np.minimum(low + width, last)] >= hashes)
    return low, width, fits


def places(order: np.ndarray, hashes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each hash the places low … high − 1 at which it stands in the order, which rises.

    >>> [part.tolist() for part in places(np.array([2, 2, 5], np.uint64), np.array([1, 2, 5], np.uint64))]
    [[0, 0, 2], [0, 2, 3]]
    """
    low = first_places(order, hashes)
    high = low.copy()
    here = np.flatnonzero(low < len(order))
    here = here[order[low[here]] == hashes[here]]
    high[here] += 1
    # Most hashes stand there once.
    more = here[high[here] < len(order)]
    more = more[order[high[more]] == hashes[more]]
    last = hashes[more] == LAST
    high[more] = np.where(last, len(order), first_places(order, hashes[more] + np.uint64(1)))
    return low, high
