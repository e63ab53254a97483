"""Files that tasks read give the answers that they give by Spark's readers, also cut into parts, also half-way back."""

from __future__ import annotations

import logging
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet
from pyspark.sql import SparkSession

from tailrace.engine.explain import explain_report
from tailrace.engine.pipeline import PlanningSession, compile_script
from tailrace.errors import Source
from tailrace.spark.io import scan_files
from tests.spark.io.files import aged
from tests.spark.run.loops import run

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("as_the_engine_runs")]

STREAM = "CREATE STREAM S (k INT, v INT) USING csv OPTIONS (path 'S') TIMESTAMP BY ts;"
QUERIES = """
CREATE QUERY every AS SELECT k, v FROM S WHERE v % 3 = 0;
CREATE QUERY newest AS SELECT ISTREAM(k, v) FROM S [PARTITION BY k ROWS 2];
CREATE QUERY sums AS SELECT k, SUM(v) AS v, COUNT(*) AS n FROM S [RANGE 7] GROUP BY k;
"""


def both(spark: SparkSession, folder: Path, script: str) -> tuple[object, object]:
    """The answers where tasks read the files, and where Spark's readers do."""
    found = []
    for scan in ("arrow", "spark"):
        _, answers = run(spark, folder, f"SET scan = '{scan}';{script}")
        found.append({name: sorted(rows) for name, rows in answers.items()})
    return found[0], found[1]


@pytest.mark.parametrize("size", [200, 1 << 20])
def test_parts_of_files(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """Rows of one instant stand in several parts: row windows take them in the order of the file."""
    monkeypatch.setattr(scan_files, "LEAST_BYTES", size)
    (tmp_path / "S").mkdir()
    for file in range(3):
        rows = [f"{file * 20 + row // 15},{row % 4},{row * 7 % 50}" for row in range(300)]
        (tmp_path / "S" / f"{file}.csv").write_text("\n".join(["ts,k,v", *rows, ""]))
    aged(tmp_path / "S")
    arrow, plain = both(spark, tmp_path, STREAM + QUERIES)
    assert arrow == plain
    assert len(arrow["every"]) > 200  # type: ignore[index]


def test_a_file_that_only_spark_reads(spark: SparkSession, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A time zone's name is found while a task reads the file: the batch is read again, and nothing comes twice."""
    (tmp_path / "S").mkdir()
    (tmp_path / "S" / "a.csv").write_text("ts,k,v\n2024-03-01 10:00:00,1,3\n2024-03-01 10:00:05 Europe/Berlin,2,6\n")
    with caplog.at_level(logging.INFO, "tailrace"):
        arrow, plain = both(spark, tmp_path, STREAM + QUERIES)
    assert arrow == plain
    assert len(arrow["every"]) == 2  # type: ignore[index]
    assert any("read again by Spark's readers" in each.getMessage() for each in caplog.records)


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        (STREAM, "S is read by tasks, with Arrow"),
        (STREAM.replace("'S')", "'S', multiLine 'true')"), "S is read by Spark: option multiLine is true"),
        (f"SET scan = 'spark';{STREAM}", "S is read by Spark: SET scan"),
    ],
)
def test_explain_says_who_reads(declared: str, said: str) -> None:
    session: PlanningSession = compile_script(Source(declared + QUERIES))
    assert said in explain_report(session, session.program.queries.values(), "text")


def test_copies_of_a_tuple(spark: SparkSession, tmp_path: Path) -> None:
    """Rows that come out of a stage with a weight of 2 are delivered twice, also by a statement."""
    (tmp_path / "S").mkdir()
    (tmp_path / "S" / "a.csv").write_text("ts,k,v\n1,1,3\n1,1,3\n2,2,5\n4,1,3\n9,2,5\n")
    pairs = """
        CREATE QUERY pairs AS
        SELECT x.k * 2 AS k FROM S [RANGE 5] AS x LEFT JOIN S [PARTITION BY k ROWS 1] AS y ON x.k = y.k AND x.v = 3;
    """
    arrow, plain = both(spark, tmp_path, STREAM + pairs)
    assert arrow == plain
    assert len(arrow["pairs"]) > 6  # type: ignore[index]


def test_row_groups_that_nobody_needs(spark: SparkSession, tmp_path: Path) -> None:
    """Their event times count all the same: windows empty, and time goes on, although no row is read."""
    (tmp_path / "S").mkdir()
    count = 4000
    rows = {"ts": range(count), "k": [n // 100 for n in range(count)], "v": [n % 50 for n in range(count)]}
    table = pa.table({name: pa.array(list(values), pa.int64()) for name, values in rows.items()})
    parquet.write_table(table, tmp_path / "S" / "a.parquet", row_group_size=100)
    aged(tmp_path / "S")
    stream = "CREATE STREAM S (k BIGINT, v BIGINT) USING parquet OPTIONS (path 'S') TIMESTAMP BY ts;"
    queries = """
    CREATE QUERY some AS SELECT COUNT(*) AS n FROM S [RANGE 7] WHERE k = 3 AND v < 9;
    CREATE QUERY others AS SELECT ISTREAM(k, v) FROM S [RANGE 7] WHERE k BETWEEN 2 AND 5 AND v = 1;
    """
    arrow, plain = both(spark, tmp_path, stream + queries)
    assert arrow == plain
    assert len(arrow["others"]) == 8  # type: ignore[index]
