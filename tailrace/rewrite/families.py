"""Families: queries that are alike but for what they select of one stream; one plan answers all of them.

In that plan tuples carry the number of a member that wants them, as their first column, through everything that
follows: what a query remembers, the plan remembers by member.
"""

from __future__ import annotations

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
from tailrace.logical.nodes import (
    MEMBERS,
    Aggregate,
    Distinct,
    Present,
    Project,
    Scan,
    Select,
    SeqWindow,
    Tagged,
    ToStream,
    Union,
)
from tailrace.logical.plan import Plan
from tailrace.logical.windows import RowWindow, TimeWindow
from tailrace.types import BIGINT, BOOLEAN

MEMBER = Column(0, BIGINT, "member")


@dataclass(frozen=True)
class Selection:
    """What a query selects of a stream, over all of its columns."""

    source: Stream
    predicate: Expression


def selection(plan: Plan) -> Selection | None:
    """What a query selects, if it is of a shape that families have."""
    while not (isinstance(plan, Select) and isinstance(plan.child, Scan)):
        if not isinstance(plan, (Project, Select, SeqWindow, Aggregate, Distinct, ToStream)):
            return None
        plan = plan.child
    scan = plan.child
    if not isinstance(scan.source, Stream):
        return None
    columns = positions(scan)
    return Selection(scan.source, move(plan.predicate, lambda index: columns[index]))


def positions(scan: Scan) -> tuple[int, ...]:
    return tuple(range(len(scan.source.schema))) if scan.columns is None else scan.columns


def lifted(plan: Plan, family: str) -> Plan:
    """The plan for all members of a family, given that of one: what it selects is left out, and tuples are tagged."""
    match plan:
        case Project(Select(Scan() as scan)):
            columns = positions(scan)
            used = tuple(sorted(columns_of(*plan.expressions)))
            below = Tagged(Scan(scan.source), family, tuple(columns[index] for index in used))
            values = (move(each, lambda index: 1 + used.index(index)) for each in plan.expressions)
            return Project(below, (MEMBER, *values), named(plan.names))
        case Select(Scan() as scan):
            return Tagged(Scan(scan.source), family, positions(scan))
        case Project():
            values = (shift(each, 1) for each in plan.expressions)
            return Project(lifted(plan.child, family), (MEMBER, *values), named(plan.names))
        case Select():
            return Select(lifted(plan.child, family), shift(plan.predicate, 1))
        case SeqWindow():
            return SeqWindow(lifted(plan.child, family), by_member(plan.window))
        case Aggregate():
            return aggregate(plan, lifted(plan.child, family), family)
        case Distinct() | ToStream():
            return plan.with_children(lifted(plan.child, family))
    raise AssertionError(f"no family has {type(plan).__name__}")


def named(names: tuple[str, ...]) -> tuple[str, ...]:
    return (*MEMBERS.names, *names)


def by_member(window: TimeWindow | RowWindow) -> TimeWindow | RowWindow:
    if isinstance(window, TimeWindow):
        return window
    return replace(window, partition=(0, *(index + 1 for index in window.partition)))


def aggregate(plan: Aggregate, below: Plan, family: str) -> Aggregate:
    """An aggregate for each member. One without keys is there over no tuples too, and so for each member present."""
    found = tuple(each.map(lambda part: shift(part, 1)) for each in plan.aggregations)
    if not plan.keys:
        below = Union((counted(below, TRUE), counted(absent(below, family), FALSE)))
        real = Column(len(below.schema) - 1, BOOLEAN, "real")
        found = tuple(only(each, real) for each in found)
    keys = (MEMBER, *(shift(key, 1) for key in plan.keys))
    return Aggregate(below, keys, found, named(plan.names))


def counted(plan: Plan, real: Literal) -> Project:
    """The tuples, and whether they are real."""
    columns = tuple(Column(index, field.type, field.name) for index, field in enumerate(plan.schema))
    return Project(plan, (*columns, real), (*plan.schema.names, "real"))


def absent(plan: Plan, family: str) -> Project:
    """A tuple of nothing for each member, of the columns that a plan has."""
    nothing = (Literal(None, field.type) for field in plan.schema.fields[1:])
    return Project(Present(family), (MEMBER, *nothing), plan.schema.names)


def only(each: Aggregation, real: Expression) -> Aggregation:
    """An aggregate over the tuples that are real."""
    return replace(each, condition=real if each.condition is None else all_of([each.condition, real]))
