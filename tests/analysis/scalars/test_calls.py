"""Function calls: types from the catalog, aggregates where they may stand, lambdas, and what is refused."""

from __future__ import annotations

import pytest

from tailrace.logical.text.expression_text import text_of
from tests.analysis.build import derived, plan_of, pointed_at, problem, problems, value


@pytest.mark.parametrize(
    ("text", "type", "meaning"),
    [
        ("UPPER(s)", "STRING", "UPPER(s)"),
        ("length(s)", "INT", "LENGTH(s)"),
        ("COALESCE(i, l)", "BIGINT", None),
        ("ROUND(p, 1)", "DECIMAL(8,1)", None),
        ("ABS(i)", "INT", "ABS(i)"),
        ("CONCAT(s, 'x')", "STRING", "CONCAT(s, 'x')"),
        ("YEAR(d)", "INT", "YEAR(d)"),
        ("IF(ok, 1, 2)", "INT", "IF(ok, 1, 2)"),
        ("SIZE(a)", "INT", "SIZE(a)"),
        ("TRANSFORM(a, x -> x + 1)", "ARRAY<INT>", "TRANSFORM(a, (x) -> x + 1)"),
        ("TRANSFORM(a, (x, n) -> x + n)", "ARRAY<INT>", "TRANSFORM(a, (x, n) -> x + n)"),
        ("FILTER(a, x -> x > i)", "ARRAY<INT>", "FILTER(a, (x) -> x > i)"),
        ("EXISTS(a, x -> x > 1)", "BOOLEAN", "EXISTS(a, (x) -> x > 1)"),
        ("AGGREGATE(a, 0, (s, x) -> s + x)", "INT", "AGGREGATE(a, 0, (s, x) -> s + x)"),
        ("LEFT(s, 2)", "STRING", "LEFT(s, 2)"),
    ],
)
def test_types(text: str, type: str, meaning: str | None) -> None:
    found = value(text)
    assert str(found.type) == type
    assert meaning is None or text_of(found) == meaning


@pytest.mark.parametrize(
    ("text", "type"),
    [
        ("COUNT(*)", "BIGINT"),
        ("COUNT(s)", "BIGINT"),
        ("COUNT(DISTINCT s)", "BIGINT"),
        ("SUM(i)", "BIGINT"),
        ("SUM(f)", "DOUBLE"),
        ("SUM(p)", "DECIMAL(18,2)"),
        ("AVG(i)", "DOUBLE"),
        ("AVG(p)", "DECIMAL(12,6)"),
        ("MIN(s)", "STRING"),
        ("MAX(d)", "DATE"),
        ("STDDEV(i)", "DOUBLE"),
        ("VARIANCE(f)", "DOUBLE"),
        ("MEDIAN(i)", "DOUBLE"),
        ("COUNT(*) FILTER (WHERE ok)", "BIGINT"),
    ],
)
def test_aggregates(text: str, type: str) -> None:
    assert str(derived(f"SELECT {text} AS it FROM Typed [RANGE 5]").schema[0].type) == type


def test_one_aggregate_is_computed_once() -> None:
    query = "SELECT k, SUM(v) + 1 AS a, sum(v) * 2 AS b FROM S [RANGE 5] GROUP BY k HAVING SUM(v) > 0"
    assert "aggregate SUM(v) by k\n" in plan_of(query)


@pytest.mark.parametrize(
    ("query", "message", "pointed"),
    [
        ("SELECT UPPR(name) AS n FROM S", "no function UPPR", "UPPR(name)"),
        ("SELECT YEAR(k) AS y FROM S", "argument 1 of YEAR must be a DATE or TIMESTAMP, not INT", "k"),
        ("SELECT ABS(k, v) AS y FROM S", "ABS takes 1 argument, not 2", "ABS(k, v)"),
        ("SELECT k FROM S WHERE COUNT(*) > 1", "COUNT is an aggregate and cannot be used in WHERE", "COUNT(*)"),
        (
            "SELECT SUM(MAX(v)) AS y FROM S [NOW]",
            "MAX is an aggregate and cannot be used in the argument of SUM",
            "MAX(v)",
        ),
        ("SELECT COUNT(DISTINCT *) AS y FROM S", "COUNT(DISTINCT *) is not part of CQL", "COUNT(DISTINCT *)"),
        ("SELECT RAND() AS y FROM S", "RAND gives another value at each call", "RAND()"),
        ("SELECT RANK() AS y FROM S", "RANK is a window function", "RANK()"),
        ("SELECT ABS(DISTINCT k) AS y FROM S", "ABS is no aggregate: DISTINCT is not allowed in it", "ABS(DISTINCT k)"),
        ("SELECT ABS(k) FILTER (WHERE v > 1) AS y FROM S", "FILTER goes with an aggregate", None),
    ],
)
def test_refused(query: str, message: str, pointed: str | None) -> None:
    assert problem(query) == message
    assert pointed is None or pointed_at(query) == pointed


def test_a_mistyped_function_gets_a_hint() -> None:
    (found,) = problems("CREATE QUERY q AS SELECT UPPR(name) AS n FROM S;")
    assert found.hint == "did you mean upper?"
