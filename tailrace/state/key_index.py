"""Key index: rows that are found by the hash of their key. A lookup is a binary search in each of a few runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from tailrace.columnar.delta import FOREVER, Delta
from tailrace.columnar.keys import hashes as hashes_of
from tailrace.columnar.segments import heads, sum_equal_rows
from tailrace.errors import RunError
from tailrace.state.resharding import AS_BEFORE, Shard, ShardKey
from tailrace.state.runs import (
    Run,
    Synopsis,
    append_run,
    bisect,
    find_groups,
    first_places,
    merge_all,
    merge_runs,
    places,
    sorted_run,
    split_runs,
    with_directory,
)
from tailrace.state.state_classes import register_state


@dataclass(frozen=True)
class Pairs:
    """Matches of probes with rows of a run: `probe[i]` matches `row[i]`, both by index."""

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


TIMES = 3  # the first columns of a row in an IntervalIndex: until, start, weight


@register_state("interval-index")
@dataclass(frozen=True)
class IntervalIndex(Synopsis):
    """Rows with their intervals, found by key: what a join remembers of one of its inputs.

    Runs are in order of hash and then of start. The first three columns of a row are its until, start and weight. A
    run is dropped when all its rows have ended by the instant `past`; single rows are dropped when runs are merged.
    """

    past: int = -1

    def add(self, new: Run) -> IntervalIndex:
        """Add a run that `order_by_start` made."""
        return replace(self, runs=append_run(self.runs, new, self._merge))

    def _merge(self, runs: Sequence[Run]) -> Run:
        def choose_alive(run: Run, order: np.ndarray) -> np.ndarray:
            alive = run.columns[0].to_numpy() > self.past + 1
            return order if alive.all() else order[alive[order]]

        return order_by_start(consolidate_forever(merge_runs(runs, choose_alive), self.past))

    def forget(self, past: int) -> IntervalIndex:
        """Drop the runs whose rows hold at no instant after `past`: everything up to `past` is decided."""
        return IntervalIndex(tuple(run for run in self.runs if run.facts[LATEST] > past + 1), past)

    @classmethod
    def merge(cls, parts: Sequence[IntervalIndex]) -> IntervalIndex:
        empty = cls((), max(part.past for part in parts))
        return replace(empty, runs=merge_all((part.runs for part in parts), empty._merge))


def consolidate_forever(run: Run, past: int) -> Run:
    """Cancel equal rows without end of both signs that began by `past`: after it, their starts do not matter."""
    until, start, weight = (column.to_numpy() for column in run.columns[:3])
    lasts = (until == FOREVER) & (start <= past)
    if not (lasts & (weight < 0)).any():
        return run
    old = np.flatnonzero(lasts)
    columns = [column.take(pa.array(old)) for column in run.columns[3:]]
    first, sums = sum_equal_rows([pa.array(run.order[old].view(np.int64)), *columns], weight[old])
    weight = weight.copy()
    weight[old[first]] = sums
    kept = np.sort(np.concatenate([np.flatnonzero(~lasts), old[first]]))
    return Run(run.order, (*run.columns[:2], pa.array(weight), *run.columns[3:])).take(kept)


# The facts of an IntervalIndex's run: whether the rows of each hash are also in order of end, and the latest end.
ENDS_RISE, LATEST = 0, 1


def order_by_start(run: Run) -> Run:
    """Sort a run by hash and then by start, and compute its facts."""
    start = run.columns[1].to_numpy()
    if not _rises(run.order, start):
        run = run.take(np.lexsort((start, run.order)))
    until = run.columns[0].to_numpy()
    return with_directory(replace(run, facts=(int(_rises(run.order, until)), int(until.max(initial=0)))))


def index_rows(delta: Delta, keys: Sequence[tuple[pa.Array, bool]], columns: Sequence[pa.Array]) -> Run:
    """A run for an IntervalIndex, of a delta's rows with these columns; each key says whether NULL equals NULL in it.

    A row that has a NULL in another key is left out, since it can never match.
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
    """Whether the numbers never fall among rows of equal order."""
    return not ((numbers[1:] < numbers[:-1]) & (order[1:] == order[:-1])).any()


