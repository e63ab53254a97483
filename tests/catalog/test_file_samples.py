"""Headers and first values are found however long lines are and whatever stands before them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tailrace.catalog.file_samples import FileFormat, Head, first_stamp, local_files, local_head, names_in


def head(text: str) -> Head:
    return lambda size: text.encode()[:size]


@pytest.mark.parametrize("before", [0, 10_000, 100_000])
def test_a_header_behind_comments(before: int) -> None:
    text = "#" * before + "\n" + "# more\n" * (before // 7) + "ts,a\n1,2\n"
    written = FileFormat("csv", True, comment="#")
    assert names_in(head(text), written) == ("ts", "a")


@pytest.mark.parametrize("columns", [3, 1_000, 20_000])
def test_long_headers(columns: int) -> None:
    names = tuple(f"column{number}" for number in range(columns))
    text = f"ts,{','.join(names)}\n5{',1' * columns}\n"
    assert names_in(head(text), FileFormat("csv", True)) == ("ts", *names)
    assert first_stamp(head(text), FileFormat("csv", True), "TS") == "5"


@pytest.mark.parametrize("text", ["", "\n", "  \n\n"])
def test_no_line_yet(text: str) -> None:
    assert names_in(head(text), FileFormat("csv", True)) is None
    assert first_stamp(head(text), FileFormat("csv", True), "ts") is None


def test_json() -> None:
    assert first_stamp(head('x\n[]\n{"TS": null}\n{"ts": true}\n{"ts": 7}\n'), FileFormat("json"), "ts") == "7"
    text = '[{"a": 1},\n {"ts": "2024-03-01"}]'
    assert first_stamp(head(text), FileFormat("json", multi_line=True), "ts") == "2024-03-01"


def test_files_of_a_folder(tmp_path: Path) -> None:
    for name in ("b.csv", "a.csv", "c.txt", "_c.csv", ".d.csv"):
        (tmp_path / name).write_text(name)
    (tmp_path / "_hidden").mkdir()
    (tmp_path / "_hidden" / "x.csv").write_text("")
    (tmp_path / "day=1").mkdir()
    (tmp_path / "day=1" / "x.csv").write_text("")
    found = [str(file.relative_to(tmp_path)) for file in local_files(tmp_path, [("pathGlobFilter", "*.csv")])]
    assert found == ["a.csv", "b.csv", "day=1/x.csv"]
    assert local_head(tmp_path / "a.csv")(3) == b"a.c"
    assert local_files(tmp_path / "none", []) == []
