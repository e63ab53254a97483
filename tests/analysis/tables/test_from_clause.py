"""FROM: names, subqueries and joins, and what each kind of item gives to the query."""

from __future__ import annotations

import pytest

from tests.analysis.build import derived, plan_of, pointed_at, problem, problems

S = "stream S(k INT, v INT, name STRING)"
T = "stream T(k BIGINT, w INT)"
STILL = "relation static Still(k INT, label STRING)"


def test_a_comma_is_a_join_on_nothing() -> None:
    assert plan_of("SELECT v, w FROM S [NOW], T [RANGE 5]") == (
        f"project v, w\n└─ join on TRUE\n   ├─ window [NOW]\n   │  └─ {S}\n   └─ window [RANGE 5]\n      └─ {T}"
    )


@pytest.mark.parametrize(
    ("join", "operator"),
    [
        ("JOIN Still ON S.k = Still.k", "join on k#0 = k#3"),
        ("INNER JOIN Still ON S.k = Still.k AND v > 1", "join on k#0 = k#3 AND v > 1"),
        ("LEFT JOIN Still USING (k)", "join left on k#0 = k#3"),
        ("RIGHT OUTER JOIN Still USING (k)", "join right on k#0 = k#3"),
        ("FULL JOIN Still USING (k)", "join full on k#0 = k#3"),
        ("CROSS JOIN Still", "join on TRUE"),
        ("JOIN T [NOW] USING (k)", "join on CAST(k#0 AS BIGINT) = k#3"),
    ],
)
def test_joins(join: str, operator: str) -> None:
    assert plan_of(f"SELECT v FROM S [NOW] {join}").splitlines()[1] == f"└─ {operator}"


def test_joins_nest_to_the_left_and_in_parentheses_to_the_right() -> None:
    left = plan_of("SELECT v FROM S [NOW] CROSS JOIN T [NOW] CROSS JOIN Still")
    right = plan_of("SELECT v FROM S [NOW] CROSS JOIN (T [NOW] CROSS JOIN Still)")
    assert left.splitlines()[2] == "   ├─ join on TRUE"
    assert right.splitlines()[4] == "   └─ join on TRUE"


def test_relations_views_and_subqueries_need_no_window() -> None:
    assert plan_of("SELECT COUNT(*) AS n FROM Still") == f"project COUNT(*) AS n\n└─ aggregate COUNT(*)\n   └─ {STILL}"
    assert "window [RANGE 5]" in plan_of("SELECT a FROM (SELECT k AS a FROM S [RANGE 5]) AS x")


def test_a_stream_of_a_subquery_gets_the_default_window() -> None:
    found = derived("SELECT COUNT(*) AS n FROM (SELECT ISTREAM(k) FROM S [NOW]) AS x")
    assert [note.text for note in found.notes] == ["x has no window: it gets [RANGE UNBOUNDED]"]


@pytest.mark.parametrize(
    ("query", "message", "pointed"),
    [
        ("SELECT k FROM Still [NOW]", "Still is a relation, and a window takes a stream", "Still"),
        ("SELECT S.k FROM S, S", "two FROM items are called S", "S"),
        ("SELECT a FROM S AS s (a, b)", "2 names for 3 columns", "a"),
        ("SELECT v FROM S JOIN Still ON v", "ON must be a condition, not INT", "v"),
        ("SELECT v FROM S JOIN Still USING (label)", "no column label in S", "label"),
        ("SELECT k FROM Nowhere", "no stream, relation or view Nowhere", "Nowhere"),
    ],
)
def test_refused(query: str, message: str, pointed: str | None) -> None:
    assert problem(query) == message
    assert pointed is None or pointed_at(query) == pointed


def test_a_window_on_a_view_follows_what_the_view_is() -> None:
    views = "CREATE VIEW Stream1 AS SELECT k FROM S; CREATE VIEW Relation1 AS SELECT k FROM S [RANGE 5];"
    assert problems(f"{views} CREATE QUERY q AS SELECT k FROM Stream1 [ROWS 3];") == []
    (found,) = problems(f"{views} CREATE QUERY q AS SELECT k FROM Relation1 [ROWS 3];")
    assert found.message == "Relation1 is a relation, and a window takes a stream"
