"""Tag members: each tuple once for each member that wants it; and the relation of the members themselves."""

from __future__ import annotations

from tailrace.logical.expressions import Call, Column, Literal
from tailrace.operators.families.member_sets import MemberFilter, MemberSet, Membership
from tailrace.operators.families.tag_members import FamilyMembers, TagMembers
from tailrace.types import BIGINT, BOOLEAN
from tests.operators.step_through import NUMBER, TEXT, StepThrough

STREAM = (NUMBER, TEXT)


def members_above(limits: dict[int, int], first: dict[int, int]) -> MemberSet:
    """A member for each limit, which wants the tuples whose first column is above it, from its first instant on."""

    def above(limit: int) -> Call:
        return Call(">", (Column(0, BIGINT), Literal(limit, BIGINT)), BOOLEAN)

    wishes = {number: MemberFilter(above(limit), len(STREAM), first[number]) for number, limit in limits.items()}
    return Membership().flow(wishes, past=-1)


def test_a_tuple_is_copied_for_each_member_that_wants_it() -> None:
    """Member 3 wants what is above 3, member 70 what is above 5 and not before instant 4; no member wants NULL."""
    members = members_above({3: 3, 70: 5}, {3: 0, 70: 4})
    steps = StepThrough(TagMembers((NUMBER, TEXT), "family", (1,), members), STREAM)
    assert steps.batch(3, "+ 4 a @1..2\n+ 9 b @3..4\n+ None c @3..4") == ["+ 3 a @1..2", "+ 3 b @3..4"]
    assert steps.batch(5, "+ 9 d @4..5\n+ 2 e @5..6") == ["+ 3 d @4..5", "+ 70 d @4..5"]
    assert steps.batch(9) == []


def test_members_that_only_count_get_one_row_for_an_instant() -> None:
    """Without columns the tuples that a member wants at one instant are one row, and its weight is their number."""
    members = members_above({3: 3, 70: 5}, {3: 0, 70: 0})
    steps = StepThrough(TagMembers((NUMBER,), "family", (), members), STREAM)
    found = steps.batch(2, "+ 9 a @2..3\n+ 4 b @1..2\n+ 4 c @2..3\n+ 8 d @2..3")
    assert found == ["+ 3 @1..2", "+2 70 @2..3", "+3 3 @2..3"]


def test_a_member_is_there_from_its_start_until_it_leaves() -> None:
    """A member is in the relation from its first instant on; one that left is retracted from the next instant on."""
    steps = StepThrough(FamilyMembers((NUMBER,), "family", MemberSet((), {3: 0, 5: 2})))
    assert steps.batch(4) == ["+ 3 @0..", "+ 5 @2.."]
    assert steps.batch(6) == []
    steps.operator = FamilyMembers((NUMBER,), "family", MemberSet((), {5: 2, 7: 9}))
    assert steps.batch(8) == ["- 3 @7..", "+ 7 @9.."]
