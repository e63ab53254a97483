"""Bound interval joins: a join of two streams whose condition bounds their times forgets what it cannot need."""

from __future__ import annotations

from dataclasses import replace

from tailrace.logical.expressions import TRUE, Call, Column, Expression, all_of, conjuncts
from tailrace.logical.nodes import ApplyWindow, Join, Select, ToStream, Union
from tailrace.logical.plan import Plan
from tailrace.logical.time.time_bounds import growing_elements, time_bounds
from tailrace.logical.windows import TimeWindow
from tailrace.rewrite.traverse import top_down
from tailrace.types import BIGINT, BOOLEAN

NOW, UNBOUNDED = TimeWindow(0), TimeWindow(None)
LONGEST = 2**62  # ticks, as for a window that is written


def bound_interval_joins(plan: Plan, tick: int = 1) -> Plan:
    """Replace unbounded windows below an inner join by bounded ones, where a condition bounds how far apart times are.

    Law: a pair of elements enters the join of two unbounded windows at the later of its two instants, and stays. If the
    condition lets the other element be at most n ticks older, it is in [RANGE n] then. So the join is the unbounded
    window over the stream of pairs: those of a left element with earlier or equally old right ones, and those of a
    right element with left ones that are earlier. The event columns tell which of the two are equal in time.

    >>> from tailrace.catalog.sources import Stream
    >>> from tailrace.logical.expressions import Column, Literal
    >>> from tailrace.logical.nodes import Scan
    >>> from tailrace.logical.text.explain import tree
    >>> from tailrace.schema import Schema
    >>> S, T = (ApplyWindow(Scan(Stream(name, Schema.of(("ts", BIGINT)), timestamp="ts")), UNBOUNDED) for name in "ST")
    >>> mine, theirs = Column(0, BIGINT), Column(1, BIGINT)
    >>> last_four = Call("<=", (Call("-", (mine, theirs), BIGINT), Literal(4, BIGINT)), BOOLEAN)
    >>> never_later = Call("<=", (theirs, mine), BOOLEAN)
    >>> print(tree(bound_interval_joins(Join(S, T, "inner", all_of((last_four, never_later))))))
    window [RANGE UNBOUNDED]  → relation
    └─ r-stream  → stream
       └─ join on ts#0 - ts#1 <= 4L AND ts#1 <= ts#0  → relation
          ├─ window [NOW]  → relation
          │  └─ stream S(ts BIGINT)  → stream
          └─ window [RANGE 4]  → relation
             └─ stream T(ts BIGINT)  → stream
    """
    return top_down(plan, lambda node: bound_node(node, tick))


def bound_node(plan: Plan, tick: int) -> Plan:
    """The join, or the selections above a join, with bounded windows; the plan itself if nothing bounds it."""
    return bound_below(plan, tick, TRUE) or plan


def bound_below(plan: Plan, tick: int, above: Expression) -> Plan | None:
    """The same as `bound_node`, given the predicate of the selections above; None if nothing bounds the join."""
    match plan:
        case Select(child, predicate):
            below = bound_below(child, tick, all_of((above, predicate)))
            return replace(plan, child=below) if below else None
        case Join():
            return bound_join(plan, tick, above)
    return None


def bound_join(join: Join, tick: int, above: Expression) -> Plan | None:
    """The join's tuples of which the predicate above can be true, from bounded windows; None without a bound."""
    left, right = growing_elements(join.left), growing_elements(join.right)
    if join.how != "inner" or left is None or right is None:
        return None
    found = time_bounds(left, right, all_of((join.condition, above)), tick)
    if found is None:
        return None
    parts: list[Plan] = []

    def add(left_window: TimeWindow, right_window: TimeWindow, order: Expression) -> None:
        windows = ApplyWindow(left, left_window), ApplyWindow(right, right_window)
        parts.append(Join(*windows, "inner", with_part(join.condition, order)))

    if found.low is None or found.low <= 0:
        add(NOW, back(found.low and -found.low), compare_times(found.right, "<=", found.left))
    if found.high is None or found.high > 0:
        add(back(found.high), NOW, compare_times(found.left, "<", found.right))
    if not parts:
        return None
    pairs = parts[0] if len(parts) == 1 else Union(tuple(parts))
    return ApplyWindow(ToStream(pairs, "rstream"), UNBOUNDED)


def back(ticks: int | None) -> TimeWindow:
    """The window of the last so many ticks; unbounded for None and for more than a window can have."""
    return TimeWindow(ticks if ticks is not None and ticks <= LONGEST else None)


def compare_times(one: Column, sign: str, other: Column) -> Expression:
    """The comparison of two event columns, of which whole numbers may be of different types."""
    sides = [
        side if one.of == other.of or side.of == BIGINT else Call("cast", (side,), BIGINT) for side in (one, other)
    ]
    return Call(sign, tuple(sides), BOOLEAN)


def with_part(condition: Expression, part: Expression) -> Expression:
    """The condition with one more part, unless it has that already."""
    return condition if part in conjuncts(condition) else all_of((*conjuncts(condition), part))