def meet(hashes: np.ndarray, start: np.ndarray, until: np.ndarray, run: Run) -> Pairs:
    """The pairs of a probe and a row of equal hash that share an instant, and perhaps some that do not.

    The probes are in order of their hashes. The rows of a hash are in order of start, so the rows that begin too late
    are the last of them. If they are in order of end, too, as a window's rows are, the rows that ended too early are
    the first of them. Binary searches skip both.
    """
    first = heads(hashes)
    times = np.diff(np.append(first, len(hashes)))
    low, high = (np.repeat(place, times) for place in places(run, hashes[first]))
    # Most probes find rows in few of the runs.
    probe = np.flatnonzero(low < high)
    low, high = low[probe], high[probe]
    high = bisect(run.columns[1].to_numpy(), low, high, until[probe])
    if run.facts[ENDS_RISE]:
        low = bisect(run.columns[0].to_numpy(), low, high, start[probe] + 1)
    pairs = pairs_in_ranges(low, high)
    return Pairs(probe[pairs.probe], pairs.row)


@register_state("key-table")
@dataclass(frozen=True)
class KeyTable(Synopsis):
    """One row for each key, the newest counts: what aggregates and row windows remember of each group."""

    def put(self, hashes: np.ndarray, columns: Sequence[pa.Array]) -> KeyTable:
        """Add or replace the rows of keys, at most one row for each."""
        return replace(self, runs=append_run(self.runs, with_directory(sorted_run(hashes, columns)), keep_newest))

    def locate(self, hashes: np.ndarray) -> np.ndarray:
        """The places of keys' rows, counted through all runs from the oldest; −1 for a key without a row."""
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
        """The first columns, of these types, of the rows at places that `locate` gave; NULLs at the place −1."""
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

    @property
    def group_ids(self) -> np.ndarray:
        """The group ids of all keys."""
        return np.concatenate([np.empty(0, np.uint64), *(run.order for run in self.runs)])

    def split(self, key: ShardKey, shard: Shard) -> KeyTable:
        """The rows of a shard; group ids that follow each other, through which lookups walk, stay together."""
        assert key, "a table without keys is in one shard"
        if not self.runs:
            return self
        run = keep_newest(self.runs)
        chosen = shard.find_rows(run.columns, len(run), key)
        near = np.flatnonzero(np.diff(run.order) == 1)
        here = np.isin(np.arange(len(run)), chosen)
        if (here[near] != here[near + 1]).any():
            raise RunError("two keys of a state have one hash, and belong to different shards", hint=AS_BEFORE)
        return KeyTable(split_runs([run], lambda _: chosen))

    def of_groups(self, group_ids: np.ndarray) -> KeyTable:
        """The rows of keys that begin with a group id of another table, one of these."""
        runs = [keep_newest(self.runs)] if self.runs else []
        return KeyTable(split_runs(runs, lambda run: find_groups(run.columns[1].to_numpy(), group_ids)))

    @classmethod
    def merge(cls, parts: Sequence[KeyTable]) -> KeyTable:
        def merge_different(runs: Sequence[Run]) -> Run:
            run = keep_newest(runs)
            if len(run) < sum(map(len, runs)):
                raise RunError("two keys of different shards have one hash", hint=AS_BEFORE)
            return run

        return cls(merge_all((part.runs for part in parts), merge_different))


def _gather(parts: list[pa.Array], place: np.ndarray, type: pa.DataType) -> pa.Array:
    if not parts:
        return pa.nulls(len(place), type)
    return pa.concat_arrays(parts).take(pa.array(place, mask=place < 0))


def keep_newest(runs: Sequence[Run]) -> Run:
    """Merge runs and keep the newest row of each key."""

    def choose_newest(run: Run, order: np.ndarray) -> np.ndarray:
        hashes = run.order[order]
        last = np.append(hashes[1:] != hashes[:-1], True)
        return order if last.all() else order[last]

    return with_directory(merge_runs(runs, choose_newest))
