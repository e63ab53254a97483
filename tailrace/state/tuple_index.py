"""Tuple index: a stream's tuples, found by the hash of a key, in order of time.

Each batch says how old tuples may be to be kept. In place of an instant a tuple may have another number that rises with
time, such as its row number in the stream.

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
from tailrace.state.runs import Run, Synopsis, append_run, bisect, merge_all, merge_runs, places, with_directory
from tailrace.state.state_classes import register_state

LATEST = 0  # the one fact of a run: the latest instant of its rows


@register_state("tuple-index")
@dataclass(frozen=True)
class TupleIndex(Synopsis):
    """Runs by hash and then instant, a row's first column; too old runs are dropped, single rows when runs merge."""

    def add(self, new: Run, first: int) -> TupleIndex:
        """Add a run that `order_by_time` made, and drop tuples from before the instant `first`."""

        def merge_alive(runs: Sequence[Run]) -> Run:
            run = merge_runs(alike(runs))
            alive = run.columns[0].to_numpy() >= first
            return order_by_time(trim_dictionaries(run if alive.all() else run.take(np.flatnonzero(alive))))

        return TupleIndex(append_run(self.since(first).runs, new, merge_alive))

    def since(self, first: int) -> TupleIndex:
        """Drop the runs in which all tuples are from before the instant `first`."""
        return TupleIndex(tuple(run for run in self.runs if run.facts[LATEST] >= first))

    @classmethod
    def merge(cls, parts: Sequence[TupleIndex]) -> TupleIndex:
        def merge_alike(runs: Sequence[Run]) -> Run:
            return order_by_time(trim_dictionaries(merge_runs(alike(runs))))

        return cls(merge_all((part.runs for part in parts), merge_alike))


def order_by_time(run: Run) -> Run:
    """Sort a run by hash and then by instant, and compute its fact."""
    instants = run.columns[0].to_numpy()
    if ((instants[1:] < instants[:-1]) & (run.order[1:] == run.order[:-1])).any():
        run = run.take(np.lexsort((instants, run.order)))
    return with_directory(replace(run, facts=(int(instants.max(initial=-1)),)))


def alike(runs: Sequence[Run]) -> list[Run]:
    """Give runs the same column types, so that they can be merged.

    A column that no query needed when a run was made has the type NULL in that run.

    >>> one, other = (Run(np.array([1]), (values,)) for values in (pa.nulls(1), pa.array(["a"])))
    >>> [str(run.columns[0].type) for run in alike([one, other])]
    ['string', 'string']
    """
    several = zip(*(run.columns for run in runs), strict=True)
    types = [next((each.type for each in columns if each.type != pa.null()), pa.null()) for columns in several]
    return [replace(run, columns=tuple(map(with_type, run.columns, types))) for run in runs]


def with_type(column: pa.Array, type: pa.DataType) -> pa.Array:
    """The column; a column of type NULL, which no query needed, becomes NULLs of this type."""
    return pa.nulls(len(column), type) if column.type == pa.null() else column


def trim_dictionaries(run: Run) -> Run:
    """Drop values from the run's dictionaries that none of its rows has."""
    return replace(run, columns=tuple(map(_trim_dictionary, run.columns)))


def _trim_dictionary(column: pa.Array) -> pa.Array:
    if not isinstance(column, pa.DictionaryArray):
        return column
    used, places = np.unique(column.indices.to_numpy(), return_inverse=True)
    if len(used) == len(column.dictionary):
        return column
    return pa.DictionaryArray.from_arrays(pa.array(places.astype(np.int32)), column.dictionary.take(pa.array(used)))


def between(run: Run, hashes: np.ndarray, first: np.ndarray, last: np.ndarray) -> Pairs:
    """Match each probe with the rows of its hash whose instants are from `first` up to and including `last`."""
    low, high = places(run, hashes)
    probe = np.flatnonzero(low < high)
    instants = run.columns[0].to_numpy()
    low, high = low[probe], high[probe]
    low = bisect(instants, low, high, first[probe])
    pairs = pairs_in_ranges(low, bisect(instants, low, high, last[probe] + 1))
    return Pairs(probe[pairs.probe], pairs.row)
