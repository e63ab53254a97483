"""Since: what a query sees that starts at an instant: the same relation, empty before that instant."""

from __future__ import annotations

from tailrace.operators.windows.since import Since
from tests.operators.step_through import TEXT, StepThrough


def test_a_relation_is_cut_at_the_start() -> None:
    """From instant 5 on the output holds what the input holds, and before it nothing."""
    steps = StepThrough(Since((TEXT,), 5))
    assert steps.batch(4, "+ a @1..5\n+ b @1..9\n+2 c @2..\n- c @3..") == ["+ b @5..9", "+2 c @5..", "- c @5.."]
    assert steps.batch(8, "+ d @5..6\n- c @7..") == ["+ d @5..6", "- c @7.."]
