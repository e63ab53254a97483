"""Files that are gone, damaged or still being written: named, left out as a whole, and nothing else is lost."""

from __future__ import annotations

import gzip
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import orc, parquet
from pyspark.sql import SparkSession

from tailrace import Engine
from tailrace.engine.pipeline import compile_script
from tailrace.engine.run_queries import stand
from tailrace.errors import Source
from tailrace.progress import RunSummary
from tailrace.spark.io import input_faults
from tailrace.spark.io.bind_files import FileBinding
from tailrace.spark.run.checkpoint import Checkpoint
from tests.patience import PATIENCE
from tests.spark.io.files import kept, written
from tests.spark.run.loops import run

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("as_the_engine_runs")]

SLOW = pytest.mark.slow

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


@pytest.mark.parametrize(
    ("name", "scan"),
    [
        ("b.parquet", "arrow"),
        ("b.csv.gz", "arrow"),
        pytest.param("b.parquet", "spark", marks=SLOW),
        pytest.param("b.csv.gz", "spark", marks=SLOW),
        pytest.param("b.orc", "spark", marks=SLOW),
    ],
)
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


def remove_when_listed(monkeypatch: pytest.MonkeyPatch, file: Path, name: str = "batch_files") -> None:
    """Remove a file once Structured Streaming has it in a batch: before it was looked at, or after."""
    before: Callable[..., Any] = getattr(FileBinding, name)

    def after(self: FileBinding, *args: Any, **options: Any) -> Any:
        file.unlink(missing_ok=True)
        return before(self, *args, **options)

    monkeypatch.setattr(FileBinding, name, after)


@pytest.mark.slow
@pytest.mark.parametrize("scan", ["arrow", "spark"])
@pytest.mark.parametrize("ending", ["csv", "json", "parquet"])
@pytest.mark.parametrize("moment", ["batch_files", "bind"])
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


@pytest.mark.slow
def test_removed_beside_heartbeats(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "S").mkdir()
    (tmp_path / "S" / "a.csv").write_text("ts,v,beat\n1,1,false\n")
    (tmp_path / "S" / "b.csv").write_text("ts,v,beat\n2,2,false\n9,,true\n")
    write(tmp_path / "S" / "c.csv", (3, 3))
    remove_when_listed(monkeypatch, tmp_path / "S" / "c.csv")
    _, answers = run(spark, tmp_path, script("csv", "spark", "HEARTBEAT BY beat"))
    assert answers["every"] == [(1, 1), (2, 2)]


@pytest.mark.slow
@pytest.mark.parametrize("scan", ["arrow", "spark"])
def test_a_torn_last_line(spark: SparkSession, tmp_path: Path, scan: str) -> None:
    """Of a file that nobody goes on writing: a line that is no row is kept aside, the others are taken."""
    (tmp_path / "S").mkdir()
    (tmp_path / "S" / "a.json").write_text('{"ts": 1, "v": 1}\n{"ts": 2, "v"')
    outcome, answers = run(spark, tmp_path, script("json", scan))
    assert answers["every"] == [(1, 1)]
    assert [row["unreadable"] for row in kept(tmp_path / "unreadable" / "S")] == ['{"ts": 2, "v"']
    assert outcome.rows == 2


@pytest.mark.slow
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


class Crash(Exception):
    """Ends a run at some point, as a crash does."""


@dataclass
class Restarts:
    """A script that runs again and again with one checkpoint, as `tailrace run --once --checkpoint` does."""

    folder: Path
    text: str
    answers: list[tuple[Any, ...]] = field(default_factory=list)

    def run(self) -> RunSummary:
        """Take what is new."""
        return stand(
            compile_script(Source(self.text), self.folder),
            str(self.folder),
            str(self.folder / "kept"),
            None,
            lambda stop: None,
            "local[2]",
            lambda query, names, rows: self.answers.extend(rows),
        )

    def crash(self, where: object, name: str) -> None:
        """Take what is new, and crash instead of calling a function."""

        def fail(*args: Any) -> None:
            raise Crash

        with pytest.MonkeyPatch.context() as broken:
            broken.setattr(where, name, fail)
            with pytest.raises(Crash):
                self.run()

    def results(self) -> list[tuple[int, int]]:
        """The rows in the sink `out`."""
        return sorted((row["_ts"], row["v"]) for row in written(self.folder / "out"))


