"""Families: queries that differ only in their predicate on one stream, or on one join; one plan answers all of them.

For example `SELECT v FROM S WHERE k = 1` and `SELECT v FROM S WHERE k = 2` are members of one family. In the family's
plan a tuple has a copy for each member whose predicate it satisfies. The member's number is the copy's first column.
Row windows, aggregates and duplicate elimination treat that column as one more key, so members never mix.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tailrace.catalog.sources import Stream
from tailrace.logical.expressions import FALSE, TRUE, Column, Expression, Literal, columns_of, move, refer_to, shift
from tailrace.logical.family_nodes import MEMBERS, FamilyMembers, TaggedScan
from tailrace.logical.nodes import Aggregate, ApplyWindow, Distinct, Project, Scan, Select, ToStream, Union
from tailrace.logical.plan import Plan
from tailrace.logical.windows import Reservoir, RowWindow, Window
from tailrace.sharing.join_families import JoinTree, join_tree, positions
from tailrace.types import BIGINT, BOOLEAN

MEMBER = Column(0, BIGINT, "member")


@dataclass(frozen=True)
class Selection:
    """A filtered scan of one stream: the predicate, over all columns of the stream, and the columns that are read."""

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
        """The scan for all members of the family: each tuple that a member wants, with these columns of the stream."""
        return TaggedScan(Scan(self.source), family, columns)


def origin(plan: Plan) -> Selection | JoinTree | None:
    """The filtered scan or join that `plan` is, in whose predicates and windows alone members differ; or None."""
    match plan:
        case Select(Scan(Stream() as source) as scan):
            columns = positions(scan)
            return Selection(source, move(plan.predicate, columns.__getitem__), columns)
    return join_tree(plan)


def selection(plan: Plan) -> Selection | JoinTree | None:
    """The filtered scan or the join at the bottom of a query's plan; None if the query can be in no family."""
    found = origin(plan)
    while found is None and isinstance(plan, (Project, Select, ApplyWindow, Aggregate, Distinct, ToStream)):
        if isinstance(plan, ApplyWindow) and isinstance(plan.window, Reservoir):
            return None  # it samples by a hash of the whole tuple, which the member's number would change
        plan = plan.child
        found = origin(plan)
    return found


def generalise(plan: Plan, family: str) -> Plan:
    """The plan for all members, given that of one: without its predicate, with the member's number as first column."""
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
    """The plan `child` for all members, and `expressions` renumbered to its columns."""
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
    """The aggregate for all members: the member's number is one more group key.

    An aggregate without GROUP BY has a result over no tuples too: COUNT(*) is 0. A group only exists once it has a
    tuple, so a tuple of NULLs is added for each member, and the aggregations skip it (`real` is FALSE).
    """
    expressions = [*plan.keys, *(part for each in plan.aggregations for part in each.expressions)]
    below, moved = generalise_below(plan.child, expressions, family)
    where = dict(zip(expressions, moved, strict=True))
    found = tuple(each.map(where.__getitem__) for each in plan.aggregations)
    if not plan.keys:
        below = Union((mark_real(below, TRUE), mark_real(absent(below, family), FALSE)))
        real = Column(len(below.schema) - 1, BOOLEAN, "real")
        found = tuple(each.where(real) for each in found)
    keys = (MEMBER, *(where[key] for key in plan.keys))
    return Aggregate(below, keys, found, with_member_names(plan.names))


def mark_real(plan: Plan, real: Literal) -> Project:
    """The tuples of a plan with one more column, `real`: FALSE for those that only make a member's group exist."""
    return Project(plan, (*refer_to(plan.schema), real), (*plan.schema.names, "real"))


def absent(plan: Plan, family: str) -> Project:
    """For each member one tuple with the columns of `plan`: the member's number, and NULL in all others."""
    nothing = (Literal(None, field.type) for field in plan.schema.fields[1:])
    return Project(FamilyMembers(family), (MEMBER, *nothing), plan.schema.names)
