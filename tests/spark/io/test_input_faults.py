"""Files that are gone, damaged or still being written: named, left out as a whole, and nothing else is lost."""

from __future__ import annotations

import gzip
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import orc, parquet
from pyspark.sql import SparkSession

from tailrace.engine.pipeline import compile_script
from tailrace.engine.run_queries import stand
from tailrace.errors import RunError, Source
from tailrace.spark.io import input_faults
from tailrace.spark.io.bind_files import FileBinding
from tests.spark.io.files import kept
from tests.spark.run.loops import run

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("as_the_engine_runs")]

QUERY = "CREATE QUERY every AS SELECT v FROM S;"


def script(format: str, scan: str, more: str = "") -> str:
    return (
        f"SET scan = '{scan}';CREATE STREAM S (v INT) USING {format} OPTIONS (path 'S') TIMESTAMP BY ts {more};" + QUERY
    )


def write(file: Path, *rows: tuple[int, int]) -> None:
    """Write rows of a timestamp and a value to a file, in the format of its name."""
    format = file.name.split(".", 1)[1]
    if format in ("parquet", "orc"):
        times = pa.array([ts for ts, _ in rows], pa.int64())
        table = pa.table({"ts": times, "v": pa.array([v for _, v in rows], pa.int32())})
        (parquet if format == "parquet" else orc).write_table(table, file)
        return
    lines = [f"{ts},{v}" if "csv" in format else f'{{"ts": {ts}, "v": {v}}}' for ts, v in rows]
    text = "\n".join([*(["ts,v"] if "csv" in format else ()), *lines, ""]).encode()
    file.write_bytes(gzip.compress(text) if format.endswith("gz") else text)


@pytest.mark.parametrize("scan", ["arrow", "spark"])
@pytest.mark.parametrize("name", ["b.parquet", "b.csv.gz", "b.orc"])
def test_cut_short(spark: SparkSession, tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str, scan: str) -> None:
    folder, ending = tmp_path / "S", name.split(".", 1)[1]
    folder.mkdir()
    write(folder / f"a.{ending}", (1, 10), (2, 20))
    write(folder / name, *((number % 7 + 3, number * 7919 % 1000) for number in range(5000)))
    write(folder / f"c.{ending}", (11, 30))
    (folder / name).write_bytes((folder / name).read_bytes()[:-1500])
    with caplog.at_level(logging.WARNING, "tailrace"):
        outcome, answers = run(spark, tmp_path, script(ending.split(".")[0], scan))
    assert answers["every"] == [(1, 10), (2, 20), (11, 30)]
    (told,) = outcome.unreadable
    assert (told.source, told.rows, told.files, outcome.rows) == ("S", 1, (name,), 4)
    assert f"S/{name} is left out: " in caplog.text
    assert len(kept(tmp_path / "unreadable" / "S")) == 1


def remove_when_listed(monkeypatch: pytest.MonkeyPatch, file: Path, name: str = "find_faults") -> None:
    """Remove a file once Structured Streaming has it in a batch: before it was looked at, or after."""
    before: Callable[..., Any] = getattr(FileBinding, name)

    def after(self: FileBinding, *args: Any, **options: Any) -> Any:
        file.unlink(missing_ok=True)
        return before(self, *args, **options)

    monkeypatch.setattr(FileBinding, name, after)


@pytest.mark.parametrize("scan", ["arrow", "spark"])
@pytest.mark.parametrize("ending", ["csv", "json", "parquet"])
@pytest.mark.parametrize("moment", ["find_faults", "bind"])
def test_removed(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, scan: str, moment: str
) -> None:
    """The reason is kept beside the name, where the format has a place for it."""
    (tmp_path / "S").mkdir()
    for number, name in enumerate("abc"):
        write(tmp_path / "S" / f"{name}.{ending}", (number, number))
    remove_when_listed(monkeypatch, tmp_path / "S" / f"b.{ending}", moment)
    outcome, answers = run(spark, tmp_path, script(ending, scan))
    assert answers["every"] == [(0, 0), (2, 2)]
    assert [(told.rows, told.files) for told in outcome.unreadable] == [(1, (f"b.{ending}",))]
    (row,) = kept(tmp_path / "unreadable" / "S")
    assert row == ({} if ending == "parquet" else {"unreadable": "it is gone"})


def test_removed_beside_heartbeats(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "S").mkdir()
    write(tmp_path / "S" / "a.csv", (1, 1))
    (tmp_path / "S" / "b.csv").write_text("ts,v,beat\n2,2,false\n9,,true\n")
    write(tmp_path / "S" / "c.csv", (3, 3))
    remove_when_listed(monkeypatch, tmp_path / "S" / "c.csv")
    _, answers = run(spark, tmp_path, script("csv", "spark", "HEARTBEAT BY beat"))
    assert answers["every"] == [(1, 1), (2, 2)]


@pytest.mark.parametrize("scan", ["arrow", "spark"])
def test_a_torn_last_line(spark: SparkSession, tmp_path: Path, scan: str) -> None:
    """Of a file that nobody goes on writing: a line that is no row is kept aside, the others are taken."""
    (tmp_path / "S").mkdir()
    (tmp_path / "S" / "a.json").write_text('{"ts": 1, "v": 1}\n{"ts": 2, "v"')
    outcome, answers = run(spark, tmp_path, script("json", scan))
    assert answers["every"] == [(1, 1)]
    assert [row["unreadable"] for row in kept(tmp_path / "unreadable" / "S")] == ['{"ts": 2, "v"']
    assert outcome.rows == 2


@pytest.mark.parametrize("scan", ["arrow", "spark"])
def test_written_while_it_was_listed(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scan: str
) -> None:
    """What was added after Spark looked at the file, and before the batch reads it, is read too."""
    (tmp_path / "S").mkdir()
    file = tmp_path / "S" / "a.csv"
    file.write_text("ts,v\n1,1\n2,1")
    before = input_faults.await_writers

    def finish(files: list[tuple[str, str]]) -> list[str]:
        if not file.read_text().endswith("3,3\n"):
            with file.open("a") as opened:
                opened.write("23\n3,3\n")
        return before(files)

    monkeypatch.setattr(input_faults, "await_writers", finish)
    outcome, answers = run(spark, tmp_path, script("csv", scan))
    assert answers["every"] == [(1, 1), (2, 123), (3, 3)]
    assert not outcome.unreadable


def test_a_batch_that_must_be_repeated_misses_a_file(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run says which and what to do: with an empty file in its place it goes on."""
    (tmp_path / "S").mkdir()
    for number, name in enumerate("ab"):
        write(tmp_path / "S" / f"{name}.json", (number, number))
    answers: list[tuple[Any, ...]] = []

    def start() -> None:
        stand(
            compile_script(Source(script("json", "arrow")), tmp_path),
            str(tmp_path),
            str(tmp_path / "kept"),
            None,
            lambda stop: None,
            "local[2]",
            lambda query, names, rows: answers.extend(rows),
        )

    def fail(self: FileBinding, *args: Any) -> None:
        raise RunError("the power is gone")

    with monkeypatch.context() as broken:
        broken.setattr(FileBinding, "bind", fail)
        with pytest.raises(RunError, match="the power is gone"):
            start()
    (tmp_path / "S" / "b.json").unlink()
    for _ in range(2):
        with pytest.raises(RunError, match=r"S: .*/S/b\.json is gone, .* must read it again") as told:
            start()
        assert "put the file back" in str(told.value.hint)
    (tmp_path / "S" / "b.json").touch()
    start()
    assert answers == [(0, 0)]
