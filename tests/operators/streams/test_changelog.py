"""Changelog, Istream and Dstream: the difference between the relation at an instant and at the one before it."""

from __future__ import annotations

from tailrace.operators.streams.changelog import Changelog, DStream, IStream
from tests.operators.step_through import TEXT, StepThrough

# a is there from 1 to 6 by two rows that touch at 4; of two copies of b one goes at 3.
TOUCHING = "+ a @1..4\n+ a @4..7\n+2 b @2..\n- b @3.."


def test_changelog_has_the_net_change_of_each_tuple() -> None:
    """At τ a tuple has a row of weight R(τ) − R(τ−1), and none if that is 0; ends come as time goes on."""
    steps = StepThrough(Changelog((TEXT,)))
    assert steps.batch(3, TOUCHING) == ["+ a @1..2", "+2 b @2..3", "- b @3..4"]
    assert steps.batch(6) == []
    assert steps.batch(7) == ["- a @7..8"]


def test_a_change_that_comes_later_cancels_one_that_waits() -> None:
    """A tuple that arrives for the instant at which an equal one ends is no change (semantics 8.1)."""
    steps = StepThrough(Changelog((TEXT,)))
    assert steps.batch(2, "+ a @1..4") == ["+ a @1..2"]
    assert steps.batch(5, "+2 a @4..") == ["+ a @4..5"]


def test_istream_is_what_came() -> None:
    """ISTREAM at τ is R(τ) − R(τ−1): a tuple that replaces an equal one is not sent (CQL §9.3)."""
    steps = StepThrough(IStream((TEXT,)))
    assert steps.batch(3, TOUCHING) == ["+ a @1..2", "+2 b @2..3"]
    assert steps.batch(8, "+ c @8..") == ["+ c @8..9"]


def test_dstream_is_what_went() -> None:
    """DSTREAM at τ is R(τ−1) − R(τ): it sends when tuples leave, also with no row arriving."""
    steps = StepThrough(DStream((TEXT,)))
    assert steps.batch(3, TOUCHING) == ["+ b @3..4"]
    assert steps.batch(9) == ["+ a @7..8"]
