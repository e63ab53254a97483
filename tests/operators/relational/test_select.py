"""Select: at every instant the tuples of the input for which the predicate is true."""

from __future__ import annotations

from tailrace.logical.expressions import Call, Column, Literal
from tailrace.operators.relational.select import Select
from tailrace.types import BIGINT, BOOLEAN
from tests.operators.step_through import NUMBER, StepThrough


def test_rows_pass_if_the_predicate_is_true() -> None:
    """σ(R)(τ) = σ(R(τ)): a row passes with its interval and weight, or not at all; NULL is not true."""
    above_3 = Call(">", (Column(0, BIGINT), Literal(3, BIGINT)), BOOLEAN)
    steps = StepThrough(Select((NUMBER,), above_3))
    assert steps.batch(2, "+2 5 @1..4\n+ 3 @1..\n+ None @2..") == ["+2 5 @1..4"]
    assert steps.batch(9, "- 7 @6..\n- 1 @6..") == ["- 7 @6.."]
