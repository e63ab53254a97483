"""Push selections: tuples that a selection excludes are dropped as early as possible."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tailrace.logical.expressions import TRUE, Column, Expression, all_of, columns_of, conjuncts, inline, shift
from tailrace.logical.nodes import (
    Aggregate,
    Append,
    ApplyWindow,
    Distinct,
    Except,
    HashSample,
    Intersect,
    Join,
    MarkJoin,
    Project,
    Select,
    SemiJoin,
    SingleJoin,
    ToStream,
    Union,
)
from tailrace.logical.over import Over, TopOfPartition
from tailrace.logical.plan import Plan
from tailrace.logical.time.window_tables import AssignWindows, SessionWindow
from tailrace.logical.windows import RowWindow, TimeWindow
from tailrace.rewrite.totality import cannot_fail
from tailrace.rewrite.traverse import top_down, with_inputs

Parts = list[Expression]
Fits = Callable[[Expression], bool]


def push_selections(plan: Plan) -> Plan:
    """Move selections, and the parts of join conditions that read one side only, towards the sources.

    Law: a selection commutes with every operator that treats tuples one by one, groups them by the columns that the
    predicate reads (OVER does so by its partition), or compares whole tuples. So it commutes with time windows (CQL
    §10.2), with samples by hash, which decide about each element by itself, and with Istream, Dstream and Rstream. It
    does not commute with operators that count tuples: row windows, top-k, jumping windows, samples by frequency and
    reservoirs. A predicate that can fail is only moved where it meets the same tuples as before. Below TUMBLE, HOP and
    CUMULATE goes what reads no window column, and below sessions what reads partition columns only, so that a session
    is dropped or stays as a whole.

    >>> from tailrace.catalog.sources import Stream
    >>> from tailrace.logical.text.explain import tree
    >>> from tailrace.logical.expressions import Call, Column, Literal
    >>> from tailrace.logical.nodes import Scan
    >>> from tailrace.schema import Schema
    >>> from tailrace.types import BOOLEAN, INT
    >>> last = ApplyWindow(Scan(Stream("S", Schema.of(("v", INT)))), TimeWindow(30))
    >>> print(tree(push_selections(Select(last, Call(">", (Column(0, INT), Literal(5, INT)), BOOLEAN)))))
    window [RANGE 30]  → relation
    └─ select v > 5  → stream
       └─ stream S(v INT)  → stream
    """
    pushed = top_down(plan, push)
    return pushed if pushed == plan else push_selections(pushed)


def push(plan: Plan) -> Plan:
    """The node with its selection or join condition moved one step down, as far as that is allowed."""
    match plan:
        case Select(Join(how="inner")):
            return into_inner_join(plan)
        case Select(Join() | SemiJoin() | MarkJoin() | SingleJoin()):
            return below_join(plan)
        case Select():
            return below(plan)
        case Join() | SemiJoin() | SingleJoin():
            return out_of_condition(plan)
    return plan


def below(select: Select) -> Plan:
    """The selection moved below its input node; the parts that may not be moved stay above it."""
    match select.child:
        case Select():
            return merge(select, select.child)
        case Project(_, expressions):
            return move(select, anything, lambda part: inline(part, expressions))
        case Aggregate(_, keys) if keys:
            return move(select, on_columns(range(len(keys))), lambda part: inline(part, keys))
        case Over(_, partition) | TopOfPartition(_, partition):
            return move(select, on_columns([key.index for key in partition if isinstance(key, Column)]))
        case ApplyWindow(_, TimeWindow(_, slide)):
            return move(select, anything if slide == 1 else cannot_fail)
        case ApplyWindow(_, RowWindow(_, slide, partition)) if partition:
            fits = on_columns(partition)
            return move(select, fits if slide == 1 else surely(fits))
        case AssignWindows(_, SessionWindow(_, partition)):
            return move(select, surely(on_columns(partition)))
        case AssignWindows(child):
            return move(select, surely(on_columns(range(len(child.schema)))))
        case ToStream(_, operator):
            return move(select, cannot_fail if operator == "dstream" else anything)
        case Distinct() | Union() | Append():
            return move(select, anything)
        case Except() | Intersect() | HashSample():
            return move(select, cannot_fail)
    return select


def merge(outer: Select, inner: Select) -> Plan:
    """Two selections as one. Parts that can fail stay apart: AND evaluates them even if the other part is unknown."""
    moved, stay = sort_out(parts_of(outer.predicate), cannot_fail)
    if not moved:
        return outer
    return with_selection(with_selection(inner.child, parts_of(inner.predicate) + moved), stay)


def move(select: Select, fits: Fits, change: Callable[[Expression], Expression] = lambda part: part) -> Plan:
    """The parts that fit moved to all inputs, rewritten by `change` for the inputs' columns; the others stay above."""
    moved, stay = sort_out(parts_of(select.predicate), fits)
    if not moved:
        return select
    changed = [change(part) for part in moved]
    inputs = tuple(with_selection(child, changed) for child in select.child.children)
    return with_selection(with_inputs(select.child, inputs), stay)


