"""Memory: a stream's tuples by the hash of a key, in order of time; how long they matter is said with each batch.

An instant may as well be another number that rises with time, as that of a tuple in its stream.

>>> from tailrace.state.runs import sorted_run
>>> runs = [order_by_time(sorted_run(np.array([7, 7], np.uint64), [pa.array([at, at + 1])])) for at in (0, 4)]
>>> memory = TupleIndex().add(runs[0], 0).add(runs[1], 1)
>>> [run.columns[0].to_pylist() for run in memory.runs], len(memory.since(6))
([[1, 4, 5]], 0)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from tailrace.state.key_index import Pairs, pairs_in_ranges
from tailrace.state.runs import Run, append_run, bisect, merge_runs, places, with_directory

LATEST = 0  # the fact of a run: the latest instant of its rows


@dataclass(frozen=True)
class TupleIndex:
    """Runs in order of hash and then of instant, which is a row's first column.

    A run leaves when all its rows are too old; single rows leave when runs are merged.
    """

    runs: tuple[Run, ...] = ()

    def add(self, new: Run, first: int) -> TupleIndex:
        """With the rows of a run, made by `timed`, and without those before the first instant that matters."""

        def merge_alive(runs: Sequence[Run]) -> Run:
            run = merge_runs(alike(runs))
            alive = run.columns[0].to_numpy() >= first
            return order_by_time(trim_dictionaries(run if alive.all() else run.take(np.flatnonzero(alive))))

        return TupleIndex(append_run(self.since(first).runs, new, merge_alive))

    def since(self, first: int) -> TupleIndex:
        """Without what is from before an instant."""
        return TupleIndex(tuple(run for run in self.runs if run.facts[LATEST] >= first))

    def __len__(self) -> int:
        return sum(len(run) for run in self.runs)


def order_by_time(run: Run) -> Run:
    """The run in order of hash and then of instant, with its fact."""
    instants = run.columns[0].to_numpy()
    if ((instants[1:] < instants[:-1]) & (run.order[1:] == run.order[:-1])).any():
        run = run.take(np.lexsort((instants, run.order)))
    return with_directory(replace(run, facts=(int(instants.max(initial=-1)),)))


def alike(runs: Sequence[Run]) -> list[Run]:
    """Runs that become one: a column that nobody needed when some of them were made has the type that it has now.

    >>> one, other = (Run(np.array([1]), (values,)) for values in (pa.nulls(1), pa.array(["a"])))
    >>> [str(run.columns[0].type) for run in alike([one, other])]
    ['string', 'string']
    """
    several = zip(*(run.columns for run in runs), strict=True)
    types = [next((each.type for each in columns if each.type != pa.null()), pa.null()) for columns in several]
    return [replace(run, columns=tuple(map(with_type, run.columns, types))) for run in runs]


def with_type(column: pa.Array, type: pa.DataType) -> pa.Array:
    """The column; one that nobody needed, as NULLs of this type."""
    return pa.nulls(len(column), type) if column.type == pa.null() else column


def trim_dictionaries(run: Run) -> Run:
    """The run without values in dictionaries that none of its rows has."""
    return replace(run, columns=tuple(map(_trim_dictionary, run.columns)))


def _trim_dictionary(column: pa.Array) -> pa.Array:
    if not isinstance(column, pa.DictionaryArray):
        return column
    used, places = np.unique(column.indices.to_numpy(), return_inverse=True)
    if len(used) == len(column.dictionary):
        return column
    return pa.DictionaryArray.from_arrays(pa.array(places.astype(np.int32)), column.dictionary.take(pa.array(used)))


def between(run: Run, hashes: np.ndarray, first: np.ndarray, last: np.ndarray) -> Pairs:
    """Each probe with the rows of its hash whose instants are from its first up to its last one."""
    low, high = places(run, hashes)
    probe = np.flatnonzero(low < high)
    instants = run.columns[0].to_numpy()
    low, high = low[probe], high[probe]
    low = bisect(instants, low, high, first[probe])
    pairs = pairs_in_ranges(low, bisect(instants, low, high, last[probe] + 1))
    return Pairs(probe[pairs.probe], pairs.row)
