"""Which sinks tasks write, and the reasons why others are left to Spark."""

from __future__ import annotations

import pytest

from tailrace.types import BIGINT, BINARY, DOUBLE, INTERVAL, STRING, TIMESTAMP_NTZ, Type, array, map_of, struct
from tailrace.write.sink_support import why_not_written

Columns = list[tuple[str, Type]]
PLAIN: Columns = [("_ts", BIGINT), ("v", DOUBLE)]


@pytest.mark.parametrize(
    ("format", "options", "columns"),
    [
        ("CSV", {"path": "out", "Header": "TRUE", "sep": "\\t", "strategy": "direct"}, PLAIN),
        ("csv", {"mode": "changelog", "nullValue": "n/a".replace("/", "")}, PLAIN),
        ("json", {"ignoreNullFields": "false"}, [*PLAIN, ("m", map_of(STRING, array(struct(("a", BIGINT)))))]),
        ("parquet", {"compression": "ZSTD"}, [*PLAIN, ("b", BINARY), ("m", map_of(DOUBLE, BINARY))]),
    ],
)
def test_written_by_tasks(format: str, options: dict[str, str], columns: Columns) -> None:
    assert why_not_written(format, options.items(), columns) is None


@pytest.mark.parametrize(
    ("format", "options", "columns", "reason"),
    [
        ("orc", {}, PLAIN, "format orc"),
        ("csv", {"mode": "snapshot"}, PLAIN, "option mode is snapshot"),
        ("csv", {"compression": "gzip"}, PLAIN, "option compression is gzip"),
        ("csv", {"sep": "||"}, PLAIN, "option sep is '||'"),
        ("csv", {"sep": '"'}, PLAIN, "option sep is '\"'"),
        ("csv", {"nullValue": "a,b"}, PLAIN, "option nullValue is 'a,b'"),
        ("csv", {"timestampFormat": "yyyy"}, PLAIN, "option timestampFormat"),
        ("json", {"quote": '"'}, PLAIN, "option quote"),
        ("parquet", {"compression": "lzo"}, PLAIN, "option compression is lzo"),
        ("parquet", {"mergeSchema": "true"}, PLAIN, "option mergeSchema"),
        ("csv", {}, [*PLAIN, ("V", BIGINT)], "two columns have one name"),
        ("csv", {}, [*PLAIN, ("", BIGINT)], "a column has no name"),
        ("csv", {}, [*PLAIN, ("b", BINARY)], "column b is BINARY"),
        ("json", {}, [*PLAIN, ("b", array(BINARY))], "column b is ARRAY<BINARY>"),
        ("json", {}, [*PLAIN, ("m", map_of(DOUBLE, STRING))], "column m is MAP<DOUBLE, STRING>"),
        ("parquet", {}, [*PLAIN, ("t", TIMESTAMP_NTZ)], "column t is TIMESTAMP_NTZ"),
        ("parquet", {}, [*PLAIN, ("i", INTERVAL)], "column i is INTERVAL"),
    ],
)
def test_left_to_spark(format: str, options: dict[str, str], columns: Columns, reason: str) -> None:
    assert why_not_written(format, options.items(), columns) == reason
