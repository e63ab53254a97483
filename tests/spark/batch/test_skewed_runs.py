"""Skew on Spark: a key with very many rows is reported, or its rows are pre-aggregated before the shuffle."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from tailrace.engine.pipeline import compile_script
from tailrace.engine.run_queries import run_once
from tailrace.errors import Source
from tailrace.spark.batch.skew import LOOKED_AT, ShardLoad
from tailrace.spark.batch.task_reports import TaskReport, TaskReports, loads_of

pytestmark = pytest.mark.spark
ROWS, INSTANTS, SHARDS = 3 * LOOKED_AT // 2, 20, 4
STREAM = "CREATE STREAM S (k INT, v INT) USING parquet OPTIONS (path 'S') TIMESTAMP BY ts;"
Loads = dict[int, Mapping[int, ShardLoad]]


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> Loads:
    """What each shard of each stage had in the first batch."""
    found: Loads = {}
    taken = TaskReports.drain

    def seen(reports: TaskReports) -> list[TaskReport]:
        told = taken(reports)
        found.update({} if found else loads_of(told))
        return told

    monkeypatch.setattr(TaskReports, "drain", seen)
    return found


def answers(folder: Path, query: str) -> list[tuple[Any, ...]]:
    """Of rows nine tenths of which have one key."""
    chance = np.random.default_rng(1)
    rows: Mapping[str, Any] = {
        "ts": np.sort(chance.integers(INSTANTS, size=ROWS)),
        "k": np.where(chance.random(ROWS) < 0.9, 7, chance.integers(100, 200, size=ROWS)).astype(np.int32),
        "v": chance.integers(50, size=ROWS).astype(np.int32),
    }
    (folder / "S").mkdir()
    pq.write_table(pa.table(rows), folder / "S" / "0.parquet")
    found: list[tuple[Any, ...]] = []
    text = f"SET shards = {SHARDS};\n{STREAM}\nCREATE QUERY q AS {query};"
    compiled = compile_script(Source(text), folder)
    run_once(compiled, str(folder), None, "local[2]", lambda _, names, told: found.extend(told))
    return found


def test_a_key_is_told_of(tmp_path: Path, spark: SparkSession, loads: Loads, caplog: pytest.LogCaptureFixture) -> None:
    """COUNT(DISTINCT) needs all rows of a key in one shard: they cannot be pre-aggregated."""
    with caplog.at_level(logging.WARNING, "tailrace"):
        answers(tmp_path, "SELECT k, COUNT(DISTINCT v) AS n FROM S [RANGE 5] GROUP BY k")
    assert max(load.rows for load in loads[0].values()) > 0.9 * ROWS
    (said,) = [record.getMessage() for record in caplog.records if "shards" in record.getMessage()]
    assert said.startswith("stage 1 (window, aggregate, changelog): one of 4 shards has 9")
    assert said.endswith("of all have k = 7")


def test_a_key_is_split(tmp_path: Path, spark: SparkSession, loads: Loads, caplog: pytest.LogCaptureFixture) -> None:
    """Each task that reads rows sends one row for a key and an instant, however many there were."""
    with caplog.at_level(logging.WARNING, "tailrace"):
        found = answers(tmp_path, "SELECT k, SUM(v) AS s, AVG(v) AS a, MAX(v) AS m FROM S [RANGE 5] GROUP BY k")
    assert len({row[2] for row in found}) == 101
    assert len(loads[0]) == SHARDS
    most = max(load.rows for load in loads[0].values())
    assert most < sum(load.rows for load in loads[0].values()) / 2, "no shard has most of what is exchanged"
    assert most < ROWS / 100
    assert not [record for record in caplog.records if "shards" in record.getMessage()]
