"""Index: rows by the hash of their key. Probing costs a binary search in each of a few runs, whatever their size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from tailrace.columnar.delta import FOREVER, Delta
from tailrace.columnar.keys import groups
from tailrace.columnar.keys import hashes as hashes_of
from tailrace.columnar.segments import heads, sum_by_place
from tailrace.state.runs import Run, append_run, bisect, first_places, merge_runs, places, sorted_run, with_directory


@dataclass(frozen=True)
class Pairs:
    """Which probe met which row of a run."""

    probe: np.ndarray
    row: np.ndarray


def pairs_in_ranges(low: np.ndarray, high: np.ndarray) -> Pairs:
    """The pairs (i, j) with low[i] <= j < high[i].

    >>> pairs = pairs_in_ranges(np.array([0, 5]), np.array([2, 6]))
    >>> pairs.probe.tolist(), pairs.row.tolist()
    ([0, 0, 1], [0, 1, 5])
    """
    counts = np.maximum(high - low, 0)
    probe = np.repeat(np.arange(len(low)), counts)
    ends = np.cumsum(counts)
    offset = np.arange(len(probe)) - np.repeat(ends - counts, counts)
    return Pairs(probe, np.repeat(low, counts) + offset)


@dataclass(frozen=True)
class IntervalIndex:
    """A bag of intervals by key: what joins remember of each side, in order of hash and then of start.

    The first three columns of a row are its until, start and weight. A run leaves when the time of all its rows is
    over; single rows leave when runs are merged.
    """

    runs: tuple[Run, ...] = ()
    past: int = -1

    def add(self, new: Run) -> IntervalIndex:
        """With the rows of a run, made by `by_start`."""
        return replace(self, runs=append_run(self.runs, new, self._merge))

    def _merge(self, runs: Sequence[Run]) -> Run:
        run = merge_runs(runs)
        alive = run.columns[0].to_numpy() > self.past + 1
        return order_by_start(consolidate_forever(run if alive.all() else run.take(np.flatnonzero(alive)), self.past))

    def forget(self, past: int) -> IntervalIndex:
        """Everything up to an instant is decided: rows that end there are wanted no more."""
        return IntervalIndex(tuple(run for run in self.runs if run.facts[LATEST] > past + 1), past)

    def __len__(self) -> int:
        return sum(len(run) for run in self.runs)


def consolidate_forever(run: Run, past: int) -> Run:
    """The run without tuples that were taken back: a row and its negative are the same to all that is to come."""
    until, start, weight = (column.to_numpy() for column in run.columns[:3])
    lasts = (until == FOREVER) & (start <= past)
    if not (lasts & (weight < 0)).any():
        return run
    old = np.flatnonzero(lasts)
    columns = [column.take(pa.array(old)) for column in run.columns[3:]]
    codes, first = groups([pa.array(run.order[old].view(np.int64)), *columns], len(old))
    left = sum_by_place(codes, weight[old], len(first))
    kept = np.sort(np.concatenate([np.flatnonzero(~lasts), old[first[left != 0]]]))
    weight = weight.copy()
    weight[old[first]] = left
    found = Run(run.order, (*run.columns[:2], pa.array(weight), *run.columns[3:]))
    return found.take(kept)


# The facts of an index's run: whether the rows of each hash also end in order, and the latest end of all.
ENDS_RISE, LATEST = 0, 1


def order_by_start(run: Run) -> Run:
    """The run in order of hash and then of start, with its facts."""
    start = run.columns[1].to_numpy()
    if not _rises(run.order, start):
        run = run.take(np.lexsort((start, run.order)))
    until = run.columns[0].to_numpy()
    return with_directory(replace(run, facts=(int(_rises(run.order, until)), int(until.max(initial=0)))))


def index_rows(delta: Delta, keys: Sequence[tuple[pa.Array, bool]], columns: Sequence[pa.Array]) -> Run:
    """Rows as a run of an index with these columns, by keys of which each says whether NULL equals NULL.

    A row with a NULL that equals nothing is left out.
    """
    matchable = np.ones(len(delta), bool)
    for values, null_safe in keys:
        if not null_safe and values.null_count:
            matchable &= values.is_valid().to_numpy(zero_copy_only=False)
    rows = (pa.array(each) for each in (delta.until, delta.start, delta.weight))
    run = Run(hashes_of([values for values, _ in keys], len(delta)), (*rows, *columns))
    run = run if matchable.all() else run.take(np.flatnonzero(matchable))
    return order_by_start(sorted_run(run.order, run.columns))


def _rises(order: np.ndarray, numbers: np.ndarray) -> bool:
    """Whether numbers do not fall among rows of equal order; falling back is what a higher order is for."""
    return not ((numbers[1:] < numbers[:-1]) & (order[1:] == order[:-1])).any()


def meet(hashes: np.ndarray, start: np.ndarray, until: np.ndarray, run: Run) -> Pairs:
    """The pairs of a probe and a row of equal hash that share an instant, and perhaps some that do not.

    The probes are in order of their hashes. Rows of a hash begin in order, so those that begin too late are a tail
    of them; where they also end in order, as windows do, those that ended too early are a head. Neither is looked at.
    """
    first = heads(hashes)
    times = np.diff(np.append(first, len(hashes)))
    low, high = (np.repeat(place, times) for place in places(run, hashes[first]))
    # A probe meets rows in few of the runs.
    probe = np.flatnonzero(low < high)
    low, high = low[probe], high[probe]
    high = bisect(run.columns[1].to_numpy(), low, high, until[probe])
    if run.facts[ENDS_RISE]:
        low = bisect(run.columns[0].to_numpy(), low, high, start[probe] + 1)
    pairs = pairs_in_ranges(low, high)
    return Pairs(probe[pairs.probe], pairs.row)


@dataclass(frozen=True)
class KeyTable:
    """One row a key, the newest wins: what folds remember of each group."""

    runs: tuple[Run, ...] = ()

    def put(self, hashes: np.ndarray, columns: Sequence[pa.Array]) -> KeyTable:
        """New rows for keys, at most one each."""
        return replace(self, runs=append_run(self.runs, with_directory(sorted_run(hashes, columns)), keep_newest))

    def locate(self, hashes: np.ndarray) -> np.ndarray:
        """Where the keys' rows are, for `fetch`: numbers over all runs, the oldest first; −1 for keys not there."""
        found = np.full(len(hashes), -1, np.int64)
        missing = np.argsort(hashes)
        stop = len(self)
        for run in reversed(self.runs):
            wanted = hashes[missing]
            near = np.minimum(first_places(run, wanted), len(run) - 1)
            hit = run.order[near] == wanted
            stop -= len(run)
            found[missing[hit]] = stop + near[hit]
            missing = missing[~hit]
            if not len(missing):
                break
        return found

    def read(self, places: np.ndarray, types: Sequence[pa.DataType]) -> tuple[pa.Array, ...]:
        """The first columns, of these types, of the rows at places that `seek` found; NULLs where it found none."""
        first = np.append(0, np.cumsum([len(run) for run in self.runs]))
        owner = np.searchsorted(first, places, "right") - 1
        taken: list[Run] = []
        at = np.full(len(places), -1, np.int64)
        done = 0
        for number, run in enumerate(self.runs):
            mine = np.flatnonzero(owner == number)
            if len(mine):
                taken.append(Run(run.order, run.columns[: len(types)]).take(places[mine] - first[number]))
                at[mine] = done + np.arange(len(mine))
                done += len(mine)
        return tuple(_gather([run.columns[i] for run in taken], at, type) for i, type in enumerate(types))

    def __len__(self) -> int:
        return sum(len(run) for run in self.runs)


def _gather(parts: list[pa.Array], place: np.ndarray, type: pa.DataType) -> pa.Array:
    if not parts:
        return pa.nulls(len(place), type)
    return pa.concat_arrays(parts).take(pa.array(place, mask=place < 0))


def keep_newest(runs: Sequence[Run]) -> Run:
    """Of the rows of one key, the last."""
    run = merge_runs(runs)
    last = np.append(run.order[1:] != run.order[:-1], True)
    return with_directory(run if last.all() else run.take(np.flatnonzero(last)))
