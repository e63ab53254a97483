"""Keeping: under which names tasks kept the state of their shards, as they tell the driver.

Spark hands on what a task tells only if it takes the task's rows too. So of several attempts at a shard one counts, and
the state that the next batch starts from is of the attempt whose rows were delivered.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pyspark import AccumulatorParam, SparkContext
from pyspark.accumulators import Accumulator

Kept = dict[int, dict[int, str]]  # by stage and shard the name of a manifest


class _Latest(AccumulatorParam[Any]):
    """Names by stage and shard; Spark runs a task again whose rows were lost, and then the later one counts."""

    def zero(self, value: dict[tuple[int, int], str]) -> dict[tuple[int, int], str]:
        return {}

    def addInPlace(
        self, value1: dict[tuple[int, int], str], value2: dict[tuple[int, int], str]
    ) -> dict[tuple[int, int], str]:
        value1.update(value2)
        return value1


@dataclass
class Keeping:
    """What tasks have told of the batch at hand."""

    context: SparkContext
    told: Accumulator[Any] | None = None

    def of(self, stage: int) -> Callable[[int, str], None]:
        """What a task of this stage calls with its shard and the name."""
        if self.told is None:
            self.told = self.context.accumulator({}, _Latest())
        return Telling(self.told, stage)

    def taken(self) -> Kept:
        """What was told since it was last asked."""
        if self.told is None:
            return {}
        found, self.told.value = self.told.value, {}
        kept: Kept = {}
        for (stage, shard), name in found.items():
            kept.setdefault(stage, {})[shard] = name
        return kept


@dataclass(frozen=True)
class Telling:
    told: Accumulator[Any]
    stage: int

    def __call__(self, shard: int, name: str) -> None:
        self.told.add({(self.stage, shard): name})


def to_json(kept: Kept) -> dict[str, dict[str, str]]:
    return {str(stage): {str(shard): name for shard, name in names.items()} for stage, names in kept.items()}


def from_json(known: dict[str, dict[str, str]]) -> Kept:
    """As it was.

    >>> from_json(to_json({0: {1: "3-ab.manifest"}}))
    {0: {1: '3-ab.manifest'}}
    """
    return {int(stage): {int(shard): name for shard, name in names.items()} for stage, names in known.items()}
