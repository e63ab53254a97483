"""School: what the eddies of all workers learn in a batch, for all of them in the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pyspark import AccumulatorParam, SparkContext
from pyspark.accumulators import Accumulator

from tailrace.operators.families.routing.statistics import Taught, together

LASTING = 0.5  # how much what was known counts after another batch


class _Several(AccumulatorParam[Any]):
    """Lists of what tasks learned."""

    def zero(self, value: list[Taught]) -> list[Taught]:
        return []

    def addInPlace(self, value1: list[Taught], value2: list[Taught]) -> list[Taught]:
        return [*value1, *value2]


@dataclass
class StatisticsCollector:
    """What is known by family, and what tasks are about to tell."""

    context: SparkContext
    known: Taught = field(default_factory=dict)
    told: Accumulator[Any] | None = None

    def take_in(self) -> Callable[[Taught], None]:
        """What a task calls with what it learned."""
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
