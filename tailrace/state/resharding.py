"""Resharding: splits and merges the state of operators when the number of shards changes.

Each new shard takes its part of the state of every old shard: the rows whose key Spark's shuffle would send there. Rows
that do not hold the key have a group id, and the row of that group holds the key. Two shards never have state for the
same key, so the parts are merged by merging their runs.

A state is a synopsis, a Delta, or a tuple of these. A synopsis has `split`, for its part in a shard, and `merge`. Law:
the parts that a state is split into for all shards, merged, are the state. An operator only says which columns of the
rows hold the key (`Operator.shard_columns`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tailrace.columnar.delta import Delta, concat
from tailrace.columnar.spark_hash import shards_of

# The columns by which rows are sharded. Without columns all rows are in one shard; None: rows may be in any shard.
ShardKey = tuple[int, ...] | None
AS_BEFORE = "run with as many shards as before, or name a new folder to start empty"


@dataclass(frozen=True)
class Shard:
    """Shard `number` of `shards`."""

    number: int
    shards: int

    def find_rows(self, columns: Sequence[pa.Array], length: int, key: ShardKey) -> np.ndarray:
        """The indexes of rows that belong to this shard. Without a key, rows are spread evenly.

        >>> Shard(1, 2).find_rows([pa.array([3, 4, 5, 6])], 4, (0,)).tolist()
        [0, 3]
        """
        if key is None:
            return np.arange(self.number, length, self.shards)
        return np.flatnonzero(shards_of([columns[place] for place in key], length, self.shards) == self.number)


def split_state(state: Any, keys: Sequence[ShardKey], shard: Shard) -> Any:
    """The part of an operator's state that belongs to a shard; `keys` has the columns of the key in each synopsis."""
    match state:
        case tuple():
            return tuple(split_state(part, [key], shard) for part, key in zip(state, keys, strict=True))
        case Delta():
            return state.take(shard.find_rows(state.columns, len(state), keys[0]))
    return state.split(keys[0], shard)


def merge_states(parts: Sequence[Any]) -> Any:
    """Merge parts of an operator's state into one state."""
    match parts[0]:
        case tuple():
            return tuple(map(merge_states, zip(*parts, strict=True)))
        case Delta():
            return concat(list(parts), parts[0].types)
    return type(parts[0]).merge(parts)


def shift_key(key: ShardKey, width: int) -> ShardKey:
    """A key's columns in rows that have `width` other columns before them."""
    return None if key is None else tuple(width + column for column in key)


def find_in_table(key: ShardKey, columns: Sequence[int]) -> ShardKey:
    """A key's columns in a KeyTable, whose rows have one column before these columns of the input.

    >>> find_in_table((7,), (4, 7))
    (2,)
    """
    return None if key is None else tuple(1 + columns.index(column) for column in key)
