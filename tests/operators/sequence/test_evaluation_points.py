"""Evaluations: where a jumping window is evaluated, and the whole result there."""

from __future__ import annotations

from tailrace.operators.sequence.evaluation_points import EmitAtSteps, EvaluationPoints
from tests.operators.step_through import NUMBER, TEXT, StepThrough


def test_an_evaluation_is_a_row_that_enters_at_its_own_position() -> None:
    """The window is evaluated with b, which enters as it comes; a entered later than it came, and later leaves."""
    steps = StepThrough(EvaluationPoints((TEXT,), kept=(0,)), (TEXT, NUMBER))
    assert steps.batch(3, "+ a 1:0 @2:0..\n+ b 2:0 @2:0..") == ["+ b @2:0..2:1"]
    assert steps.batch(5, "- a 1:0 @5:1..\n+ c 5:1 @5:1..5:2") == ["+ c @5:1..5:2"]


def test_the_whole_relation_is_emitted_at_each_evaluation() -> None:
    """An evaluation at position p appends the relation of p with its instant as timestamp (semantics A.7)."""
    steps = StepThrough(EmitAtSteps((TEXT, NUMBER), key=()), (TEXT,), ())
    assert steps.batch(3, "+2 a @1:0..\n+ b @2:0..3:0", "+ @2:1..2:2") == ["+ b 2:1 @2..3", "+2 a 2:1 @2..3"]
    assert steps.batch(6, "- a @5:0..", "+ @4:0..4:1\n+ @6:0..6:1") == ["+2 a 4:0 @4..5", "+ a 6:0 @6..7"]
    assert steps.batch(9) == []


def test_an_evaluation_beyond_the_watermark_waits() -> None:
    """Rows for its position may still come, so it is emitted once time has reached its instant."""
    steps = StepThrough(EmitAtSteps((TEXT, NUMBER), key=()), (TEXT,), ())
    assert steps.batch(3, "+ a @1:0..", "+ @5:0..5:1") == []
    assert steps.batch(4, "- a @4:0..\n+ b @5:0..", "") == []
    assert steps.batch(5) == ["+ b 5:0 @5..6"]


def test_an_evaluation_sees_the_rows_of_its_key() -> None:
    """With a key each substream has evaluations of its own, which see its rows only (semantics A.9)."""
    steps = StepThrough(EmitAtSteps((TEXT, NUMBER, NUMBER), key=(0,)), (TEXT, NUMBER), (TEXT,))
    assert steps.batch(3, "+ x 1 @1:0..\n+ y 2 @1:0..", "+ y @3:0..3:1") == ["+ y 2 3:0 @3..4"]
