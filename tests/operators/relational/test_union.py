"""Union: at every instant the sum of the input bags, each with its sign."""

from __future__ import annotations

from tailrace.operators.relational.union import Union
from tests.operators.step_through import TEXT, StepThrough


def test_all_rows_of_all_inputs() -> None:
    """UNION ALL holds a tuple as often as all inputs together."""
    steps = StepThrough(Union((TEXT,), (1, 1)), (TEXT,), (TEXT,))
    assert steps.batch(2, "+ a @1..4", "+2 a @1..4\n- b @2..") == ["+ a @1..4", "+2 a @1..4", "- b @2.."]


def test_an_input_of_negative_sign_is_subtracted() -> None:
    """R(τ) = left(τ) − right(τ), where right is contained in left: a stays three times less one."""
    steps = StepThrough(Union((TEXT,), (1, -1)), (TEXT,), (TEXT,))
    assert steps.batch(2, "+3 a @1..", "+ a @2..5") == ["+3 a @1..", "- a @2..5"]
    assert steps.batch(6, "-3 a @6..", "") == ["-3 a @6.."]
    assert steps.operator.may_retract([False, False])
