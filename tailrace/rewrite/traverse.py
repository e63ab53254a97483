"""Traverse: functions with which rules walk and change a plan. Where nothing changes, they return the same objects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tailrace.logical.expressions import Expression
from tailrace.logical.nodes import Aggregate, Join, MarkJoin, Project, Select, SemiJoin, SingleJoin, TopK
from tailrace.logical.over import Over, TopOfPartition
from tailrace.logical.plan import Plan

Rule = Callable[[Plan], Plan]
Change = Callable[[Expression], Expression]


def with_inputs(plan: Plan, inputs: tuple[Plan, ...]) -> Plan:
    """The node with other inputs; the node itself if the inputs are its own."""
    same = all(old is new for old, new in zip(plan.children, inputs, strict=True))
    return plan if same else plan.with_children(*inputs)


def bottom_up(plan: Plan, change: Rule) -> Plan:
    """Apply `change` to every node, inputs first. An object that occurs in several places is changed once.

    >>> from tailrace.catalog.sources import Stream
    >>> from tailrace.logical.nodes import Distinct, Scan, ApplyWindow
    >>> from tailrace.logical.windows import TimeWindow
    >>> from tailrace.schema import Schema
    >>> window = ApplyWindow(Scan(Stream("S", Schema.of())), TimeWindow(5))
    >>> plain = bottom_up(Distinct(window), lambda node: node.child if isinstance(node, Distinct) else node)
    >>> plain is window
    True
    """
    done: dict[int, Plan] = {}

    def visit(node: Plan) -> Plan:
        if id(node) not in done:
            done[id(node)] = change(with_inputs(node, tuple(visit(child) for child in node.children)))
        return done[id(node)]

    return visit(plan)


def top_down(plan: Plan, change: Rule) -> Plan:
    """Apply `change` to a node until it returns the same node, then to the inputs of that node."""
    changed = change(plan)
    while changed is not plan:
        plan, changed = changed, change(changed)
    return with_inputs(plan, tuple(top_down(child, change) for child in plan.children))


def map_conditions(plan: Plan, change: Change) -> Plan:
    """The node with `change` applied to its predicate or join condition, if it has one."""
    match plan:
        case Select(_, predicate):
            changed = change(predicate)
            return plan if changed == predicate else replace(plan, predicate=changed)
        case Join(condition=condition) | SemiJoin(condition=condition):
            changed = change(condition)
            return plan if changed == condition else replace(plan, condition=changed)
        case MarkJoin(condition=condition) | SingleJoin(condition=condition):
            changed = change(condition)
            return plan if changed == condition else replace(plan, condition=changed)
    return plan


def map_expressions(plan: Plan, change: Change) -> Plan:
    """The node with `change` applied to every expression in it."""
    changed: Plan
    match plan:
        case Project(_, expressions):
            changed = replace(plan, expressions=tuple(change(expression) for expression in expressions))
        case Aggregate(_, keys, aggregations):
            changed = replace(
                plan,
                keys=tuple(change(key) for key in keys),
                aggregations=tuple(aggregation.map(change) for aggregation in aggregations),
            )
        case TopK(_, order):
            changed = replace(plan, order=tuple(replace(key, expression=change(key.expression)) for key in order))
        case Over() | TopOfPartition():
            changed = plan.map(change)
        case _:
            return map_conditions(plan, change)
    return plan if changed == plan else changed
