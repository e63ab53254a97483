"""Sequence queries: FREQUENCY and RANGE n TUPLES in FROM and behind the select list (semantics A)."""

from __future__ import annotations

import pytest

from tests.analysis.build import defaults, expanded, plan_of, pointed_at, problem

SCAN = "stream S(k INT, v INT, name STRING)"
ONE = "jump-window range 1 TUPLES, frequency 1 TUPLES"


def below(text: str) -> str:
    """The lines of a chain of operators, each below the one before."""
    lines = text.split(" / ")
    return "\n".join("   " * (depth - 1) + "└─ " * (depth > 0) + line for depth, line in enumerate(lines))


@pytest.mark.parametrize(
    ("query", "chain"),
    [
        # A.6: one tuple at a time; FREQUENCY passes every n-th, or the last of a slot.
        ("SELECT k [FREQUENCY 5 TUPLES] FROM S", f"frequency every 5 TUPLES / append / project k / {ONE} / {SCAN}"),
        ("SELECT k FROM S [FREQUENCY 5 TUPLES]", f"append / project k / {ONE} / frequency every 5 TUPLES / {SCAN}"),
        ("SELECT k FROM S [FREQUENCY 1 MINUTE]", f"append / project k / {ONE} / frequency every 60 TICKS / {SCAN}"),
        (
            "SELECT k FROM S [FREQUENCY 5 TUPLES] WHERE v > 1",
            f"append / project k / select v > 1 / {ONE} / frequency every 5 TUPLES / {SCAN}",
        ),
        # A.2 and A.3: windows of tuples or of time, evaluated at every tuple.
        (
            "SELECT COUNT(*) AS n FROM S [RANGE 5 TUPLES]",
            "append / project COUNT(*) AS n / aggregate COUNT(*) / "
            f"jump-window range 5 TUPLES, frequency 1 TUPLES / {SCAN}",
        ),
        # A.4 and A.5: jumping windows, in either order.
        (
            "SELECT k FROM S [RANGE 1 MINUTE, FREQUENCY 5 TUPLES]",
            f"append / project k / jump-window range 60 TICKS, frequency 5 TUPLES / {SCAN}",
        ),
        (
            "SELECT k FROM S [FREQUENCY 10 SECONDS, RANGE 5 TUPLES]",
            f"append / project k / jump-window range 5 TUPLES, frequency 10 TICKS / {SCAN}",
        ),
        # A.8: a sample of the result stream.
        (
            "SELECT COUNT(*) AS n [FREQUENCY 1 HOUR] FROM S [RANGE 5 TUPLES]",
            "frequency every 3600 TICKS / append / project COUNT(*) AS n / aggregate COUNT(*) / "
            f"jump-window range 5 TUPLES, frequency 1 TUPLES / {SCAN}",
        ),
        # A.9: each substream on its own.
        (
            "SELECT v FROM S [RANGE 5 TUPLES, FREQUENCY 2 TUPLES PARTITIONED BY k, name]",
            f"append / project v / jump-window range 5 TUPLES, frequency 2 TUPLES by k, name / {SCAN}",
        ),
        (
            "SELECT v FROM S [FREQUENCY 2 TUPLES PARTITIONED BY S.k]",
            f"append / project v / {ONE} / frequency every 2 TUPLES by k / {SCAN}",
        ),
        (
            "SELECT k AS id, v [FREQUENCY 2 TUPLES PARTITIONED BY id] FROM S",
            f"frequency every 2 TUPLES by id / append / project k AS id, v / {ONE} / {SCAN}",
        ),
        (
            "SELECT S.k AS id, v [FREQUENCY 2 TUPLES PARTITIONED BY S.k] FROM S",
            f"frequency every 2 TUPLES by id / append / project k AS id, v / {ONE} / {SCAN}",
        ),
        # A.10: a sequence query of a sequence query.
        (
            "SELECT k FROM (SELECT k [FREQUENCY 2 TUPLES] FROM S) AS x [RANGE 3 TUPLES]",
            "append / project k / jump-window range 3 TUPLES, frequency 1 TUPLES / "
            f"frequency every 2 TUPLES / append / project k / {ONE} / {SCAN}",
        ),
    ],
)
def test_plans(query: str, chain: str) -> None:
    assert plan_of(query) == below(chain.replace("append", "append each step's result"))


def test_a_range_without_a_frequency_gets_one() -> None:
    query = "SELECT k FROM S [RANGE 5 TUPLES]"
    assert defaults(query) == ["S has no FREQUENCY: it gets FREQUENCY 1 TUPLE"]
    assert expanded(query) == "SELECT k FROM S [RANGE 5 TUPLES, FREQUENCY 1 TUPLE]"


def test_static_relations_may_stand_beside_the_stream() -> None:
    plan = plan_of("SELECT label FROM S [FREQUENCY 2 TUPLES], Still WHERE S.k = Still.k")
    assert "relation static Still(k INT, label STRING)" in plan


def test_the_result_is_a_stream_for_the_queries_around() -> None:
    query = "SELECT COUNT(*) AS n FROM (SELECT k FROM S [FREQUENCY 2 TUPLES]) [RANGE 5]"
    assert plan_of(query).splitlines()[2].strip("└─ ") == "window [RANGE 5]"


@pytest.mark.parametrize(
    ("query", "message", "pointed"),
    [
        ("SELECT k FROM S [FREQUENCY 0 TUPLES]", "FREQUENCY 0 gives nothing", "0 TUPLES"),
        ("SELECT k FROM S [RANGE 1.5 TUPLES]", "RANGE takes whole tuples", "1.5 TUPLES"),
        (
            "SELECT k [FREQUENCY 2 TUPLES] FROM S [ROWS 5]",
            "a sequence query has RANGE and FREQUENCY only",
            "[ROWS 5]",
        ),
        (
            "SELECT k FROM S [RANGE UNBOUNDED, FREQUENCY 2 TUPLES]",
            "a sequence query's RANGE needs a size",
            "[RANGE UNBOUNDED, FREQUENCY 2 TUPLES]",
        ),
        (
            "SELECT S.k FROM S [RANGE 5 TUPLES], T",
            "a sequence query reads one stream: its steps are the elements of that one",
            "T",
        ),
        (
            "SELECT k FROM Latest [FREQUENCY 2 TUPLES]",
            "Latest is a relation, and a sequence query reads a stream",
            "Latest [FREQUENCY 2 TUPLES]",
        ),
        ("SELECT v [FREQUENCY 2 TUPLES PARTITIONED BY k] FROM S", "k is no column of the result", "k"),
        (
            "SELECT k FROM S [FREQUENCY 2 TUPLES] WHERE k IN (SELECT k FROM Still)",
            "a sequence query has no subqueries in its expressions",
            "(SELECT k FROM Still)",
        ),
    ],
)
def test_refused(query: str, message: str, pointed: str) -> None:
    assert problem(query) == message
    assert pointed_at(query) == pointed
