"""Families on Spark: many queries over one stream, in one pass; each gets its own answers in its own sink."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tailrace import Engine
from tailrace.engine.explain import spark_text
from tailrace.engine.internals import script_of
from tailrace.staging.plan_version import SHARE_FROM
from tests.spark.io.files import written

pytestmark = pytest.mark.spark
ROWS = [(ts, (ts * 7) % 10, (ts * 3) % 4) for ts in range(60)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "S").mkdir()
    for number in range(3):
        lines = [json.dumps({"ts": ts, "v": v, "k": k}) for ts, v, k in ROWS[number * 20 : number * 20 + 20]]
        file = tmp_path / "S" / f"{number}.json"
        file.write_text("\n".join(lines) + "\n")
        os.utime(file, (1_700_000_000 + number,) * 2)
    return tmp_path


def made(spark: SparkSession, folder: Path, shape: str, into: str | None = None, mode: str = "append") -> Engine:
    """An engine with a query for each of more thresholds than make a family."""
    engine = Engine(spark, folder)
    engine.execute(
        "CREATE STREAM S (v INT, k INT) USING json OPTIONS (path 'S', maxFilesPerTrigger '1') TIMESTAMP BY ts"
    )
    for least in range(SHARE_FROM + 4):
        options = {"path": f"out/{least}"} | ({"mode": mode} if mode != "append" else {})
        engine.query(shape.format(least % 10), f"q{least}", into, options if into else None)
    return engine


@pytest.mark.slow
def test_each_has_its_own_answers(spark: SparkSession, folder: Path) -> None:
    engine = made(spark, folder, "SELECT ISTREAM(v, k) FROM S WHERE v >= {}")
    engine.run()
    for least in range(SHARE_FROM + 4):
        found = sorted((row["_ts"], row["v"], row["k"]) for row in engine.queries[f"q{least}"].rows())
        assert found == [row for row in ROWS if row[1] >= least % 10]


@pytest.mark.slow
def test_each_has_its_own_names(spark: SparkSession, folder: Path) -> None:
    engine = made(spark, folder, "SELECT ISTREAM(v, k) FROM S WHERE v >= {}")
    engine.query("SELECT ISTREAM(v AS speed, k AS car) FROM S WHERE v > 8", "renamed")
    engine.run()
    assert [row.asDict() for row in engine.queries["renamed"].rows()][:1] == [{"_ts": 7, "speed": 9, "car": 1}]


@pytest.mark.slow
def test_an_aggregate_is_there_for_who_selects_nothing(spark: SparkSession, folder: Path) -> None:
    engine = made(spark, folder, "SELECT COUNT(*) AS n, MAX(v) AS most FROM S WHERE v > {}")
    engine.run()
    for least in range(SHARE_FROM + 4):
        wanted = [row[1] for row in ROWS if row[1] > least % 10]
        (row,) = engine.queries[f"q{least}"].snapshot()
        assert tuple(row) == (len(wanted), max(wanted, default=None))


@pytest.mark.parametrize("into", ["json", "csv"])
def test_files_are_where_each_wants_them(into: str, spark: SparkSession, folder: Path) -> None:
    engine = made(spark, folder, "SELECT ISTREAM(v, k) FROM S WHERE v >= {}", into)
    engine.run()
    for least in range(SHARE_FROM + 4):
        files = sorted((folder / "out" / str(least)).glob("part-*"))
        if into == "json":
            found = sorted((row["_ts"], row["v"], row["k"]) for row in written(folder / "out" / str(least)))
        else:
            lines = [line for file in files for line in file.read_text().splitlines()]
            found = sorted(tuple(int(part) for part in line.split(",")) for line in lines)  # type: ignore[misc]
        assert found == [row for row in ROWS if row[1] >= least % 10]
        assert not (folder / "out" / str(least) / "_tailrace" / "members").exists()


def test_snapshots_replace_those_before(spark: SparkSession, folder: Path) -> None:
    shape = "SELECT k, COUNT(*) AS n FROM S [RANGE 9] WHERE v >= {} GROUP BY k"
    made(spark, folder, shape, "json", "snapshot").run()
    engine = made(spark, folder, shape, "json", "snapshot")
    engine.run()
    for least in range(SHARE_FROM + 4):
        held = [row[2] for row in ROWS if row[0] >= 50 and row[1] >= least % 10]
        found = sorted((row["k"], row["n"]) for row in written(folder / "out" / str(least)))
        assert found == sorted({(k, held.count(k)) for k in held})


def test_plans_tell_of_families(spark: SparkSession, folder: Path) -> None:
    engine = made(spark, folder, "SELECT COUNT(*) AS n FROM S WHERE v > {}")
    said = spark_text(script_of(engine))
    assert "grouped-filter" in said
    assert f"{SHARE_FROM + 4} queries" in said
