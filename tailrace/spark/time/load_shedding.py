"""Shedding: while batches fall behind, a share of the rows that come is dropped at the source, and counted.

A row is kept or dropped by its lot, as in a sample, so a batch that is run again drops the same rows: the share of a
batch is in the note of the batch before. Dropped rows still tell the time. Only streams' rows are dropped: a relation
without one of its changes would be wrong for good.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from tailrace.catalog.sources import Stream
from tailrace.logical.expressions import Column, SampleTest
from tailrace.logical.sampling import SampleRate
from tailrace.logical.spark_sql import INSTANT, spark_text
from tailrace.progress import RejectedCount
from tailrace.spark.io.sources import SOURCE, SourceLayout
from tailrace.spark.io.stage_sql import column_text

SEED = 0x5EED_0F_5ED5  # of its own, so that a user's samples are drawn apart from what is dropped
WHOLE, LEAST = Decimal(100), Decimal("1.5625")
AGREEING = 2  # so many batches in a row
EASY = 0.5  # of the target time: twice the share would do


@dataclass
class LoadShedder:
    """The share that the next batch takes, and how many rows of each source were dropped so far.

    A batch falls behind if it takes longer than the target and more waits: it took all that it might, or more came
    than with the one before. Then the share is halved; once batches are easy again, it is doubled.
    """

    target: float  # seconds
    on: bool = False
    percent: Decimal = WHOLE
    counts: dict[str, int] = field(default_factory=dict)
    behind: int = 0  # batches in a row that fell behind
    easy: int = 0  # that were easy
    rows: int = 0  # of the last batch

    @property
    def is_active(self) -> bool:
        return self.percent < WHOLE

    def took(self, rows: int, full: bool, seconds: float) -> None:
        """What a batch took, and how long; what the next one takes follows."""
        falls_behind = seconds > self.target and (full or rows > self.rows)
        is_easy = seconds < self.target * EASY and not full
        self.behind, self.easy = (self.behind + 1) * falls_behind, (self.easy + 1) * is_easy
        self.rows = rows
        if not self.on:
            self.percent = WHOLE
        elif self.behind >= AGREEING:
            self.percent, self.behind = max(self.percent / 2, LEAST), 0
        elif self.easy >= AGREEING:
            self.percent, self.easy = min(self.percent * 2, WHOLE), 0

    # In Spark SQL -------------------------------------------------------------------------------------

    def sampling_filter(self, shape: SourceLayout, numbers: Sequence[int], instant: str = INSTANT) -> str:
        """Which rows stay, of a table in this shape."""
        cases = "".join(
            f" WHEN {number} THEN {self.sample_test_sql(shape, number, instant)}"
            for number in of_streams(shape, numbers)
        )
        return f"CASE {SOURCE}{cases} ELSE true END" if cases else "true"

    def sample_test_sql(self, shape: SourceLayout, number: int, instant: str) -> str:
        schema = shape.sources[number].schema
        columns = tuple(Column(column, schema[column].type) for column in shape.columns[number])
        text = spark_text(SampleTest(SampleRate(self.percent, SEED), columns), column_text(shape.slots(number)))
        return text.replace(INSTANT, instant)

    def batch_measures(
        self, shape: SourceLayout, numbers: Sequence[int], instant: str, taking_part: str
    ) -> dict[str, str]:
        """What to ask of a batch besides: of each source how many of the rows that take part are dropped."""
        if not self.is_active:
            return {}
        return {
            f"shed{number}": f"count_if({SOURCE} = {number} AND {taking_part} AND "
            f"NOT {self.sample_test_sql(shape, number, instant)})"
            for number in of_streams(shape, numbers)
        }

    # Counts -------------------------------------------------------------------------------------------

    def count(self, seen: Mapping[str, Any], shape: SourceLayout) -> None:
        """What a batch showed."""
        for number, source in enumerate(shape.sources):
            if rows := seen.get(f"shed{number}"):
                self.counts[source.name] = self.counts.get(source.name, 0) + rows

    def shed_counts(self) -> tuple[RejectedCount, ...]:
        return tuple(RejectedCount(name, rows) for name, rows in self.counts.items())

    # Memory -------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        return {"percent": str(self.percent), "counts": self.counts, "behind": self.behind, "easy": self.easy}

    def from_json(self, known: Mapping[str, Any]) -> None:
        """As it was after a batch; a checkpoint of before says nothing of it."""
        self.percent = Decimal(known.get("percent", WHOLE))
        self.counts = dict(known.get("counts", {}))
        self.behind, self.easy = known.get("behind", 0), known.get("easy", 0)


def of_streams(shape: SourceLayout, numbers: Sequence[int]) -> list[int]:
    return [number for number in numbers if isinstance(shape.sources[number], Stream)]
