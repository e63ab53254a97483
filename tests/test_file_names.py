"""Names of queries and sources in paths: none leads out of its folder, and no two become one."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailrace.file_names import file_name_of
from tailrace.spark.io.rejected_rows import RejectedRows
from tailrace.spark.io.sink_files import FileGroup, OutputFiles
from tailrace.spark.io.sinks import BatchId, SinkTarget, prefix
from tailrace.write.write_spec import WriteSpec

NASTY = ["../../x", "a/b", "..", ".", "", "/etc/x", "a\0b", "x" * 10_000, "ü" * 300, "{a,/b}", "*", "q%2F", "\ud800"]


def test_nasty_names_are_one_part_of_a_path() -> None:
    for name in NASTY:
        found = file_name_of(name)
        assert found not in ("", ".", "..")
        assert len(found.encode()) < 200
        assert found.isprintable()
        assert not set(found) & set("/\\*?[]{}:")
        assert not found.startswith(".")
    assert len({file_name_of(name) for name in NASTY}) == len(NASTY)


@given(st.lists(st.text(max_size=250) | st.text("./%~a", max_size=9), unique=True, max_size=5))
def test_different_names_stay_different(names: list[str]) -> None:
    assert len({file_name_of(name) for name in names}) == len(names)


@pytest.mark.parametrize("name", ["counts", "_x", "Straße 7", "a-b.c", "tailrace.batches"])
def test_usual_names_stay_as_they_are(name: str) -> None:
    assert file_name_of(name) == name


@pytest.mark.parametrize("name", NASTY)
def test_results_stay_in_their_folder(tmp_path: Path, name: str) -> None:
    batch, folder = BatchId(7, "ab", False), tmp_path / "inside" / "out"
    spec = WriteSpec("csv", (("header", "true"),), pa.schema([("v", pa.int64())]), 17)
    target = SinkTarget(name, "csv", "out")
    files = OutputFiles(batch, [FileGroup(name, spec, {None: target}, {None: str(folder)})])
    files.prepare()
    files.publish([])
    (written,) = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert written.parent == folder
    assert written.name == f"{prefix(target, batch)}-0.csv"
    files.discard()
    assert list((folder / "_tailrace").iterdir()) == []


@pytest.mark.parametrize("name", NASTY)
def test_rejected_rows_stay_in_their_folder(name: str) -> None:
    layout: Any = SimpleNamespace(sources=[SimpleNamespace(name=name)])
    place = RejectedRows("late", layout, "/run/late").place(0)
    assert os.path.dirname(os.path.normpath(place)) == "/run/late"
