"""Expire: at every instant the output holds what the input holds, but each end is a row of its own."""

from __future__ import annotations

from tailrace.operators.windows.expire import Expire
from tests.operators.step_through import TEXT, StepThrough


def test_an_end_becomes_a_retraction_when_it_comes() -> None:
    """A row @s..u is a row @s.. and, once u has come, also with no row arriving, its negative @u.. ."""
    steps = StepThrough(Expire((TEXT,)))
    assert steps.batch(2, "+2 a @1..4\n+ b @2..") == ["+2 a @1..", "+ b @2.."]
    assert steps.batch(3) == []
    assert steps.batch(4) == ["-2 a @4.."]
    assert steps.batch(9) == []


def test_a_negative_row_that_ends_comes_back() -> None:
    """A retraction @s..u is undone at u; an end within the batch is emitted with the row."""
    assert StepThrough(Expire((TEXT,))).batch(5, "- a @2..5") == ["- a @2..", "+ a @5.."]


def test_the_strategy_may_change_between_batches() -> None:
    """Without retractions new rows keep their ends, and only rows that passed without one are retracted."""
    steps = StepThrough(Expire((TEXT,)))
    assert steps.batch(2, "+ a @1..4") == ["+ a @1.."]
    steps.operator = Expire((TEXT,), emits_retractions=False)
    assert steps.batch(6, "+ b @3..9") == ["+ b @3..9", "- a @4.."]
