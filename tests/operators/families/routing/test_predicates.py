"""Predicates: the rows that pass a branch are the rows for which the predicate is true."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tailrace.catalog.user_functions import UserFunction
from tailrace.columnar.arrow_types import arrow_type
from tailrace.columnar.evaluate import can_evaluate
from tailrace.logical.expressions import Call, Column, Expression, Literal, UserCall
from tailrace.logical.text.expression_text import text_of
from tailrace.operators.families.routing.grouped_filter import compile_filter
from tailrace.operators.families.routing.predicates import MOST_BRANCHES, Branch, branches
from tailrace.testing.reference.values import is_true
from tailrace.types import BIGINT, BOOLEAN, DOUBLE, INT, STRING, VOID, Type, decimal
from tests.conftest import Examples
from tests.operators.families.routing.random_predicates import Draw, call, columns_of_rows, find_rows, index_of, passes

ROWS = 60


def branch_passes(branch: Branch, columns: list[pa.Array], length: int) -> np.ndarray:
    """Each region through a grouped filter of its own."""
    found = np.ones(length, bool)
    for column, region in branch.regions.items():
        filter = compile_filter(index_of(column, {0: region}, 1))
        found &= filter.table[find_rows(filter, columns[column.index]), 0] == 1
    for condition in branch.residual:
        found &= passes(condition, columns, length)
    return found


@pytest.mark.parametrize("seed", range(12))
def test_branches_are_the_predicate(seed: int, examples: Examples) -> None:
    draw = Draw(seed)
    rows = draw.rows(ROWS)
    columns = columns_of_rows(rows)
    count, indexed = 100, 0
    for _ in range(count):
        predicate = draw.predicate(draw.random.choice([0, 1, 2, 3]))
        assert can_evaluate(predicate), text_of(predicate)
        found = branches(predicate)
        assert len(found) <= MOST_BRANCHES
        ours = np.zeros(ROWS, bool)
        for branch in found:
            ours |= branch_passes(branch, columns, ROWS)
        theirs = passes(predicate, columns, ROWS)
        wrong = [rows[at] for at in np.flatnonzero(ours != theirs)]
        assert wrong == [], text_of(predicate)
        assert theirs.tolist() == [is_true(predicate, row) for row in rows], text_of(predicate)
        indexed += not any(branch.residual for branch in found)
    assert indexed > count / 5
    examples("predicates as branches", count)


# Forms ------------------------------------------------------------------------------------------------------

A, B, S = Column(0, INT, "a"), Column(1, INT, "b"), Column(2, STRING, "s")
NEVER: tuple[Branch, ...] = ()


def number(value: int | None) -> Literal:
    return Literal(value, INT)


@pytest.mark.parametrize(
    "predicate",
    [
        call("=", A, Literal(None, VOID)),
        call("not", call("in", A, number(1), number(None))),
        call("and", call(">", A, number(5)), call("<", A, number(5))),
        call("=", A, Literal(2.5, DOUBLE)),
        call("and", call("is null", A), call("<>", A, number(1))),
        Literal(None, BOOLEAN),
    ],
    ids=text_of,
)
def test_never(predicate: Expression) -> None:
    assert branches(predicate) == NEVER


@pytest.mark.parametrize(
    ("predicate", "below", "cuts", "null"),
    [
        (call(">", A, number(5)), False, (6,), False),
        (call("not", call(">", A, number(5))), True, (6,), False),
        (call("<=", A, Literal(2.5, DOUBLE)), True, (3,), False),
        (call("<", number(3), A), False, (4,), False),
        (call("in", A, number(3), number(1), number(2), number(None)), False, (1, 4), False),
        (call("not", call("in", A, number(3), number(7))), True, (3, 4, 7, 8), False),
        (call("or", call("is null", A), call("=", A, number(1))), False, (1, 2), True),
        (call("<=>", A, Literal(None, VOID)), False, (), True),
        (call("not", call("<=>", A, number(4))), True, (4, 5), True),
        (call("is not true", call("=", A, number(4))), True, (4, 5), True),
        (call("or", call("<", A, number(1)), call("and", call(">", A, number(3)), call("<>", A, number(9)))),
         True, (1, 4, 9, 10), False),
        (call("<", Call("cast", (A,), BIGINT), Literal(2**40, BIGINT)), True, (2**40,), False),
        (call(">=", A, Literal("1.5", decimal(2, 1))), False, (2,), False),
        (call(">", S, Literal("b", STRING)), False, ("b\0",), False),
        (call("like", S, Literal("ab%", STRING)), False, ("ab", "ac"), False),
        (call("not", call("like", S, Literal("\ud7ff%%", STRING))), True, ("\ud7ff", "\ue000"), False),
        (call("like", S, Literal("ab", STRING)), False, ("ab", "ab\0"), False),
    ],
    ids=lambda each: text_of(each) if isinstance(each, Expression) else "",
)  # fmt: skip
def test_one_region(predicate: Expression, below: bool, cuts: tuple[Any, ...], null: bool) -> None:
    (branch,) = branches(predicate)
    (region,) = branch.regions.values()
    assert (region.below, region.cuts, region.null, branch.residual) == (below, cuts, null, ())


def test_a_clause_over_two_columns_is_two_branches() -> None:
    both = call("or", call(">", A, number(1)), call("<", B, number(2)), call("<", A, number(-5)))
    found = branches(call("and", call("=", S, Literal("x", STRING)), both))
    assert [{column.name for column in branch.regions} for branch in found] == [{"s", "a"}, {"s", "b"}]


def test_too_many_branches_are_left_over() -> None:
    clauses = [call("or", call("=", A, number(at)), call("=", B, number(at))) for at in range(5)]
    found = branches(call("and", *clauses))
    assert len(found) <= MOST_BRANCHES
    assert all(len(branch.residual) == 1 for branch in found)


@pytest.mark.parametrize(
    "predicate",
    [
        call(">", A, B),
        call("like", S, Literal("a%b", STRING)),
        call("=", Call("cast", (Column(4, BIGINT, "l"),), DOUBLE), Literal(3.0, DOUBLE)),
        call("=", Call("+", (A, B), INT), number(3)),
    ],
    ids=text_of,
)
def test_left_over(predicate: Expression) -> None:
    assert branches(predicate) == (Branch({}, (predicate,)),)


def test_python_is_not_called_before_its_turn() -> None:
    odd = UserCall(UserFunction("odd", lambda value: value % 2 == 1, BOOLEAN), (A,))
    either = call("or", call(">", B, number(3)), odd)
    assert branches(either) == (Branch({}, (either,)),)
    (both,) = branches(call("and", call(">", B, number(3)), odd))
    assert both.residual == (odd,)


@pytest.mark.parametrize("type", [INT, DOUBLE, STRING, decimal(30, 2)], ids=str)
def test_columns_of_nothing_but_null(type: Type) -> None:
    column = Column(0, type, "c")
    (branch,) = branches(call("is null", column))
    assert branch_passes(branch, [pa.nulls(3, arrow_type(type))], 3).all()
    assert branch_passes(branch, [pa.array([], arrow_type(type))], 0).tolist() == []
