"""Task reports: what tasks report to the driver in a batch: manifests, loads, metrics and statistics of filters.

Tasks report through a Spark accumulator. Spark passes on a report only if it also takes the task's rows, so of several
attempts at a shard one counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pyspark import AccumulatorParam, SparkContext
from pyspark.accumulators import Accumulator

from tailrace.operators.families.routing.statistics import StatsByFamily
from tailrace.progress import OperatorMetrics
from tailrace.spark.batch.skew import ShardLoad
from tailrace.staging.stages import StagedPlan

Manifests = Mapping[int, Mapping[int, str]]  # names of manifests, by stage and shard
StepMetrics = Mapping[tuple[int, int], OperatorMetrics]  # by stage and step
ShardLoads = Mapping[int, Mapping[int, ShardLoad]]  # by stage and shard
NOTHING = OperatorMetrics()


@dataclass(frozen=True)
class TaskReport:
    """What a task did with a shard of a stage: the manifest of its state, its load, and what its operators recorded."""

    stage: int
    shard: int | None = None  # None for a partition of a stage without shards: it has no state
    manifest: str | None = None
    load: ShardLoad = field(default_factory=ShardLoad)
    metrics: Mapping[int, OperatorMetrics] = field(default_factory=dict)  # by step
    statistics: StatsByFamily = field(default_factory=dict)
    measures: Mapping[str, Any] = field(default_factory=dict)  # of rows that a source task read


class _Several(AccumulatorParam[Any]):
    """Concatenates the reports of tasks."""

    def zero(self, value: list[TaskReport]) -> list[TaskReport]:
        return []

    def addInPlace(self, value1: list[TaskReport], value2: list[TaskReport]) -> list[TaskReport]:
        value1.extend(value2)
        return value1


@dataclass(frozen=True)
class TaskReports:
    """The reports of the current batch's tasks, in a Spark accumulator."""

    told: Accumulator[Any]

    @staticmethod
    def open(context: SparkContext) -> TaskReports:
        return TaskReports(context.accumulator([], _Several()))

    def add(self, report: TaskReport) -> None:
        """Report to the driver; called by a task."""
        self.told.add([report])

    def drain(self) -> list[TaskReport]:
        """Return and remove the reports since the last call."""
        found: list[TaskReport] = self.told.value
        self.told.value = []
        return found


def measures_of(reports: Iterable[TaskReport]) -> dict[int, Mapping[str, Any]]:
    """What each source task measured, by its number. Of a task that ran twice, both reports are equal."""
    return {each.shard: each.measures for each in reports if each.measures and each.shard is not None}


def manifests_of(reports: Iterable[TaskReport]) -> Manifests:
    """The reported manifests. Of a shard the last report counts: Spark reruns a task whose rows were lost."""
    found: dict[int, dict[int, str]] = {}
    for each in reports:
        if each.shard is not None and each.manifest is not None:
            found.setdefault(each.stage, {})[each.shard] = each.manifest
    return found


def loads_of(reports: Iterable[TaskReport]) -> ShardLoads:
    """The reported load of each shard; source tasks have none."""
    found: dict[int, dict[int, ShardLoad]] = {}
    for each in reports:
        if each.shard is not None and each.stage >= 0:
            found.setdefault(each.stage, {})[each.shard] = each.load
    return found


def metrics_of(reports: Iterable[TaskReport]) -> StepMetrics:
    """The metrics of each step, summed over all tasks.

    >>> metrics_of([TaskReport(0, 1, metrics={2: OperatorMetrics(5, 1)}), TaskReport(0, metrics={2: NOTHING})])
    {(0, 2): OperatorMetrics(rows_in=5, rows_out=1, seconds=0, state_rows=0, state_bytes=0)}
    """
    found: dict[tuple[int, int], OperatorMetrics] = {}
    for each in reports:
        for step, measured in each.metrics.items():
            found[each.stage, step] = found.get((each.stage, step), NOTHING) + measured
    return found


def rows_in(plan: StagedPlan, measures: StepMetrics) -> Counter[str]:
    """How many rows came to each step, by the names of its state."""
    found: Counter[str] = Counter()
    for (stage, step), measured in measures.items():
        for name in plan.stages[stage].names.get(step, ()):
            found[name] += measured.rows_in
    return found


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


def manifests_to_json(kept: Manifests) -> dict[str, dict[str, str]]:
    return {str(stage): {str(shard): name for shard, name in names.items()} for stage, names in kept.items()}


def manifests_from_json(known: dict[str, dict[str, str]]) -> Manifests:
    """Read back what `manifests_to_json` wrote.

    >>> manifests_from_json(manifests_to_json({0: {1: "3-ab.manifest"}}))
    {0: {1: '3-ab.manifest'}}
    """
    return {int(stage): {int(shard): name for shard, name in names.items()} for stage, names in known.items()}
