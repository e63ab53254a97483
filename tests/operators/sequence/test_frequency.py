"""FREQUENCY without a range: every n-th element, or the last element of each slot of time."""

from __future__ import annotations

from tailrace.logical.windows import Every
from tailrace.operators.sequence.frequency import FrequencySample, Prefilter
from tests.operators.step_through import NUMBER, TEXT, StepThrough

ELEMENT = (TEXT, NUMBER)  # the last column is the position


def test_every_second_element() -> None:
    """FREQUENCY 2 TUPLES lets s(2), s(4), … through; the count goes on from batch to batch (semantics A.6)."""
    steps = StepThrough(FrequencySample(ELEMENT, Every(2, "tuples")))
    assert steps.batch(3, "+ c 3:1 @3..4\n+ a 1:0 @1..2\n+ b 3:0 @3..4") == ["+ b 3:0 @3..4"]
    assert steps.batch(4) == []
    assert steps.batch(6, "+ d 5:0 @5..6\n+ e 6:0 @6..7") == ["+ d 5:0 @5..6"]


def test_every_second_element_of_each_substream() -> None:
    """PARTITIONED BY counts each substream by itself (semantics A.9)."""
    steps = StepThrough(FrequencySample(ELEMENT, Every(2, "tuples"), key=(0,)))
    assert steps.batch(2, "+ x 1:0 @1..2\n+ y 2:0 @2..3") == []
    assert steps.batch(4, "+ y 3:0 @3..4\n+ y 4:0 @4..5\n+ x 4:1 @4..5") == ["+ y 3:0 @3..4", "+ x 4:1 @4..5"]


def test_the_last_element_of_each_slot() -> None:
    """Slot j of FREQUENCY 10 SECONDS is (10(j−1), 10j], and the first also has 0; it gives its last element when over.

    The first slot's last element is b. The second slot is over at 20, when nothing arrives.
    """
    steps = StepThrough(FrequencySample(ELEMENT, Every(10, "ticks")))
    assert steps.batch(9, "+ a 1:0 @1..2") == []
    assert steps.batch(12, "+ b 10:0 @10..11\n+ c 11:0 @11..12") == ["+ b 10:0 @10..11"]
    assert steps.batch(15, "+ d 14:0 @14..15\n+ e 14:1 @14..15") == []
    assert steps.batch(20) == ["+ e 14:1 @14..15"]
    assert steps.batch(50) == []


def test_a_prefilter_drops_what_no_jumping_window_sees() -> None:
    """RANGE 3, FREQUENCY 10 SECONDS: kept are the first instant of each slot [10m, 10m + 10) and the last two.

    The next evaluation is at 10(m+1) at the earliest and sees the three ticks up to it: from 10m + 8 on.
    """
    steps = StepThrough(Prefilter((TEXT,), Every(3, "ticks"), Every(10, "ticks")))
    rows = "+ a @11..12\n+ b @11..12\n+ c @12..13\n+ d @17..18\n+ e @18..19\n+ f @19..20\n+ g @20..21\n+ h @21..22"
    assert steps.batch(21, rows) == ["+ a @11..12", "+ b @11..12", "+ e @18..19", "+ f @19..20", "+ g @20..21"]


def test_a_prefilter_keeps_the_last_of_each_slot_for_a_sample() -> None:
    """Without a range the last instant of each slot ((j−1)t, jt] counts; a late row passes, to be counted as late."""
    steps = StepThrough(Prefilter((TEXT,), None, Every(10, "ticks")))
    assert steps.batch(12, "+ a @0..1\n+ b @9..10\n+ c @10..11\n+ d @11..12") == ["+ c @10..11", "+ d @11..12"]
    assert steps.batch(20, "+ late @12..13\n+ e @13..14\n+ f @14..15") == ["+ late @12..13", "+ f @14..15"]
