"""Splits of a file give its rows once, in order, wherever it is cut; plain cases of each format."""

from __future__ import annotations

import bz2
import gzip
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from tailrace.scan.scan_spec import NotScannable, ScanSpec
from tailrace.scan.scan_split import scan
from tailrace.scan.splits import FileSplit, split_file
from tailrace.scan.text import file_bytes
from tailrace.scan.text.csv_blocks import CsvReader
from tailrace.types import BIGINT, DOUBLE, INT, STRING, TIMESTAMP

COLUMNS = (("ts", BIGINT), ("name", STRING), ("v", DOUBLE))
SPEC = ScanSpec("csv", (), COLUMNS, ("ts", "name", "v"), "_unreadable")
CSV = (
    b'\xef\xbb\xbf\n  \nts,name,v\r\n1,ann,2.5\r2,"bob, the",NaN\n\n3,x\n \t\n'
    b'x,"a""b",1\r\n+4,\xff,+1\r\r5,"",\n6,\\,1e5'
)
ROWS = [
    (1, "ann", 2.5, None),
    (2, "bob, the", "nan", None),
    (3, "x", None, "3,x"),
    (None, '"a""b"', 1.0, 'x,"a""b",1'),
    (4, "\ufffd", 1.0, None),
    (5, None, None, None),
    (6, "\\", 100000.0, None),
]


def rows_of(splits: list[FileSplit], spec: ScanSpec) -> list[tuple[Any, ...]]:
    rows = [tuple(row.values()) for split in splits for batch in scan(split, spec) for row in batch.to_pylist()]
    return [tuple("nan" if value != value else value for value in row) for row in rows]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.csv"
    path.write_bytes(CSV)
    return path


@pytest.mark.parametrize("target", [1, 2, 3, 7, 20, 50, 10**6])
def test_equal_splits(file: Path, target: int) -> None:
    assert rows_of(split_file(str(file), len(CSV), target), SPEC) == ROWS
    assert rows_of(split_file(str(file), len(CSV) + 100, target), SPEC) == ROWS  # the file was said to be longer


@pytest.mark.parametrize("cut", range(1, len(CSV)))
def test_every_place_to_cut(file: Path, cut: int) -> None:
    path = str(file)
    assert rows_of([FileSplit(path, 0, cut), FileSplit(path, cut, len(CSV))], SPEC) == ROWS


@pytest.mark.parametrize("size", [1, 2, 3, 5, 16, 60])
def test_small_blocks(file: Path, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_bytes, "PROBE", size)
    begin = file_bytes.find_rows(str(file), True, True)
    blocks = [*file_bytes.read_blocks(FileSplit(str(file), 0, len(CSV)), begin, size)]
    assert b"".join(blocks) == CSV[begin:]
    assert all(block.endswith((b"\n", b"\r")) for block in blocks[:-1])
    reader = CsvReader(SPEC, COLUMNS)
    assert sum(reader.read(block).num_rows for block in blocks) == len(ROWS)


@pytest.mark.parametrize(("ending", "compress"), [(".gz", gzip.compress), (".bz2", bz2.compress)])
def test_compressed_files_are_one_split(tmp_path: Path, ending: str, compress: Any) -> None:
    path = tmp_path / f"a.csv{ending}"
    path.write_bytes(compress(CSV))
    splits = split_file(str(path), path.stat().st_size, 10)
    assert len(splits) == 1
    assert rows_of(splits, SPEC) == ROWS


def test_columns_are_bound_by_name(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"V, Name ,x,TS\n1.5,ann,?,7\n")
    spec = ScanSpec("csv", (), (*COLUMNS, ("far", INT)), ("ts", "far", "v"), "_unreadable")
    assert rows_of([FileSplit(str(path), 0, 100)], spec) == [(7, None, 1.5, None)]


@pytest.mark.parametrize("content", [b"", b"\n\n", b"ts,name,v", b"ts,name,v\n\n"])
def test_files_without_rows(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    assert rows_of(split_file(str(path), len(content), 5), SPEC) == []


def test_only_the_text_of_malformed_rows(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"1,a\n\n2\n")
    spec = ScanSpec("csv", (("header", "false"),), (("a", INT), ("b", STRING)), ())
    assert sum(batch.num_rows for batch in scan(FileSplit(str(path), 0, 7), spec)) == 2


def test_regions_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"t\n2024-03-01 12:00:00 Europe/Berlin\n")
    spec = ScanSpec("csv", (), (("t", TIMESTAMP),), ("t",), "_unreadable")
    with pytest.raises(NotScannable, match="Europe/Berlin"):
        rows_of([FileSplit(str(path), 0, 100)], spec)
    with pytest.raises(NotScannable, match="option multiLine is true"):
        scan(FileSplit(str(path), 0, 100), ScanSpec("csv", (("multiLine", "true"),), COLUMNS, ("ts",)))


def test_batches_have_the_spec_s_schema(file: Path) -> None:
    batches = [*scan(FileSplit(str(file), 0, len(CSV)), SPEC)]
    assert {batch.schema for batch in batches} == {SPEC.schema}
    assert SPEC.schema.field("_unreadable").type == pa.string()
