"""Rows that are heartbeats, through Spark: they move the watermark, and are no elements, nor late, nor unreadable."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from tailrace.progress import LaggingSource, Progress
from tests.spark.io.files import aged, kept
from tests.spark.run.loops import run, run_with

pytestmark = pytest.mark.spark


def lines(path: Path, *rows: dict[str, Any]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_a_csv_file(spark: SparkSession, tmp_path: Path) -> None:
    """Elements behind a heartbeat that allows no more are late; the heartbeats are not, in whatever order they come."""
    (tmp_path / "S").mkdir()
    (tmp_path / "S" / "1.csv").write_text("beat,ts,v\n,1,1\nfalse,3,2\ntrue,5,\n")
    (tmp_path / "S" / "2.csv").write_text("beat,ts,v\ntrue,2,\nfalse,5,4\n,6,8\nTRUE,9,\n")
    (tmp_path / "S" / "3.csv").write_text("beat,ts,v\nfalse,9,16\ntrue,20,\n,10,32\n")
    aged(tmp_path / "S")
    outcome, answers = run(
        spark,
        tmp_path,
        "CREATE STREAM S (v INT) USING csv OPTIONS (path 'S', maxFilesPerTrigger '1')"
        " TIMESTAMP BY ts DELAY 100 HEARTBEAT BY beat;"
        "CREATE QUERY every AS SELECT v FROM S;"
        "CREATE QUERY counted AS SELECT COUNT(*) AS n FROM S [RANGE 4];",
    )
    (late,) = outcome.late
    assert (outcome.rows, late.rows, outcome.unreadable) == (6, 2, ())
    assert answers["every"] == [(1, 1), (3, 2), (6, 8), (10, 32)]
    # The last heartbeat is the end of the run.
    assert answers["counted"][-2:] == [(15, "+", 0), (15, "-", 1)]


def test_a_json_file_beside_another_source(spark: SparkSession, tmp_path: Path) -> None:
    lines(
        tmp_path / "S.json",
        {"at": "2024-03-01 10:00:00", "v": 1, "beat": False},
        {"at": "2024-03-01 10:00:02", "beat": True},
        {"at": "2024-03-01 10:00:05", "v": 2},
        {"at": "2024-03-01 10:00:09", "v": None, "beat": True},
    )
    lines(tmp_path / "T.json", {"at": "2024-03-01 10:00:03", "w": 4})
    outcome, answers = run(
        spark,
        tmp_path,
        "CREATE STREAM S (v INT, beat BOOLEAN) USING json OPTIONS (path 'S.json')"
        " TIMESTAMP BY at IDLE AFTER 1 SECOND HEARTBEAT BY Beat;"
        "CREATE STREAM T (w INT) USING json OPTIONS (path 'T.json') TIMESTAMP BY at;"
        "CREATE QUERY every AS SELECT v, beat FROM S;"
        "CREATE QUERY counted AS SELECT COUNT(*) AS n FROM S [RANGE 3], T [RANGE 30];",
    )
    assert (outcome.rows, outcome.late, outcome.unreadable) == (3, (), ())
    assert [row[1:] for row in answers["every"]] == [(1, False), (2, None)]
    told = [(row[0].strftime("%H:%M:%S"), *row[1:]) for row in answers["counted"]]
    assert told[-2:] == [("10:00:09", "+", 0), ("10:00:09", "-", 1)]


def test_a_relation_with_signs(spark: SparkSession, tmp_path: Path) -> None:
    """A heartbeat needs no sign; a row without a timestamp is unreadable, whatever it calls itself."""
    rows = {
        "ts": [0, 1, 2, 3, None],
        "sign": ["+", None, "-", "x", None],
        "beat": [None, True, False, True, True],
        "k": [7, None, 7, None, 8],
    }
    pq.write_table(pa.table(rows), tmp_path / "R.parquet")
    outcome, answers = run(
        spark,
        tmp_path,
        "CREATE RELATION R (k BIGINT) USING parquet OPTIONS (path 'R.parquet')"
        " TIMESTAMP BY ts HEARTBEAT BY beat OP BY sign;"
        "CREATE QUERY signed AS SELECT k FROM R;",
    )
    assert (outcome.rows, outcome.late) == (3, ())
    assert [(told.source, told.rows) for told in outcome.unreadable] == [("R", 1)]
    assert [row["k"] for row in kept(tmp_path / "unreadable" / "R")] == [8]
    assert answers["signed"] == [(0, "+", 7), (2, "-", 7)]


def test_a_line_that_cannot_be_read_promises_nothing(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "S").mkdir()
    (tmp_path / "S" / "1.csv").write_text("ts,v,beat\n1,1,\n9,x,true\n8,2,yes!\n,,true\n")
    (tmp_path / "S" / "2.csv").write_text("ts,v,beat\n2,4,\n")
    aged(tmp_path / "S")
    outcome, answers = run(
        spark,
        tmp_path,
        "CREATE STREAM S (v INT) USING csv OPTIONS (path 'S', maxFilesPerTrigger '1')"
        " TIMESTAMP BY ts HEARTBEAT BY beat;"
        "CREATE QUERY every AS SELECT v FROM S;",
    )
    (unreadable,) = outcome.unreadable
    assert (outcome.rows, unreadable.rows, outcome.late) == (5, 3, ())
    assert answers["every"] == [(1, 1), (2, 4)]


def test_a_source_that_falls_silent(spark: SparkSession, tmp_path: Path) -> None:
    """With a clock at arrival, ten seconds a batch: S sends rows once, and T need not wait for it any more."""
    for name, instants in (("S", [2]), ("T", [10, 20, 30, 40, 50])):
        (tmp_path / name).mkdir()
        for instant in instants:
            (tmp_path / name / f"{instant}.csv").write_text(f"ts,v\n{instant},{instant}\n")
        aged(tmp_path / name)
    progress: list[Progress] = []
    outcome, answers = run_with(
        spark,
        tmp_path,
        "CREATE STREAM S (v INT) USING csv OPTIONS (path 'S') TIMESTAMP BY ts IDLE AFTER 15 SECONDS;"
        "CREATE STREAM T (v INT) USING csv OPTIONS (path 'T', maxFilesPerTrigger '1') TIMESTAMP BY ts;"
        "CREATE QUERY every AS SELECT v FROM S UNION ALL SELECT v FROM T;",
        progress.append,
        count(0, 10_000_000).__next__,
    )
    assert [each.watermark for each in progress] == ["1", "1", "29", "39", "49"]
    assert [each.held for each in progress[:2]] == [
        LaggingSource("S", 0.0, "T", "8 ticks"),
        LaggingSource("S", 10.0, "T", "18 ticks"),
    ]
    assert {each.held for each in progress[2:]} == {None}
    assert (outcome.late, sorted(v for _, v in answers["every"])) == ((), [2, 10, 20, 30, 40, 50])


def test_nothing_but_heartbeats(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "S.csv").write_text("ts,v,beat\n4,,true\n6,,true\n")
    outcome, answers = run(
        spark,
        tmp_path,
        "CREATE STREAM S (v INT) USING csv OPTIONS (path 'S.csv') TIMESTAMP BY ts HEARTBEAT BY beat;"
        "CREATE QUERY counted AS SELECT COUNT(*) AS n FROM S [RANGE 4];"
        "CREATE QUERY told AS SELECT RSTREAM(COUNT(*) AS n) FROM S [RANGE 4];",
    )
    assert (outcome.rows, outcome.late, outcome.unreadable) == (0, (), ())
    assert answers["counted"] == [(0, "+", 0)]
    assert answers["told"] == [(instant, 0) for instant in range(7)]
