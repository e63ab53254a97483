"""Compose frequencies: one sample where there were two, and no evaluation that is thrown away (CSQL §5)."""

from __future__ import annotations

from dataclasses import replace

from tailrace.logical.nodes import Aggregate, Append, Jump, Project, Sample
from tailrace.logical.plan import Plan
from tailrace.logical.windows import ONE_TUPLE, Every
from tailrace.rewrite.traverse import bottom_up


def compose_frequencies(plan: Plan) -> Plan:
    """Write a sample of a sample as one, and evaluate a jumping window only where its result is sampled.

    Law, for the same substreams: every m-th of every n-th element is every (m·n)-th. A slot of t·k ticks is
    made up of whole slots of t ticks, so that its last element is the last of the last of these that has any;
    and of slots of t·k ticks that hold one element each, every slot of t ticks holds one at most. Where each
    step of a jumping window gives exactly one row (an aggregate without keys), every m-th row of its result
    is the row of every m-th step.

    >>> from tailrace.catalog.sources import Stream
    >>> from tailrace.logical.explain import tree
    >>> from tailrace.logical.nodes import Scan
    >>> from tailrace.schema import Schema
    >>> once = Sample(Scan(Stream("S", Schema.of())), Every(10, "tuples"))
    >>> print(tree(compose_frequencies(Sample(once, Every(3, "tuples")))))
    stream-sample every 30 TUPLES  → stream
    └─ stream-shepherd S()  → stream
    """
    return bottom_up(plan, compose)


def compose(plan: Plan) -> Plan:
    match plan:
        case Sample(child, frequency) if frequency == ONE_TUPLE:
            return child
        case Sample(Sample(child, inner, below), outer, partition) if set(below) == set(partition):
            both = composed(inner, outer)
            return Sample(child, both, below) if both else plan
        case Sample(Append(steps), Every(_, "tuples") as outer, ()):
            fewer = every_nth_step(steps, outer.count)
            return Append(fewer) if fewer else plan
    return plan


def composed(inner: Every, outer: Every) -> Every | None:
    """The one frequency that says the same; None if there is none."""
    if inner.in_tuples and outer.in_tuples:
        return Every(inner.count * outer.count, "tuples")
    small, large = sorted((inner.count, outer.count))
    if inner.unit == outer.unit and large % small == 0:
        return Every(large, inner.unit)
    return None


def every_nth_step(plan: Plan, count: int) -> Plan | None:
    """The steps whose numbers are multiples of `count`; None unless each step has exactly one row."""
    match plan:
        case Project(child):
            fewer = every_nth_step(child, count)
            return plan.with_children(fewer) if fewer else None
        case Aggregate(Jump(_, _, Every(often, "tuples"), ()) as jump, ()):
            return plan.with_children(replace(jump, frequency=Every(often * count, "tuples")))
    return None
