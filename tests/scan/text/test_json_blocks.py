"""Json lines: splits, odd lines among plain ones, and lines that only Spark's reader reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tailrace.scan.scan_spec import NotScannable, ScanSpec
from tailrace.scan.scan_split import scan
from tailrace.scan.splits import FileSplit
from tailrace.types import BIGINT, DATE, DOUBLE, STRING, TIMESTAMP

COLUMNS = (("ts", BIGINT), ("name", STRING), ("v", DOUBLE), ("at", TIMESTAMP), ("day", DATE))
SPEC = ScanSpec("json", (), COLUMNS, ("ts", "name", "v"), "_unreadable")
LINES = [
    ('{"ts": 1, "name": "ann", "v": 2.5}', (1, "ann", 2.5, None)),
    ("", None),
    ('{"v": 1, "x": [1, {"y": 2}], "ts": 2, "name": 1.10}', (2, "1.10", 1.0, None)),
    ('{"ts": "3", "name": "\\u00e9"}', (None, "é", None, True)),
    (" ", None),
    ('{"ts": 4, "name": "x"} and more', (4, "x", None, None)),
    ('{"ts": 5, "name": "x"', (None, None, None, True)),
    ("{}", (None, None, None, None)),
    ('{"ts": 6, "ts": 7}', (7, None, None, None)),
    ("null", (None, None, None, True)),
    ('{"TS": 8, "name": {"a" : 1}}', (None, '{"a" : 1}', None, None)),
    ('{"ts": 9223372036854775808, "v": -0}', (None, None, 0.0, True)),
]
EXPECTED = [(*row[:3], line if row[3] else None) for line, row in LINES if row]


def rows_of(splits: list[FileSplit], spec: ScanSpec) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for split in splits for batch in scan(split, spec) for row in batch.to_pylist()]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_place_to_cut(tmp_path: Path, end: str) -> None:
    content = ("\ufeff" + end.join(line for line, _ in LINES)).encode()
    path = tmp_path / "a.json"
    path.write_bytes(content)
    for cut in range(1, len(content), 3):
        splits = [FileSplit(str(path), 0, cut), FileSplit(str(path), cut, len(content))]
        assert rows_of(splits, SPEC) == EXPECTED


def test_odd_lines_among_many_plain_ones(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    lines = [f'{{"ts": {number}, "name": "n{number}"}}' for number in range(5000)]
    lines[1234], lines[4321] = '{"ts": 1.5, "name": "half"}', '{"ts": true}'
    path.write_text("\n".join(lines))
    found = rows_of([FileSplit(str(path), 0, path.stat().st_size)], SPEC)
    expected: list[tuple[Any, ...]] = [(number, f"n{number}", None, None) for number in range(5000)]
    expected[1234], expected[4321] = (None, "half", None, lines[1234]), (None, None, None, lines[4321])
    assert found == expected


@pytest.mark.parametrize(
    "line", ["[{}]", "{'ts': 1}", '{"v": NaN}', '{"name": "\\ud800"}', "[1]", '{"name": "\\q"}', '{"name": "\t"}']
)
def test_lines_that_only_spark_reads(tmp_path: Path, line: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(line)
    with pytest.raises(NotScannable):
        rows_of([FileSplit(str(path), 0, 100)], SPEC)
