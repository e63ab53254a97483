"""Queries replaced while others run, INSERT INTO a table of files, and EXPLAIN ANALYZE of what runs."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tailrace import Engine
from tests.spark.run.test_registering import put, wait

SCRIPT = """
CREATE STREAM S (k INT, v INT) USING json OPTIONS (path 'S') TIMESTAMP BY ts;
CREATE QUERY counts AS SELECT k, COUNT(*) AS n FROM S [RANGE UNBOUNDED] GROUP BY k;
CREATE QUERY every AS SELECT v FROM S;
CREATE QUERY other AS SELECT k, SUM(v) AS total FROM S [RANGE UNBOUNDED] GROUP BY k;
CREATE QUERY reader AS SELECT MAX(n) AS most FROM counts;
"""


@pytest.fixture
def engine(spark: SparkSession, tmp_path: Path) -> Iterator[Engine]:
    engine = Engine(spark, tmp_path)
    put(tmp_path, 0, [(ts, ts % 2, ts) for ts in range(5)])
    yield engine
    engine.stop()


def take(engine: Engine, folder: Path, number: int) -> None:
    """Have the run take five more rows."""
    assert engine._live is not None
    standing = engine._live.standing
    before = standing.state.next_batch
    put(folder, number, [(ts, ts % 2, ts) for ts in range(5 * number, 5 * number + 5)])
    wait(lambda: standing.state.next_batch > before)


def test_a_replaced_query_begins_anew_and_others_lose_and_double_no_row(engine: Engine, tmp_path: Path) -> None:
    engine.execute(SCRIPT)
    engine.start()
    assert engine._live is not None
    standing = engine._live.standing
    wait(lambda: standing.state.next_batch == 1)
    kept = {name: engine.queries[name] for name in ("every", "other")}
    same = SCRIPT.replace("CREATE", "CREATE OR REPLACE").replace("COUNT(*) AS n", "COUNT(*) * 10 AS n")
    engine.execute(same)
    assert {name: engine.queries[name] for name in kept} == kept
    take(engine, tmp_path, 1)
    take(engine, tmp_path, 2)
    assert sorted(row["v"] for row in kept["every"].rows()) == list(range(15))
    # Of instant 14 more may come, so aggregates do not have it yet.
    assert {row["k"]: row["total"] for row in kept["other"].snapshot()} == {0: 42, 1: 49}
    since = int(engine.queries["counts"].since or "")
    expected = {k: 10 * len([ts for ts in range(since, 14) if ts % 2 == k]) for k in (0, 1)}
    assert {row["k"]: row["n"] for row in engine.queries["counts"].snapshot()} == expected
    assert [row["most"] for row in engine.queries["reader"].snapshot()] == [max(expected.values())]
    assert standing.version is not None
    begins = {name: begin.batch for name, begin in standing.version.begins.items()}
    assert begins == {"counts": 1, "reader": 1, "every": 0, "other": 0}

    # What runs is measured from the first EXPLAIN ANALYZE on.
    assert "no batch has been measured yet" in str(engine.execute("EXPLAIN ANALYZE counts"))
    take(engine, tmp_path, 3)
    wait(lambda: "newest" in str(engine.execute("EXPLAIN ANALYZE counts")))
    said = str(engine.execute("EXPLAIN ANALYZE counts")).splitlines()
    assert [line.split()[-5:-2] for line in said if "aggregate COUNT(*) by k  " in line and "→" not in line] == [
        ["5", "7", "3"]
    ]


def test_insert_into_a_table_of_files(engine: Engine, tmp_path: Path) -> None:
    engine.execute(
        "CREATE STREAM S (k INT, v INT) USING json OPTIONS (path 'S') TIMESTAMP BY ts;"
        "CREATE TABLE small (number BIGINT, name STRING)"
        " WITH ('connector' = 'filesystem', 'path' = 'small', 'format' = 'csv', 'header' = 'true');"
        "CREATE TABLE found (n INT) WITH ('connector' = 'filesystem', 'path' = 'found', 'format' = 'json');"
        "BEGIN STATEMENT SET;"
        "INSERT INTO small SELECT v, CONCAT('v', v) FROM S WHERE v < 3;"
        "INSERT INTO small SELECT v, 'large' FROM S WHERE v = 4;"
        "INSERT INTO found SELECT v FROM S WHERE v = 1;"
        "END;"
    )
    assert list(engine.queries) == ["small", "small_2", "found"]
    engine.run()
    rows = [row for file in (tmp_path / "small").glob("*.csv") for row in csv.DictReader(file.open())]
    assert sorted((row["number"], row["name"]) for row in rows) == [
        ("0", "v0"),
        ("1", "v1"),
        ("2", "v2"),
        ("4", "large"),
    ]
    lines = [json.loads(line) for file in (tmp_path / "found").glob("*.json") for line in file.open()]
    assert [line["n"] for line in lines] == [1]
