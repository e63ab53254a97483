"""Calls of functions from Python: their types, the casts they get, and what is refused."""

from __future__ import annotations

import pytest

from tailrace.analysis.program import analyse
from tailrace.catalog.user_functions import UserFunctions
from tailrace.engine.pipeline import compile_script
from tailrace.errors import ScriptError, Source
from tailrace.language.script import parse_script
from tailrace.logical.expressions import Call, Column, UserCall, uses_python
from tailrace.logical.text.explain import tree
from tailrace.rewrite.totality import cannot_fail
from tailrace.types import BOOLEAN, INT
from tests.analysis.build import SOURCES
from tests.random_plans.python_functions import FUNCTIONS, function

ALL = FUNCTIONS.function("any_number", lambda *x: 1, "INT").function("doubled", abs, "DOUBLE", ["DOUBLE"])
ALL = ALL.function("column", lambda x: x, "INT", vectorised=True)


def lines(query: str) -> list[str]:
    """The nodes of a query's final plan."""
    plan = compile_script(Source(f"{SOURCES} CREATE QUERY q AS {query};"), functions=ALL).final_plans["q"]
    return [line.rpartition("  → ")[0].lstrip("│├└─ ") for line in tree(plan).splitlines()]


def problem(query: str) -> tuple[str, str | None]:
    with pytest.raises(ScriptError) as caught:
        compile_script(Source(f"{SOURCES} CREATE QUERY q AS {query};"), functions=ALL)
    (only,) = caught.value.problems
    return only.message, only.hint


def test_explain_shows_the_names_as_registered() -> None:
    assert lines("SELECT RSTREAM(MIXED(k, v) AS m, tagged(name, 1) AS t) FROM S [NOW]")[0] == (
        "project mixed(k, v) AS m, Tagged(name, 1) AS t"
    )
    assert lines("SELECT k, product_of(DISTINCT v) FILTER (WHERE is_odd(k)) FROM S GROUP BY k")[0] == (
        "aggregate Product_Of(DISTINCT v) FILTER (WHERE is_odd(k)) by k"
    )


def test_arguments_are_cast_to_the_declared_types() -> None:
    assert lines("SELECT RSTREAM(doubled(k) AS d) FROM S [NOW]")[0] == "project doubled(CAST(k AS DOUBLE)) AS d"
    assert lines("SELECT RSTREAM(tagged(name, NULL) AS t) FROM S [NOW]")[0] == (
        "project Tagged(name, CAST(NULL AS INT)) AS t"
    )


def test_a_correlated_aggregate_over_no_tuples() -> None:
    found = lines("SELECT k, (SELECT product_of(w) FROM T WHERE T.k = S.k) AS p FROM S [NOW]")
    assert "CASE WHEN k#1 IS NULL THEN Product_Of() ELSE Product_Of(w) END" in found[0]


@pytest.mark.parametrize(
    ("query", "message", "hint"),
    [
        ("SELECT mixd(k, v) FROM S", "no function mixd", "did you mean mixed?"),
        ("SELECT mixed(k) FROM S", "mixed takes 2 arguments, not 1", None),
        ("SELECT column() FROM S", "column takes 1 argument, not 0", None),
        ("SELECT spread() FROM S", "spread takes 1 argument, not 0", None),
        ("SELECT texts(name) FROM S", "texts takes 2 arguments, not 1", None),
        ("SELECT mixed(DISTINCT k, v) FROM S", "mixed is no aggregate: DISTINCT is not allowed in it", None),
        ("SELECT mixed(k, x -> x) FROM S", "mixed takes values, not a lambda", None),
        ("SELECT doubled(a) FROM Typed", "argument 1 of doubled must be DOUBLE, not ARRAY<INT>", None),
        ("SELECT doubled(d) FROM Typed", "argument 1 of doubled must be DOUBLE, not DATE", None),
        (
            "SELECT transform(a, x -> mixed(x, x)) FROM Typed",
            "a function from Python cannot be used inside a lambda",
            None,
        ),
        (
            "SELECT k FROM S WHERE spread(v) > 1",
            "SPREAD is an aggregate and cannot be used in WHERE",
            "aggregates of a group go into HAVING",
        ),
        (
            "SELECT spread(spread(v)) FROM S",
            "SPREAD is an aggregate and cannot be used in the argument of SPREAD",
            None,
        ),
        ("SELECT spread(*) FROM S", "* must be alone in a select list, or in COUNT(*)", None),
        ("SELECT mixed(k, v) FILTER (WHERE k > 1) FROM S", "FILTER goes with an aggregate", None),
    ],
)
def test_refused(query: str, message: str, hint: str | None) -> None:
    assert problem(query) == (message, hint)


def test_a_script_without_functions_knows_none() -> None:
    with pytest.raises(ScriptError, match="no function mixed"):
        analyse(parse_script(Source(f"{SOURCES} CREATE QUERY q AS SELECT mixed(k, v) FROM S;")))
    assert UserFunctions().names == ()


def test_rewrites_know_nothing_of_them() -> None:
    odd = UserCall(function("is_odd"), (Column(0, INT, "k"),))
    assert uses_python(Call("not", (odd,), BOOLEAN))
    assert not uses_python(odd.arguments[0])
    assert not cannot_fail(odd)
    # A predicate that may fail is not asked for tuples that a join would have kept from it.
    found = lines("SELECT S.k FROM S [NOW], T [NOW] WHERE S.k = T.k AND is_odd(S.v)")
    assert any("is_odd" in line for line in found)
