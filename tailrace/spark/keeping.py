"""Keeping: under which names tasks kept the state of their shards, and of how many rows, as they tell the driver.

Spark hands on what a task tells only if it takes the task's rows too. So of several attempts at a shard one counts, and
the state that the next batch starts from is of the attempt whose rows were delivered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pyspark import AccumulatorParam, SparkContext
from pyspark.accumulators import Accumulator

Kept = dict[int, dict[int, str]]  # by stage and shard the name of a manifest
Told = dict[tuple[int, int], tuple[str, int]]  # by stage and shard that name, and how many rows there were
# A batch of so many rows is looked at, and a shard that has so many times its share of them is told of.
LOOKED_AT, TIMES = 100_000, 3.0


class _Latest(AccumulatorParam[Any]):
    """Names by stage and shard; Spark runs a task again whose rows were lost, and then the later one counts."""

    def zero(self, value: Told) -> Told:
        return {}

    def addInPlace(self, value1: Told, value2: Told) -> Told:
        value1.update(value2)
        return value1


@dataclass
class Keeping:
    """What tasks have told of the batch at hand."""

    context: SparkContext
    told: Accumulator[Any] | None = None
    rows: dict[int, dict[int, int]] = field(default_factory=dict)  # of the last batch, by stage and shard

    def of(self, stage: int) -> Callable[[int, str, int], None]:
        """What a task of this stage calls with its shard, the name, and how many rows it had."""
        if self.told is None:
            self.told = self.context.accumulator({}, _Latest())
        return Telling(self.told, stage)

    def taken(self) -> Kept:
        """What was told since it was last asked."""
        if self.told is None:
            return {}
        found, self.told.value = self.told.value, {}
        kept: Kept = {}
        self.rows = {}
        for (stage, shard), (name, rows) in found.items():
            kept.setdefault(stage, {})[shard] = name
            self.rows.setdefault(stage, {})[shard] = rows
        return kept


@dataclass(frozen=True)
class Telling:
    told: Accumulator[Any]
    stage: int

    def __call__(self, shard: int, name: str, rows: int) -> None:
        self.told.add({(self.stage, shard): (name, rows)})


def skew(rows: Mapping[int, int]) -> tuple[int, float] | None:
    """The shard that has far more than its share of a stage's rows, and its part of them.

    >>> skew({0: 900_000, 1: 30_000, 2: 40_000, 3: 30_000}), skew({0: 300_000, 1: 200_000}), skew({0: 9, 1: 0})
    ((0, 0.9), None, None)
    """
    total = sum(rows.values())
    if total < LOOKED_AT:
        return None
    shard = max(rows, key=rows.__getitem__)
    part = rows[shard] / total
    return (shard, part) if part * len(rows) >= TIMES else None


def to_json(kept: Kept) -> dict[str, dict[str, str]]:
    return {str(stage): {str(shard): name for shard, name in names.items()} for stage, names in kept.items()}


def from_json(known: dict[str, dict[str, str]]) -> Kept:
    """As it was.

    >>> from_json(to_json({0: {1: "3-ab.manifest"}}))
    {0: {1: '3-ab.manifest'}}
    """
    return {int(stage): {int(shard): name for shard, name in names.items()} for stage, names in known.items()}
