"""TIMESTAMP BY with units and expressions: what is declared, and which numbers are warned of."""

from __future__ import annotations

from pathlib import Path

import pytest

from tailrace.analysis.program import analyse
from tailrace.analysis.statements.event_times import unit_warnings
from tailrace.errors import ScriptError, Source
from tailrace.language.script import parse_script, to_text

CREATE = "CREATE STREAM S (a INT, b STRING, at TIMESTAMP) USING json OPTIONS (path 'S') TIMESTAMP BY {by};"


@pytest.mark.parametrize(
    ("by", "in_ticks"),
    [
        ("ts IN MILLISECONDS", False),
        ("a IN NANOSECOND DELAY 5", False),
        ("a + x IN SECONDS", False),
        ("timestamp_millis(ts) DELAY 2 SECONDS", False),
        ("to_timestamp(b, 'yyyyMMdd')", False),
        ("at - INTERVAL 1 HOUR", False),
        ("CAST(ts AS BIGINT)", True),
        ("ts DIV 1000", True),
        ("CASE WHEN a > 1 THEN a ELSE 0 END", True),
    ],
)
def test_round_trips(by: str, in_ticks: bool) -> None:
    text = CREATE.format(by=by)
    (found,) = analyse(parse_script(Source(text))).catalog.entries.values()
    assert found.event_time.in_ticks == in_ticks  # type: ignore[union-attr]
    (tree,) = parse_script(Source(text)).statements
    assert parse_script(Source(to_text(tree))).statements == (tree,)


def test_a_column_alone_is_as_before() -> None:
    (found,) = analyse(parse_script(Source(CREATE.format(by="ts DELAY 5")))).catalog.entries.values()
    assert (found.timestamp, found.event_time, found.delay) == ("ts", None, 5)  # type: ignore[union-attr]


def test_two_times() -> None:
    script = (
        CREATE.format(by="ts IN SECONDS") + "CREATE STREAM T (ts INT) USING json OPTIONS (path 'T') TIMESTAMP BY ts;"
    )
    with pytest.raises(ScriptError, match="T counts ticks and S has TIMESTAMPs"):
        analyse(parse_script(Source(script + "CREATE QUERY q AS SELECT a FROM S UNION ALL SELECT ts FROM T;")))


@pytest.mark.parametrize(
    ("stamp", "tick", "unit"),
    [
        (1_700_000_000_000, "1 second", "MILLISECONDS"),
        (1_700_000_000_000, "1 millisecond", None),
        (1_700_000_000, "1 second", None),
        (1_700_000_000, "1 minute", "SECONDS"),
        (1_700_000_000_000_000, "1 second", "MICROSECONDS"),
        (1_700_000_000_000_000_000, "1 second", "NANOSECONDS"),
        (5, "1 second", None),
        (-1_700_000_000_000, "1 second", None),
    ],
)
@pytest.mark.parametrize("columns", ["k INT", "k INT, ts BIGINT"])
def test_likely_units(tmp_path: Path, stamp: int, tick: str, unit: str | None, columns: str) -> None:
    (tmp_path / "0.csv").write_text("ts,k\n")
    (tmp_path / "1.csv").write_text(f"k,ts\n1,\n1,{stamp}\n")
    script = f"SET tick = '{tick}'; CREATE STREAM S ({columns}) USING csv OPTIONS (path '.') TIMESTAMP BY ts"
    program = analyse(parse_script(Source(f"{script};")), tmp_path)
    told = unit_warnings(program.catalog.entries.values(), program.settings)
    assert [f"TIMESTAMP BY ts IN {unit}" in text for text in told] == ([True] if unit else [])
    if unit:
        program = analyse(parse_script(Source(f"{script} IN {unit};")), tmp_path)
        assert not unit_warnings(program.catalog.entries.values(), program.settings)
