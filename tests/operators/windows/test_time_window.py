"""Time windows: an element at t is in the window exactly at the instants that the formula of semantics 3.1 gives."""

from __future__ import annotations

from tailrace.logical.windows import TimeWindow
from tailrace.operators.windows.time_window import TimeWindowOp
from tests.operators.step_through import TEXT, StepThrough


def window(size: int | None, slide: int = 1) -> StepThrough:
    return StepThrough(TimeWindowOp((TEXT,), TimeWindow(size, slide)))


def test_a_range_holds_an_element_from_its_instant_on_for_as_many_ticks_more() -> None:
    """[RANGE T] holds (s, t) at τ if τ − T ≤ t ≤ τ: from t up to and including t + T."""
    assert window(3).batch(2, "+ a @2..3\n+2 b @0..1") == ["+2 b @0..4", "+ a @2..6"]
    assert window(0).batch(2, "+ a @2..3") == ["+ a @2..3"]
    assert window(None).batch(2, "+ a @2..3") == ["+ a @2.."]


def test_a_slide_moves_the_window_at_its_multiples_only() -> None:
    """[RANGE 4 SLIDE 3] shows at τ = 3, 4, 5 the window of 3, at 6, 7, 8 that of 6; at 2 it already shows instant 0."""
    found = window(4, 3).batch(5, "+ a @0..1\n+ b @1..2\n+ c @4..5\n+ d @5..6")
    assert found == ["+ a @2..6", "+ b @3..6", "+ c @6..9", "+ d @6..12"]


def test_a_slide_longer_than_the_range_misses_elements() -> None:
    """[RANGE 1 SLIDE 4] sees instants 3 and 4 at the multiple 4, so an element of instant 2 is in no window."""
    assert window(1, 4).batch(3, "+ a @0..1\n+ b @2..3\n+ c @3..4") == ["+ a @3..4", "+ c @4..8"]
