"""Facts: what can be said of a plan by its shape."""

from __future__ import annotations

from tailrace.catalog.sources import Relation, Stream
from tailrace.logical.nodes import Jump, Sample, Scan, SeqWindow
from tailrace.logical.plan import Kind, Plan, walk
from tailrace.logical.windows import TimeWindow


def is_static(plan: Plan) -> bool:
    """Whether the plan is a relation that never changes after the first instant."""
    return all(
        node.kind is Kind.RELATION
        and (not isinstance(node, Scan) or (isinstance(node.source, Relation) and node.source.is_static))
        for node in walk(plan)
    )


def reach(plan: Plan) -> int | None:
    """For how many instants what has come can matter to a plan; None where that has no end.

    Two runs of a plan that began at different times answer alike, and remember alike, from so many instants after the
    later one began.
    """
    if isinstance(plan, Scan):
        return 0 if isinstance(plan.source, Stream) else None
    if isinstance(plan, Jump | Sample):
        return None  # they count from the first element on
    below = [reach(child) for child in plan.children]
    own = 1
    if isinstance(plan, SeqWindow):
        if not isinstance(plan.window, TimeWindow) or plan.window.size is None:
            return None
        own += plan.window.size + plan.window.slide
    known = [each for each in below if each is not None]
    return own + max(known) if known and len(known) == len(below) else None
