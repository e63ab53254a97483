"""Runs: an immutable batch of rows sorted by one number, and the rule by which runs are merged.

A synopsis is a list of runs, newest last. A batch adds one run. When the newer runs together have outgrown an older
one, they are merged with it, all at once: so there are few runs, and each row is rewritten few times (a thousand
batches: five runs, five times).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from tailrace.physical.sorting import stable_order


@dataclass(frozen=True, eq=False)
class Run:
    """Rows sorted by `order`; the columns ride along in the same order.

    `facts` are numbers that whoever made the run found out about all of its rows, so that no probe has to;
    `directory` tells where to search in a long run that is ordered by hashes (see search).
    """

    order: np.ndarray
    columns: tuple[pa.Array, ...]
    facts: tuple[int, ...] = ()
    directory: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.order)

    def take(self, indexes: np.ndarray) -> Run:
        taken = pa.array(indexes)
        return Run(self.order[indexes], tuple(column.take(taken) for column in self.columns))

    def slice(self, start: int, stop: int) -> Run:
        return Run(self.order[start:stop], tuple(column.slice(start, stop - start) for column in self.columns))


def sorted_run(order: np.ndarray, columns: Sequence[pa.Array]) -> Run:
    """A run of rows that come in any order; rows of equal order keep theirs."""
    run = Run(order, tuple(columns))
    if len(order) > 1 and (order[1:] < order[:-1]).any():
        return run.take(stable_order(order))
    return run


def stacked(runs: Sequence[Run]) -> Run:
    """The rows of runs one after the other, which is a run only where their orders follow each other."""
    if len(runs) == 1:
        return runs[0]
    columns = zip(*(run.columns for run in runs), strict=True)
    return Run(np.concatenate([run.order for run in runs]), tuple(pa.concat_arrays(list(each)) for each in columns))


def joined(runs: Sequence[Run]) -> Run:
    """One run of all the rows, older ones first among equals."""
    if len(runs) == 1:
        return runs[0]
    # NumPy's stable sort finds the runs again and merges them; it is no slower than a merge of our own would be.
    whole = stacked(runs)
    return whole.take(np.argsort(whole.order, kind="stable"))


def added(runs: tuple[Run, ...], new: Run, merge: Callable[[Sequence[Run]], Run]) -> tuple[Run, ...]:
    """The runs with a new one; the newest ones are made one by `merge` when they have outgrown the one before."""
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
