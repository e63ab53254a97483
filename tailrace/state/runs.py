"""Runs: an immutable batch of rows sorted by one number, and the rule by which runs are merged.

A synopsis is a list of runs, newest last. A batch adds one run. When the newer runs together have outgrown an older
one, they are merged with it, all at once: so there are few runs, and each row is rewritten few times (a thousand
batches: five runs, five times).

A long run that is ordered by hashes has a directory, which makes searches faster. Hashes are spread evenly, so their
range is cut into equal stretches of about a dozen rows each; the directory has the place where each stretch begins. A
search touches a page of the directory and a page of the run, where a binary search over the whole run touches twenty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import pyarrow as pa

from tailrace.columnar.sorting import stable_order
from tailrace.state.resharding import Shard, ShardKey


@dataclass(frozen=True, eq=False)
class Run:
    """Rows sorted by `order`; the columns ride along in the same order."""

    order: np.ndarray
    columns: tuple[pa.Array, ...]
    facts: tuple[int, ...] = ()  # numbers about all rows, computed once, such as the latest instant
    directory: np.ndarray | None = None  # where to search in a long run that is ordered by hashes

    def __len__(self) -> int:
        return len(self.order)

    def take(self, indexes: np.ndarray) -> Run:
        taken = pa.array(indexes)
        return Run(self.order[indexes], tuple(column.take(taken) for column in self.columns))

    def slice(self, start: int, stop: int) -> Run:
        return Run(self.order[start:stop], tuple(column.slice(start, stop - start) for column in self.columns))


def sorted_run(order: np.ndarray, columns: Sequence[pa.Array]) -> Run:
    """Sort rows into a run; rows of equal order stay in the order in which they came."""
    run = Run(order, tuple(columns))
    if len(order) > 1 and (order[1:] < order[:-1]).any():
        return run.take(stable_order(order))
    return run


def concat_runs(runs: Sequence[Run]) -> Run:
    """The rows of runs one after the other; they are sorted only if each run begins where the one before it ends."""
    if len(runs) == 1:
        return runs[0]
    columns = zip(*(run.columns for run in runs), strict=True)
    return Run(np.concatenate([run.order for run in runs]), tuple(pa.concat_arrays(list(each)) for each in columns))


def merge_runs(runs: Sequence[Run], choose: Callable[[Run, np.ndarray], np.ndarray] | None = None) -> Run:
    """One run of all rows; among rows of equal order, those of older runs come first.

    `choose` gets all rows, one run after the other, and the indexes that sort them. Only rows of the indexes that it
    returns are copied.
    """
    if len(runs) == 1 and choose is None:
        return runs[0]
    whole = concat_runs(runs)
    # NumPy's stable sort finds the runs again and merges them; it is no slower than a merge of our own would be.
    order = np.argsort(whole.order, kind="stable") if len(runs) > 1 else np.arange(len(whole))
    kept = choose(whole, order) if choose else order
    return whole if len(runs) == 1 and len(kept) == len(whole) else whole.take(kept)


def append_run(runs: tuple[Run, ...], new: Run, merge: Callable[[Sequence[Run]], Run]) -> tuple[Run, ...]:
    """Append a run; where the newer runs together have outgrown an older one, `merge` makes them one run with it."""
    if not len(new):
        return runs
    found = (*runs, new)
    sizes = np.array([len(run) for run in found])
    newer = np.cumsum(sizes[::-1])[::-1] - sizes
    outgrown = np.flatnonzero(newer >= sizes)
    if not len(outgrown):
        return found
    merged = merge(found[outgrown[0] :])
    return (*found[: outgrown[0]], merged) if len(merged) else found[: outgrown[0]]


def merge_all(several: Iterable[Sequence[Run]], merge: Callable[[Sequence[Run]], Run]) -> tuple[Run, ...]:
    """Merge the runs of several synopses into one run; none if no row is left."""
    runs = [run for each in several for run in each if len(run)]
    merged = merge(runs) if runs else None
    return (merged,) if merged is not None and len(merged) else ()


def split_runs(runs: Iterable[Run], find_rows: Callable[[Run], np.ndarray]) -> tuple[Run, ...]:
    """The rows of each run that `find_rows` finds, with the facts of the run; a run without any is dropped."""
    parts = (replace(run.take(find_rows(run)), facts=run.facts) for run in runs)
    return tuple(part for part in parts if len(part))


def find_groups(column: np.ndarray, group_ids: np.ndarray) -> np.ndarray:
    """The indexes of the rows of some groups; the column has the group id of each row."""
    return np.flatnonzero(np.isin(column.view(np.uint64), group_ids))


@dataclass(frozen=True)
class Synopsis:
    """The base of synopses: rows in runs, the newest run last."""

    runs: tuple[Run, ...] = ()

    def split(self, key: ShardKey, shard: Shard) -> Self:
        """The rows that belong to a shard; `key` are the columns that hold the shard's key."""
        return replace(self, runs=split_runs(self.runs, lambda run: shard.find_rows(run.columns, len(run), key)))

    def __len__(self) -> int:
        return sum(map(len, self.runs))


