"""Positions: an element's place in a sequence. In these texts 5:2 is the position of rank 2 in instant 5."""

from __future__ import annotations

from tailrace.operators.sequence.positions import AssignPositions, AtPositions, RelationAtSteps
from tests.operators.step_through import NUMBER, TEXT, StepThrough


def test_elements_are_numbered_within_their_instant() -> None:
    """A position is the instant and the rank among the elements of that instant, by arrival (semantics A.1)."""
    steps = StepThrough(AssignPositions((TEXT, NUMBER)), (TEXT,))
    found = steps.batch(5, "+ b @5..6\n+ a @3..4\n+2 c @5..6")
    assert found == ["+ a 3:0 @3..4", "+ b 5:0 @5..6", "+ c 5:1 @5..6", "+ c 5:2 @5..6"]
    assert steps.batch(8, "+ d @7..8") == ["+ d 7:0 @7..8"]


def test_each_key_has_positions_of_its_own() -> None:
    """With a key the rank counts the elements of the same instant and key."""
    steps = StepThrough(AssignPositions((TEXT, NUMBER), key=(0,)), (TEXT,))
    assert steps.batch(5, "+ x @5..6\n+ y @5..6\n+ x @5..6") == ["+ x 5:0 @5..6", "+ x 5:1 @5..6", "+ y 5:0 @5..6"]


def test_an_order_ranks_the_elements_of_an_instant() -> None:
    """With an order, here the first column descending, arrival counts only for elements that are equal in it."""
    steps = StepThrough(AssignPositions((NUMBER, TEXT, NUMBER), order=((0, True, False),)), (NUMBER, TEXT))
    found = steps.batch(5, "+ 1 a @5..6\n+ 2 b @5..6\n+ 1 c @5..6")
    assert found == ["+ 1 a 5:1 @5..6", "+ 1 c 5:2 @5..6", "+ 2 b 5:0 @5..6"]


def test_a_relation_is_the_same_at_all_positions_of_an_instant() -> None:
    """RelationAtSteps shows at each position the relation of its instant, so changes are at first positions."""
    steps = StepThrough(RelationAtSteps((TEXT,)))
    assert steps.batch(5, "+2 a @2..5\n- b @3..") == ["+2 a @2:0..5:0", "- b @3:0.."]


def test_a_tuple_is_shown_at_its_own_position_only() -> None:
    """AtPositions shows a tuple at the position in its last column, and at no other."""
    steps = StepThrough(AtPositions((TEXT, NUMBER)))
    assert steps.batch(5, "+ a 3:1 @3..4\n+ b 5:0 @5..6") == ["+ a 3:1 @3:1..3:2", "+ b 5:0 @5:0..5:1"]
