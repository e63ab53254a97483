"""Sinks that tasks write: which they are, and how their files come into place exactly once."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from tailrace.exchange.payloads import FILES, read_payloads
from tailrace.spark.batch import source_task
from tailrace.spark.batch.source_task import write_results
from tailrace.spark.io.sink_files import FileGroup, OutputFiles, SparkFacts, TaskSinks, move_file
from tailrace.spark.io.sinks import BatchId, SinkTarget
from tailrace.staging.plan_version import SHARE_FROM
from tailrace.write.result_files import ResultFiles, StagedFile, files_from_json
from tailrace.write.write_spec import WriteSpec
from tests.spark.run.loops import run

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("as_the_engine_runs")]

SCHEMA = pa.schema([("_ts", pa.int64()), ("v", pa.int64())])
ROWS = pa.RecordBatch.from_pydict({"_ts": [1, 2], "v": [10, 20]}, SCHEMA)
BATCH = BatchId(7, "ab", False)


def output(folder: Path, format: str = "json", batch: BatchId = BATCH, **options: str) -> OutputFiles:
    """The files of a query `q`, with the staging folder that the driver makes."""
    spec = WriteSpec(format, tuple(options.items()), SCHEMA, 17)
    found = OutputFiles(batch, [FileGroup("q", spec, {None: SinkTarget("q", format, "out")}, {None: str(folder)})])
    found.prepare()
    return found


def run_task(files: OutputFiles) -> list[StagedFile]:
    """What the driver hears of a task that has two rows for the sink."""

    def add(results: ResultFiles) -> Iterator[pa.RecordBatch]:
        assert results.take(0, ROWS) is None
        yield from ()

    messages = list(read_payloads(write_results({0: files.sinks}, 3, add)))
    assert [(message.target.stage, message.target.port, message.shard) for message in messages] == [(FILES, 0, 3)]
    return [file for message in messages for file in files_from_json(bytes(message.content))]


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir() if path.is_file()}


TEXT = '{"_ts":1,"v":10}\n{"_ts":2,"v":20}\n'


def test_files_of_all_tasks_are_moved(tmp_path: Path) -> None:
    files = output(tmp_path)
    staged = [*run_task(files), *run_task(files)]
    assert contents(tmp_path) == {}
    files.publish(staged)
    files.discard()
    assert contents(tmp_path) == {f"part-00000007-q-ab-{number}.json": TEXT for number in range(2)}
    assert list((tmp_path / "_tailrace").iterdir()) == []


def test_a_task_that_fails_after_it_wrote_and_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The driver hears only of the second attempt, even if the first could not take its file away."""
    files, points = output(tmp_path), []

    def fail_once(point: str) -> None:
        points.append(point)
        if len(points) == 1:
            raise OSError("the worker died")

    monkeypatch.setattr(source_task, "fault", fail_once)
    monkeypatch.setattr(ResultFiles, "discard", lambda self: None)
    with pytest.raises(OSError, match="the worker died"):
        run_task(files)
    assert len(list((tmp_path / "_tailrace" / "q-ab").iterdir())) == 1
    staged = run_task(files)
    assert points == ["staged", "staged"]
    files.publish(staged)
    files.discard()
    assert contents(tmp_path) == {"part-00000007-q-ab-0.json": TEXT}


def test_a_repeated_batch_replaces_its_files(tmp_path: Path) -> None:
    """Also those that Spark's writer wrote, with the checksums that Hadoop keeps beside them."""
    for name in ("part-00000007-q-ab-0.json", "part-00000007-q-ab-5.json", ".part-00000007-q-ab-0.json.crc"):
        (tmp_path / name).write_text("of an attempt that was killed")
    others = dict.fromkeys(("part-00000006-q-ab-0.json", "part-00000007-q2-ab-0.json", "part-00000007-q-cd-0.json"), "")
    for name in others:
        (tmp_path / name).touch()
    files = output(tmp_path, batch=BatchId(7, "ab", True))
    files.publish(run_task(files))
    assert contents(tmp_path) == {**others, "part-00000007-q-ab-0.json": TEXT}


def test_a_batch_without_rows(tmp_path: Path) -> None:
    """As Spark does: a file with the names of columns, where the format has any."""
    for name, format, options in [
        ("j", "json", {}),
        ("c", "csv", {}),
        ("h", "csv", {"header": "true"}),
        ("p", "parquet", {}),
    ]:
        output(tmp_path / name, format, **options).publish([])
    assert contents(tmp_path / "j") == contents(tmp_path / "c") == {}
    assert contents(tmp_path / "h") == {"part-00000007-q-ab-0.csv": "_ts,v\n"}
    (file,) = (tmp_path / "p").glob("part-*")
    assert file.name == "part-00000007-q-ab-0.snappy.parquet"
    assert pq.read_table(file).equals(SCHEMA.empty_table())


def test_a_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "taken").touch()
    (problem,) = output(tmp_path / "taken" / "out").prepare().values()
    assert problem.message.endswith("taken/out cannot be written: a part of its path is a file")


def test_a_folder_into_which_no_file_can_be_moved(tmp_path: Path) -> None:
    """One member fails, none of its files stays, and the other gets its own."""
    spec, names = WriteSpec("json", (), SCHEMA, 17), (3, 5)
    targets = {number: SinkTarget(f"q{number}", "json", "out") for number in names}
    folders: dict[int | None, str] = {number: str(tmp_path / str(number)) for number in names}
    files = OutputFiles(BATCH, [FileGroup("members", spec, dict(targets), folders)])
    assert files.prepare() == {}
    staged = []
    for number in names:
        file = StagedFile(0, number, f"of-{number}.json", 2)
        (Path(files.groups[0].staging_folder(BATCH)) / file.name).write_text(TEXT)
        staged.append(file)
    (tmp_path / "5").touch()
    assert list(files.publish(staged)) == [5]
    assert contents(tmp_path / "3") == {"part-00000007-q3-ab-0.json": TEXT}


