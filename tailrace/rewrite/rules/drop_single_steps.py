"""Drop single steps: steps that see one tuple each are the stream itself (CSQL §4.3)."""

from __future__ import annotations

from tailrace.logical.nodes import Append, Distinct, FrequencySample, JumpWindow, Project, Select
from tailrace.logical.plan import Plan
from tailrace.logical.windows import ONE_TUPLE
from tailrace.rewrite.traverse import bottom_up


def drop_single_steps(plan: Plan) -> Plan:
    """Write steps that see one tuple each, and do to it what can be done to a stream's elements, as a stream.

    Law: a window of one tuple holds the element that it is evaluated with. So what is evaluated at every n-th element
    is the sample of every n-th, of the same substreams; selections and projections of one tuple are those of an
    element, and one tuple is distinct.

    >>> from tailrace.catalog.sources import Stream
    >>> from tailrace.logical.explain import tree
    >>> from tailrace.logical.nodes import Scan
    >>> from tailrace.logical.windows import Every
    >>> from tailrace.schema import Schema
    >>> scan = Scan(Stream("S", Schema.of()))
    >>> print(tree(drop_single_steps(Append(JumpWindow(scan, ONE_TUPLE, Every(5, "tuples"))))))
    stream-sample every 5 TUPLES  → stream
    └─ stream-shepherd S()  → stream
    """
    return bottom_up(plan, drop)


def drop(plan: Plan) -> Plan:
    found = as_stream(plan.child) if isinstance(plan, Append) else None
    return plan if found is None else found


def as_stream(steps: Plan) -> Plan | None:
    """The elements that steps of one tuple are; None where they are more than that."""
    match steps:
        case JumpWindow(child, size, frequency, partition) if size == ONE_TUPLE and frequency.in_tuples:
            return child if frequency == ONE_TUPLE else FrequencySample(child, frequency, partition)
        case Distinct(child):
            return as_stream(child)
        case Select(child) | Project(child):
            below = as_stream(child)
            return None if below is None else steps.with_children(below)
    return None
