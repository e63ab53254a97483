"""Push frequencies: a sample is taken first, and expressions are computed only for the sampled elements (CSQL §5)."""

from __future__ import annotations

from dataclasses import replace

from tailrace.catalog.sources import Relation
from tailrace.logical.expressions import Call, Column, Expression, columns_of, conjuncts
from tailrace.logical.nodes import Append, FrequencySample, Join, JumpWindow, Project, Scan
from tailrace.logical.plan import Kind, Plan
from tailrace.logical.windows import ONE_TUPLE
from tailrace.rewrite.traverse import bottom_up


def push_frequencies(plan: Plan) -> Plan:
    """Move a sample below projections, and below joins that give one element for each element (CSQL §5).

    Law: a projection gives one element for each, in the same order and at the same instant. So every n-th of its
    results, or the last of a slot, is computed from the n-th or the last element. The substreams are the same if the
    projection passes the partition columns on unchanged. A left outer join of an element with the one tuple of a key
    gives one element for each as well. A selection or any other join changes which element is the n-th or the last:
    CSQL §5's F(R1 × R2) = F(R1) × F(R2) does not hold for it, since the last element of a slot is one tuple of the
    product.

    >>> from tailrace.catalog.sources import Stream
    >>> from tailrace.logical.text.explain import tree
    >>> from tailrace.logical.nodes import Scan
    >>> from tailrace.logical.windows import Every
    >>> from tailrace.schema import Schema
    >>> from tailrace.types import INT
    >>> scan = Scan(Stream("S", Schema.of(("k", INT), ("v", INT))))
    >>> values = Project(scan, (Column(1, INT),), ("v",))
    >>> print(tree(push_frequencies(FrequencySample(values, Every(5, "tuples"), (0,)))))
    project v  → stream
    └─ frequency every 5 TUPLES by v  → stream
       └─ stream S(k INT, v INT)  → stream
    """
    return bottom_up(plan, push)


def push(plan: Plan) -> Plan:
    match plan:
        case FrequencySample(Project(child, expressions) as project, _, partition):
            told_apart = [expressions[index] for index in partition]
            below = tuple(column.index for column in told_apart if isinstance(column, Column))
            if len(below) == len(partition):
                return project.with_children(push(replace(plan, child=child, partition=below)))
        case FrequencySample(Append(steps)):
            pushed = within(steps, plan)
            return Append(pushed) if pushed else plan
    return plan


def within(steps: Plan, sample: FrequencySample) -> Plan | None:
    """Steps of one tuple with the sample moved below them; None unless each step gives exactly one tuple."""
    match steps:
        case JumpWindow(child, size, frequency) if size == frequency == ONE_TUPLE:
            return replace(steps, child=push(replace(sample, child=child)))
        case Project(child, expressions):
            told_apart = [expressions[index] for index in sample.partition]
            below = tuple(column.index for column in told_apart if isinstance(column, Column))
            found = within(child, replace(sample, partition=below)) if len(below) == len(told_apart) else None
            return found and steps.with_children(found)
        case Join(left, right, "left", condition) if left.kind is Kind.STEPS and finds_one(condition, left, right):
            mine = all(index < len(left.schema) for index in sample.partition)
            found = within(left, sample) if mine else None
            return found and steps.with_children(found, right)
    return None


def finds_one(condition: Expression, left: Plan, right: Plan) -> bool:
    """Whether a join finds at most one right tuple: its condition equates the whole KEY of a relation of upserts."""
    if not isinstance(right, Scan) or not isinstance(right.source, Relation) or not right.source.key or right.source.op:
        return False
    width, equal = len(left.schema), set()
    for part in conjuncts(condition):
        if isinstance(part, Call) and part.name == "=":
            for one, other in (part.arguments, part.arguments[::-1]):
                if isinstance(one, Column) and one.index >= width and is_of_left(other, width):
                    equal.add(right.schema[one.index - width].name.lower())
    return {name.lower() for name in right.source.key} <= equal


def is_of_left(expression: Expression, width: int) -> bool:
    return all(column < width for column in columns_of(expression))
