"""Files that are gone, cut short or still being written are told from whole ones."""

from __future__ import annotations

import gzip
import os
import threading
import time
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import feather, orc, parquet

from tailrace.scan import file_faults
from tailrace.scan.file_faults import GONE, await_writers, find_deep_fault, find_fault
from tests.patience import PATIENCE

ROWS = pa.table({"ts": list(range(5000)), "v": [number * 7919 % 5000 for number in range(5000)]})


def write(folder: Path, format: str) -> Path:
    """A whole file of some format."""
    file = folder / f"a.{format}"
    if format == "parquet":
        parquet.write_table(ROWS, file)
    elif format == "arrow":
        feather.write_feather(ROWS, file)
    elif format == "orc":
        orc.write_table(ROWS, file)
    else:
        text = "".join(f"{row['ts']},{row['v']}\n" for row in ROWS.to_pylist()).encode()
        file.write_bytes(gzip.compress(text) if format == "csv.gz" else text)
    return file


def format_of(file: Path) -> str:
    return file.name.split(".")[1]


@pytest.mark.parametrize("format", ["parquet", "arrow", "orc", "csv.gz", "csv", "json"])
def test_whole_files(tmp_path: Path, format: str) -> None:
    file = write(tmp_path, format)
    for path in (str(file), file.as_uri()):
        assert find_fault(path, format_of(file)) is None
        assert find_deep_fault(path, format_of(file)) is None


@pytest.mark.parametrize("format", ["parquet", "arrow", "orc", "csv.gz", "csv"])
def test_a_file_that_is_gone(tmp_path: Path, format: str) -> None:
    file = tmp_path / f"a b.{format}"
    assert find_fault(file.as_uri(), format) == find_deep_fault(file.as_uri(), format) == GONE


@pytest.mark.parametrize("format", ["parquet", "arrow"])
@pytest.mark.parametrize("kept", [0, 3, 100, 5000])
def test_a_file_without_its_end(tmp_path: Path, format: str, kept: int) -> None:
    file = write(tmp_path, format)
    file.write_bytes(file.read_bytes()[:kept])
    assert find_fault(str(file), format)


@pytest.mark.parametrize("format", ["orc", "csv.gz"])
def test_a_file_whose_end_only_a_reader_misses(tmp_path: Path, format: str) -> None:
    file = write(tmp_path, format)
    file.write_bytes(file.read_bytes()[:-1000])
    assert find_fault(str(file), format_of(file)) is None
    assert "cut short" in (find_deep_fault(str(file), format_of(file)) or "")


def test_damage_in_the_middle(tmp_path: Path) -> None:
    file = write(tmp_path, "parquet")
    content = file.read_bytes()
    file.write_bytes(content[:4] + bytes(2000) + content[2004:])
    assert find_fault(str(file), "parquet") is None
    assert "damaged" in (find_deep_fault(str(file), "parquet") or "")


def test_a_file_that_is_being_written_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its last line is torn, and comes after a while."""
    monkeypatch.setattr(file_faults, "QUIET", 60.0)
    monkeypatch.setattr(file_faults, "PATIENCE", PATIENCE)
    monkeypatch.setattr(file_faults, "LOOK", 0.01)
    file = tmp_path / "a.csv"
    file.write_text("ts,v\n1,1")

    def finish() -> None:
        time.sleep(0.2)
        with file.open("a") as opened:
            opened.write("23\n")

    writer = threading.Thread(target=finish)
    writer.start()
    assert await_writers([(str(file), "csv")]) == []
    assert file.read_text().endswith("1,123\n")
    writer.join()


def test_nobody_waits_for_files_that_rest_or_end_well(tmp_path: Path) -> None:
    torn, whole, old = tmp_path / "torn.json", tmp_path / "whole.csv", tmp_path / "old.parquet"
    torn.write_text('{"a": 1')
    old.write_bytes(b"PAR1")
    for file in (torn, old):
        os.utime(file, (time.time() - 60,) * 2)
    whole.write_text("a\n1\n")
    begun = time.monotonic()
    assert await_writers([(str(torn), "json"), (str(whole), "csv"), (str(old), "parquet")]) == []
    assert time.monotonic() - begun < file_faults.QUIET


def test_a_writer_that_does_not_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_faults, "PATIENCE", 0.2)
    monkeypatch.setattr(file_faults, "QUIET", 1000.0)
    file = tmp_path / "a.csv"
    file.write_text("1,1")
    assert await_writers([(str(file), "csv")]) == [str(file)]
