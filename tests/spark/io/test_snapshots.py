"""Snapshots: a folder holds one whole snapshot at any moment, and what others put there stays."""

from __future__ import annotations

import threading
from pathlib import Path

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
    found: set[tuple[int, ...]] = set()

    def poll() -> None:
        while not done.is_set():
            snapshots = list(folder.glob("*.parquet"))
            found.add((len(snapshots), *(sum(pq.read_table(each)["id"].to_pylist()) for each in snapshots)))

    write_batch(spark.range(ROWS), target, BatchId(0, "ab", True, True))
    reader = threading.Thread(target=poll)
    reader.start()
    for batch in range(1, 6):
        write_batch(spark.range(batch, batch + ROWS, 1, 3), target, BatchId(batch, "ab", False, True))
    done.set()
    reader.join()
    sums = [sum(range(batch, batch + ROWS)) for batch in range(6)]
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
