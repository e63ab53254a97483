"""What Spark's reader is told of a source's files, and files of any age, which are all taken."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tailrace.catalog.sources import Stream
from tailrace.engine.pipeline import compile_script
from tailrace.engine.run_queries import stand
from tailrace.errors import Source
from tailrace.schema import Schema
from tailrace.spark.io.read_files import FileLayout, FileSource

DAY = 86_400.0


class Reader:
    """Stands for Spark and its reader of streams: remembers the options."""

    def __init__(self) -> None:
        self.said: dict[str, str] = {}

    @property
    def readStream(self) -> Reader:
        return self

    def format(self, name: str) -> Reader:
        return self

    def options(self, **options: str) -> Reader:
        self.said |= options
        return self

    def schema(self, text: str) -> Reader:
        return self

    def load(self, path: str) -> Reader:
        return self


@pytest.mark.parametrize(("options", "age"), [((), "1000000d"), ((("MAXFILEAGE", "3d"),), "3d")])
def test_no_file_is_too_old_unless_the_source_says_so(tmp_path: Path, options: Any, age: str) -> None:
    reader: Any = Reader()
    source = Stream("S", Schema.of(), "json", (("path", str(tmp_path)), *options), timestamp="ts")
    FileSource(reader, source).follow(FileLayout(None, True), {}, None)
    assert {key.lower(): value for key, value in reader.said.items()}["maxfileage"] == age


def write(file: Path, text: str, days: float) -> None:
    """Write a file that was changed last so many days ago."""
    file.write_text(text)
    os.utime(file, (time.time() - days * DAY,) * 2)


@pytest.mark.spark
@pytest.mark.parametrize("scan", ["arrow", pytest.param("spark", marks=pytest.mark.slow)])
def test_files_of_long_ago(spark: SparkSession, tmp_path: Path, scan: str) -> None:
    """Each comes in a run of its own, after a new one."""
    script = (
        f"SET scan = '{scan}'; CREATE STREAM S (v INT) USING json OPTIONS (path 'S') TIMESTAMP BY ts;"
        "CREATE QUERY q AS SELECT v FROM S;"
    )
    (tmp_path / "S").mkdir()
    answers: list[tuple[Any, ...]] = []
    for number, days in enumerate((0, 9000, 8)):
        write(tmp_path / "S" / f"{number}.json", f'{{"ts": {number}, "v": {number}}}\n', days)
        stand(
            compile_script(Source(script), tmp_path),
            str(tmp_path),
            str(tmp_path / "kept"),
            None,
            lambda stop: None,
            "local[2]",
            lambda query, names, rows: answers.extend(rows),
        )
    assert answers == [(number, number) for number in range(3)]
