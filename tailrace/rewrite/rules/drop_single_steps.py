"""Drop single steps: a sequence query whose windows hold one tuple each becomes a plain stream (CSQL §4.3)."""

from __future__ import annotations

from tailrace.logical.nodes import Append, Distinct, FrequencySample, JumpWindow, Project, Select
from tailrace.logical.plan import Plan
from tailrace.logical.windows import ONE_TUPLE
from tailrace.rewrite.traverse import bottom_up


def drop_single_steps(plan: Plan) -> Plan:
    """Replace steps of one tuple each by the stream of these tuples.

    Law: a window of one tuple holds the element at which it is evaluated. So a window that is evaluated at every n-th
    element is the sample of every n-th element, in the same substreams. Selections and projections of the one tuple
    are those of the element, and DISTINCT changes nothing.

    >>> from tailrace.catalog.sources import Stream
    >>> from tailrace.logical.text.explain import tree
    >>> from tailrace.logical.nodes import Scan
    >>> from tailrace.logical.windows import Every
    >>> from tailrace.schema import Schema
    >>> scan = Scan(Stream("S", Schema.of()))
    >>> print(tree(drop_single_steps(Append(JumpWindow(scan, ONE_TUPLE, Every(5, "tuples"))))))
    frequency every 5 TUPLES  → stream
    └─ stream S()  → stream
    """
    return bottom_up(plan, drop)


def drop(plan: Plan) -> Plan:
    found = as_stream(plan.child) if isinstance(plan, Append) else None
    return plan if found is None else found


def as_stream(steps: Plan) -> Plan | None:
    """Steps of one tuple each as a stream; None if a step may have more tuples, or other operators are applied."""
    match steps:
        case JumpWindow(child, size, frequency, partition) if size == ONE_TUPLE and frequency.in_tuples:
            return child if frequency == ONE_TUPLE else FrequencySample(child, frequency, partition)
        case Distinct(child):
            return as_stream(child)
        case Select(child) | Project(child):
            below = as_stream(child)
            return None if below is None else steps.with_children(below)
    return None
