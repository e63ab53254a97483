"""Sources that have no rows yet do not say whether they count ticks: later files do, or the other sources."""

from __future__ import annotations

import json
import threading
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from tailrace.engine.pipeline import compile_script
from tailrace.engine.run_queries import stand
from tailrace.errors import RunError, Source
from tailrace.progress import RunSummary
from tests.patience import PATIENCE
from tests.spark.io.files import aged
from tests.spark.run.loops import Answers
from tests.spark.run.loops import run as run_script

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("as_the_engine_runs")]

STREAM = "CREATE STREAM {name} (k INT) USING {format} OPTIONS (path '{name}', maxFilesPerTrigger '1') TIMESTAMP BY ts;"
EVERY = "CREATE QUERY every AS SELECT k FROM S;"
STAMPS: dict[str, tuple[Any, Any]] = {
    "ticks": (5, 6),
    "timestamps": ("2024-03-01 10:00:00", "2024-03-01 10:00:01"),
}


def text(format: str, *rows: tuple[Any, Any]) -> str:
    if format == "csv":
        return "ts,k\n" + "".join(f"{'' if ts is None else ts},{k}\n" for ts, k in rows)
    return "".join(json.dumps({"ts": ts, "k": k}) + "\n" for ts, k in rows)


def run(spark: SparkSession, folder: Path, script: str, until: str | None = None) -> tuple[RunSummary, Answers]:
    """What a run tells, and the rows of each query; their moments are in UTC, which is not written at each."""
    outcome, answers = run_script(spark, folder, script, until)
    return outcome, {name: [tuple(map(without_zone, row)) for row in rows] for name, rows in answers.items()}


def without_zone(value: Any) -> Any:
    return value.replace(tzinfo=None) if isinstance(value, datetime) else value


def answer(stamp: Any) -> Any:
    return datetime.fromisoformat(stamp) if isinstance(stamp, str) else stamp


@pytest.mark.parametrize("format", ["csv", "json"])
@pytest.mark.parametrize("kind", STAMPS)
def test_the_first_file_that_says(spark: SparkSession, tmp_path: Path, format: str, kind: str) -> None:
    (tmp_path / "S").mkdir()
    first, second = STAMPS[kind]
    texts = [
        "",
        text(format),
        "not JSON\n" if format == "json" else "",
        text(format, (None, 0), (first, 1), (second, 2)),
    ]
    for number, content in enumerate(texts):
        (tmp_path / "S" / f"{number}.{format}").write_text(content)
    aged(tmp_path / "S")
    outcome, answers = run(spark, tmp_path, STREAM.format(name="S", format=format) + EVERY)
    assert answers["every"] == [(answer(first), 1), (answer(second), 2)]
    assert [told.rows for told in outcome.unreadable] == [1 + (format == "json")]


def test_a_run_over_nothing_at_all(spark: SparkSession, tmp_path: Path) -> None:
    """By definition there is an instant 0; without any timestamp it is written as a number."""
    (tmp_path / "S").mkdir()
    script = STREAM.format(name="S", format="csv") + "CREATE QUERY n AS SELECT COUNT(*) AS n FROM S;"
    assert run(spark, tmp_path, script)[1]["n"] == [(0, "+", 0)]
    assert run(spark, tmp_path, script, until="7")[1]["n"] == [(0, "+", 0)]
    (((moment, *_),)) = run(spark, tmp_path, script, until="2024-03-01 10:00:00")[1]["n"]
    assert moment == datetime(2024, 3, 1, 10)


@pytest.mark.parametrize("kind", STAMPS)
@pytest.mark.parametrize("format", ["csv", "json", "parquet"])
def test_it_goes_with_the_others(spark: SparkSession, tmp_path: Path, kind: str, format: str) -> None:
    (tmp_path / "S").mkdir()
    (tmp_path / "T").mkdir()
    first, second = STAMPS[kind]
    (tmp_path / "S" / "1.csv").write_text(text("csv", (first, 1), (second, 2)))
    script = STREAM.format(name="S", format="csv") + STREAM.format(name="T", format=format) + EVERY
    script += "CREATE QUERY both AS SELECT S.k FROM S [RANGE 1] EXCEPT SELECT k FROM T [NOW];"
    answers = run(spark, tmp_path, script)[1]
    assert answers["both"] == [(answer(first), "+", 1), (answer(second), "+", 2)]


