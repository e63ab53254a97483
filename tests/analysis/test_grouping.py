"""Grouped queries: keys by expression, alias or position, and columns that are neither key nor aggregated."""

from __future__ import annotations

import pytest

from tests.analysis.build import plan_of, pointed_at, problem


@pytest.mark.parametrize(
    ("query", "aggregate"),
    [
        ("SELECT COUNT(*) AS n FROM S [NOW]", "aggregate COUNT(*)"),
        ("SELECT k FROM S [NOW] GROUP BY k", "aggregate by k"),
        ("SELECT k, COUNT(*) AS n FROM S [NOW] GROUP BY k", "aggregate COUNT(*) by k"),
        ("SELECT k % 2 AS odd, MAX(v) AS m FROM S [NOW] GROUP BY k % 2", "aggregate MAX(v) by k % 2"),
        ("SELECT k % 2 AS odd, MAX(v) AS m FROM S [NOW] GROUP BY odd", "aggregate MAX(v) by k % 2"),
        ("SELECT k % 2 AS odd, MAX(v) AS m FROM S [NOW] GROUP BY 1", "aggregate MAX(v) by k % 2"),
        ("SELECT k, v FROM S [NOW] GROUP BY k, v, k", "aggregate by k, v"),
        ("SELECT name AS k, COUNT(*) AS n FROM S [NOW] GROUP BY name", "aggregate COUNT(*) by name"),
        ("SELECT COUNT(*) AS n FROM S [NOW] GROUP BY k HAVING MIN(v) > 1", "aggregate COUNT(*), MIN(v) by k"),
    ],
)
def test_keys_and_aggregates(query: str, aggregate: str) -> None:
    lines = [line.strip("└─ ") for line in plan_of(query).splitlines()]
    assert aggregate in lines


def test_a_column_of_from_wins_over_an_alias() -> None:
    assert "aggregate COUNT(*) by v" in plan_of("SELECT COUNT(*) AS v, v AS k2 FROM S [NOW] GROUP BY v")


def test_expressions_over_groups() -> None:
    plan = plan_of("SELECT k + 1 AS next, SUM(v) / COUNT(*) AS mean FROM S [NOW] GROUP BY k")
    assert plan.startswith("project k + 1 AS next, SUM(v) DIV COUNT(*) AS mean\n└─ aggregate SUM(v), COUNT(*) by k")


def test_having_without_groups() -> None:
    plan = plan_of("SELECT MAX(v) AS m FROM S [NOW] HAVING COUNT(*) > 3")
    assert plan.startswith("project MAX(v) AS m\n└─ select COUNT(*) > 3L\n   └─ aggregate MAX(v), COUNT(*)")


@pytest.mark.parametrize(
    ("query", "message", "pointed"),
    [
        ("SELECT v, COUNT(*) AS n FROM S [NOW] GROUP BY k", "v is neither in GROUP BY nor inside an aggregate", "v"),
        ("SELECT k, v + MAX(v) AS x FROM S [NOW] GROUP BY k", "v is neither in GROUP BY nor inside an aggregate", "v"),
        ("SELECT k FROM S [NOW] GROUP BY k HAVING v > 1", "v is neither in GROUP BY nor inside an aggregate", "v"),
        ("SELECT * FROM S [NOW] GROUP BY k", "v is neither in GROUP BY nor inside an aggregate", "*"),
        ("SELECT k FROM S [NOW] GROUP BY 2", "GROUP BY 2: the select list has 1 columns", "2"),
        ("SELECT MAX(k) AS m FROM S [NOW] GROUP BY 1", "an aggregate cannot be grouped by", "1"),
        ("SELECT m FROM Typed [NOW] GROUP BY m", "a MAP cannot be grouped by", "m"),
    ],
)
def test_refused(query: str, message: str, pointed: str) -> None:
    assert problem(query) == message
    assert pointed_at(query) == pointed
