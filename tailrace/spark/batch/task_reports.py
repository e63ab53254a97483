"""Keeping: under which names tasks kept the state of their shards, and of how many rows, as they tell the driver.

Spark hands on what a task tells only if it takes the task's rows too. So of several attempts at a shard one counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pyspark import AccumulatorParam, SparkContext
from pyspark.accumulators import Accumulator

from tailrace.spark.batch.skew import ShardLoad

Manifests = dict[int, dict[int, str]]  # by stage and shard the name of a manifest
Told = dict[tuple[int, int], tuple[str, ShardLoad]]  # by stage and shard that name, and what the rows weighed


class _Latest(AccumulatorParam[Any]):
    """Names by stage and shard; Spark runs a task again whose rows were lost, and then the later one counts."""

    def zero(self, value: Told) -> Told:
        return {}

    def addInPlace(self, value1: Told, value2: Told) -> Told:
        value1.update(value2)
        return value1


@dataclass
class ManifestCollector:
    """What tasks have told of the batch at hand."""

    context: SparkContext
    told: Accumulator[Any] | None = None
    loads: dict[int, dict[int, ShardLoad]] = field(default_factory=dict)  # of the last batch, by stage and shard

    def of(self, stage: int) -> Callable[[int, str, ShardLoad], None]:
        """What a task of this stage calls with its shard, the name, and what its rows weighed."""
        if self.told is None:
            self.told = self.context.accumulator({}, _Latest())
        return ManifestReport(self.told, stage)

    def drain(self) -> Manifests:
        """What was told since it was last asked."""
        if self.told is None:
            return {}
        found, self.told.value = self.told.value, {}
        kept: Manifests = {}
        self.loads = {}
        for (stage, shard), (name, load) in found.items():
            kept.setdefault(stage, {})[shard] = name
            self.loads.setdefault(stage, {})[shard] = load
        return kept


@dataclass(frozen=True)
class ManifestReport:
    told: Accumulator[Any]
    stage: int

    def __call__(self, shard: int, name: str, load: ShardLoad) -> None:
        self.told.add({(self.stage, shard): (name, load)})


def fill_missing_manifests(
    kept: Manifests, shards: Mapping[int, int], saved: Callable[[int, int], str | None]
) -> Manifests:
    """What was told, and for shards of which nothing was, what is `saved`; each stage has so many.

    Rows that several read are held by the executor that made them. Another attempt that finds them there makes none,
    and has nothing to tell; if Spark takes that one, the one that did the work is not heard. What attempts at one batch
    leave is the same, so any of them will do.

    >>> fill_missing_manifests({0: {1: "3-ab.manifest"}}, {0: 2}, lambda stage, shard: f"3-{stage}{shard}.manifest")
    {0: {1: '3-ab.manifest', 0: '3-00.manifest'}}
    """
    found = {stage: dict(names) for stage, names in kept.items()}
    for stage, count in shards.items():
        for shard in range(count):
            name = None if shard in found.get(stage, {}) else saved(stage, shard)
            if name is not None:
                found.setdefault(stage, {})[shard] = name
    return found


def to_json(kept: Manifests) -> dict[str, dict[str, str]]:
    return {str(stage): {str(shard): name for shard, name in names.items()} for stage, names in kept.items()}


def from_json(known: dict[str, dict[str, str]]) -> Manifests:
    """As it was.

    >>> from_json(to_json({0: {1: "3-ab.manifest"}}))
    {0: {1: '3-ab.manifest'}}
    """
    return {int(stage): {int(shard): name for shard, name in names.items()} for stage, names in known.items()}
