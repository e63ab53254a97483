"""Placeholders: aggregates and subqueries inside an expression, until they become nodes of the plan.

While a select list is resolved, an aggregate is a `PendingAggregate` and a subquery a `PendingSubquery` inside its
expression. Grouping (grouping.py) replaces the first by columns of an Aggregate; `attach` replaces the second by
columns of a join.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal as Word

from tailrace.logical import nodes
from tailrace.logical.expressions import (
    Aggregation,
    Column,
    Expression,
    Outer,
    shift,
    transform,
    walk,
)
from tailrace.logical.plan import Plan
from tailrace.types import Type


@dataclass(frozen=True)
class PendingAggregate(Expression):
    """An aggregate inside an expression, before its query's groups are known."""

    aggregation: Aggregation

    @property
    def type(self) -> Type:
        return self.aggregation.of


@dataclass(frozen=True)
class PendingSubquery(Expression):
    """A subquery inside an expression, before it is joined to the query's plan."""

    how: Word["mark", "single"]
    right: Plan
    condition: Expression  # the join's: a Column is one of the subquery's, an Outer one of the operands
    operands: tuple[Expression, ...]  # expressions of the query around
    value: Expression  # the subquery's value, over its own columns

    @property
    def type(self) -> Type:
        return self.value.type

    @property
    def children(self) -> tuple[Expression, ...]:
        return self.operands

    def with_children(self, children: tuple[Expression, ...]) -> Expression:
        return replace(self, operands=children)


def has_aggregate(expression: Expression) -> bool:
    return any(isinstance(part, PendingAggregate) for part in walk(expression))


def has_subquery(expression: Expression) -> bool:
    return any(isinstance(part, PendingSubquery) for part in walk(expression))


def has_outer(expression: Expression) -> bool:
    return any(isinstance(part, Outer) for part in walk(expression))


def place_operands(condition: Expression, operands: tuple[Expression, ...], width: int) -> Expression:
    """A subquery's condition over the joined input: operands inserted, its own columns moved behind `width` others."""

    def change(part: Expression) -> Expression:
        if isinstance(part, Outer):
            return operands[part.index]
        return replace(part, index=part.index + width) if isinstance(part, Column) else part

    return transform(condition, change)


def attach(plan: Plan, expression: Expression) -> tuple[Plan, Expression]:
    """Join every pending subquery of the expression to the plan; the expression then reads the joined columns."""

    def change(part: Expression) -> Expression:
        nonlocal plan
        if not isinstance(part, PendingSubquery):
            return part
        width = len(plan.schema)
        condition = place_operands(part.condition, part.operands, width)
        if part.how == "mark":
            plan = nodes.MarkJoin(plan, part.right, condition)
        else:
            plan = nodes.SingleJoin(plan, part.right, condition)
        return shift(part.value, width)

    expression = transform(expression, change)
    return plan, expression
