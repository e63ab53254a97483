"""Monotonic: the conservative test of CQL §6.4, whether a relation can only grow.

A plan that passes never loses a tuple; one that fails may still only grow, and is then a relation by default.
"""

from __future__ import annotations

from tailrace.catalog.sources import Relation
from tailrace.logical import nodes
from tailrace.logical.facts import is_static
from tailrace.logical.plan import Plan
from tailrace.logical.windows import TimeWindow


def is_monotonic(plan: Plan) -> bool:
    """Whether R(τ1) ⊆ R(τ2) for all τ1 ≤ τ2, by the shape of the plan."""
    match plan:
        case nodes.Scan():
            return isinstance(plan.source, Relation) and plan.source.only_grows
        case nodes.SeqWindow():
            return isinstance(plan.window, TimeWindow) and plan.window.is_unbounded
        case nodes.Select() | nodes.Project() | nodes.Distinct() | nodes.Union() | nodes.Intersect():
            return all(is_monotonic(child) for child in plan.children)
        case nodes.Join():
            return plan.how == "inner" and all(is_monotonic(child) for child in plan.children)
        case nodes.SemiJoin():
            # What is found in a growing relation stays found; what is not found may be found later.
            return not plan.anti and all(is_monotonic(child) for child in plan.children)
        case nodes.MarkJoin() | nodes.SingleJoin():
            return is_static(plan.right) and is_monotonic(plan.left)
    return False
