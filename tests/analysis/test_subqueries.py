"""Subqueries become joins: semijoins and antijoins in WHERE, mark and single joins where a value is wanted."""

from __future__ import annotations

import re

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


@pytest.mark.parametrize(
    "condition",
    [
        "v > (SELECT MAX(k) FROM Still WHERE label > name)",
        "v IN (SELECT COUNT(*) FROM Still WHERE label > name)",
        "v IN (SELECT k FROM Still WHERE label > name UNION SELECT v FROM Still)",
        "v > (SELECT v FROM Still WHERE label > name)",
    ],
)
def test_what_cannot_be_lifted_is_evaluated_for_each_value(condition: str) -> None:
    plan = plan_of(f"SELECT k FROM S [NOW] WHERE {condition}")
    assert plan.count("distinct") >= 1
    assert "<=> " in joins(f"SELECT k FROM S [NOW] WHERE {condition}")[0]


def test_whether_there_is_a_row_does_not_depend_on_its_columns() -> None:
    assert joins("SELECT k FROM S [NOW] WHERE EXISTS (SELECT v FROM Still)") == ["semijoin on TRUE"]


def test_a_further_subquery_does_not_evaluate_the_ones_before_again() -> None:
    one = "EXISTS (SELECT MAX(k) FROM Still WHERE label > name)"
    sizes = [len(plan_of(f"SELECT k FROM S [NOW] WHERE {' AND '.join([one] * n)}").splitlines()) for n in (1, 2, 3, 9)]
    assert sizes[2] - sizes[1] == sizes[1] - sizes[0] == (sizes[3] - sizes[0]) / 8


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("v = ANY (SELECT k FROM Still)", ["semijoin on v = k"]),
        ("v <> ALL (SELECT k FROM Still)", ["antijoin on (v = k) IS NOT FALSE"]),
        ("NOT v = SOME (SELECT k FROM Still)", ["antijoin on (v = k) IS NOT FALSE"]),
        ("v > ALL (SELECT k FROM Still)", ["antijoin on (v <= k) IS NOT FALSE"]),
        ("NOT v > ALL (SELECT k FROM Still)", ["semijoin on v <= k"]),
        ("k = 1 OR v > ALL (SELECT k FROM Still)", ["markjoin on v <= k"]),
    ],
)
def test_any_and_all(condition: str, expected: list[str]) -> None:
    found = joins(f"SELECT v FROM S [NOW] WHERE {condition}")
    assert [re.sub(r"#\d", "", each) for each in found] == expected


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
        (
            "k IN (SELECT k FROM Still WHERE label = name ORDER BY k LIMIT 1 OFFSET 1)",
            "a correlated subquery cannot have ORDER BY … OFFSET",
            None,
        ),
        ("EXISTS (SELECT ISTREAM(k) FROM T WHERE w = v)", "ISTREAM cannot be used in a correlated subquery", None),
    ],
)
def test_refused(condition: str, message: str, pointed: str | None) -> None:
    query = f"SELECT k FROM S [NOW] WHERE {condition}"
    assert problem(query) == message
    assert pointed is None or pointed_at(query) == pointed
