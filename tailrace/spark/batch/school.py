"""School: collects the filter statistics that eddies of all workers learn in a batch, and gives them to the next.

So an eddy of the next batch begins with what all workers know, in whichever worker it runs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pyspark import AccumulatorParam, SparkContext
from pyspark.accumulators import Accumulator

from tailrace.operators.families.routing.statistics import Taught, together

LASTING = 0.5  # the factor by which a batch decays what was known before it


class _Several(AccumulatorParam[Any]):
    """Concatenates the statistics of tasks."""

    def zero(self, value: list[Taught]) -> list[Taught]:
        return []

    def addInPlace(self, value1: list[Taught], value2: list[Taught]) -> list[Taught]:
        return [*value1, *value2]


@dataclass
class StatisticsCollector:
    """The statistics known so far, by family, and the accumulator to which tasks of a batch report new ones."""

    context: SparkContext
    known: Taught = field(default_factory=dict)
    told: Accumulator[Any] | None = None

    def take_in(self) -> Callable[[Taught], None]:
        """The function by which a task reports the statistics it learned."""
        if self.told is None:
            self.told = self.context.accumulator([], _Several())
        return StatisticsReport(self.told)

    def after_a_batch(self) -> None:
        if self.told is not None and self.told.value:
            self.known = together(self.known, self.told.value, LASTING)
            self.told.value = []


@dataclass(frozen=True)
class StatisticsReport:
    told: Accumulator[Any]

    def __call__(self, lessons: Taught) -> None:
        self.told.add([lessons])
