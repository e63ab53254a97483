"""Index: rows by the hash of their key. Probing costs a binary search in each of a few runs, whatever their size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from tailrace.physical.synopses.runs import Run, added, sorted_run


@dataclass(frozen=True)
class Pairs:
    """Which probe met which row of a run."""

    probe: np.ndarray
    row: np.ndarray


def meet(probes: np.ndarray, run: Run) -> Pairs:
    """All pairs of a probe and a row of equal hash."""
    low = np.searchsorted(run.order, probes, "left")
    high = np.searchsorted(run.order, probes, "right")
    return spread(low, high)


def spread(low: np.ndarray, high: np.ndarray) -> Pairs:
    """The pairs (i, j) with low[i] <= j < high[i]."""
    counts = np.maximum(high - low, 0)
    probe = np.repeat(np.arange(len(low)), counts)
    ends = np.cumsum(counts)
    offset = np.arange(len(probe)) - np.repeat(ends - counts, counts)
    return Pairs(probe, np.repeat(low, counts) + offset)


@dataclass(frozen=True)
class Index:
    """A bag of rows by key: what joins remember of each side. Rows whose time is over leave when runs are merged.

    The first of the columns of a row is the instant until which it is wanted.
    """

    runs: tuple[Run, ...] = ()
    past: int = -1

    def add(self, hashes: np.ndarray, columns: Sequence[pa.Array]) -> Index:
        return replace(self, runs=added(self.runs, sorted_run(hashes, columns), self._wanted))

    def _wanted(self, run: Run) -> Run:
        until = run.columns[0].to_numpy()
        alive = until > self.past + 1
        return run if alive.all() else run.take(np.flatnonzero(alive))

    def forget(self, past: int) -> Index:
        """Everything up to an instant is decided: rows that end there are wanted no more."""
        return replace(self, past=past)

    def __len__(self) -> int:
        return sum(len(run) for run in self.runs)


@dataclass(frozen=True)
class Table:
    """One row a key, the newest wins: what folds remember of each group."""

    runs: tuple[Run, ...] = ()

    def put(self, hashes: np.ndarray, columns: Sequence[pa.Array]) -> Table:
        """New rows for keys, at most one each."""
        return replace(self, runs=added(self.runs, sorted_run(hashes, columns), _newest))

    def find(self, hashes: np.ndarray, types: Sequence[pa.DataType]) -> tuple[np.ndarray, tuple[pa.Array, ...]]:
        """For each probe whether its key is there, and its row (NULLs where it is not)."""
        place = np.full(len(hashes), -1, np.int64)
        parts: list[Run] = []
        taken = 0
        for run in reversed(self.runs):
            missing = np.flatnonzero(place < 0)
            if not len(missing):
                break
            near = np.minimum(np.searchsorted(run.order, hashes[missing], "left"), len(run) - 1)
            hit = run.order[near] == hashes[missing]
            parts.append(run.take(near[hit]))
            place[missing[hit]] = taken + np.arange(int(hit.sum()))
            taken += len(parts[-1])
        return place >= 0, tuple(
            _gather([part.columns[i] for part in parts], place, type) for i, type in enumerate(types)
        )

    def __len__(self) -> int:
        return sum(len(run) for run in self.runs)


def _gather(parts: list[pa.Array], place: np.ndarray, type: pa.DataType) -> pa.Array:
    if not parts:
        return pa.nulls(len(place), type)
    return pa.concat_arrays(parts).take(pa.array(place, mask=place < 0))


def _newest(run: Run) -> Run:
    """Of the rows of one key, the last."""
    last = np.append(run.order[1:] != run.order[:-1], True)
    return run if last.all() else run.take(np.flatnonzero(last))
