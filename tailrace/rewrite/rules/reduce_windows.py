"""Reduce windows: if only its insertions are read, an unbounded window becomes [NOW], which needs no state."""

from __future__ import annotations

from dataclasses import replace

from tailrace.logical.nodes import (
    ApplyWindow,
    Join,
    MarkJoin,
    Project,
    Select,
    SemiJoin,
    SingleJoin,
    ToStream,
    Union,
    is_static,
)
from tailrace.logical.plan import Plan
from tailrace.logical.windows import TimeWindow
from tailrace.rewrite.traverse import bottom_up

NOW = TimeWindow(0)


def reduce_windows(plan: Plan) -> Plan:
    """Turn Istream over unbounded windows into Rstream over [NOW] windows, where the plan between is linear.

    Law: if f(A + B) = f(A) + f(B) for bags, then what f of all tuples up to τ has more than f of those up to
    τ-1 is f of the tuples of τ (CQL §10.1). Selection, projection and union are linear, and so is a join with
    a relation that never changes, unless it is an outer join that preserves that relation's tuples.

    >>> from tailrace.catalog.sources import Stream
    >>> from tailrace.logical.text.explain import tree
    >>> from tailrace.logical.nodes import Scan
    >>> from tailrace.schema import Schema
    >>> everything = ApplyWindow(Scan(Stream("S", Schema.of())), TimeWindow(None))
    >>> print(tree(reduce_windows(ToStream(everything, "istream"))))
    r-stream  → stream
    └─ window [NOW]  → relation
       └─ stream S()  → stream
    """
    return bottom_up(plan, reduce)


def reduce(plan: Plan) -> Plan:
    match plan:
        case ToStream(child, "istream"):
            reduced = only_now(child)
            return ToStream(reduced, "rstream") if reduced else plan
    return plan


def only_now(plan: Plan) -> Plan | None:
    """The plan over [NOW] windows instead of unbounded ones; None if it is not linear in them."""
    match plan:
        case ApplyWindow(_, TimeWindow() as window):
            return replace(plan, window=NOW) if window.is_unbounded else None
        case Select(child) | Project(child):
            reduced = only_now(child)
            return plan.with_children(reduced) if reduced else None
        case Union(inputs):
            parts = [only_now(part) for part in inputs]
            whole = tuple(part for part in parts if part)
            return Union(whole) if len(whole) == len(parts) else None
        case Join() | SemiJoin() | MarkJoin() | SingleJoin():
            return join_only_now(plan)
    return None


def join_only_now(plan: Join | SemiJoin | MarkJoin | SingleJoin) -> Plan | None:
    """The join with a linear side reduced and the other static; None if static tuples without a partner are kept."""
    how = plan.how if isinstance(plan, Join) else "left"
    if how in ("inner", "left") and is_static(plan.right):
        reduced = only_now(plan.left)
        return replace(plan, left=reduced) if reduced else None
    if how in ("inner", "right") and is_static(plan.left):
        reduced = only_now(plan.right)
        return replace(plan, right=reduced) if reduced else None
    return None
