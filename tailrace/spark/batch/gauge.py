"""Gauge: collects the metrics of operators that tasks report in a batch.

They are for the system stream of operators, and for choosing expiry strategies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pyspark import AccumulatorParam, SparkContext
from pyspark.accumulators import Accumulator

from tailrace.progress import OperatorMetrics
from tailrace.staging.stages import StagedPlan

Measures = dict[tuple[int, int], OperatorMetrics]  # by stage and step


@dataclass(frozen=True)
class BatchReport:
    """What is reported of a finished batch: its number, its duration, its plan, and the metrics of the plan's steps."""

    number: int
    seconds: float
    plan: StagedPlan
    operators: Measures = field(default_factory=dict)


class _Sums(AccumulatorParam[Any]):
    def zero(self, value: Measures) -> Measures:
        return {}

    def addInPlace(self, value1: Measures, value2: Measures) -> Measures:
        return {key: value1.get(key, NOTHING) + value2.get(key, NOTHING) for key in value1.keys() | value2.keys()}


NOTHING = OperatorMetrics()


@dataclass
class MetricsCollector:
    """Sums the metrics that tasks of the current batch report, by stage and step, in a Spark accumulator."""

    context: SparkContext
    told: Accumulator[Any] = field(init=False)

    def __post_init__(self) -> None:
        self.told = self.context.accumulator({}, _Sums())

    def of(self, stage: int) -> Callable[[dict[int, OperatorMetrics]], None]:
        """The function by which a task of this stage reports its metrics."""
        return MetricsReport(self.told, stage)

    def read(self) -> Measures:
        """Return and reset the metrics reported since the last call."""
        found: Measures = self.told.value
        self.told.value = {}
        return found


def rows_in(plan: StagedPlan, measures: Measures) -> Counter[str]:
    """How many rows came to each step, by the names of its state."""
    found: Counter[str] = Counter()
    for (stage, step), measured in measures.items():
        for name in plan.stages[stage].names.get(step, ()):
            found[name] += measured.rows_in
    return found


@dataclass(frozen=True)
class MetricsReport:
    told: Accumulator[Any]
    stage: int

    def __call__(self, steps: dict[int, OperatorMetrics]) -> None:
        self.told.add({(self.stage, step): measured for step, measured in steps.items()})
