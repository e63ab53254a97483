"""Jumping windows: `RANGE …, FREQUENCY …` holds the range's tuples, and changes at evaluations only."""

from __future__ import annotations

from tailrace.logical.windows import Every
from tailrace.operators.sequence.jump_window import JumpWindow
from tests.operators.step_through import NUMBER, TEXT, StepThrough

ELEMENT = (TEXT, NUMBER)  # the last column is the position


def window(range: Every, frequency: Every, key: tuple[int, ...] = ()) -> StepThrough:
    return StepThrough(JumpWindow(ELEMENT, range, frequency, key))


def test_windows_of_tuples_that_overlap() -> None:
    """RANGE 3, FREQUENCY 2 TUPLES: the evaluation at s(2) sees a b, the one at s(4) sees b c d (semantics A.2, A.4)."""
    steps = window(Every(3, "tuples"), Every(2, "tuples"))
    assert steps.batch(3, "+ a 1:0 @1..2\n+ b 2:0 @2..3\n+ c 2:1 @2..3") == ["+ a 1:0 @2:0..", "+ b 2:0 @2:0.."]
    assert steps.batch(6) == []
    assert steps.batch(7, "+ d 7:0 @7..8") == ["+ c 2:1 @7:0..", "+ d 7:0 @7:0..", "- a 1:0 @7:0.."]


def test_windows_of_tuples_with_gaps() -> None:
    """RANGE 1, FREQUENCY 2 TUPLES: a tuple is seen by one evaluation or by none, so it holds at one position."""
    steps = window(Every(1, "tuples"), Every(2, "tuples"))
    assert steps.batch(2, "+ a 1:0 @1..2\n+ b 2:0 @2..3\n+ c 2:1 @2..3") == ["+ b 2:0 @2:0..2:1"]
    assert steps.batch(5, "+ d 5:0 @5..6") == ["+ d 5:0 @5:0..5:1"]


def test_a_frequency_in_time_evaluates_at_the_first_element_after_each_multiple() -> None:
    """RANGE 5, FREQUENCY 10 SECONDS: s at 11 sees (6, 11]; the next evaluation, at 25, sees (20, 25] (A.2, A.5).

    A tuple at t is in the range up to t + 4. So d, at 13, has left before the evaluation at 25, and no window has it.
    """
    steps = window(Every(5, "ticks"), Every(10, "ticks"))
    assert steps.batch(9, "+ a 6:0 @6..7\n+ b 9:0 @9..10") == []
    assert steps.batch(12, "+ c 11:0 @11..12") == ["+ b 9:0 @11:0..14:0", "+ c 11:0 @11:0..16:0"]
    assert steps.batch(40, "+ d 13:0 @13..14\n+ e 25:0 @25..26") == ["+ e 25:0 @25:0..30:0"]


def test_each_substream_has_its_own_evaluations() -> None:
    """PARTITIONED BY: x is evaluated at its second tuple, y not yet (semantics A.9)."""
    steps = window(Every(2, "tuples"), Every(2, "tuples"), key=(0,))
    assert steps.batch(2, "+ x 1:0 @1..2\n+ y 2:0 @2..3") == []
    assert steps.batch(4, "+ x 4:0 @4..5") == ["+ x 1:0 @4:0..4:1", "+ x 4:0 @4:0..4:1"]