def test_settings_that_change_what_spark_writes(spark: SparkSession) -> None:
    assert SparkFacts.of(spark).reason is None
    spark.conf.set("spark.sql.parquet.compression.codec", "gzip")
    try:
        assert SparkFacts.of(spark).reason == "SET spark.sql.parquet.compression.codec"
    finally:
        spark.conf.unset("spark.sql.parquet.compression.codec")


# Whole runs -----------------------------------------------------------------------------------------------

SOURCE = "CREATE STREAM S (k INT, v DOUBLE, name STRING) USING csv OPTIONS (path 'S') TIMESTAMP BY ts;"
SINKS = {
    "csv": "csv OPTIONS (path '{}', header 'true')",
    "json": "json OPTIONS (path '{}')",
    "parquet": "parquet OPTIONS (path '{}')",
    "orc": "orc OPTIONS (path '{}')",
}
QUERIES = {
    "filtered": "SELECT ISTREAM(k, v, name) FROM S WHERE k > 1",
    "sums": "SELECT k, SUM(v) AS total, MAX(name) AS name FROM S [RANGE 3] GROUP BY k",
    "nothing": "SELECT ISTREAM(k) FROM S WHERE k > 100",
}


def write_source(folder: Path) -> None:
    (folder / "S").mkdir()
    rows = [f'{row // 5},{row % 7},{row / 3},"n {row % 4}, ""x"""' for row in range(300)]
    (folder / "S" / "a.csv").write_text("\n".join(["ts,k,v,name", *rows, ""]))


def read_back(spark: SparkSession, folder: Path, format: str) -> Any:
    """The schema and the rows of a folder, as Spark reads them; None if it has no files but empty ones."""
    if not any(file.stat().st_size for file in folder.glob("part-*")):
        return None
    frame = spark.read.format(format).options(**({"header": "true"} if format == "csv" else {})).load(str(folder))
    return frame.schema, sorted(map(str, frame.collect()))


def both(spark: SparkSession, folder: Path, script: str, sinks: dict[str, str]) -> tuple[Any, Any, Any]:
    """What is in the sinks where tasks write what they can, and where Spark writes all; and who wrote in the first."""
    write_source(folder)
    found, wrote = [], []
    for by in ("tasks", "spark"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(OutputFiles, "publish", watch(OutputFiles.publish, wrote))
            if by == "spark":
                patch.setattr(TaskSinks, "files_of", lambda *given: None)
            _, rows = run(spark, folder, script.replace("OUT", by))
        answers = {name: sorted(map(str, given)) for name, given in rows.items()}
        files = {name: read_back(spark, folder / by / name, format) for name, format in sinks.items()}
        found.append((answers, files))
    return *found, [each for each in wrote if each is not None]


def watch(publish: Any, wrote: list[Any]) -> Any:
    def note_and_publish(self: OutputFiles, files: Any) -> Any:
        wrote.extend(target.name for group in self.groups for target in group.targets.values())
        return publish(self, files)

    return note_and_publish


def test_sinks_hold_what_spark_would_write(spark: SparkSession, tmp_path: Path) -> None:
    formats = {"filtered": SINKS, "sums": ("csv", "json", "parquet"), "nothing": ("csv", "json", "parquet")}
    sinks = {f"{name}_{format}": format for name in QUERIES for format in formats[name]}
    queries = [
        f"CREATE QUERY {sink} INTO {SINKS[format].format(f'OUT/{sink}')} AS {QUERIES[sink.partition('_')[0]]};"
        for sink, format in sinks.items()
    ]
    tasks, plain, wrote = both(spark, tmp_path, SOURCE + "".join(queries), sinks)
    assert tasks == plain
    assert len(tasks[1]["filtered_csv"][1]) > 100
    assert set(wrote) == {name for name, format in sinks.items() if format != "orc"}


def test_members_of_a_family(spark: SparkSession, tmp_path: Path) -> None:
    """Members with sinks of several formats, and some without: each gets its own rows."""
    sinks, queries = {}, []
    for number in range(SHARE_FROM + 8):
        format = (*SINKS, "")[number % 5]
        name, into = f"m{number}", f"INTO {SINKS[format].format(f'OUT/m{number}')} " if format else ""
        queries.append(
            f"CREATE QUERY {name} {into}AS SELECT ISTREAM(k AS a{number % 2}, v) FROM S WHERE k >= {number};"
        )
        sinks |= {name: format} if format else {}
    tasks, plain, wrote = both(spark, tmp_path, SOURCE + "".join(queries), sinks)
    assert tasks == plain
    assert set(wrote) == {name for name, format in sinks.items() if format != "orc"}
    assert len(tasks[1]["m0"][1]) == 300


def test_a_file_moves_to_another_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    staged, place = tmp_path / "staged.csv", tmp_path / "out" / "part.csv"
    place.parent.mkdir()
    staged.write_text("1\n")
    rename = os.rename

    def refuse_other_folders(path: str, to: str) -> None:
        if Path(path).parent != Path(to).parent:
            raise OSError(errno.EXDEV, "another disk")
        rename(path, to)

    monkeypatch.setattr(os, "rename", refuse_other_folders)
    move_file(str(staged), str(place))
    assert [path.name for path in place.parent.iterdir()] == ["part.csv"]
    assert place.read_text() == "1\n"
