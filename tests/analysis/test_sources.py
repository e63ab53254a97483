"""CREATE STREAM and CREATE RELATION: what they declare, and what is refused before anything runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tailrace.analysis.program import analyse
from tailrace.catalog.sources import Declared, Relation, Stream
from tailrace.errors import ScriptError, Source
from tailrace.language.script import parse_script
from tailrace.schema import Schema
from tailrace.types import BIGINT, INT, STRING, TIMESTAMP, array, decimal, map_of, struct


def source(text: str, folder: Path | None = None) -> Declared:
    """The one source that a script declares."""
    (entry,) = analyse(parse_script(Source(text)), folder).catalog.entries.values()
    assert isinstance(entry, Declared)
    return entry


def messages(text: str, folder: Path | None = None) -> list[str]:
    with pytest.raises(ScriptError) as raised:
        analyse(parse_script(Source(text)), folder)
    return [problem.message for problem in raised.value.problems]


def test_a_stream() -> None:
    found = source(
        "CREATE STREAM Cars (Id INT, at TIMESTAMP) USING json OPTIONS (path 'cars', maxFilesPerTrigger 1) "
        "TIMESTAMP BY at DELAY 2 MINUTES KEY (ID);"
    )
    assert isinstance(found, Stream)
    assert found.schema == Schema.of(("Id", INT), ("at", TIMESTAMP))
    assert (found.name, found.format, found.timestamp, found.delay) == ("Cars", "json", "at", 120)
    assert found.options == (("path", "cars"), ("maxFilesPerTrigger", "1"))
    assert found.key == ("Id",)


def test_heartbeats_and_silence() -> None:
    found = source("CREATE STREAM S (b BOOLEAN) TIMESTAMP BY ts DELAY 2 HEARTBEAT BY B IDLE AFTER 1500 MILLISECONDS;")
    assert (found.delay, found.heartbeat, found.idle) == (2, "B", 1_500_000)
    other = source("CREATE STREAM S (b BOOLEAN) TIMESTAMP BY ts DELAY 2 IDLE AFTER 1.5 HEARTBEAT BY B;")
    assert other == found
    assert source("CREATE RELATION R (k INT) TIMESTAMP BY ts HEARTBEAT BY beat OP BY op;").heartbeat == "beat"
    assert source("CREATE STREAM S (k INT) TIMESTAMP BY ts;").idle is None


def test_clauses_come_in_any_order() -> None:
    one = source("CREATE RELATION R (k INT) USING csv OPTIONS (path 'r') TIMESTAMP BY ts OP BY op KEY (k);")
    other = source("CREATE RELATION R (k INT) KEY (k) OP BY op TIMESTAMP BY ts OPTIONS (path 'r') USING csv;")
    assert one == other


@pytest.mark.parametrize(
    ("clauses", "is_static", "only_grows"),
    [
        ("", True, True),
        ("KEY (k)", True, True),
        ("TIMESTAMP BY ts", False, True),
        ("TIMESTAMP BY ts KEY (k)", False, False),
        ("TIMESTAMP BY ts OP BY op", False, False),
    ],
)
def test_kinds_of_relation(clauses: str, is_static: bool, only_grows: bool) -> None:
    found = source(f"CREATE RELATION R (k INT) {clauses};")
    assert isinstance(found, Relation)
    assert (found.is_static, found.only_grows) == (is_static, only_grows)


def test_types() -> None:
    text = "CREATE STREAM S (a DECIMAL(10,2), b ARRAY<INT>, c MAP<STRING, BIGINT>, d STRUCT<x: INT, y STRING>, e long)"
    assert source(f"{text} TIMESTAMP BY ts;").schema.types == (
        decimal(10, 2),
        array(INT),
        map_of(STRING, BIGINT),
        struct(("x", INT), ("y", STRING)),
        BIGINT,
    )


@pytest.mark.parametrize("type", ["INT", "BIGINT", "SMALLINT", "TIMESTAMP", "TIMESTAMP_NTZ", "DATE"])
def test_types_of_timestamps(type: str) -> None:
    assert source(f"CREATE STREAM S (at {type}) TIMESTAMP BY at;").timestamp == "at"


def test_all_problems_of_a_declaration_are_told() -> None:
    text = "CREATE STREAM S (a INT, A INT, _b INT, c STRING) USING csv TIMESTAMP BY c OP BY o KEY (d);"
    assert messages(text) == [
        "two columns are called A",
        "_b: a column's name cannot begin with _",
        "the source csv needs the option path",
        "c is STRING, and a timestamp is a number of ticks or a TIMESTAMP",
        "a stream only grows: OP BY is for relations",
        "no column d for the KEY",
    ]


# Headers --------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cars.csv").write_text("ts,Vehicle, speed \n1,7,60\n")
    (tmp_path / "semicolons.csv").write_text("ts;vehicle\n1;7\n")
    (tmp_path / "long.csv").write_text("ts||vehicle\n1||7\n")
    (tmp_path / "many").mkdir()
    (tmp_path / "many" / "_ignored").write_text("x\n")
    (tmp_path / "many" / "b.csv").write_text("other\n")
    (tmp_path / "many" / "a.csv").write_text("ts,vehicle\n")
    return tmp_path


@pytest.mark.parametrize(
    "options",
    [
        "path 'cars.csv'",
        "path 'many'",
        "path 'semicolons.csv', sep ';'",
        "path 'cars.csv', header 'false'",
        "path 'missing.csv'",
        "path '*.csv'",
        "path 'hdfs://there/cars.csv'",
        "path 'cars.csv', encoding 'no-such-encoding'",
        "path 'long.csv', sep '||'",
    ],
)
def test_headers_that_fit_or_cannot_be_read(folder: Path, options: str) -> None:
    source(f"CREATE STREAM S (vehicle INT) USING csv OPTIONS ({options}) TIMESTAMP BY ts;", folder)


def test_columns_are_compared_with_the_header(folder: Path) -> None:
    text = "CREATE STREAM S (vehicle INT, sped INT) USING csv OPTIONS (path 'cars.csv') TIMESTAMP BY time;"
    assert messages(text, folder) == ["cars.csv has no column sped", "cars.csv has no column time"]


def test_the_first_file_of_a_folder_counts(folder: Path) -> None:
    text = "CREATE STREAM S (other INT) USING csv OPTIONS (path 'many') TIMESTAMP BY ts;"
    assert messages(text, folder) == ["a.csv has no column other"]


def test_the_op_column_is_looked_for_as_well(folder: Path) -> None:
    text = "CREATE RELATION R (vehicle INT) USING csv OPTIONS (path 'cars.csv') TIMESTAMP BY ts OP BY sign;"
    assert messages(text, folder) == ["cars.csv has no column sign"]


def test_the_heartbeat_column_is_looked_for_as_well(folder: Path) -> None:
    text = "CREATE STREAM S (vehicle INT) USING csv OPTIONS (path 'cars.csv') TIMESTAMP BY ts HEARTBEAT BY beat;"
    assert messages(text, folder) == ["cars.csv has no column beat"]


@pytest.mark.parametrize(
    "text", ["\ufeffts, vehicle\n", '\ufeff"ts","vehicle"\n', "\n#\nts,\tvehicle \n", "ts,vehicle"]
)
def test_blanks_marks_and_comments_in_headers(tmp_path: Path, text: str) -> None:
    (tmp_path / "0.csv").write_text("")
    (tmp_path / "1.csv").write_text(text)
    source("CREATE STREAM S (vehicle INT) USING csv OPTIONS (path '.', comment '#') TIMESTAMP BY ts;", tmp_path)
    assert messages("CREATE STREAM S (v INT) USING csv OPTIONS (path '.', comment '#') TIMESTAMP BY ts;", tmp_path) == [
        "1.csv has no column v"
    ]


def test_folders_that_are_columns(tmp_path: Path) -> None:
    (tmp_path / "day=1").mkdir()
    (tmp_path / "day=1" / "x.csv").write_text("ts,v\n")
    source("CREATE STREAM S (v INT, day INT) USING csv OPTIONS (path '.') TIMESTAMP BY ts;", tmp_path)