def sort_out(parts: Parts, fits: Fits) -> tuple[Parts, Parts]:
    """The parts that fit, and the others. A part that can fail does not overtake an earlier part: that may guard it."""
    moved: Parts = []
    stay: Parts = []
    for part in parts:
        leaves = fits(part) and (not stay or cannot_fail(part))
        (moved if leaves else stay).append(part)
    return moved, stay


def with_selection(plan: Plan, parts: Sequence[Expression]) -> Plan:
    return Select(plan, all_of(parts)) if parts else plan


def parts_of(predicate: Expression) -> Parts:
    return [part for part in conjuncts(predicate) if part != TRUE]


def anything(_: Expression) -> bool:
    return True


def on_columns(columns: Sequence[int]) -> Fits:
    return lambda part: columns_of(part) <= set(columns)


def surely(fits: Fits) -> Fits:
    """The test `fits`, for parts that cannot fail only: used where a part would meet tuples it did not meet before."""
    return lambda part: fits(part) and cannot_fail(part)


# Joins ----------------------------------------------------------------------------------------------------

AnyJoin = Join | SemiJoin | MarkJoin | SingleJoin


def on_left(join: AnyJoin) -> Fits:
    return on_columns(range(len(join.left.schema)))


def on_right(join: AnyJoin) -> Fits:
    width = len(join.left.schema)
    return on_columns(range(width, width + len(join.right.schema)))


def never(_: Expression) -> bool:
    return False


def into_inner_join(select: Select) -> Plan:
    """A selection on an inner join made part of its condition, from which `out_of_condition` moves it to the sides."""
    join = select.child
    assert isinstance(join, Join)
    moved, stay = sort_out(parts_of(select.predicate), cannot_fail)
    if not moved:
        return select
    return with_selection(replace(join, condition=all_of(parts_of(join.condition) + moved)), stay)


def below_join(select: Select) -> Plan:
    """A selection on any other join, moved to the side that the join preserves, such as the left of a left join."""
    join = select.child
    assert isinstance(join, AnyJoin)
    fits: Fits
    match join:
        case SemiJoin():
            fits, to_right = cannot_fail, False
        case Join(how="full"):
            return select
        case Join(how="right"):
            fits, to_right = on_right(join), True
        case _:
            fits, to_right = on_left(join), False
    moved, stay = sort_out(parts_of(select.predicate), fits)
    if not moved:
        return select
    return with_selection(with_sides(join, [] if to_right else moved, moved if to_right else []), stay)


def with_sides(join: AnyJoin, left: Parts, right: Parts) -> AnyJoin:
    """The join with selections added to its sides; `left` and `right` are parts over the columns of both sides."""
    width = len(join.left.schema)
    moved = [shift(part, -width) for part in right]
    return replace(join, left=with_selection(join.left, left), right=with_selection(join.right, moved))


def out_of_condition(join: Join | SemiJoin | SingleJoin) -> Plan:
    """The join with parts of its condition that read one side moved there, unless the join preserves that side."""
    left, right = reach(join)
    to_left, rest = sort_out(parts_of(join.condition), surely(left))
    to_right, rest = sort_out(rest, surely(right))
    if not to_left and not to_right:
        return join
    return replace(with_sides(join, to_left, to_right), condition=all_of(rest))


def reach(join: Join | SemiJoin | SingleJoin) -> tuple[Fits, Fits]:
    """The tests for the parts of a condition that may be moved to the left and to the right side."""
    match join:
        case Join(how="inner") | SemiJoin(anti=False):
            return on_left(join), on_right(join)
        case Join(how="left") | SemiJoin() | SingleJoin():
            return never, on_right(join)
        case Join(how="right"):
            return on_left(join), never
    return never, never
