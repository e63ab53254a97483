"""Subqueries become joins: semijoins and antijoins in WHERE, mark and single joins where a value is wanted."""

from __future__ import annotations

import pytest

from tests.analysis.build import plan_of, pointed_at, problem


def joins(query: str) -> list[str]:
    """The joins of a query's plan, outermost first."""
    lines = [line.lstrip("│├└─ ") for line in plan_of(query).splitlines()]
    return [line for line in lines if line.split(" ", 1)[0].endswith("join")]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("k IN (SELECT k FROM Still)", ["semijoin on k#0 = k#3"]),
        ("k NOT IN (SELECT k FROM Still)", ["antijoin on (k#0 = k#3) IS NOT FALSE"]),
        ("NOT (k IN (SELECT k FROM Still))", ["antijoin on (k#0 = k#3) IS NOT FALSE"]),
        ("NOT k NOT IN (SELECT k FROM Still)", ["semijoin on k#0 = k#3"]),
        ("k + 1 IN (SELECT k FROM Still)", ["semijoin on k#0 + 1 = k#3"]),
        ("k IN (SELECT k FROM T)", ["semijoin on CAST(k#0 AS BIGINT) = k#3"]),
        ("(k, name) IN (SELECT k, label FROM Still)", ["semijoin on k#0 = k#3 AND name = label"]),
        ("EXISTS (SELECT * FROM Still)", ["semijoin on TRUE"]),
        ("NOT EXISTS (SELECT * FROM Still)", ["antijoin on TRUE"]),
        ("EXISTS (SELECT 1 FROM Still WHERE Still.k = S.k)", ["semijoin on _0 = k"]),
        ("EXISTS (SELECT 1 FROM Still WHERE label > name AND Still.k > 1)", ["semijoin on _0 > name"]),
        ("k IN (SELECT k FROM Still WHERE label = name)", ["semijoin on k#0 = k#3 AND _0 = name"]),
        ("v > 1 OR k IN (SELECT k FROM Still)", ["markjoin on k#0 = k#3"]),
        ("v > 1 OR EXISTS (SELECT 1 FROM Still WHERE Still.k = S.k)", ["markjoin on (_0 = k) IS TRUE"]),
        ("v > (SELECT MAX(k) FROM Still)", ["singlejoin on TRUE"]),
        ("v > (SELECT MAX(k) FROM Still WHERE label = name)", ["singlejoin on label = name"]),
        (
            "k IN (SELECT k FROM Still WHERE label IN (SELECT label FROM Latest))",
            ["semijoin on k#0 = k#3", "semijoin on label#1 = label#2"],
        ),
    ],
)
def test_in_where(condition: str, expected: list[str]) -> None:
    assert joins(f"SELECT k FROM S [NOW] WHERE {condition}") == expected


@pytest.mark.parametrize(
    ("item", "project", "join"),
    [
        ("k IN (SELECT k FROM Still)", "mark AS it", "markjoin on k#0 = k#3"),
        ("EXISTS (SELECT 1 FROM Still)", "mark AS it", "markjoin on TRUE IS TRUE"),
        ("(SELECT MAX(label) FROM Still)", "max AS it", "singlejoin on TRUE"),
        ("(SELECT COUNT(*) FROM Still WHERE Still.k = S.k)", "COALESCE(COUNT(*), 0L) AS it", "singlejoin on k#3 = k#0"),
        ("(SELECT MAX(label) FROM Still WHERE Still.k = S.k)", "MAX(label) AS it", "singlejoin on k#3 = k#0"),
    ],
)
def test_as_values(item: str, project: str, join: str) -> None:
    query = f"SELECT {item} AS it FROM S [NOW]"
    assert plan_of(query).splitlines()[0] == f"project {project}"
    assert joins(query) == [join]


def test_a_correlated_aggregate_is_grouped_by_what_it_follows() -> None:
    query = "SELECT k FROM S [NOW] AS a WHERE v > (SELECT AVG(v) FROM S [RANGE 60] AS b WHERE b.k = a.k)"
    assert "aggregate AVG(v) by k" in plan_of(query)


def test_a_subquery_in_having() -> None:
    query = "SELECT k FROM S [NOW] GROUP BY k HAVING SUM(v) > (SELECT COUNT(*) FROM Still)"
    assert joins(query) == ["singlejoin on TRUE"]
    assert plan_of(query).splitlines()[1].startswith("└─ select SUM(v) > ")


def test_a_stream_in_a_subquery_gets_a_window() -> None:
    assert "window [RANGE UNBOUNDED]" in plan_of("SELECT k FROM Latest WHERE k IN (SELECT k FROM S)")


@pytest.mark.parametrize(
    ("condition", "message", "pointed"),
    [
        ("k IN (SELECT * FROM Still)", "IN compares 1 with 2 columns of the subquery", None),
        ("v > (SELECT * FROM Still)", "a subquery used as a value has one column, not 2", "(SELECT * FROM Still)"),
        ("EXISTS (SELECT v FROM Still)", "a subquery can use columns of the outer query only in its WHERE", "v"),
        (
            "v > (SELECT MAX(k) FROM Still WHERE label > name)",
            "a subquery with aggregates can compare columns of the outer query only by =",
            "label > name",
        ),
        (
            "EXISTS (SELECT MAX(k) FROM Still WHERE label = name)",
            "a correlated aggregate always has a row: it can be compared as a value, not tested with IN or EXISTS",
            None,
        ),
        (
            "k IN (SELECT k FROM Still WHERE label = name ORDER BY k LIMIT 1)",
            "a correlated subquery cannot have ORDER BY … LIMIT",
            "k",
        ),
        ("EXISTS (SELECT ISTREAM(k) FROM T WHERE w = v)", "ISTREAM cannot be used in a correlated subquery", None),
    ],
)
def test_refused(condition: str, message: str, pointed: str | None) -> None:
    query = f"SELECT k FROM S [NOW] WHERE {condition}"
    assert problem(query) == message
    assert pointed is None or pointed_at(query) == pointed
