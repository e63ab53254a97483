"""Small batches, which one task runs: all that the parts of a batch measure is heard, whoever read them."""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tailrace.progress import Progress
from tailrace.spark.batch.batch_job import BatchJob
from tests.spark.io.files import written
from tests.spark.run.loops import run, run_with

pytestmark = pytest.mark.spark

BATCHES = 3
OLD = 1_700_000_000
# What Arrow cannot evaluate is left to a statement: Spark reads the source then, whatever the setting.
EVALUATED = {"A": "v", "B": "FORMAT_NUMBER(v, 1)", "C": "FORMAT_NUMBER(v, 2)"}


@pytest.mark.parametrize("scan", ["spark", "arrow"])
def test_every_source_that_spark_reads_is_measured(scan: str, spark: SparkSession, tmp_path: Path) -> None:
    """Spark reads each source in a partition of its own, and all of them are one task."""
    script = f"SET scan = '{scan}';"
    for name in "ABC":
        (tmp_path / name).mkdir()
        for number in range(BATCHES):
            file = tmp_path / name / f"{number}.csv"
            file.write_text(f"ts,v\n{number},{number}\n")
            os.utime(file, (OLD + number, OLD + number))  # Spark takes the oldest first
        script += (
            f"CREATE STREAM {name} (v INT) USING csv OPTIONS (path '{name}', maxFilesPerTrigger '1') TIMESTAMP BY ts;"
            f"CREATE QUERY of_{name} AS SELECT ISTREAM(COUNT({EVALUATED[name]}) AS n) FROM {name};"
        )
    seen: list[Progress] = []
    clock = count(1)
    _, answers = run_with(spark, tmp_path, script, seen.append, lambda: next(clock))
    assert [each.rows for each in seen] == [3, 6, 9]
    assert [[source.newest for source in each.sources] for each in seen] == [["0"] * 3, ["1"] * 3, ["2"] * 3]
    assert answers == {f"of_{name}": [(0, 1), (1, 2), (2, 3)] for name in EVALUATED}


def test_a_batch_of_files_needs_no_statement(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One task reads the files, runs all stages, writes the files of sinks, and brings the other rows."""
    (tmp_path / "S").mkdir()
    (tmp_path / "S" / "a.csv").write_text("ts,k,v\n1,1,3\n1,2,4\n3,1,5\n")
    monkeypatch.setattr(BatchJob, "in_one_task", None)
    script = """
        CREATE STREAM S (k INT, v INT) USING csv OPTIONS (path 'S') TIMESTAMP BY ts;
        CREATE QUERY counted AS SELECT ISTREAM(COUNT(*) AS n) FROM S [PARTITION BY k ROWS 1];
        CREATE QUERY large INTO json OPTIONS (path 'out') AS SELECT ISTREAM(v) FROM S WHERE v > 3;
        CREATE QUERY nothing INTO noop AS SELECT k FROM S;
    """
    _, answers = run(spark, tmp_path, script)
    assert answers["counted"] == [(0, 0), (1, 2)]
    assert [row["v"] for row in written(tmp_path / "out")] == [4, 5]
