"""Families: queries that are alike but for what they select of a stream, or of a join; one plan answers all of them.

In that plan tuples carry the number of a member that wants them, as their first column, through everything that
follows: what a query remembers, the plan remembers by member.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tailrace.catalog.sources import Stream
from tailrace.logical.expressions import (
    FALSE,
    TRUE,
    Aggregation,
    Column,
    Expression,
    Literal,
    all_of,
    columns_of,
    move,
    shift,
)
from tailrace.logical.family_nodes import MEMBERS, FamilyMembers, TaggedScan
from tailrace.logical.nodes import Aggregate, ApplyWindow, Distinct, Project, Scan, Select, ToStream, Union
from tailrace.logical.plan import Plan
from tailrace.logical.windows import Reservoir, RowWindow, Window
from tailrace.sharing.join_families import JoinTree, join_tree, positions
from tailrace.types import BIGINT, BOOLEAN

MEMBER = Column(0, BIGINT, "member")


@dataclass(frozen=True)
class Selection:
    """What a query selects of a stream: a predicate over all of its columns, and which of them it reads."""

    source: Stream
    predicate: Expression
    columns: tuple[int, ...]

    @property
    def width(self) -> int:
        return len(self.source.schema)

    @property
    def predicates(self) -> list[Expression]:
        return [self.predicate]

    def plan_for_members(self, family: str, columns: tuple[int, ...]) -> Plan:
        """Some columns of the stream for all members of a family."""
        return TaggedScan(Scan(self.source), family, columns)


def origin(plan: Plan) -> Selection | JoinTree | None:
    """What a plan is, if it is what members of a family may differ in."""
    match plan:
        case Select(Scan(Stream() as source) as scan):
            columns = positions(scan)
            return Selection(source, move(plan.predicate, columns.__getitem__), columns)
    return join_tree(plan)


def selection(plan: Plan) -> Selection | JoinTree | None:
    """What a query selects, if it is of a shape that families have."""
    found = origin(plan)
    while found is None and isinstance(plan, (Project, Select, ApplyWindow, Aggregate, Distinct, ToStream)):
        if isinstance(plan, ApplyWindow) and isinstance(plan.window, Reservoir):
            return None  # its lots are of whole tuples: members would have others than queries alone
        plan = plan.child
        found = origin(plan)
    return found


def generalise(plan: Plan, family: str) -> Plan:
    """The plan for all members of a family, given that of one: what it selects is left out, and tuples are tagged."""
    found = origin(plan)
    if found:
        return found.plan_for_members(family, found.columns)
    match plan:
        case Project():
            below, expressions = generalise_below(plan.child, plan.expressions, family)
            return Project(below, (MEMBER, *expressions), with_member_names(plan.names))
        case Select():
            return Select(generalise(plan.child, family), shift(plan.predicate, 1))
        case ApplyWindow():
            return ApplyWindow(generalise(plan.child, family), by_member(plan.window))
        case Aggregate():
            return aggregate(plan, family)
        case Distinct() | ToStream():
            return plan.with_children(generalise(plan.child, family))
    raise AssertionError(f"no family has {type(plan).__name__}")


def generalise_below(child: Plan, expressions: Sequence[Expression], family: str) -> tuple[Plan, list[Expression]]:
    """A plan for all members, and the expressions over it; of what members differ in, only the columns they read."""
    found = origin(child)
    if found is None:
        return generalise(child, family), [shift(each, 1) for each in expressions]
    columns = found.columns
    used = tuple(sorted({columns[index] for index in columns_of(*expressions)}))
    return found.plan_for_members(family, used), [
        move(each, lambda i: 1 + used.index(columns[i])) for each in expressions
    ]


def with_member_names(names: tuple[str, ...]) -> tuple[str, ...]:
    return (*MEMBERS.names, *names)


def by_member(window: Window) -> Window:
    if not isinstance(window, RowWindow):
        return window
    return replace(window, partition=(0, *(index + 1 for index in window.partition)))


def aggregate(plan: Aggregate, family: str) -> Aggregate:
    """An aggregate for each member. One without keys is there over no tuples too, and so for each member present."""
    expressions = [*plan.keys, *(part for each in plan.aggregations for part in each.expressions)]
    below, moved = generalise_below(plan.child, expressions, family)
    where = dict(zip(expressions, moved, strict=True))
    found = tuple(each.map(where.__getitem__) for each in plan.aggregations)
    if not plan.keys:
        below = Union((mark_real(below, TRUE), mark_real(absent(below, family), FALSE)))
        real = Column(len(below.schema) - 1, BOOLEAN, "real")
        found = tuple(only(each, real) for each in found)
    keys = (MEMBER, *(where[key] for key in plan.keys))
    return Aggregate(below, keys, found, with_member_names(plan.names))


def mark_real(plan: Plan, real: Literal) -> Project:
    """The tuples, and whether they are real."""
    columns = tuple(Column(index, field.type, field.name) for index, field in enumerate(plan.schema))
    return Project(plan, (*columns, real), (*plan.schema.names, "real"))


def absent(plan: Plan, family: str) -> Project:
    """A tuple of nothing for each member, of the columns that a plan has."""
    nothing = (Literal(None, field.type) for field in plan.schema.fields[1:])
    return Project(FamilyMembers(family), (MEMBER, *nothing), plan.schema.names)


def only(each: Aggregation, real: Expression) -> Aggregation:
    """An aggregate over the tuples that are real."""
    return replace(each, condition=real if each.condition is None else all_of([each.condition, real]))
