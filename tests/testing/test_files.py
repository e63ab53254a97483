"""Reading sources for the reference: columns by name, NULLs, order of files, and the clock."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tailrace.catalog.sources import Relation, Stream
from tailrace.schema import Schema
from tailrace.settings import Settings
from tailrace.testing.files import clock_for, read_inputs
from tailrace.types import BIGINT, BOOLEAN, DATE, DOUBLE, INT, STRING, TIMESTAMP, decimal

KV = Schema.of(("k", INT), ("v", STRING))


def source(path: Path, text: str, kind: type = Stream, schema: Schema = KV, **parts: Any) -> Any:
    """A source called like its file, which holds the text."""
    path.write_text(text, encoding="utf-8")
    place = {"format": path.suffix[1:], "options": (("path", path.name),), "folder": str(path.parent)}
    return kind(path.stem, schema, **{"timestamp": "ts", **place, **parts})


def test_columns_go_by_name_and_empty_fields_are_null(tmp_path: Path) -> None:
    found = read_inputs([source(tmp_path / "S.csv", "V,ts,K,other\nx,1,5,9\n,2,,9\n")], Settings())
    assert found.rows == {"S": [(1, (5, "x")), (2, (None, None))]}
    assert found.last_instant == 2


def test_types(tmp_path: Path) -> None:
    schema = Schema.of(("d", DATE), ("m", decimal(5, 2)), ("b", BOOLEAN), ("w", DOUBLE), ("ts", BIGINT))
    stream = source(tmp_path / "S.csv", "ts,d,m,b,w\n0,2024-02-29,1.5,true,2\n", schema=schema)
    row = read_inputs([stream], Settings()).rows["S"][0][1]
    assert row == (date(2024, 2, 29), Decimal("1.50"), True, 2.0, 0)
    assert [type(value) for value in row] == [date, Decimal, bool, float, int]


def test_json_may_leave_fields_out(tmp_path: Path) -> None:
    lines = '{"ts": 0, "k": 1}\n{"ts": 1, "v": "x", "w": 2}\n'
    schema = KV + Schema.of(("w", DOUBLE))
    found = read_inputs([source(tmp_path / "S.json", lines, schema=schema)], Settings())
    assert found.rows["S"] == [(0, (1, None, None)), (1, (None, "x", 2.0))]


def test_a_folder_is_read_in_the_order_of_names(tmp_path: Path) -> None:
    folder = tmp_path / "S"
    folder.mkdir()
    (folder / "b.csv").write_text("ts,k,v\n3,1,third\n3,1,fourth\n")
    (folder / "a.csv").write_text("ts,k,v\n3,1,first\n3,1,second\n")
    stream = Stream("S", KV, "csv", (("path", "S"),), "ts", folder=str(tmp_path))
    assert [row[1] for _, row in read_inputs([stream], Settings()).rows["S"]] == ["first", "second", "third", "fourth"]


def test_disorder_is_put_right_and_ties_stay(tmp_path: Path) -> None:
    stream = source(tmp_path / "S.csv", "ts,k,v\n2,1,a\n1,1,b\n2,1,c\n1,1,d\n", delay=5)
    assert [row[1] for _, row in read_inputs([stream], Settings()).rows["S"]] == ["b", "d", "a", "c"]


def test_until_ends_the_run_early_or_late(tmp_path: Path) -> None:
    stream = source(tmp_path / "S.csv", "ts,k,v\n1,1,a\n4,1,b\n")
    other = source(tmp_path / "T.csv", "ts,k,v\n7,1,c\n")
    assert read_inputs([stream, other], Settings()).last_instant == 7
    early = read_inputs([stream, other], Settings(), 3)
    assert (early.last_instant, early.rows) == (3, {"S": [(1, (1, "a"))], "T": []})
    assert read_inputs([stream, other], Settings(), 20).last_instant == 20


def test_relations_have_signs_or_no_time_at_all(tmp_path: Path) -> None:
    changes = source(tmp_path / "R.csv", "ts,op,k,v\n0,+,1,a\n2,-,1,a\n", Relation, op="op")
    static = source(tmp_path / "N.csv", "k,v\n1,a\n", Relation, timestamp=None)
    found = read_inputs([changes, static], Settings())
    assert found.rows["R"] == [(0, "+", (1, "a")), (2, "-", (1, "a"))]
    assert found.rows["N"] == [(None, None, (1, "a"))]


MOMENTS = "moment,k,v\n2024-03-01 10:00:02,1,a\n2024-03-01 10:00:03.500,1,b\n"


def test_time_begins_with_the_first_element(tmp_path: Path) -> None:
    late = source(tmp_path / "S.csv", MOMENTS, timestamp="moment")
    first = source(tmp_path / "T.csv", "moment,k,v\n2024-03-01 10:00:00,1,c\n", timestamp="moment")
    found = read_inputs([late, first], Settings(), "2024-03-01 10:00:09")
    assert [instant for instant, _ in found.rows["S"]] == [2, 3]
    assert found.last_instant == 9
    assert found.clock.stamp(2) == datetime(2024, 3, 1, 10, 0, 2)


def test_a_tick_and_an_origin_of_ones_own(tmp_path: Path) -> None:
    schema = KV + Schema.of(("moment", TIMESTAMP))
    stream = source(tmp_path / "S.csv", MOMENTS, timestamp="moment", schema=schema)
    origin = datetime(2024, 3, 1, 10, 0, 0, tzinfo=UTC)
    found = read_inputs([stream], Settings(tick=500_000, origin=origin))
    assert found.rows["S"] == [
        (4, (1, "a", datetime(2024, 3, 1, 10, 0, 2))),
        (7, (1, "b", datetime(2024, 3, 1, 10, 0, 3, 500_000))),
    ]


def test_without_an_origin_time_begins_with_a_whole_tick() -> None:
    """A tick of half a second: 10:00:00.7 is in the one that begins at 10:00:00.5."""
    clock = clock_for([datetime(2024, 3, 1, 10, 0, 0, 700_000)], Settings(tick=500_000))
    assert clock.stamp(0) == datetime(2024, 3, 1, 10, 0, 0, 500_000)
    assert clock_for([5], Settings()).stamp(0) == 0


def test_what_comes_before_the_origin_plays_no_part(tmp_path: Path) -> None:
    stream = source(tmp_path / "S.csv", MOMENTS, timestamp="moment")
    origin = datetime(2024, 3, 1, 10, 0, 3, tzinfo=UTC)
    assert read_inputs([stream], Settings(origin=origin)).rows["S"] == [(0, (1, "b"))]


def test_moments_and_ticks_do_not_mix(tmp_path: Path) -> None:
    ticks = source(tmp_path / "S.csv", "ts,k,v\n1,1,a\n")
    moments = source(tmp_path / "T.csv", MOMENTS, timestamp="moment")
    with pytest.raises(AssertionError, match="one script"):
        read_inputs([ticks, moments], Settings())
