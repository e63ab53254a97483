"""Numbered tuples: what windows that count tuples remember of each partition of a stream."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

from tailrace.state.key_index import KeyTable
from tailrace.state.resharding import Shard, ShardKey
from tailrace.state.runs import Run, find_groups, split_runs


@dataclass(frozen=True)
class NumberedTuples:
    """Tuples by group id, each with its number as first column; a row window's numbers have no gaps in a run."""

    counts: KeyTable = field(default_factory=KeyTable)  # of each partition: the tuples it has had
    tuples: tuple[Run, ...] = ()

    def split(self, key: ShardKey, shard: Shard) -> Self:
        counts = self.counts.split(key, shard)
        return type(self)(counts, split_runs(self.tuples, lambda run: find_groups(run.order, counts.group_ids)))

    @classmethod
    def merge(cls, parts: Sequence[Self]) -> Self:
        """Runs stay as they are: in merged ones the numbers of a group id could have gaps."""
        counts = KeyTable.merge([part.counts for part in parts])
        return cls(counts, tuple(run for part in parts for run in part.tuples))
