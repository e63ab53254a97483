"""Snapshots: a folder holds one whole snapshot at any moment, and what others put there stays."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from tailrace.spark.io.sinks import MEMBER, BatchId, SinkTarget, replace_snapshots, write_batch

pytestmark = pytest.mark.spark
ROWS = 50


def test_a_reader_always_finds_one_snapshot(spark: SparkSession, tmp_path: Path) -> None:
    folder, done = tmp_path / "out", threading.Event()
    target = SinkTarget("last", "parquet", str(folder), replaces=True)
    folder.mkdir()
    (folder / "part-of-another.txt").write_text("not ours")

    def read(path: Path) -> list[int]:
        # By its path Arrow would open the file several times, and find another one.
        return pq.read_table(pa.BufferReader(path.read_bytes()))["id"].to_pylist()

    def poll() -> set[tuple[int, ...]]:
        found = set()
        while not done.is_set():
            snapshots = list(folder.glob("*.parquet"))
            found.add((len(snapshots), *(sum(read(each)) for each in snapshots)))
        return found

    write_batch(spark.range(ROWS), target, BatchId(0, "ab", True, True))
    with ThreadPoolExecutor(1) as pool:
        reader = pool.submit(poll)
        try:
            for batch in range(1, 6):
                write_batch(spark.range(batch, batch + ROWS, 1, 3), target, BatchId(batch, "ab", False, True))
        finally:
            done.set()
        found = reader.result()
    sums = [sum(range(batch, batch + ROWS)) for batch in range(6)]
    assert len(found) > 1
    assert found <= {(1, each) for each in sums}
    assert sorted(path.name for path in folder.iterdir()) == [
        "_tailrace",
        "part-of-another.txt",
        "part-snapshot-last.snappy.parquet",
    ]
    assert list((folder / "_tailrace").iterdir()) == []


@pytest.mark.parametrize("format", ["json", "parquet"])
def test_members_that_have_no_rows_any_more(spark: SparkSession, tmp_path: Path, format: str) -> None:
    targets = {
        number: SinkTarget(f"m{number}", format, str(tmp_path / f"{number}"), replaces=True) for number in range(3)
    }
    for batch, rows in enumerate(("0, 1, 1", "1")):
        frame = spark.sql(f"SELECT explode(array({rows})) AS {MEMBER}, 7 AS v")
        replace_snapshots(frame, targets, BatchId(batch, "ab", False))
    files = [list((tmp_path / f"{number}").glob("part-*")) for number in range(3)]
    assert [len(each) for each in files] == [1, 1, 1]
    assert [spark.read.format(format).schema("v INT").load(str(file)).count() for (file,) in files] == [0, 1, 0]


@pytest.mark.parametrize("is_family", [False, True])
def test_a_snapshot_in_another_format_takes_the_place_of_the_one_before(
    spark: SparkSession, tmp_path: Path, is_family: bool
) -> None:
    """Of the same query only: those of queries whose names begin alike stay."""
    one = SinkTarget("last", "csv", str(tmp_path), replaces=True)
    others = [replace(one, name=name) for name in ("last.csv", "lasting", "las")]
    for target in others:
        write_batch(spark.range(ROWS), target, BatchId(0, "ab", False))
    kept = {"part-snapshot-last.csv.csv", "part-snapshot-lasting.csv", "part-snapshot-las.csv"}
    batches = [("csv", ()), ("csv", (("compression", "gzip"),)), ("parquet", ()), ("json", ()), ("csv", ())]
    for batch, (format, options) in enumerate(batches):
        target, rows = replace(one, format=format, options=options), spark.range(ROWS)
        if is_family:
            members = rows.selectExpr(f"1 AS {MEMBER}", "id")
            replace_snapshots(members, {1: target}, BatchId(batch, "ab", False, True))
        else:
            write_batch(rows, target, BatchId(batch, "ab", False, True))
        (name,) = {path.name for path in tmp_path.glob("part-*")} - kept
        assert name.startswith(f"part-snapshot-last.{'snappy.' if format == 'parquet' else ''}{format}")
    assert kept < {path.name for path in tmp_path.glob("part-*")}


def test_a_session_that_wants_small_files(spark: SparkSession, tmp_path: Path) -> None:
    target = SinkTarget("last", "json", str(tmp_path), (("maxRecordsPerFile", "3"),), replaces=True)
    write_batch(spark.range(ROWS), target, BatchId(0, "ab", False))
    members = spark.range(ROWS).selectExpr(f"1 AS {MEMBER}", "id")
    replace_snapshots(members, {1: replace(target, name="m")}, BatchId(0, "ab", False))
    assert [len(path.read_text().splitlines()) for path in tmp_path.glob("part-*")] == [ROWS, ROWS]
