"""SELECT clause by clause: conditions one by one, stars, DISTINCT, and every problem of a query at once."""

from __future__ import annotations

import pytest

from tests.analysis.build import derived, operators, plan_of, problem, problems


def test_conditions_that_and_joins_are_selections_of_their_own() -> None:
    plan = plan_of("SELECT k FROM S [NOW] WHERE v > 1 AND (k < 5 AND name = 'a') AND (v = 2 OR k = 3)")
    assert [line.strip("└─ ") for line in plan.splitlines()[1:5]] == [
        "select v = 2 OR k = 3",
        "select name = 'a'",
        "select k < 5",
        "select v > 1",
    ]


@pytest.mark.parametrize(
    ("items", "names"),
    [
        ("*", ("k", "v", "name", "k_2", "label")),
        ("Still.*", ("k", "label")),
        ("label, S.*", ("label", "k", "v", "name")),
        ("S.*, S.k", ("k", "v", "name", "k_2")),
    ],
)
def test_stars(items: str, names: tuple[str, ...]) -> None:
    assert derived(f"SELECT {items} FROM S [NOW], Still").names == names


def test_distinct_stands_above_the_select_list() -> None:
    assert operators("SELECT DISTINCT k FROM S [NOW]")[:2] == ["distinct", "project"]
    assert operators("SELECT ISTREAM(DISTINCT k) FROM S [NOW]")[:2] == ["i-stream", "distinct"]


def test_all_problems_of_a_query_are_told_in_order() -> None:
    text = "CREATE QUERY q AS SELECT a, ABSS(k) FROM S WHERE b = 1 AND k GROUP BY c HAVING d > 1;"
    assert [found.message for found in problems(text)] == [
        "no column a in S",
        "no function ABSS",
        "no column b in S",
        "WHERE must be a condition, not INT",
        "no column c in S",
        "no column d in S",
    ]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("SELECT 1 AS one", "a query needs a FROM"),
        ("SELECT * AS everything FROM S", "* cannot have a name"),
        ("SELECT X.* FROM S", "no FROM item is called X"),
    ],
)
def test_refused(query: str, message: str) -> None:
    assert problem(query) == message


def test_a_column_without_a_type_cannot_be_stored_but_can_be_read() -> None:
    assert problem("SELECT k, NULL AS n FROM S") == "the column n is NULL and has no type"
    assert problems("CREATE VIEW V AS SELECT k, NULL AS n FROM S; CREATE QUERY q AS SELECT k FROM V;") == []
