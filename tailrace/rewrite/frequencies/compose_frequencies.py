"""Compose frequencies: one sample instead of two, and no evaluation of a step whose result is dropped (CSQL §5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from tailrace.logical.expressions import Column
from tailrace.logical.nodes import Aggregate, Append, FrequencySample, JumpWindow, Project
from tailrace.logical.plan import Plan, walk
from tailrace.logical.windows import ONE_TUPLE, Every
from tailrace.rewrite.traverse import bottom_up


def compose_frequencies(plan: Plan) -> Plan:
    """Replace a sample of a sample by one sample, and evaluate a jumping window only where its result is sampled.

    Law, for the same substreams: every m-th of every n-th element is every (m·n)-th element. A slot of t·k ticks
    consists of whole slots of t ticks, so its last element is the last element of the last such slot that has any.
    If a stream has at most one element per slot of t·k ticks, it has at most one per slot of t ticks. If each step of
    a jumping window gives exactly one row (an aggregate without keys, or by the columns of PARTITIONED BY), every m-th
    row of its result, in the same substreams, is the row of every m-th step. This is CSQL §8's optimisation of
    Query 3; the window must be partitioned like the sample. A sample is left alone if its input has other readers.

    >>> from tailrace.catalog.sources import Stream
    >>> from tailrace.logical.text.explain import tree
    >>> from tailrace.logical.nodes import Scan
    >>> from tailrace.schema import Schema
    >>> once = FrequencySample(Scan(Stream("S", Schema.of())), Every(10, "tuples"))
    >>> print(tree(compose_frequencies(FrequencySample(once, Every(3, "tuples")))))
    frequency every 30 TUPLES  → stream
    └─ stream S()  → stream
    """
    readers = Counter(child for node in set(walk(plan)) for child in node.children)
    return bottom_up(plan, lambda node: node if is_read_elsewhere(node, readers) else compose(node))


def is_read_elsewhere(plan: Plan, readers: Counter[Plan]) -> bool:
    """Whether a sample's input is read by other nodes too, and so is computed anyway."""
    return isinstance(plan, FrequencySample) and plan.frequency != ONE_TUPLE and readers[plan.child] > 1


def compose(plan: Plan) -> Plan:
    match plan:
        case FrequencySample(child, frequency) if frequency == ONE_TUPLE:
            return child
        case FrequencySample(FrequencySample(child, inner, below), outer, partition) if set(below) == set(partition):
            both = combine_frequencies(inner, outer)
            return FrequencySample(child, both, below) if both else plan
        case FrequencySample(Append(steps), Every(_, "tuples") as outer, partition):
            fewer = every_nth_step(steps, outer.count, partition)
            return Append(fewer) if fewer else plan
    return plan


def combine_frequencies(inner: Every, outer: Every) -> Every | None:
    """The frequency of one sample that equals a sample of a sample; None if there is none."""
    if inner.in_tuples and outer.in_tuples:
        return Every(inner.count * outer.count, "tuples")
    small, large = sorted((inner.count, outer.count))
    if inner.unit == outer.unit and large % small == 0:
        return Every(large, inner.unit)
    return None


def every_nth_step(plan: Plan, count: int, partition: Sequence[int]) -> Plan | None:
    """The plan evaluated at every `count`-th step of each substream; None unless all steps have just one row."""
    match plan:
        case Project(child, values):
            below = [value.index for value in (values[column] for column in partition) if isinstance(value, Column)]
            fewer = every_nth_step(child, count, below) if len(below) == len(partition) else None
            return plan.with_children(fewer) if fewer else None
        case Aggregate(JumpWindow(_, _, Every(often, "tuples"), apart) as jump, keys):
            columns = [key.index if isinstance(key, Column) else -1 for key in keys]
            asked = {columns[place] for place in partition if place < len(columns)}
            if set(columns) <= set(apart) and asked == set(apart) and all(place < len(keys) for place in partition):
                return plan.with_children(replace(jump, frequency=Every(often * count, "tuples")))
    return None
