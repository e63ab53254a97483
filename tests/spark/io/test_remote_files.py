"""Sources in an object store: tasks read them over HTTP, as they would read them here, while Spark lists them.

Java finds the same files under the same addresses through a mount of Hadoop's: Spark's reader for S3 is not needed.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet
from pyspark.sql import SparkSession

from tailrace.spark.io import scan_files
from tests.scan.object_store import ObjectStore, serve_objects
from tests.spark.io.files import aged, kept
from tests.spark.run.loops import run

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("as_the_engine_runs")]

MOUNTS = "org.apache.hadoop.fs.viewfs.ViewFileSystemOverloadScheme"
DECLARED = "CREATE STREAM S (k INT, v INT) USING {format} OPTIONS (path '{folder}') TIMESTAMP BY ts;"
QUERIES = """
CREATE QUERY every AS SELECT k, v FROM S WHERE v % 3 = 0;
CREATE QUERY newest AS SELECT ISTREAM(k, v) FROM S [PARTITION BY k ROWS 2];
CREATE QUERY sums AS SELECT k, SUM(v) AS v, COUNT(*) AS n FROM S [RANGE 7] GROUP BY k;
"""


@pytest.fixture
def store(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ObjectStore]:
    """A store whose `bucket/S` tasks read by HTTP, and Spark as `s3a://bucket/S`."""
    hadoop: Any = spark.sparkContext._jsc.hadoopConfiguration()
    (tmp_path / "bucket" / "S").mkdir(parents=True)
    settings = {
        "fs.s3a.impl": MOUNTS,
        "fs.s3a.impl.disable.cache": "true",
        "fs.viewfs.overload.scheme.target.file.impl": "org.apache.hadoop.fs.LocalFileSystem",
        "fs.viewfs.mounttable.bucket.link./S": f"file://{tmp_path}/bucket/S",
    }
    for name, value in settings.items():
        hadoop.set(name, value)
    with serve_objects(tmp_path) as served:
        for name, value in served.variables.items():
            monkeypatch.setenv(name, value)
            monkeypatch.setitem(spark.sparkContext.environment, name, value)  # workers of their own are started
        yield served
    for name in settings:
        hadoop.unset(name)


def write_files(folder: Path, format: str) -> None:
    """Three files whose names Spark escapes; rows of one instant stand in several parts of each."""
    for file in range(3):
        ts = [file * 20 + row // 15 for row in range(300)]
        rows = {"ts": ts, "k": [row % 4 for row in range(300)], "v": [row * 7 % 50 for row in range(300)]}
        if format == "parquet":
            table = pa.table({"ts": pa.array(ts, pa.int64()), **{n: pa.array(rows[n], pa.int32()) for n in "kv"}})
            parquet.write_table(table, folder / f"{file} a%b.parquet", row_group_size=50)
            continue
        lines = [",".join(map(str, row)) for row in zip(*rows.values(), strict=True)]
        lines[7] = "x,1,3"
        (folder / f"{file} a%b.csv").write_text("\n".join(["ts,k,v", *lines, ""]))
    aged(folder)


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_tasks_read_a_store(
    spark: SparkSession, tmp_path: Path, store: ObjectStore, monkeypatch: pytest.MonkeyPatch, format: str
) -> None:
    """The same rows in the same order, and the same rejected ones; all of them came over HTTP."""
    monkeypatch.setattr(scan_files, "LEAST_BYTES", 200)
    write_files(tmp_path / "bucket" / "S", format)
    found, rejected = [], []
    for name, folder in (("there", "s3a://bucket/S"), ("here", str(tmp_path / "bucket" / "S"))):
        aside = f"SET unreadable = '{tmp_path / name}';" if format == "csv" else ""
        summary, answers = run(spark, tmp_path, aside + DECLARED.format(format=format, folder=folder) + QUERIES)
        counts = [(each.rows, sorted(each.files)) for each in summary.unreadable]
        found.append((summary.rows, counts, answers))
        rejected.append(sorted(kept(tmp_path / name / "S"), key=str))
    assert found[0] == found[1]
    assert rejected[0] == rejected[1]
    assert len(rejected[0]) == (3 if format == "csv" else 0)
    assert len(found[0][2]["every"]) > 200
    assert len(store.sent) == 3
    files = (tmp_path / "bucket" / "S").iterdir()
    assert all(store.sent[f"bucket/S/{file.name}"] >= file.stat().st_size // 2 for file in files)


def test_a_store_that_only_spark_reaches(
    spark: SparkSession, tmp_path: Path, store: ObjectStore, caplog: pytest.LogCaptureFixture
) -> None:
    """Tasks have no such bucket: the batch is read again by Spark's readers, and nothing comes twice."""
    write_files(tmp_path / "bucket" / "S", "csv")
    store.folder = tmp_path / "nowhere"
    script = DECLARED.format(format="csv", folder="{}") + QUERIES
    with caplog.at_level(logging.INFO, "tailrace"):
        _, there = run(spark, tmp_path, script.format("s3a://bucket/S"))
    assert any("read again by Spark's readers: s3a://" in each.getMessage() for each in caplog.records)
    assert there == run(spark, tmp_path, script.format(tmp_path / "bucket" / "S"))[1]
    assert not store.sent
