"""Placeholders: aggregates and subqueries inside an expression, until they become nodes of the plan.

While a select list is resolved, an aggregate is a `PendingAggregate` and a subquery a `PendingSubquery` inside its
expression. Grouping (grouping.py) replaces the first by columns of an Aggregate; `attach` replaces the second by
columns of a join.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal as Word

from tailrace.analysis.correlation.dependent_join import free_subquery
from tailrace.errors import AnalysisError, TextSpan
from tailrace.logical import nodes
from tailrace.logical.expressions import (
    TRUE,
    Aggregation,
    Call,
    Column,
    Expression,
    Outer,
    all_of,
    shift,
    transform,
    walk,
)
from tailrace.logical.plan import Plan
from tailrace.types import BOOLEAN, Type


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
    right: Plan  # in it, too, an Outer is the number of an operand
    condition: Expression  # the join's: a Column is one of the subquery's, an Outer the number of an operand
    operands: tuple[Expression, ...]  # expressions of the query around
    value: Expression  # the subquery's value, over its own columns
    place: TextSpan | None = field(default=None, compare=False)

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
    """Whether a subquery is somewhere in the expression, perhaps in the argument of an aggregate."""
    return any(
        isinstance(part, PendingSubquery)
        or (isinstance(part, PendingAggregate) and any(map(has_subquery, part.aggregation.expressions)))
        for part in walk(expression)
    )


def place_operands(condition: Expression, operands: tuple[Expression, ...], width: int) -> Expression:
    """A subquery's condition over the joined input: operands inserted, its own columns moved behind `width` others."""

    def change(part: Expression) -> Expression:
        if isinstance(part, Outer):
            return operands[part.index]
        return replace(part, index=part.index + width) if isinstance(part, Column) else part

    return transform(condition, change)


def join_on_operands(
    plan: Plan, right: Plan, condition: Expression, operands: tuple[Expression, ...], place: TextSpan | None
) -> tuple[Plan, Expression, int]:
    """What a subquery's join needs: its right side without outer columns, the condition, where its columns begin."""
    try:
        right, values = free_subquery(right, plan, operands)
    except AnalysisError as problem:
        raise AnalysisError(problem.message, place, problem.hint) from None
    width = len(plan.schema)
    equal = [
        Call("<=>", (value, Column(width + place, value.type, right.schema[place].name)), BOOLEAN)
        for place, value in enumerate(values)
    ]
    start = width + len(values)
    placed = place_operands(condition, operands, start)
    return right, all_of([*equal, placed] if not equal or placed != TRUE else equal), start


def attach(plan: Plan, expression: Expression) -> tuple[Plan, Expression]:
    """Join every pending subquery of the expression to the plan; the expression then reads the joined columns."""

    def change(part: Expression) -> Expression:
        nonlocal plan
        if not isinstance(part, PendingSubquery):
            return part
        right, condition, start = join_on_operands(plan, part.right, part.condition, part.operands, part.place)
        if part.how == "mark":
            start = len(plan.schema)
            plan = nodes.MarkJoin(plan, right, condition)
        else:
            plan = nodes.SingleJoin(plan, right, condition)
        return shift(part.value, start)

    expression = transform(expression, change)
    return plan, expression


def attach_inside_aggregates(plan: Plan, expression: Expression) -> tuple[Plan, Expression]:
    """Join every pending subquery in the arguments of aggregates to the plan that is aggregated."""

    def attach_argument(argument: Expression) -> Expression:
        nonlocal plan
        plan, found = attach(plan, argument)
        return found

    def change(part: Expression) -> Expression:
        if isinstance(part, PendingAggregate):
            return PendingAggregate(part.aggregation.map(attach_argument))
        return part

    expression = transform(expression, change)
    return plan, expression
