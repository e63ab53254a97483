"""Binary join: at every instant the pairs of a left and a right tuple that agree on the keys and the condition."""

from __future__ import annotations

from tailrace.logical.expressions import Call, Column
from tailrace.operators.relational.binary_join import BinaryJoin, JoinKey
from tailrace.types import BOOLEAN, STRING
from tests.operators.step_through import NUMBER, TEXT, StepThrough

SIDE = (NUMBER, TEXT)


def join_of(null_safe: bool = False, residual: Call | None = None) -> StepThrough:
    return StepThrough(BinaryJoin(SIDE * 2, (JoinKey(0, 0, null_safe),), 2, residual), SIDE, SIDE)


def test_a_pair_is_there_while_both_its_tuples_are() -> None:
    """A pair's interval is the intersection of its rows' intervals, whichever of them came first."""
    steps = join_of()
    assert steps.batch(4, "+ 1 a @1..8\n+ 2 b @1..5", "") == []
    assert steps.batch(5, "", "+ 1 x @5..\n+ 2 y @5..") == ["+ 1 a 1 x @5..8"]
    assert steps.batch(9, "+ 2 c @7..9\n+ 1 d @9..", "") == ["+ 2 c 2 y @7..9", "+ 1 d 1 x @9.."]
    assert steps.batch(20) == []


def test_the_weight_of_a_pair_is_the_product() -> None:
    """Two copies with three copies are six pairs; when one of the two is retracted, three of the pairs are."""
    steps = join_of()
    assert steps.batch(2, "+2 1 a @1..", "+3 1 x @2..") == ["+6 1 a 1 x @2.."]
    assert steps.batch(5, "- 1 a @5..", "") == ["-3 1 a 1 x @5.."]
    # Δ(L ⋈ R) = ΔL ⋈ R ∪ L ⋈ ΔR ∪ ΔL ⋈ ΔR: −1 · 3, 1 · −3 and −1 · −3, so that the last three pairs go.
    found = steps.batch(7, "- 1 a @7..", "-3 1 x @7..")
    assert found == ["+3 1 a 1 x @7..", "-3 1 a 1 x @7..", "-3 1 a 1 x @7.."]


def test_null_equals_nothing_unless_the_key_is_null_safe() -> None:
    """For = NULL is unknown, for <=> it is a value like others."""
    rows = "+ None a @1..", "+ None x @1.."
    assert join_of().batch(1, *rows) == []
    assert join_of(null_safe=True).batch(1, *rows) == ["+ None a None x @1.."]


def test_pairs_must_satisfy_the_rest_of_the_condition() -> None:
    """Of the pairs that agree on the key those are kept for which the condition is true, not unknown."""
    rising = Call("<", (Column(1, STRING), Column(3, STRING)), BOOLEAN)
    found = join_of(residual=rising).batch(1, "+ 1 b @1..\n+ 1 None @1..", "+ 1 a @1..\n+ 1 c @1..")
    assert found == ["+ 1 b 1 c @1.."]
