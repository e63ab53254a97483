"""What Spark's reader is told of a source's files; no Spark needed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tailrace.catalog.sources import Stream
from tailrace.schema import Schema
from tailrace.spark.io.read_files import FileLayout, FileSource


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
