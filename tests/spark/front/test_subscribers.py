"""Many readers of results: each gets every row once, and the engine hardly notices."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from tailrace.bench.spark.subscribers import Read, line, measure
from tailrace.errors import RunError

MOST = 1.2  # times the batch time without readers


def silent(text: str) -> None:
    pass


@pytest.mark.spark
@pytest.mark.slow
def test_a_few_readers_miss_nothing(spark: SparkSession) -> None:
    (found,) = measure(True, silent)
    assert found.line == "20 readers"
    assert found.more["rows of each at least"] > 0


@pytest.mark.spark
@pytest.mark.slow
def test_many_readers_for_a_minute(spark: SparkSession) -> None:
    (found,) = measure(False, silent)
    assert found.more["rows of each at least"] > 1000
    assert found.ratio <= MOST


def read(*events: tuple[str, int, int]) -> Read:
    found = Read()
    for kind, first, rows in events:
        found.take(kind, {"first": first, "last": first + rows - 1, "rows": [0] * rows if kind == "rows" else rows})
    return found


def test_a_row_that_is_missing_or_doubled_is_noticed() -> None:
    good = read(("rows", 1, 5), ("rows", 6, 1))
    assert line(1, [1.0], [1.1], [good]).ratio == pytest.approx(1.1)
    for bad in (
        read(("rows", 1, 5), ("rows", 7, 1)),
        read(("rows", 1, 5), ("rows", 5, 1)),
        read(("gap", 1, 5), ("rows", 6, 1)),
        read(),
    ):
        with pytest.raises(RunError, match="missed or doubled"):
            line(2, [1.0], [1.0], [good, bad])
