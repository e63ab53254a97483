"""Durations in ticks, and windows in their logical form."""

from __future__ import annotations

import pytest

from tailrace.analysis.tables.windows import describe
from tailrace.errors import Source
from tailrace.language.script import parse_script
from tailrace.logical.nodes import ApplyWindow
from tailrace.logical.plan import walk
from tailrace.logical.windows import RowWindow, TimeWindow, Window
from tests.analysis.build import analyse, pointed_at, problem


def window(brackets: str, tick: str = "1 second") -> Window:
    text = f"SET tick = '{tick}'; CREATE STREAM S (k INT, v INT) TIMESTAMP BY ts;"
    script = parse_script(Source(f"{text} CREATE QUERY q AS SELECT RSTREAM(k) FROM S {brackets};"))
    plan = analyse(script).queries["q"].plan
    return next(node.window for node in walk(plan) if isinstance(node, ApplyWindow))


@pytest.mark.parametrize(
    ("brackets", "expected"),
    [
        ("[NOW]", TimeWindow(0)),
        ("[RANGE 0 SECONDS]", TimeWindow(0)),
        ("[RANGE UNBOUNDED]", TimeWindow(None)),
        ("[ROWS UNBOUNDED]", TimeWindow(None)),
        ("[RANGE 30]", TimeWindow(30)),
        ("[RANGE 30 SECONDS]", TimeWindow(30)),
        ("[RANGE 1 SECOND]", TimeWindow(1)),
        ("[range 5 minutes]", TimeWindow(300)),
        ("[RANGE 1.5 MINUTES]", TimeWindow(90)),
        ("[RANGE 3000 MILLISECONDS]", TimeWindow(3)),
        ("[RANGE 1 HOUR]", TimeWindow(3600)),
        ("[RANGE 2 DAYS]", TimeWindow(172800)),
        ("[RANGE 1 WEEK]", TimeWindow(604800)),
        ("[RANGE 1,000]", TimeWindow(1000)),
        ("[RANGE 5 MINUTES SLIDE 30 SECONDS]", TimeWindow(300, 30)),
        ("[RANGE 5 SLIDE 10]", TimeWindow(5, 10)),
        ("[RANGE 5 SLIDE 1]", TimeWindow(5)),
        ("[ROWS 7]", RowWindow(7)),
        ("[ROWS 50,000]", RowWindow(50000)),
        ("[ROWS 7 SLIDE 3]", RowWindow(7, 3)),
        ("[PARTITION BY v, k ROWS 2]", RowWindow(2, 1, (1, 0))),
        ("[PARTITION BY S.v ROWS 2 SLIDE 2]", RowWindow(2, 2, (1,))),
        ("AS x [PARTITION BY x.k ROWS 2]", RowWindow(2, 1, (0,))),
    ],
)
def test_windows(brackets: str, expected: Window) -> None:
    assert window(brackets) == expected


@pytest.mark.parametrize(
    ("tick", "brackets", "expected"),
    [
        ("10 minutes", "[RANGE 1 HOUR]", TimeWindow(6)),
        ("500 milliseconds", "[RANGE 1.5 SECONDS SLIDE 1 SECOND]", TimeWindow(3, 2)),
        ("1 day", "[RANGE 2 WEEKS]", TimeWindow(14)),
        ("10 minutes", "[RANGE 30]", TimeWindow(30)),
    ],
)
def test_the_tick_decides_how_long_an_interval_is(tick: str, brackets: str, expected: Window) -> None:
    assert window(brackets, tick) == expected


@pytest.mark.parametrize(
    ("brackets", "message", "pointed"),
    [
        ("[ROWS 0]", "ROWS 0 would hold nothing", "0"),
        ("[ROWS 5 SLIDE 0]", "SLIDE 0 would never move", "0"),
        ("[RANGE 5 SLIDE 0]", "a SLIDE of 0 would never move", "0"),
        ("[RANGE -5 SECONDS]", "RANGE cannot be negative", "-"),
        ("[RANGE 1500 MILLISECONDS]", "1500 MILLISECONDS is not a whole number of ticks", "1500 MILLISECONDS"),
        ("[RANGE 5 SLIDE 2 TUPLES]", "expected a time, not tuples", "2 TUPLES"),
        ("[PARTITION BY x ROWS 1]", "no column x in S", "x"),
        ("[PARTITION BY T.k ROWS 1]", "no FROM item is called T", "T.k"),
    ],
)
def test_windows_that_mean_nothing(brackets: str, message: str, pointed: str) -> None:
    assert problem(f"SELECT k FROM S {brackets}") == message
    assert pointed_at(f"SELECT k FROM S {brackets}") == pointed


def test_ticks_are_described_in_the_largest_unit() -> None:
    assert [describe(n) for n in (1, 500_000, 1_000_000, 5_400_000_000, 604_800_000_000)] == [
        "1 microsecond",
        "500 milliseconds",
        "1 second",
        "90 minutes",
        "1 week",
    ]
