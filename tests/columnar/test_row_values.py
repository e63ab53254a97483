"""Columns as Python values: dates that Python does not have are texts, and nothing else is lost."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pyarrow as pa

from tailrace.cli.shell_results import rows_of as shell_rows
from tailrace.columnar.row_values import row_values
from tailrace.server.channel import rows_json
from tailrace.spark.io.frames import rows_of

DAYS = pa.array([0, None, 3_000_000, -1_000_000], pa.int32()).cast(pa.date32())
MOMENTS = pa.array([0, 400_000_000_000_000_000, None, -90_000_000_000_500_000], pa.int64()).cast(
    pa.timestamp("us", "UTC")
)
FAR_DAY, OLD_DAY, FAR, OLD = "+10183-09-21", "-0768-02-04", "+14645-06-30 15:06:40", "-0882-01-06 07:59:59.5"


def test_dates_and_moments() -> None:
    assert row_values(pa.chunked_array([DAYS])) == [date(1970, 1, 1), None, FAR_DAY, OLD_DAY]
    assert row_values(pa.chunked_array([MOMENTS])) == [datetime(1970, 1, 1, tzinfo=UTC), FAR, None, OLD]


def test_inside_of_arrays_structs_and_maps() -> None:
    day = DAYS[2]
    lists = pa.array([[day, None], None, []], pa.list_(pa.date32()))
    rows = pa.array([{"d": day, "k": 1}, None], pa.struct([("d", pa.date32()), ("k", pa.int32())]))
    maps = pa.array([[("a", day)], None], pa.map_(pa.string(), pa.date32()))
    assert row_values(pa.chunked_array([lists])) == [[FAR_DAY, None], None, []]
    assert row_values(pa.chunked_array([rows])) == [{"d": FAR_DAY, "k": 1}, None]
    assert row_values(pa.chunked_array([maps])) == [{"a": FAR_DAY}, None]


def test_rows_terminal_and_rest_agree() -> None:
    table = pa.table({"k": [1, 2, 3, 4], "d": DAYS, "at": MOMENTS})
    assert [row.d for row in rows_of(table)] == [row[1] for row in shell_rows(table)]
    assert rows_json(table)[1] == f'[2,null,"{FAR}"]'
    assert rows_json(table)[2] == f'[3,"{FAR_DAY}",null]'
    assert [row.k for row in rows_of(table)] == [1, 2, 3, 4]
