"""Tally: how many rows came to each step in a batch, as all tasks tell the driver."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pyspark import AccumulatorParam, SparkContext
from pyspark.accumulators import Accumulator


class _Sum(AccumulatorParam[Any]):
    """Rows by the names of steps."""

    def zero(self, value: Counter[str]) -> Counter[str]:
        return Counter()

    def addInPlace(self, value1: Counter[str], value2: Counter[str]) -> Counter[str]:
        value1.update(value2)
        return value1


@dataclass
class Tally:
    """What tasks are about to tell."""

    context: SparkContext
    told: Accumulator[Any] | None = None

    def take_in(self) -> Callable[[Mapping[str, int]], None]:
        """What a task calls with the rows of its steps."""
        if self.told is None:
            self.told = self.context.accumulator(Counter(), _Sum())
        return Telling(self.told)

    def taken(self) -> Mapping[str, int]:
        """The rows of a batch."""
        if self.told is None:
            return {}
        found, self.told.value = self.told.value, Counter()
        return dict(found)


@dataclass(frozen=True)
class Telling:
    told: Accumulator[Any]

    def __call__(self, rows: Mapping[str, int]) -> None:
        self.told.add(Counter(rows))
