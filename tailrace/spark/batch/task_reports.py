"""Task reports: collects the manifests that tasks wrote, and the load of each shard.

Tasks report through a Spark accumulator. Spark passes on a report only if it also takes the task's rows, so of several
attempts at a shard one counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pyspark import AccumulatorParam, SparkContext
from pyspark.accumulators import Accumulator

from tailrace.spark.batch.skew import ShardLoad

Manifests = dict[int, dict[int, str]]  # names of manifests, by stage and shard
Told = dict[tuple[int, int], tuple[str, ShardLoad]]  # name of the manifest and load, by stage and shard


class _Latest(AccumulatorParam[Any]):
    """Keeps the latest report for each stage and shard: Spark reruns a task whose rows were lost."""

    def zero(self, value: Told) -> Told:
        return {}

    def addInPlace(self, value1: Told, value2: Told) -> Told:
        value1.update(value2)
        return value1


@dataclass
class ManifestCollector:
    """The reports of the current batch's tasks; `loads` has the shards' loads of the last batch."""

    context: SparkContext
    told: Accumulator[Any] | None = None
    loads: dict[int, dict[int, ShardLoad]] = field(default_factory=dict)  # by stage and shard

    def of(self, stage: int) -> Callable[[int, str, ShardLoad], None]:
        """The function by which a task of this stage reports its shard, its manifest and its load."""
        if self.told is None:
            self.told = self.context.accumulator({}, _Latest())
        return ManifestReport(self.told, stage)

    def drain(self) -> Manifests:
        """Return and reset the manifests reported since the last call; the reported loads become `loads`."""
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
    """Find on disk, by `saved`, the manifests that no task reported; `shards` is each stage's number of shards.

    A cached stage output is not computed again: a retried task that finds it in the cache reports nothing, and Spark
    may take that task and discard the report of the one that wrote the state. All attempts at a batch leave equal
    state, so any manifest will do.

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
    """Read back what `to_json` wrote.

    >>> from_json(to_json({0: {1: "3-ab.manifest"}}))
    {0: {1: '3-ab.manifest'}}
    """
    return {int(stage): {int(shard): name for shard, name in names.items()} for stage, names in known.items()}
