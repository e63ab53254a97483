"""Load shedding: drops and counts part of the incoming rows at the sources while batches fall behind.

A row is kept or dropped by its sample hash, as in SAMPLE, and the rate of a batch is in the checkpoint's record of the
batch before. So a batch that is run again drops the same rows. Dropped rows still advance the watermark. Only rows of
streams are dropped: a relation that missed one of its changes would be wrong for good.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from tailrace.catalog.sources import Stream
from tailrace.logical.expressions import Column, SampleTest
from tailrace.logical.sampling import SampleRate
from tailrace.logical.text.spark_sql import INSTANT, spark_text
from tailrace.progress import RejectedCount
from tailrace.spark.source_layout import SOURCE, SourceLayout, column_text

SEED = 0x5EED_0F_5ED5  # a seed of its own: a user's samples do not depend on what is dropped
WHOLE, LEAST = Decimal(100), Decimal("1.5625")
AGREEING = 2  # the number of batches in a row after which the rate changes
EASY = 0.5  # a batch below this share of the target time leaves room for twice the rows


@dataclass(frozen=True)
class SheddingState:
    """The percentage of rows that the next batch keeps, and how many rows of each source were dropped so far.

    A batch falls behind if it takes longer than the target and more rows are waiting: it reached its size limit, or it
    has more rows than the batch before. After two such batches in a row the percentage is halved, down to LEAST; after
    two easy ones in a row it is doubled.
    """

    percent: Decimal = WHOLE
    counts: Mapping[str, int] = field(default_factory=dict)
    behind: int = 0  # batches in a row that fell behind
    easy: int = 0  # batches in a row that were easy
    rows: int = 0  # rows of the last batch

    @property
    def is_active(self) -> bool:
        return self.percent < WHOLE

    def after_batch(self, rows: int, full: bool, seconds: float, target: float, on: bool) -> SheddingState:
        """The state after a batch of these rows and seconds; `full` says whether it reached its size limit.

        `target` is how many seconds a batch should take. Nothing is shed unless shedding is `on`.
        """
        falls_behind = seconds > target and (full or rows > self.rows)
        is_easy = seconds < target * EASY and not full
        percent, behind, easy = self.percent, (self.behind + 1) * falls_behind, (self.easy + 1) * is_easy
        if not on:
            percent = WHOLE
        elif behind >= AGREEING:
            percent, behind = max(percent / 2, LEAST), 0
        elif easy >= AGREEING:
            percent, easy = min(percent * 2, WHOLE), 0
        return replace(self, percent=percent, behind=behind, easy=easy, rows=rows)

    # In Spark SQL -------------------------------------------------------------------------------------

    def sampling_filter(self, shape: SourceLayout, numbers: Sequence[int]) -> str:
        """The condition, on rows of the common layout, for rows that are kept; sources that are no streams keep all."""
        tests = ((number, self.sample_test_sql(shape, number, INSTANT)) for number in of_streams(shape, numbers))
        cases = "".join(f" WHEN {number} THEN {test}" for number, test in tests)
        return f"CASE {SOURCE}{cases} ELSE true END" if cases else "true"

    def sample_test_sql(self, shape: SourceLayout, number: int, instant: str) -> str:
        schema = shape.sources[number].schema
        columns = tuple(Column(column, schema[column].type) for column in shape.columns[number])
        text = spark_text(SampleTest(SampleRate(self.percent, SEED), columns), column_text(shape.slots(number)))
        return text.replace(INSTANT, instant)

    def batch_measures(
        self, shape: SourceLayout, numbers: Sequence[int], instant: str, taking_part: str
    ) -> dict[str, str]:
        """Further measures: rows dropped of each stream among those `taking_part`, readable and not late."""
        if not self.is_active:
            return {}
        return {
            f"shed{number}": f"count_if({SOURCE} = {number} AND {taking_part} AND "
            f"NOT {self.sample_test_sql(shape, number, instant)})"
            for number in of_streams(shape, numbers)
        }

    # Counts and checkpoint ----------------------------------------------------------------------------

    def count(self, measures: Mapping[str, Any], shape: SourceLayout) -> SheddingState:
        """The state with the dropped rows of a batch, as measured by `batch_measures`."""
        counts = dict(self.counts)
        for number, source in enumerate(shape.sources):
            if rows := measures.get(f"shed{number}"):
                counts[source.name] = counts.get(source.name, 0) + rows
        return replace(self, counts=counts)

    def shed_counts(self) -> tuple[RejectedCount, ...]:
        return tuple(RejectedCount(name, rows) for name, rows in self.counts.items())

    def to_json(self) -> dict[str, Any]:
        return {"percent": str(self.percent), "counts": self.counts, "behind": self.behind, "easy": self.easy}

    @staticmethod
    def from_json(known: Mapping[str, Any], rows: int = 0) -> SheddingState:
        """Read back what `to_json` wrote; if there is nothing, nothing was shed. `rows` are those of the last batch."""
        percent, counts = Decimal(known.get("percent", WHOLE)), known.get("counts", {})
        return SheddingState(percent, counts, known.get("behind", 0), known.get("easy", 0), rows)


def of_streams(shape: SourceLayout, numbers: Sequence[int]) -> list[int]:
    return [number for number in numbers if isinstance(shape.sources[number], Stream)]
