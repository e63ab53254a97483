"""Runs: an immutable batch of rows sorted by one number, and the rule by which runs are merged.

A synopsis is a list of runs, newest last. A batch adds one run; runs of like size are merged, so that there
are few of them and each row is rewritten a logarithmic number of times.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

# A run is merged into the one before it when it has grown to this part of its size.
RATIO = 0.5


@dataclass(frozen=True, eq=False)
class Run:
    """Rows sorted by `order`; the columns ride along in the same order.

    `facts` are numbers that whoever made the run found out about all of its rows, so that no probe has to.
    """

    order: np.ndarray
    columns: tuple[pa.Array, ...]
    facts: tuple[int, ...] = ()

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
        return run.take(np.argsort(order, kind="stable"))
    return run


def joined(runs: Sequence[Run]) -> Run:
    """One run of all the rows, older ones first among equals."""
    order = np.concatenate([run.order for run in runs])
    columns = zip(*(run.columns for run in runs), strict=True)
    return sorted_run(order, [pa.concat_arrays(list(column)) for column in columns])


def added(runs: tuple[Run, ...], new: Run, merge: Callable[[Run], Run]) -> tuple[Run, ...]:
    """The runs with a new one; those of like size at the end are merged, `merge` tidying what comes out."""
    if not len(new):
        return runs
    found = [*runs, new]
    while len(found) > 1 and len(found[-1]) >= RATIO * len(found[-2]):
        last, before = found.pop(), found.pop()
        found.append(merge(joined([before, last])))
        if not len(found[-1]):
            found.pop()
    return tuple(found)
