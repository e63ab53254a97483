"""Rejected rows, late or unreadable, are counted and kept aside, each once; all other rows are answered."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.orc as orc
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from tailrace.spark.io.sinks import BatchId
from tests.spark.io.files import aged, kept
from tests.spark.run.loops import run, run_with

pytestmark = pytest.mark.spark


@pytest.mark.parametrize(("format", "write"), [("parquet", pq.write_table), ("orc", orc.write_table)])
def test_no_timestamp(spark: SparkSession, tmp_path: Path, format: str, write: Callable[..., None]) -> None:
    (tmp_path / "S").mkdir()
    write(pa.table({"ts": [0, None, 1], "v": [1, 2, 4]}), tmp_path / "S" / "1.data")
    write(pa.table({"ts": [5, None, None, 9], "v": [8, 16, 32, 64]}), tmp_path / "S" / "2.data")
    write(pa.table({"ts": [10], "v": [128]}), tmp_path / "S" / "3.data")
    aged(tmp_path / "S")
    outcome, answers = run(
        spark,
        tmp_path,
        f"CREATE STREAM S (v BIGINT) USING {format} OPTIONS (path 'S', maxFilesPerTrigger '1') TIMESTAMP BY ts;"
        "CREATE QUERY every AS SELECT v FROM S;",
    )
    (told,) = outcome.unreadable
    assert (told.source, told.rows, told.files) == ("S", 3, ("2.data", "1.data"))
    assert told.kept == str(tmp_path / "unreadable" / "S")
    assert sorted(row["v"] for row in kept(tmp_path / "unreadable" / "S")) == [2, 16, 32]
    assert outcome.rows == 8
    assert answers["every"] == [(0, 1), (1, 4), (5, 8), (9, 64), (10, 128)]


def test_relations_without_timestamps_or_signs(spark: SparkSession, tmp_path: Path) -> None:
    """Rows with no timestamp, and rows of a ± relation whose sign is none."""
    signed = {
        "ts": [0, 0, None, 1, 1, 1, 2],
        "sign": ["+", " + ", "-", "x", None, "", "-"],
        "k": [1, 2, 1, 3, 4, 5, 2],
    }
    pq.write_table(pa.table(signed), tmp_path / "R.parquet")
    newest = {"ts": [0, None, 2], "k": [1, 1, 1], "v": [10, 20, 30]}
    pq.write_table(pa.table(newest), tmp_path / "U.parquet")
    outcome, answers = run(
        spark,
        tmp_path,
        "CREATE RELATION R (k BIGINT) USING parquet OPTIONS (path 'R.parquet') TIMESTAMP BY ts OP BY sign;"
        "CREATE RELATION U (k BIGINT, v BIGINT) USING parquet OPTIONS (path 'U.parquet') TIMESTAMP BY ts KEY (k);"
        "CREATE QUERY signed AS SELECT k FROM R; CREATE QUERY newest AS SELECT k, v FROM U;",
    )
    assert {told.source: (told.rows, told.files) for told in outcome.unreadable} == {
        "R": (4, ("R.parquet",)),
        "U": (1, ("U.parquet",)),
    }
    assert sorted((row.get("moment", -1), row["k"]) for row in kept(tmp_path / "unreadable" / "R")) == [
        (-1, 1),
        (1, 3),
        (1, 4),
        (1, 5),
    ]
    assert kept(tmp_path / "unreadable" / "U") == [{"k": 1, "v": 20}]
    assert answers["signed"] == [(0, "+", 1), (0, "+", 2), (2, "-", 2)]
    assert answers["newest"] == [(0, "+", 1, 10), (2, "+", 1, 30), (2, "-", 1, 10)]


def test_each_row_is_kept_once(spark: SparkSession, tmp_path: Path) -> None:
    """Two files of one batch have late rows, unreadable rows, and rows that are both, which count as unreadable."""
    (tmp_path / "S").mkdir()
    (tmp_path / "S" / "1.csv").write_text("ts,v\n1,1\n")
    (tmp_path / "S" / "2.csv").write_text("ts,v\n9,2\n")
    (tmp_path / "S" / "3.csv").write_text("ts,v\n2,4\nnever,8\n10,16\n3,late\n")
    (tmp_path / "S" / "4.csv").write_text("ts,v\n11,32\n4,64\n,128\n10,none\n5,256\n")
    aged(tmp_path / "S")
    outcome, answers = run(
        spark,
        tmp_path,
        "SET late = 'late';"
        "CREATE STREAM S (v INT) USING csv OPTIONS (path 'S', maxFilesPerTrigger '2') TIMESTAMP BY ts;"
        "CREATE QUERY every AS SELECT v FROM S;",
    )
    (late,), (unreadable,) = outcome.late, outcome.unreadable
    assert (late.rows, late.files) == (3, ("4.csv", "3.csv"))
    assert (unreadable.rows, set(unreadable.files)) == (4, {"3.csv", "4.csv"})
    assert sorted((row["moment"], row["v"]) for row in kept(tmp_path / "late" / "S")) == [(2, 4), (4, 64), (5, 256)]
    rows = kept(tmp_path / "unreadable" / "S")
    texts = sorted((row.get("unreadable", row.get("v")) for row in rows), key=str)
    assert texts == ["10,none", 128, "3,late", "never,8"]
    assert answers["every"] == [(1, 1), (9, 2), (10, 16), (11, 32)]


def test_a_batch_that_is_run_again_keeps_its_rows_once(spark: SparkSession, tmp_path: Path) -> None:
    """Unreadable rows of a batch, of a file that does not change too; other batches and other runs have their own."""
    (tmp_path / "S.csv").write_text("ts,v\n1,1\nnever,2\n3,none\n")
    (tmp_path / "R.csv").write_text("k\n1\none\n")
    script = (
        "CREATE STREAM S (v INT) USING csv OPTIONS (path 'S.csv') TIMESTAMP BY ts;"
        "CREATE RELATION R (k INT) USING csv OPTIONS (path 'R.csv');"
        "CREATE QUERY every AS SELECT v FROM S, R WHERE v = k;"
    )
    batches = [BatchId(4, "one", False), BatchId(4, "one", True), BatchId(5, "one", False), BatchId(4, "two", True)]
    found = []
    for batch in batches:
        outcome, _ = run_with(spark, tmp_path, script, batch=batch)
        assert {left.source: left.rows for left in outcome.unreadable} == {"S": 2, "R": 1}
        found.append([len(kept(tmp_path / "unreadable" / name)) for name in "SR"])
    assert found == [[2, 1], [2, 1], [4, 2], [6, 3]]


def test_a_batch_that_is_planned_anew_without_rejected_rows(spark: SparkSession, tmp_path: Path) -> None:
    """After a power loss a batch may have fewer files than before; the next one keeps the rows of the others."""
    script = (
        "SET late = 'late'; CREATE STREAM S (v INT) USING csv OPTIONS (path 'S.csv') TIMESTAMP BY ts;"
        "CREATE QUERY every AS SELECT v FROM S;"
    )
    for text, again, rows in (("ts,v\nnever,2\n", False, 1), ("ts,v\n1,1\n", True, 0), ("ts,v\n1,1\n", True, 0)):
        (tmp_path / "S.csv").write_text(text)
        run_with(spark, tmp_path, script, batch=BatchId(4, "one", again, True))
        assert len(kept(tmp_path / "unreadable" / "S")) == rows
