"""Push frequencies: a sample is taken before its elements are computed (CSQL §5)."""

from __future__ import annotations

from dataclasses import replace

from tailrace.logical.expressions import Column
from tailrace.logical.nodes import Project, Sample
from tailrace.logical.plan import Plan
from tailrace.rewrite.traverse import bottom_up


def push_frequencies(plan: Plan) -> Plan:
    """Move a sample below a projection, so that only what is sampled is computed.

    Law: a projection gives one element for each, in the same order and at the same instant, so that every
    n-th of them, or the last of a slot, is made of the same element; substreams are the same if the columns
    that tell them apart are only passed on. A selection or a join changes which element is the n-th or the last,
    so that CSQL §5's F(R1 × R2) = F(R1) × F(R2) does not hold for the last element of a slot.

    >>> from tailrace.catalog.sources import Stream
    >>> from tailrace.logical.explain import tree
    >>> from tailrace.logical.nodes import Scan
    >>> from tailrace.logical.windows import Every
    >>> from tailrace.schema import Schema
    >>> from tailrace.types import INT
    >>> scan = Scan(Stream("S", Schema.of(("k", INT), ("v", INT))))
    >>> values = Project(scan, (Column(1, INT),), ("v",))
    >>> print(tree(push_frequencies(Sample(values, Every(5, "tuples"), (0,)))))
    project v  → stream
    └─ stream-sample every 5 TUPLES by v  → stream
       └─ stream-shepherd S(k INT, v INT)  → stream
    """
    return bottom_up(plan, push)


def push(plan: Plan) -> Plan:
    match plan:
        case Sample(Project(child, expressions) as project, _, partition):
            told_apart = [expressions[index] for index in partition]
            below = tuple(column.index for column in told_apart if isinstance(column, Column))
            if len(below) == len(partition):
                return project.with_children(push(replace(plan, child=child, partition=below)))
    return plan
