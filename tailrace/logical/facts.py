"""Facts: properties of a plan that follow from its nodes."""

from __future__ import annotations

from tailrace.catalog.sources import Relation
from tailrace.logical.nodes import Scan
from tailrace.logical.plan import Kind, Plan, walk


def is_static(plan: Plan) -> bool:
    """Whether the plan is a relation that never changes after the first instant: it reads static relations only."""
    return all(
        node.kind is Kind.RELATION
        and (not isinstance(node, Scan) or (isinstance(node.source, Relation) and node.source.is_static))
        for node in walk(plan)
    )
