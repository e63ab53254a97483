"""ASOF joins: what their conditions mean, and when the result is append-only."""

from __future__ import annotations

import pytest

from tests.analysis import build
from tests.analysis.build import plan_of, problem

TIMED = """
CREATE STREAM Trades (sym STRING, px INT, ts BIGINT) TIMESTAMP BY ts;
CREATE STREAM Quotes (sym STRING, bid INT, ts BIGINT) TIMESTAMP BY ts;
CREATE STREAM Times (sym STRING, ts TIMESTAMP) TIMESTAMP BY at;
"""


@pytest.fixture(autouse=True)
def add_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "SOURCES", build.SOURCES + TIMED)


@pytest.mark.parametrize(
    ("join", "found"),
    [
        ("ASOF JOIN Quotes q ON t.sym = q.sym AND t.ts >= q.ts", "on sym#0 = sym#3 AND ts#2 >= ts#5"),
        ("ASOF JOIN Quotes q ON q.ts <= t.ts AND q.sym = t.sym", "on sym#3 = sym#0 AND ts#2 >= ts#5"),
        ("ASOF JOIN Quotes q MATCH_CONDITION (t.ts > q.ts) ON t.sym = q.sym", "on sym#0 = sym#3 AND ts#2 > ts#5"),
        ("ASOF JOIN Quotes q MATCH_CONDITION (t.ts < q.ts)", "on ts#2 < ts#5"),
        ("LEFT ASOF JOIN Quotes q USING (sym, ts)", "left on sym#0 = sym#3 AND ts#2 >= ts#5"),
        ("ASOF JOIN Quotes q ON t.ts <= q.ts + 5 AND t.ts >= q.ts", "on ts#2 >= ts#5 AND ts#2 <= ts#5 + 5L"),
        ("ASOF LEFT JOIN Quotes q ON t.px >= q.bid AND t.px - q.bid < 3", "left on px >= bid AND px - bid < 3"),
    ],
)
def test_conditions(join: str, found: str) -> None:
    lines = plan_of(f"SELECT 1 AS one FROM Trades t {join}").splitlines()
    assert next(line.partition("asof-join ")[2] for line in lines if "asof-join" in line) == found


def test_two_streams_joined_by_their_times_are_append_only() -> None:
    append_only = plan_of("SELECT px, bid FROM Trades t ASOF JOIN Quotes q ON t.ts >= q.ts AND t.ts - q.ts <= 5")
    assert [line.strip(" │├└─") for line in append_only.splitlines()] == [
        "i-stream",
        "project px, bid",
        "window [RANGE UNBOUNDED]",
        "r-stream",
        "asof-join on ts#2 >= ts#5 AND ts#2 - ts#5 <= 5L",
        "window [NOW]",
        "stream Trades(sym STRING, px INT, ts BIGINT)",
        "window [RANGE 5]",
        "stream Quotes(sym STRING, bid INT, ts BIGINT)",
    ]
    assert "i-stream" not in plan_of("SELECT px FROM Trades t ASOF JOIN Quotes q ON t.ts <= q.ts")
    assert "i-stream" not in plan_of("SELECT px FROM Trades t ASOF JOIN Quotes q ON t.px >= q.bid")


def test_conditions_on_one_side_go_there() -> None:
    condition = "t.ts >= q.ts AND bid > 0 AND px > 1"
    inner = plan_of(f"SELECT 1 AS one FROM Trades [NOW] t ASOF JOIN Quotes [NOW] q ON {condition}")
    assert "select bid > 0" in inner
    assert "select px > 1" in inner


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("t.sym = q.sym", "an ASOF JOIN needs an inequality, which says what is nearest"),
        (
            "t.ts >= q.ts AND t.px > q.bid",
            "an ASOF JOIN has one inequality, which says what is nearest, and this has more",
        ),
        (
            "t.ts >= q.ts AND t.ts - q.ts >= 5",
            "ON of an ASOF JOIN has equalities, one inequality and a bound on its distance; this is something else",
        ),
        (
            "t.ts >= q.ts AND (t.px = q.bid OR t.px IS NULL)",
            "ON of an ASOF JOIN has equalities, one inequality and a bound on its distance; this is something else",
        ),
        (
            "t.ts >= q.ts AND t.px > 3",
            "ON of an ASOF LEFT JOIN cannot have a condition on the left side alone",
        ),
    ],
)
def test_refused(condition: str, message: str) -> None:
    assert problem(f"SELECT 1 AS one FROM Trades t ASOF LEFT JOIN Quotes q ON {condition}") == message
