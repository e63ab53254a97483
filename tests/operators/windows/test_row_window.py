"""Row windows: the last N tuples, of the stream or of each partition, counted in slides of M tuples."""

from __future__ import annotations

from tailrace.logical.windows import RowWindow as Window
from tailrace.operators.windows.row_window import RowWindow
from tests.operators.step_through import NUMBER, TEXT, StepThrough


def test_a_tuple_leaves_when_as_many_have_come_after_it() -> None:
    """[ROWS 2] is the last two tuples: the first one leaves at the instant of the third. Time alone changes nothing."""
    steps = StepThrough(RowWindow((TEXT,), Window(2)))
    assert steps.batch(2, "+ a @1..2\n+ b @2..3") == ["+ a @1..", "+ b @2.."]
    assert steps.batch(3) == []
    assert steps.batch(7, "+ c @4..5\n+ d @6..7") == ["+ c @4..", "- a @4..", "+ d @6..", "- b @6.."]


def test_of_one_instant_the_last_to_arrive_count() -> None:
    """Tuples of one instant are in order of arrival, and a copy is a tuple: only the last two of the four are seen."""
    steps = StepThrough(RowWindow((TEXT,), Window(2)))
    assert steps.batch(3, "+ a @3..4\n+2 b @3..4\n+ c @3..4") == ["+ b @3..", "+ c @3.."]


def test_a_slide_waits_for_whole_slides() -> None:
    """[ROWS 3 SLIDE 2] is the last three of the first ⌊c / 2⌋ · 2 tuples: it changes with the second and the fourth."""
    steps = StepThrough(RowWindow((TEXT,), Window(3, 2)))
    assert steps.batch(1, "+ a @1..2") == []
    assert steps.batch(3, "+ b @2..3\n+ c @3..4") == ["+ a @2..", "+ b @2.."]
    assert steps.batch(5, "+ d @5..6") == ["+ c @5..", "+ d @5..", "- a @5.."]


def test_each_partition_counts_its_own_tuples() -> None:
    """[PARTITION BY k ROWS 1] is the last tuple of each k; NULL is one partition."""
    steps = StepThrough(RowWindow((TEXT, NUMBER), Window(1, partition=(0,))))
    assert steps.batch(2, "+ x 1 @1..2\n+ y 2 @1..2\n+ None 3 @2..3") == ["+ x 1 @1..", "+ y 2 @1..", "+ None 3 @2.."]
    assert steps.batch(4, "+ x 4 @3..4\n+ None 5 @4..5") == [
        "+ x 4 @3..",
        "- x 1 @3..",
        "+ None 5 @4..",
        "- None 3 @4..",
    ]
