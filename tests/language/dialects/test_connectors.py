"""What a CREATE TABLE … WITH is here."""

from __future__ import annotations

import pytest

from tailrace.errors import AnalysisError, Source
from tailrace.language import nodes
from tailrace.language.dialects.connectors import as_sink, as_source
from tailrace.language.script import parse_script, to_text

TIMED = "k INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND"
CSV = "'connector' = 'filesystem', 'path' = 'in', 'format' = 'csv'"
KAFKA = "'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'h:9092', 'format' = 'raw'"


def table(columns: str, options: str) -> nodes.CreateTable:
    (found,) = parse_script(Source(f"CREATE TABLE T ({columns}) WITH ({options})")).statements
    assert isinstance(found, nodes.CreateTable)
    return found


@pytest.mark.parametrize(
    ("columns", "options", "expected"),
    [
        (
            TIMED,
            CSV,
            "STREAM T (k INT, ts TIMESTAMP) USING csv OPTIONS (path 'in', header 'false') "
            "TIMESTAMP BY ts DELAY 5 SECONDS",
        ),
        (
            f"{TIMED}, PRIMARY KEY (k) NOT ENFORCED",
            f"{CSV}, 'header' = 'true', 'csv.field-delimiter' = ';', 'source.monitor-interval' = '1s'",
            "RELATION T (k INT, ts TIMESTAMP) USING csv OPTIONS (path 'in', header 'true', sep ';') "
            "TIMESTAMP BY ts DELAY 5 SECONDS KEY (k)",
        ),
        (
            "k INT, p AS PROCTIME()",
            "'connector' = 'filesystem', 'path' = 'file:///in', 'format' = 'parquet'",
            "STREAM T (k INT) USING parquet OPTIONS (path '/in')",
        ),
        (
            "k INT PRIMARY KEY NOT ENFORCED, n VARCHAR(9)",
            "'connector' = 'jdbc', 'url' = 'u', 'table-name' = 'N', 'username' = 'me'",
            "RELATION T (k INT, n STRING) USING jdbc OPTIONS (url 'u', dbtable 'N', user 'me')",
        ),
        (
            "`value` STRING",
            f"{KAFKA}, 'scan.startup.mode' = 'earliest-offset'",
            "STREAM T (`value` STRING) USING kafka OPTIONS "
            "(subscribe 't', kafka.bootstrap.servers 'h:9092', startingOffsets 'earliest')",
        ),
        ("k INT", "'connector' = 'print'", None),
        ("k INT", "'connector' = 'blackhole'", None),
    ],
)
def test_sources(columns: str, options: str, expected: str | None) -> None:
    found = as_source(table(columns, options))
    assert (None if found is None else to_text(found)) == (None if expected is None else f"CREATE {expected}")


def test_sinks() -> None:
    assert as_sink(table("k INT", "'connector' = 'print'")) == ("console", ())
    assert as_sink(table("k INT", CSV)) == ("csv", (("path", "in"), ("header", "false")))
    assert as_sink(table("k INT", f"{KAFKA}, 'scan.startup.mode' = 'latest-offset'")) == (
        "kafka",
        (("topic", "t"), ("kafka.bootstrap.servers", "h:9092")),
    )


def test_an_unknown_way_to_start() -> None:
    with pytest.raises(AnalysisError, match="no startup mode group-offsets"):
        as_source(table("k INT", f"{KAFKA}, 'scan.startup.mode' = 'group-offsets'"))