class Run:
    """A continuous run over folders that fill up: the next file comes once there is an answer to the one before."""

    def __init__(self, folder: Path, files: list[tuple[str, Any]]) -> None:
        self.folder, self.files = folder, files
        self.answers: list[tuple[Any, ...]] = []
        self.stop: threading.Event | None = None

    def write(self) -> None:
        if not self.files:
            return
        name, content = self.files.pop(0)
        aside = self.folder / "aside"
        pq.write_table(content, aside) if isinstance(content, pa.Table) else aside.write_text(content)
        aside.rename(self.folder / name)

    def begin(self, stop: threading.Event) -> None:
        self.stop = stop
        threading.Timer(4, self.write).start()

    def show(self, query: object, names: list[str], rows: list[tuple[Any, ...]]) -> None:
        plain = [
            tuple(each.replace(tzinfo=None) if isinstance(each, datetime) else each for each in row) for row in rows
        ]
        self.answers += plain
        if rows and self.files:
            self.write()
        elif rows and self.stop:
            self.stop.set()

    def run(self, script: str, checkpoint: str | None = None) -> list[tuple[Any, ...]]:
        timer = threading.Timer(PATIENCE, lambda: self.stop and self.stop.set())
        timer.daemon = True  # a run that fails must not keep the tests waiting
        timer.start()
        found = compile_script(Source(script, "a.cql"), self.folder)
        try:
            stand(found, str(self.folder), checkpoint, "0 seconds", self.begin, "local[2]", self.show)
        finally:
            timer.cancel()
        return self.answers


def content(format: str, *rows: tuple[Any, Any]) -> Any:
    """A file's content; of a parquet file its table."""
    if format != "parquet":
        return text(format, *rows)
    type = pa.timestamp("us", "UTC") if isinstance(rows[0][0], str) else pa.int64()
    stamps = pa.array([answer(ts) for ts, _ in rows], type)
    return pa.table({"k": pa.array([k for _, k in rows], pa.int32()), "ts": stamps})


@pytest.mark.parametrize(
    ("format", "kind"),
    [
        ("csv", "ticks"),
        ("json", "timestamps"),
        pytest.param("parquet", "timestamps", marks=pytest.mark.slow),
        ("parquet", "ticks"),
    ],
)
def test_a_standing_run_begins_over_an_empty_folder(
    spark: SparkSession, tmp_path: Path, format: str, kind: str
) -> None:
    """A later run over the same checkpoint knows the type of timestamps, though the files are gone."""
    (tmp_path / "S").mkdir()
    (first, second), script = STAMPS[kind], STREAM.format(name="S", format=format) + EVERY
    contents = [content(format, (first, 1), (second, 2)), content(format, (second, 3))]
    checkpoint = str(tmp_path / "checkpoint")
    found = Run(tmp_path, [("S/1.data", contents[0]), ("S/2.data", contents[1])]).run(script, checkpoint)
    assert sorted(found) == [(answer(first), 1), (answer(second), 2), (answer(second), 3)]
    for file in (tmp_path / "S").iterdir():
        file.unlink()
    found = Run(tmp_path, [("S/3.data", content(format, (second, 4)))]).run(script, checkpoint)
    assert found == [(answer(second), 4)]


def test_a_source_that_went_with_the_others_and_is_otherwise(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "S").mkdir()
    (tmp_path / "T").mkdir()
    (tmp_path / "S" / "1.csv").write_text(text("csv", (1, 1)))
    script = STREAM.format(name="S", format="csv") + STREAM.format(name="T", format="csv")
    # Neither query answers anything before the file of T comes: an answer would end the run.
    script += "CREATE QUERY none AS SELECT k FROM S WHERE k > 1; CREATE QUERY other AS SELECT k FROM T;"
    with pytest.raises(RunError) as raised:
        Run(tmp_path, [("T/1.csv", text("csv", ("2024-03-01", 1)))]).run(script)
    assert "the files of T have TIMESTAMPs" in raised.value.message
    assert "ts BIGINT, or ts TIMESTAMP" in (raised.value.hint or "")


def test_it_is_asked_for_where_nothing_can_tell(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "S").mkdir()
    with pytest.raises(RunError, match="nothing says whether ts counts ticks"):
        run(spark, tmp_path, STREAM.format(name="S", format="xml").replace("path", "rowTag 'r', path") + EVERY)


@pytest.mark.parametrize("kind", STAMPS)
def test_static_tables_alone_take_the_time_of_until(spark: SparkSession, tmp_path: Path, kind: str) -> None:
    """No source shows a kind of time, so the form of `--until` decides."""
    (tmp_path / "R").mkdir()
    (tmp_path / "R" / "a.csv").write_text("k\n7\n")
    script = "CREATE RELATION R (k INT) USING csv OPTIONS (path 'R'); CREATE QUERY every AS SELECT RSTREAM(k) FROM R;"
    first, second = STAMPS[kind]
    origin = "" if kind == "ticks" else f"SET origin = '{first}';"
    _, answers = run(spark, tmp_path, origin + script, str(second))
    assert answers["every"][-1] == (answer(second), 7)
