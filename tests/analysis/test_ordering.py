"""ORDER BY … LIMIT: the first rows of a relation, by columns of the select list or by others."""

from __future__ import annotations

import pytest

from tailrace.logical.nodes import TopK
from tailrace.logical.plan import walk
from tests.analysis.build import derived, plan_of, pointed_at, problem, problems


def top(query: str) -> TopK:
    return next(node for node in walk(derived(query).plan) if isinstance(node, TopK))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT k, v FROM S [NOW] ORDER BY v LIMIT 3", "top-k 3 by v\n└─ project k, v"),
        ("SELECT k, v FROM S [NOW] ORDER BY 2 DESC LIMIT 3", "top-k 3 by v DESC\n└─ project k, v"),
        ("SELECT k AS a FROM S [NOW] ORDER BY a LIMIT 3 OFFSET 2", "top-k 3 by a offset 2\n└─ project k AS a"),
        (
            "SELECT k FROM S [NOW] ORDER BY v + 1 LIMIT 3",
            "project k\n└─ top-k 3 by _0\n   └─ project k, v + 1 AS _0",
        ),
        ("SELECT k, v + 1 AS n FROM S [NOW] ORDER BY v + 1 LIMIT 3", "top-k 3 by n\n└─ project k, v + 1 AS n"),
        (
            "SELECT DISTINCT k FROM S [NOW] ORDER BY k LIMIT 3",
            "top-k 3 by k\n└─ distinct\n   └─ project k",
        ),
        (
            "SELECT k FROM S [NOW] GROUP BY k ORDER BY COUNT(*) DESC LIMIT 3",
            "project k\n└─ top-k 3 by _0 DESC\n   └─ project k, COUNT(*) AS _0\n      └─ aggregate COUNT(*) by k",
        ),
        (
            "SELECT k FROM S [NOW] UNION ALL SELECT k FROM Still ORDER BY k LIMIT 3",
            "top-k 3 by k\n└─ union all",
        ),
    ],
)
def test_plans(query: str, expected: str) -> None:
    assert plan_of(query).startswith(expected)


def test_nulls_come_first_when_ascending_and_last_when_descending() -> None:
    keys = top("SELECT k, v, name FROM S [NOW] ORDER BY k, v DESC, name NULLS LAST LIMIT 1").order
    assert [(key.descending, key.nulls_first) for key in keys] == [(False, True), (True, False), (False, False)]


def test_order_without_limit_is_left_out_and_told() -> None:
    found = derived("SELECT k FROM S [RANGE 5] ORDER BY v")
    assert "top-k" not in plan_of("SELECT k FROM S [RANGE 5] ORDER BY v")
    assert [(note.text, note.is_default) for note in found.notes] == [
        ("ORDER BY without LIMIT is left out: a relation has no order", False)
    ]


@pytest.mark.parametrize(
    ("query", "message", "pointed"),
    [
        ("SELECT k FROM S [NOW] LIMIT 3", "LIMIT without ORDER BY: which rows?", "3"),
        ("SELECT k FROM S [NOW] ORDER BY k OFFSET 3", "OFFSET without LIMIT", "3"),
        ("SELECT k FROM S [NOW] ORDER BY 2 LIMIT 3", "ORDER BY 2: the select list has 1 columns", "2"),
        ("SELECT k FROM S [NOW] ORDER BY x LIMIT 3", "no column x in S", "x"),
        (
            "SELECT DISTINCT k FROM S [NOW] ORDER BY v LIMIT 3",
            "with DISTINCT, ORDER BY can only use columns of the select list",
            "v",
        ),
        (
            "SELECT k FROM S [NOW] UNION SELECT k FROM Still ORDER BY v LIMIT 3",
            "ORDER BY of a set operation names one of its columns",
            "v",
        ),
        ("SELECT m FROM Typed [NOW] ORDER BY m LIMIT 3", "a MAP has no order", "m"),
    ],
)
def test_refused(query: str, message: str, pointed: str) -> None:
    assert problem(query) == message
    assert pointed_at(query) == pointed


def test_an_interval_before_desc() -> None:
    assert top("SELECT d FROM Typed [NOW] ORDER BY d + INTERVAL '2 days' DESC LIMIT 1").order[0].descending


def test_an_unknown_column_is_reported_with_those_of_the_other_clauses() -> None:
    query = "SELECT nokey, k AS kay FROM S [NOW] WHERE nofilter > 1 ORDER BY noorder, kay, nokey, v + noother LIMIT 3"
    found = [each.message.split()[2] for each in problems(f"CREATE QUERY q AS {query};")]
    assert found == ["nokey", "nofilter", "noorder", "noother"]
    query = "SELECT k FROM S [NOW] ORDER BY one, v, two LIMIT 3"
    assert [each.message.split()[2] for each in problems(f"CREATE QUERY q AS {query};")] == ["one", "two"]