def into_files(scan: str, format: str) -> str:
    query = "CREATE QUERY every INTO json OPTIONS (path 'out') AS SELECT ISTREAM(v) FROM S [NOW];"
    return script(format, scan).replace(QUERY, query)


@pytest.mark.parametrize("scan", ["arrow", pytest.param("spark", marks=SLOW)])
def test_a_file_that_becomes_whole_is_read_with_a_later_batch(
    spark: SparkSession, tmp_path: Path, caplog: pytest.LogCaptureFixture, scan: str
) -> None:
    folder, runs = tmp_path / "S", Restarts(tmp_path, script("parquet", scan))
    folder.mkdir()
    write(folder / "a.parquet", (0, 0))
    write(folder / "b.parquet", (4, 1))
    whole = (folder / "b.parquet").read_bytes()
    (folder / "b.parquet").write_bytes(whole[:-4])
    assert runs.run().unreadable[0].files == ("b.parquet",)
    assert runs.answers == [(0, 0)]
    write(folder / "c.parquet", (2, 2))
    assert not runs.run().unreadable, "it is not reported again"
    (folder / "b.parquet").write_bytes(whole + b"PAR2")
    write(folder / "d.parquet", (3, 3))
    runs.run()
    (folder / "b.parquet").write_bytes(whole)
    write(folder / "e.parquet", (4, 4))
    with caplog.at_level(logging.WARNING, "tailrace"):
        runs.run()
    assert "S/b.parquet is whole now, and is read" in caplog.text
    write(folder / "f.parquet", (5, 5))
    runs.run()
    assert sorted(runs.answers) == [(0, 0), (2, 2), (3, 3), (4, 1), (4, 4), (5, 5)]


@pytest.mark.parametrize("scan", ["spark", pytest.param("arrow", marks=SLOW)])
def test_a_repetition_reads_the_files_of_the_first_attempt(spark: SparkSession, tmp_path: Path, scan: str) -> None:
    """The file is whole when the batch is run again; it comes with the next one."""
    folder, runs = tmp_path / "S", Restarts(tmp_path, into_files(scan, "parquet"))
    folder.mkdir()
    write(folder / "a.parquet", (1, 1))
    write(folder / "b.parquet", (8, 8))
    whole = (folder / "b.parquet").read_bytes()
    (folder / "b.parquet").write_bytes(whole[:-4])
    runs.crash(Checkpoint, "commit")
    before = runs.results()
    (folder / "b.parquet").write_bytes(whole)
    outcome = runs.run()
    assert before == runs.results() == [(1, 1)]
    assert [told.files for told in outcome.unreadable] == [("b.parquet",)]
    write(folder / "c.parquet", (9, 9))
    runs.crash(Checkpoint, "commit")
    runs.run()
    assert runs.results() == [(1, 1), (8, 8), (9, 9)]


@pytest.mark.slow
@pytest.mark.parametrize("scan", ["arrow", "spark"])
def test_a_restart_says_which_files_of_its_batch_are_gone(
    spark: SparkSession, tmp_path: Path, caplog: pytest.LogCaptureFixture, scan: str
) -> None:
    """Results that the batch had delivered of them are replaced; a file that is put back comes with a later batch."""
    folder, runs = tmp_path / "S", Restarts(tmp_path, into_files(scan, "json"))
    folder.mkdir()
    for number, name in enumerate("ab"):
        write(folder / f"{name}.json", (1, number))
    runs.crash(Checkpoint, "commit")
    assert runs.results() == [(1, 0), (1, 1)]
    (folder / "b.json").unlink()
    with caplog.at_level(logging.WARNING, "tailrace"):
        outcome = runs.run()
    assert "S/b.json is left out: it is gone: it was there when the batch began" in caplog.text
    assert [told.files for told in outcome.unreadable] == [("b.json",)]
    assert runs.results() == [(1, 0)]
    write(folder / "b.json", (5, 1))
    write(folder / "c.json", (6, 2))
    runs.run()
    assert runs.results() == [(1, 0), (5, 1), (6, 2)]