# Below this many rows a plain binary search stays in the cache.
SMALL = 1 << 17
ROWS_A_STRETCH = 8  # on average: this many, up to twice as many
LAST = np.uint64(2**64 - 1)


def with_directory(run: Run) -> Run:
    """Give a run that is ordered by hashes its directory, if it is long."""
    if len(run) < SMALL:
        return run
    bits = (len(run) // ROWS_A_STRETCH).bit_length() - 1
    first = np.arange(1 << bits, dtype=np.uint64) << np.uint64(64 - bits)
    return replace(run, directory=np.append(np.searchsorted(run.order, first), len(run)))


def bisect(values: np.ndarray, low: np.ndarray, high: np.ndarray, target: np.ndarray) -> np.ndarray:
    """For each i the first place in low[i] … high[i] where a value is not below target[i]; values rise in between.

    >>> bisect(np.array([1, 3, 5, 2, 4]), np.array([0, 3]), np.array([3, 5]), np.array([4, 4])).tolist()
    [2, 4]
    """
    # All searches go on at once: from just before low[i], in steps that halve each time.
    place = low - 1  # a copy, which is changed below
    step = (1 << int((high - low).max(initial=0)).bit_length()) >> 1
    while step:
        ahead = np.minimum(place + step, high)
        below = values.take(ahead, mode="clip") < target
        below &= ahead < high
        place += step * below
        step >>= 1
    return place + 1


def first_places(run: Run, hashes: np.ndarray) -> np.ndarray:
    """For each hash the first place in the run whose hash is not below it."""
    if run.directory is None:
        return np.searchsorted(run.order, hashes, "left")
    bits = len(run.directory).bit_length() - 1
    stretch = (hashes >> np.uint64(64 - bits)).astype(np.int64)
    return bisect(run.order, run.directory[stretch], run.directory[stretch + 1], hashes)


def places(run: Run, hashes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each hash the places low … high − 1 at which it stands in the run.

    >>> run = Run(np.array([2, 2, 5], np.uint64), ())
    >>> [part.tolist() for part in places(run, np.array([1, 2, 5], np.uint64))]
    [[0, 0, 2], [0, 2, 3]]
    """
    order, low = run.order, first_places(run, hashes)
    high = low.copy()
    here = np.flatnonzero(low < len(order))
    here = here[order[low[here]] == hashes[here]]
    high[here] += 1
    # Most hashes occur once.
    more = here[high[here] < len(order)]
    more = more[order[high[more]] == hashes[more]]
    last = hashes[more] == LAST
    high[more] = np.where(last, len(order), first_places(run, hashes[more] + np.uint64(1)))
    return low, high
