"""Reorder: rows come out in order of time, each once the watermark has passed it; late rows are dropped."""

from __future__ import annotations

from tailrace.operators.streams.reorder import Reorder
from tests.operators.step_through import TEXT, StepThrough, read_rows


def test_rows_wait_for_the_watermark_and_come_in_order() -> None:
    """Up to the watermark rows come by instant, those of one instant by arrival; later rows wait for time to go on."""
    steps = StepThrough(Reorder((TEXT,)))
    rows = read_rows("+ d @5..6\n+ b @3..4\n+ a @1..2\n+ c @3..4", (TEXT,))
    assert str(steps.apply(3, [rows])) == "+ a @1..2\n+ b @3..4\n+ c @3..4"
    assert str(steps.apply(5, [read_rows("+ e @5..6\n+ f @4..5", (TEXT,))])) == "+ f @4..5\n+ d @5..6\n+ e @5..6"
    assert steps.batch(8, "+ g @9..10") == []
    assert steps.batch(9) == ["+ g @9..10"]


def test_a_row_behind_the_last_watermark_is_late() -> None:
    """A row is late if its instant was decided before its batch; it is dropped (semantics 7.2)."""
    steps = StepThrough(Reorder((TEXT,)))
    assert steps.batch(3, "+ a @3..4\n+ b @0..1") == ["+ b @0..1", "+ a @3..4"]
    assert steps.batch(6, "+ c @3..4\n+ d @4..5\n+ e @1..2") == ["+ d @4..5"]