@pytest.mark.slow
@pytest.mark.parametrize("scan", ["arrow", "spark"])
def test_a_run_that_goes_on(spark: SparkSession, tmp_path: Path, scan: str) -> None:
    """A file that is whole at last is read with the batch of the next one; nothing else waits for it."""
    (tmp_path / "S").mkdir()
    engine = Engine(spark, tmp_path)
    engine.execute(script("parquet", scan).replace(QUERY, ""))
    query = engine.query("SELECT ISTREAM(v) FROM S [NOW]")

    def place(name: str, ts: int, missing: int = 0) -> None:
        aside = tmp_path / f"{name}.parquet"
        write(aside, (ts, ts))
        aside.write_bytes(aside.read_bytes()[: aside.stat().st_size - missing])
        aside.rename(tmp_path / "S" / aside.name)

    def await_answers(*wanted: int) -> None:
        begun = time.monotonic()
        while [row["v"] for row in query.rows()] != list(wanted):
            assert engine.running, engine.problem
            assert time.monotonic() - begun < PATIENCE
            time.sleep(0.05)

    place("a", 1)
    engine.start()
    try:
        place("b", 5, missing=4)
        place("c", 2)
        place("d", 3)
        await_answers(1, 2)
        place("e", 4)
        await_answers(1, 2, 3)
        place("b", 5)
        place("f", 6)
        await_answers(1, 2, 3, 4, 5)
    finally:
        engine.stop()


@pytest.mark.parametrize("scan", ["arrow", pytest.param("spark", marks=SLOW)])
def test_a_header_that_names_no_column(spark: SparkSession, tmp_path: Path, scan: str) -> None:
    """Where rows are stamped at arrival, not even the time would be missed."""
    (tmp_path / "S").mkdir()
    (tmp_path / "S" / "a.csv").write_text("u,v\n5,1\n")
    (tmp_path / "S" / "b.csv").write_text("x,y\n5,2\n")
    (tmp_path / "S" / "c.csv").write_text("V\n3\n")
    text = f"SET scan = '{scan}';CREATE STREAM S (v INT) USING csv OPTIONS (path 'S');{QUERY}"
    outcome, answers = run(spark, tmp_path, text)
    assert sorted(row[-1] for row in answers["every"]) == [1, 3]
    assert [(told.rows, told.files) for told in outcome.unreadable] == [(1, ("b.csv",))]
    (row,) = kept(tmp_path / "unreadable" / "S")
    assert row["unreadable"] == "its header names none of the columns of S"


@pytest.mark.slow
def test_queries_are_not_blamed_for_files(spark: SparkSession, tmp_path: Path) -> None:
    """A query whose expression Catalyst computes, over a file that only Spark reads."""
    (tmp_path / "S").mkdir()
    for number, name in enumerate("ab"):
        write(tmp_path / "S" / f"{name}.csv.gz", *((number, k) for k in range(3000)))
    (tmp_path / "S" / "b.csv.gz").write_bytes((tmp_path / "S" / "b.csv.gz").read_bytes()[:-500])
    text = (
        script("csv", "spark")
        + "CREATE QUERY deep AS SELECT ISTREAM(reverse(sha2(CAST(v AS STRING), 256))) FROM S [NOW];"
    )
    _, answers = run(spark, tmp_path, text)
    assert len(answers["deep"]) == len(answers["every"]) == 3000
