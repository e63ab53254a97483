"""TIMESTAMP BY with a unit or an expression, and a word about whole numbers that look like milliseconds since 1970."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from tests.spark.run.loops import run

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("as_the_engine_runs")]

EVERY = "CREATE QUERY every AS SELECT k FROM S;"
ONE, TWO = (datetime(2023, 11, 14, 22, 13, second, tzinfo=UTC) for second in (20, 21))


def stream(by: str, columns: str = "k INT", format: str = "csv") -> str:
    return f"CREATE STREAM S ({columns}) USING {format} OPTIONS (path 'S.{format}') TIMESTAMP BY {by};"


@pytest.mark.parametrize(
    ("by", "factor"),
    [
        ("ts IN SECONDS", 1),
        ("ts IN MILLISECONDS", 1_000),
        ("ts IN MICROSECONDS", 1_000_000),
        ("ts IN NANOSECONDS", 1_000_000_000),
        ("timestamp_millis(ts)", 1_000),
        ("CAST(ts AS BIGINT) IN MILLISECONDS", 1_000),
    ],
)
def test_units(spark: SparkSession, tmp_path: Path, by: str, factor: int) -> None:
    (tmp_path / "S.csv").write_text(f"ts,k\n{1_700_000_000 * factor},1\n{1_700_000_001 * factor},2\nx,3\n,4\n")
    outcome, answers = run(spark, tmp_path, stream(by) + EVERY)
    assert answers["every"] == [(ONE, 1), (TWO, 2)]
    assert [told.rows for told in outcome.unreadable] == [2]


def test_numbers_that_are_no_time_are_told(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "S.csv").write_text("ts,k\n1700000000,1\n9223372036854775807,2\n")
    outcome, answers = run(spark, tmp_path, stream("ts IN SECONDS") + EVERY)
    assert answers["every"] == [(ONE, 1)]
    assert [told.rows for told in outcome.unreadable] == [1]


@pytest.mark.parametrize("format", ["csv", "json", "parquet"])
@pytest.mark.parametrize("columns", ["k INT", "k INT, ts BIGINT"])
def test_formats(spark: SparkSession, tmp_path: Path, format: str, columns: str) -> None:
    if format == "parquet":
        stamps = [1_700_000_000_000, 1_700_000_001_000]
        pq.write_table(pa.table({"ts": stamps, "k": pa.array([1, 2], pa.int32())}), tmp_path / "S.parquet")
    elif format == "json":
        (tmp_path / "S.json").write_text('{"ts": 1700000000000, "k": 1}\n{"k": 2, "ts": 1700000001000}\n')
    else:
        (tmp_path / "S.csv").write_text("ts,k\n1700000000000,1\n1700000001000,2\n")
    for by in ("ts IN MILLISECONDS", "timestamp_millis(ts)", "timestamp_millis(CAST(ts AS BIGINT))"):
        assert run(spark, tmp_path, stream(by, columns, format) + EVERY)[1]["every"] == [(ONE, 1), (TWO, 2)]


def test_expressions(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "S.csv").write_text("day,at,k\n14.11.2023,22:13:20,10\n14.11.2023,22:13:21,20\n")
    by = "to_timestamp(day || ' ' || at, 'dd.MM.yyyy HH:mm:ss') DELAY 1 SECOND"
    assert run(spark, tmp_path, stream(by) + EVERY)[1]["every"] == [(ONE, 10), (TWO, 20)]
    assert run(spark, tmp_path, stream("k DIV 10") + EVERY)[1]["every"] == [(1, 10), (2, 20)]


def test_a_unit_beside_timestamps(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "S.csv").write_text("ts,k\n1700000000000,1\n")
    (tmp_path / "T.csv").write_text("at,k\n2023-11-14 22:13:21,2\n")
    other = "CREATE STREAM T (k INT) USING csv OPTIONS (path 'T.csv') TIMESTAMP BY at;"
    both = "CREATE QUERY both AS SELECT k FROM S UNION ALL SELECT k FROM T;"
    assert run(spark, tmp_path, stream("ts IN MILLISECONDS") + other + both)[1]["both"] == [(ONE, 1), (TWO, 2)]


def test_likely_units_are_told_once(spark: SparkSession, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "S.csv").write_text("ts,k\n1700000000000,1\n1700000000001,1\n")
    with caplog.at_level(logging.WARNING, "tailrace"):
        run(spark, tmp_path, stream("ts") + EVERY)
    (told,) = caplog.messages
    assert "looks like MILLISECONDS since 1970" in told
    caplog.clear()
    run(spark, tmp_path, "SET tick = '1 millisecond';" + stream("ts") + EVERY)
    run(spark, tmp_path, stream("ts IN MILLISECONDS") + EVERY)
    assert not caplog.messages
