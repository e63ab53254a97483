"""Scalar subqueries: one row, none, or an error that names the instant; the check is there only where it is needed."""

from __future__ import annotations

import re
from random import Random

import pytest

from tailrace.engine.pipeline import compile_script
from tailrace.errors import RunError, Source
from tailrace.logical import nodes
from tailrace.logical.plan import Plan
from tailrace.logical.text.explain import tree
from tailrace.lowering.lower import lower
from tailrace.operators.relational.counts import SingleRowCheck
from tailrace.testing.reference.evaluate import Inputs, evaluate
from tailrace.testing.reference.relational import SeveralRows
from tests.operators.local import answered, differences, splits
from tests.random_plans.expressions import Seeded
from tests.random_plans.plans import LAST_INSTANT, Plans

SOURCES = """
CREATE STREAM S (k INT, v INT) TIMESTAMP BY ts;
CREATE RELATION R (k INT, w INT) TIMESTAMP BY ts OP BY op;
CREATE RELATION U (k INT, w INT) TIMESTAMP BY ts KEY (k);
"""


def plan_of(query: str) -> Plan:
    return compile_script(Source(f"{SOURCES} CREATE QUERY q AS {query};")).final_plans["q"]


def is_checked(query: str) -> bool:
    return any(isinstance(step.work, SingleRowCheck) for step in lower({"q": plan_of(query)}).steps)


@pytest.mark.parametrize(
    ("subquery", "expected"),
    [
        ("SELECT w FROM R", True),
        ("SELECT w FROM R WHERE R.k = S.k", True),
        ("SELECT w FROM R WHERE R.k < S.k", True),
        ("SELECT MAX(w) FROM R", False),
        ("SELECT MAX(w) FROM R WHERE R.k = S.k", False),
        ("SELECT MAX(w) FROM R GROUP BY k", True),
        ("SELECT MAX(w) FROM R WHERE R.k = S.k GROUP BY w", True),
        ("SELECT w FROM U WHERE U.k = S.k", False),
        ("SELECT w + 1 FROM U WHERE U.k = S.k AND w > 3", False),
        ("SELECT k FROM U WHERE U.w = S.k", True),
        ("SELECT DISTINCT k FROM R WHERE R.k = S.k", False),
        ("SELECT DISTINCT w FROM R WHERE R.k = S.k", True),
        ("SELECT w FROM R ORDER BY w LIMIT 1", False),
        ("SELECT w FROM R ORDER BY w LIMIT 2", True),
        ("SELECT T.v FROM S [ROWS 1] AS T", False),
        ("SELECT T.v FROM S [PARTITION BY k ROWS 1] AS T WHERE T.k = S.k", False),
        ("SELECT T.v FROM S [PARTITION BY k ROWS 1] AS T WHERE T.v = S.k", True),
    ],
)
def test_the_check_is_there_where_it_is_needed(subquery: str, expected: bool) -> None:
    assert is_checked(f"SELECT k, ({subquery}) AS it FROM S [NOW]") is expected


def run(query: str, inputs: Inputs, beats: list[int]) -> list[str]:
    plan = plan_of(query)
    found = answered(plan, inputs, beats, Random(0))
    return differences(found, evaluate(plan, inputs, beats[-1]))


QUERY = "SELECT k, (SELECT w FROM R WHERE R.k = S.k) AS it FROM S [RANGE 2]"


def test_two_rows_for_a_tuple_are_an_error() -> None:
    inputs = {"S": [(1, (7, 0))], "R": [(0, "+", (7, 1)), (2, "+", (7, 2))]}
    for beats in ([5], [1, 2, 5]):
        with pytest.raises(RunError, match=r"^a scalar subquery gave more than one row at instant 2$"):
            answered(plan_of(QUERY), inputs, beats, Random(0))


def test_two_equal_rows_are_two_rows() -> None:
    inputs = {"S": [(1, (7, 0))], "R": [(0, "+", (7, 1)), (1, "+", (7, 1))]}
    with pytest.raises(RunError, match=r"more than one row at instant 1$"):
        answered(plan_of(QUERY), inputs, [5], Random(0))


def test_two_tuples_may_find_the_same_row() -> None:
    inputs = {"S": [(1, (7, 0)), (1, (7, 0)), (2, (7, 0))], "R": [(0, "+", (7, 1))]}
    assert run(QUERY, inputs, [1, 5]) == []


def test_two_rows_that_nobody_asks_for_are_no_error() -> None:
    """As the definition has it: the subquery gives two rows for no tuple of the query around it."""
    inputs = {"S": [(1, (7, 0)), (6, (8, 0))], "R": [(0, "+", (8, 1)), (0, "+", (8, 2)), (5, "-", (8, 2))]}
    assert run(QUERY, inputs, [0, 3, 9]) == []


def test_a_row_may_replace_another_at_one_instant() -> None:
    inputs = {"S": [(1, (7, 0))], "R": [(0, "+", (7, 1)), (2, "+", (7, 2)), (2, "-", (7, 1))]}
    for beats in ([5], [1, 2, 5]):
        assert run(QUERY, inputs, beats) == []


def first_error(plan: Plan, inputs: Inputs) -> int | None:
    """The first instant at which the definition gives no answer."""
    for instant in range(LAST_INSTANT + 1):
        try:
            evaluate(plan, inputs, instant)
        except SeveralRows:
            return instant
    return None


def test_random_joins_fail_when_the_definition_does() -> None:
    failed = 0
    for seed in range(400):
        drawing = Plans(Seeded(Random(seed)))
        left, right = drawing.base(), drawing.base()
        plan = nodes.SingleJoin(left, right, drawing.link(left.schema, right.schema))
        inputs = {name: drawing.arrivals(source) for name, source in drawing.sources.items()}
        beats, instant = splits(LAST_INSTANT, Random(seed)), first_error(plan, inputs)
        if instant is None:
            found = answered(plan, inputs, beats, Random(seed))
            assert differences(found, evaluate(plan, inputs, LAST_INSTANT)) == [], f"seed {seed}\n{tree(plan)}"
            continue
        failed += 1
        with pytest.raises(RunError) as caught:
            answered(plan, inputs, beats, Random(seed))
        assert re.search(rf"instant {instant}$", str(caught.value)), f"seed {seed}\n{tree(plan)}"
    assert 50 < failed < 350
