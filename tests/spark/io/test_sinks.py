"""Sinks: moved files are durable before their batch is recorded, and a refused move is an error."""

from __future__ import annotations

import errno
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from tailrace.analysis.program import analyse
from tailrace.errors import RunError, Source
from tailrace.language.script import parse_script
from tailrace.spark.io import sinks
from tailrace.spark.io.sink_files import FileGroup, OutputFiles
from tailrace.spark.io.sinks import BatchId, SinkTarget, move, sync_moved
from tailrace.state import sync_files
from tailrace.write.file_writers import write_file
from tailrace.write.result_files import StagedFile
from tailrace.write.write_spec import WriteSpec
from tests.state.power_loss import VolatileDisk

SCHEMA = pa.schema([("v", pa.int64())])


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> VolatileDisk:
    monkeypatch.setattr(sync_files, "_durable", set())
    return VolatileDisk(monkeypatch)


class LocalFiles:
    """What Hadoop's file system of this machine answers; a path is a text here."""

    scheme, moves = "file", True

    def getUri(self) -> Any:
        return SimpleNamespace(getScheme=lambda: self.scheme)

    def makeQualified(self, path: str) -> Any:
        return SimpleNamespace(toUri=lambda: SimpleNamespace(getPath=lambda: path))

    def rename(self, path: str, to: str) -> bool:
        return self.moves


def test_files_that_tasks_wrote_are_durable(disk: VolatileDisk, tmp_path: Path) -> None:
    place, spec = tmp_path / "out" / "q", WriteSpec("json", (), SCHEMA, 17)
    group = FileGroup("q", spec, {None: SinkTarget("q", "json", "out")}, {None: str(place)})
    files = OutputFiles(BatchId(7, "ab", False, True), [group])
    files.prepare()
    write_file(f"{group.staging_folder(files.batch)}/x.json", spec, pa.table({"v": [1, 2]}))
    files.publish([StagedFile(0, None, "x.json", 2)])
    files.discard()
    after = disk.restore(tmp_path, tmp_path.parent / "after-tasks") / "out" / "q"
    assert (after / "part-00000007-q-ab-0.json").read_text() == '{"v":1}\n{"v":2}\n'


def test_files_that_a_repeated_batch_removes_stay_away(disk: VolatileDisk, tmp_path: Path) -> None:
    """The batch was planned anew after a power loss, and has no rows for the query."""
    place, spec = tmp_path / "out" / "q", WriteSpec("json", (), SCHEMA, 17)
    group = FileGroup("q", spec, {None: SinkTarget("q", "json", "out")}, {None: str(place)})
    first = OutputFiles(BatchId(7, "ab", False, True), [group])
    first.prepare()
    write_file(f"{group.staging_folder(first.batch)}/x.json", spec, pa.table({"v": [1, 2]}))
    first.publish([StagedFile(0, None, "x.json", 2)])
    again = OutputFiles(BatchId(7, "ab", True, True), [group])
    again.prepare()
    assert again.publish([]) == {}
    again.discard()
    assert not list(place.glob("part-*"))
    after = disk.restore(tmp_path, tmp_path.parent / "after-again") / "out" / "q"
    assert not list(after.glob("part-*"))


def test_files_that_spark_wrote_are_durable(disk: VolatileDisk, tmp_path: Path) -> None:
    place = tmp_path / "out"
    place.mkdir()
    moved = [place / name for name in ("part-0.json", "part-1.json")]
    for path in moved:
        path.write_text("rows")
        path.with_name(f".{path.name}.crc").write_text("crc")
    elsewhere = LocalFiles()
    elsewhere.scheme = "s3a"
    sync_moved(elsewhere, [str(path) for path in moved])
    assert not disk.contents
    sync_moved(LocalFiles(), [str(path) for path in moved])
    after = disk.restore(tmp_path, tmp_path.parent / "after-spark") / "out"
    assert sorted(path.read_text() for path in after.iterdir()) == ["crc", "crc", "rows", "rows"]


def test_a_refused_move_is_an_error() -> None:
    files = LocalFiles()
    move(files, "a", "b")
    files.moves = False
    with pytest.raises(RunError, match="a could not be moved to b"):
        move(files, "a", "b")


def test_counts_of_shed_rows_that_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The run goes on, and says so; a disk that failed ends it."""

    def fail(*_: Any) -> Any:
        raise failure

    monkeypatch.setattr(sinks, "folder_and_mark", fail)
    text = "CREATE STREAM S (k INT); CREATE QUERY q INTO json OPTIONS (path 'out') AS SELECT k FROM S;"
    query, spark = analyse(parse_script(Source(text))).queries["q"], cast(SparkSession, None)
    failure = OSError(errno.ENOSPC, "No space left on device")
    sinks.write_shed_counts(spark, query, None, {"S": 3}, 7)
    assert "q: how many rows were shed could not be written: the disk is full" in caplog.text
    failure = OSError(errno.EIO, "Input/output error")
    with pytest.raises(OSError, match="Input/output error"):
        sinks.write_shed_counts(spark, query, None, {"S": 3}, 7)


@pytest.mark.spark
def test_the_folder_of_each_sink_is_tried(spark: SparkSession, tmp_path: Path) -> None:
    """Also if another sink of its kind was tried before."""
    (tmp_path / "taken").touch()
    text = "CREATE STREAM S (k INT);" + "".join(
        f"CREATE QUERY {name} INTO json OPTIONS (path '{path}') AS SELECT k FROM S;"
        for name, path in {"one": "out", "two": "taken/out", "three": "out/three"}.items()
    )
    one, two, three = analyse(parse_script(Source(text))).queries.values()
    sinks.try_sink(spark, one, str(tmp_path))
    with pytest.raises(RunError, match="two cannot be written"):
        sinks.try_sink(spark, two, str(tmp_path))
    sinks.try_sink(spark, three, str(tmp_path))
    assert not list(tmp_path.rglob("tried-*"))
