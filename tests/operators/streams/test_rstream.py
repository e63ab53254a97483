"""Rstream and snapshots: the whole relation, at every instant or at the end of each batch."""

from __future__ import annotations

from tailrace.operators.streams.rstream import RStream, Snapshot
from tests.operators.step_through import TEXT, StepThrough


def test_rstream_is_the_relation_at_every_instant() -> None:
    """RSTREAM at τ is R(τ) (CQL §6.3), so it goes on while time does, also with no row arriving."""
    steps = StepThrough(RStream((TEXT,)))
    assert steps.batch(1, "+ a @1..3\n+2 b @2..") == ["+ a @1..2"]
    assert steps.batch(3) == ["+ a @2..3", "+2 b @2..3", "+2 b @3..4"]
    assert steps.batch(5, "-2 b @5..\n+ a @5..6") == ["+2 b @4..5", "+ a @5..6"]
    assert steps.batch(9) == []


def test_snapshot_is_the_relation_at_the_last_decided_instant() -> None:
    """After a batch up to τ the snapshot is R(τ) (semantics B.10); what came and went between two ends is not seen."""
    steps = StepThrough(Snapshot((TEXT,)))
    assert steps.batch(2, "+ a @1..4\n+ b @2..\n+ c @0..2") == ["+ a @2..3", "+ b @2..3"]
    assert steps.batch(5, "+ d @3..5") == ["+ b @5..6"]
    assert steps.batch(6) == ["+ b @6..7"]


def test_a_snapshot_that_is_taken_again_before_time_goes_on_is_the_same() -> None:
    """Every batch writes the snapshot, also one that leaves the watermark where it was: R(2) still has a."""
    steps = StepThrough(Snapshot((TEXT,)))
    assert steps.batch(2, "+ a @1..3") == ["+ a @2..3"]
    assert steps.batch(2) == ["+ a @2..3"]
    assert steps.batch(3) == []
