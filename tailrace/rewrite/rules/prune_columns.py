"""Prune columns: each node keeps only the columns that a node above it reads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from tailrace.logical.asof_nodes import AsofJoin
from tailrace.logical.expressions import Call, Expression, columns_of, move, refer_to
from tailrace.logical.nodes import (
    Aggregate,
    Append,
    ApplyWindow,
    FrequencySample,
    HashSample,
    Join,
    JumpWindow,
    MarkJoin,
    Project,
    Scan,
    Select,
    SemiJoin,
    SingleJoin,
    ToStream,
    Union,
)
from tailrace.logical.over import Over
from tailrace.logical.plan import Plan
from tailrace.logical.time.window_tables import AssignWindows, SessionWindow
from tailrace.logical.windows import RowWindow, TimeWindow
from tailrace.rewrite.traverse import with_inputs

Needed = frozenset[int]


@dataclass(frozen=True)
class Narrow:
    """A narrower plan and the old positions of the columns it still has, in their old order."""

    plan: Plan
    kept: tuple[int, ...]

    def place(self, index: int) -> int:
        """The new position of a column."""
        return self.kept.index(index)

    def places(self, indexes: Iterable[int]) -> tuple[int, ...]:
        return tuple(self.place(index) for index in indexes)

    def renumber(self, expression: Expression) -> Expression:
        return move(expression, self.place)


def prune_columns(plan: Plan) -> Plan:
    """Remove the columns that no node reads, down to the scans.

    Law: the result of an operator does not depend on columns that it neither reads nor passes on. Distinct, Except,
    Intersect, Istream and Dstream compare whole tuples, top-k and OVER may break ties by them, and a reservoir hashes
    them: below these every column stays. So do those of the right side of an as-of join, by which ties are broken.

    >>> from tailrace.catalog.sources import Stream
    >>> from tailrace.logical.text.explain import tree
    >>> from tailrace.logical.expressions import Aggregation, Column
    >>> from tailrace.logical.windows import TimeWindow
    >>> from tailrace.schema import Schema
    >>> from tailrace.types import BIGINT, INT
    >>> last = ApplyWindow(Scan(Stream("S", Schema.of(("k", INT), ("v", INT)))), TimeWindow(30))
    >>> count = Aggregation("count", (), BIGINT)
    >>> print(tree(prune_columns(Aggregate(last, (Column(1, INT),), (count,), ("v", "n")))))
    aggregate COUNT(*) by v  → relation
    └─ window [RANGE 30]  → relation
       └─ stream S(v INT)  → stream
    """
    return whole(plan)


def whole(plan: Plan) -> Plan:
    """The plan with all its columns, and inputs without the columns that it does not read."""
    return exactly(plan, every(plan))


def every(plan: Plan) -> Needed:
    return frozenset(range(len(plan.schema)))


def exactly(plan: Plan, needed: Needed) -> Plan:
    """The plan with the needed columns and no others; columns that only inner nodes read are projected away."""
    narrow = narrow_plan(plan, needed)
    if len(narrow.kept) == len(needed):
        return narrow.plan
    fields = narrow.plan.schema
    places = narrow.places(sorted(needed))
    return Project(narrow.plan, refer_to(fields, places), tuple(fields[place].name for place in places))


def narrow_plan(plan: Plan, needed: Needed) -> Narrow:
    """The plan with the needed columns, and with others if removing them would take a projection of its own."""
    match plan:
        case Scan():
            return narrow_scan(plan, needed)
        case Project():
            return narrow_project(plan, needed)
        case Aggregate():
            return narrow_aggregate(plan, needed)
        case Select(child, predicate):
            below = narrow_plan(child, needed | columns_of(predicate))
            return Narrow(Select(below.plan, below.renumber(predicate)), below.kept)
        case Over():
            return narrow_over(plan, needed)
        case Union(inputs):
            return Narrow(Union(tuple(exactly(part, needed) for part in inputs)), tuple(sorted(needed)))
        case ApplyWindow(_, TimeWindow() | RowWindow()) | JumpWindow():
            return narrowed_window(plan, needed)
        case AssignWindows():
            return narrowed_table(plan, needed)
        case FrequencySample():
            return narrowed_sample(plan, needed)
        case HashSample(child, rate, columns):
            below = narrow_plan(child, needed | frozenset(columns))
            return Narrow(HashSample(below.plan, rate, below.places(columns)), below.kept)
        case Append(child) | ToStream(child, "rstream"):
            below = narrow_plan(child, needed)
            return Narrow(with_inputs(plan, (below.plan,)), below.kept)
        case Join() | SingleJoin():
            return narrowed_join(plan, needed)
        case SemiJoin() | MarkJoin():
            return narrowed_test(plan, needed)
        case AsofJoin():
            return narrowed_asof(plan, needed)
    inputs = tuple(whole(child) for child in plan.children)
    return Narrow(with_inputs(plan, inputs), tuple(sorted(every(plan))))


def narrow_scan(scan: Scan, needed: Needed) -> Narrow:
    kept = tuple(sorted(needed))
    if len(kept) == len(scan.schema):
        return Narrow(scan, kept)
    columns = kept if scan.columns is None else tuple(scan.columns[index] for index in kept)
    return Narrow(replace(scan, columns=columns), kept)


def narrow_project(project: Project, needed: Needed) -> Narrow:
    kept = tuple(sorted(needed))
    wanted = [project.expressions[index] for index in kept]
    below = narrow_plan(project.child, frozenset(columns_of(*wanted)))
    expressions = tuple(below.renumber(expression) for expression in wanted)
    return Narrow(Project(below.plan, expressions, tuple(project.names[index] for index in kept)), kept)


def narrow_aggregate(plan: Aggregate, needed: Needed) -> Narrow:
    """An aggregate without the aggregations that are not needed; its keys all stay, since they make the groups."""
    keys = len(plan.keys)
    kept = tuple(index for index in range(len(plan.names)) if index < keys or index in needed)
    wanted = [plan.aggregations[index - keys] for index in kept[keys:]]
    read = columns_of(*plan.keys, *(part for aggregation in wanted for part in aggregation.expressions))
    below = narrow_plan(plan.child, frozenset(read))
    aggregate = Aggregate(
        below.plan,
        tuple(below.renumber(key) for key in plan.keys),
        tuple(aggregation.map(below.renumber) for aggregation in wanted),
        tuple(plan.names[index] for index in kept),
    )
    return Narrow(aggregate, kept)


def narrow_over(plan: Over, needed: Needed) -> Narrow:
    """Window functions without those that are not needed. Every column stays: tuples that tie go by all of them."""
    width = len(plan.child.schema)
    places = [place for place in range(len(plan.functions)) if width + place in needed]
    if not places:
        return narrow_plan(plan.child, needed)
    functions = tuple(plan.functions[place] for place in places)
    over = replace(
        plan, child=whole(plan.child), functions=functions, names=tuple(plan.names[place] for place in places)
    )
    return Narrow(over, (*range(width), *(width + place for place in places)))


def narrowed_window(plan: ApplyWindow | JumpWindow, needed: Needed) -> Narrow:
    """A window over exactly the needed columns and its partition columns, since it stores what it holds."""
    partition = partition_of(plan)
    needed |= frozenset(partition)
    below = Narrow(exactly(plan.child, needed), tuple(sorted(needed)))
    return Narrow(with_partition(plan, below.plan, below.places(partition)), below.kept)


def partition_of(plan: ApplyWindow | JumpWindow) -> tuple[int, ...]:
    if isinstance(plan, JumpWindow):
        return plan.partition
    return plan.window.partition if isinstance(plan.window, RowWindow) else ()


def with_partition(plan: ApplyWindow | JumpWindow, child: Plan, partition: tuple[int, ...]) -> Plan:
    """The window over another stream, with its partition columns at other positions."""
    if isinstance(plan, JumpWindow):
        return replace(plan, child=child, partition=partition)
    window = plan.window
    narrow = replace(window, partition=partition) if isinstance(window, RowWindow) else window
    return ApplyWindow(child, narrow)


def narrowed_table(plan: AssignWindows, needed: Needed) -> Narrow:
    """A window table over exactly the needed columns and its partition columns; its own two columns stay."""
    width, window = len(plan.child.schema), plan.window
    partition = window.partition if isinstance(window, SessionWindow) else ()
    kept = tuple(sorted(column for column in {*needed, *partition} if column < width))
    below = Narrow(exactly(plan.child, frozenset(kept)), kept)
    if isinstance(window, SessionWindow):
        window = replace(window, partition=below.places(partition))
    return Narrow(replace(plan, child=below.plan, window=window), (*kept, width, width + 1))


def narrowed_sample(plan: FrequencySample, needed: Needed) -> Narrow:
    """A sample over fewer columns. No projection is added for it: a sample stores little and goes below projections."""
    below = narrow_plan(plan.child, needed | frozenset(plan.partition))
    return Narrow(replace(plan, child=below.plan, partition=below.places(plan.partition)), below.kept)


@dataclass(frozen=True)
class Sides:
    """Both inputs of a join, with the columns that are needed above or that its condition reads."""

    left: Plan
    right: Plan
    condition: Expression
    kept: tuple[int, ...]


def narrowed_sides(plan: Join | SemiJoin | MarkJoin | SingleJoin, needed: Needed) -> Sides:
    width = len(plan.left.schema)
    needed |= columns_of(plan.condition)
    left = frozenset(index for index in needed if index < width)
    right = frozenset(index - width for index in needed if index >= width)
    kept = tuple(sorted(needed))
    return Sides(exactly(plan.left, left), exactly(plan.right, right), move(plan.condition, kept.index), kept)


def narrowed_join(plan: Join | SingleJoin, needed: Needed) -> Narrow:
    sides = narrowed_sides(plan, needed)
    return Narrow(replace(plan, left=sides.left, right=sides.right, condition=sides.condition), sides.kept)


def narrowed_test(plan: SemiJoin | MarkJoin, needed: Needed) -> Narrow:
    """A semijoin or mark join: of the right side only the condition's columns are needed. A mark is one more column."""
    width = len(plan.left.schema)
    sides = narrowed_sides(plan, frozenset(index for index in needed if index < width))
    join = replace(plan, left=sides.left, right=sides.right, condition=sides.condition)
    kept = tuple(index for index in sides.kept if index < width)
    return Narrow(join, (*kept, width) if isinstance(plan, MarkJoin) else kept)


def narrowed_asof(plan: AsofJoin, needed: Needed) -> Narrow:
    """An as-of join with fewer columns on its left side."""
    width = len(plan.left.schema)
    read = needed | columns_of(plan.condition, plan.nearest, plan.within)
    left = frozenset(index for index in read if index < width)
    below = Narrow(exactly(plan.left, left), (*sorted(left), *range(width, len(plan.schema))))
    nearest = below.renumber(plan.nearest)
    assert isinstance(nearest, Call)
    join = replace(
        plan,
        left=below.plan,
        right=whole(plan.right),
        condition=below.renumber(plan.condition),
        nearest=nearest,
        within=below.renumber(plan.within),
    )
    return Narrow(join, below.kept)
