"""Subqueries: turns IN, EXISTS and scalar subqueries into joins: in WHERE semi- and antijoins, elsewhere values.

A subquery can read columns of the query around it, in its WHERE. Such correlated conditions move out of the subquery
and into the condition of the join.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlglot import exp

from tailrace.analysis.scalars.coercion import compare
from tailrace.analysis.scalars.placeholders import PendingSubquery, attach
from tailrace.errors import AnalysisError, TextSpan
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.logical import nodes
from tailrace.logical.expressions import Call, Column, Expression, Literal, Outer, all_of, transform, walk
from tailrace.logical.plan import Kind, Plan
from tailrace.types import BOOLEAN

if TYPE_CHECKING:
    from tailrace.analysis.scalars.resolve import Scalars


@dataclass(frozen=True)
class DeferredAggregate:
    """The select item and HAVING of a correlated aggregate without GROUP BY; computed after the join with its groups.

    Both are over the columns of the subquery's plan. If an outer tuple has no group, these are NULL: the expressions
    are written so that counts are 0 then.
    """

    value: Expression
    having: Expression | None


@dataclass(frozen=True)
class TypedQuery:
    """An analysed query: its plan and column names; columns for `correlated` are behind the named ones."""

    plan: Plan
    names: tuple[str, ...]
    correlated: tuple[Expression, ...] = ()  # a subquery's conditions on the query around
    late: DeferredAggregate | None = None  # of a correlated aggregate
    values: tuple[Expression, ...] = ()  # the select items' expressions over FROM

    @property
    def kind(self) -> Kind:
        return self.plan.kind


def conjunct(scalars: Scalars, node: exp.Expr, plan: Plan) -> Plan | None:
    """The plan with `[NOT] EXISTS` or `[NOT] IN (subquery)` applied as a semi- or antijoin; None for anything else."""
    negated = False
    while isinstance(node, (exp.Not, exp.Paren)):
        negated ^= isinstance(node, exp.Not)
        node = node.this
    if isinstance(node, ast.Exists):
        found = relation(scalars, node.this)
        condition = all_of([place_outer(part, len(plan.schema)) for part in correlation_of(found, node.this)])
        return nodes.SemiJoin(plan, found.plan, negated, condition)
    if isinstance(node, exp.In) and node.args.get("query"):
        operands, found = membership(scalars, node)
        for index, operand in enumerate(operands):
            if any(isinstance(part, Outer) for part in walk(operand)):
                raise AnalysisError("the left side of IN (subquery) uses columns of the outer query", place_of(node))
            plan, operands[index] = attach(plan, operand)
        width = len(plan.schema)
        equal: list[Expression] = [
            compare("=", operand, shifted, place_of(node))
            for operand, shifted in zip(operands, columns(found, width), strict=True)
        ]
        # NOT IN is true only if every comparison is false: one that is NULL excludes the tuple as well.
        tests = [Call("is not false", (all_of(equal),), BOOLEAN)] if negated else equal
        tests += [place_outer(part, width) for part in correlation_of(found, node)]
        return nodes.SemiJoin(plan, found.plan, negated, all_of(tests))
    return None


def membership_mark(scalars: Scalars, node: exp.In) -> Expression:
    """The value of IN (subquery): a column that a MarkJoin will add."""
    operands, found = membership(scalars, node)
    outers = tuple(Outer(index, operand.type) for index, operand in enumerate(operands))
    equal = [
        compare("=", outer, column, place_of(node)) for outer, column in zip(outers, columns(found, 0), strict=True)
    ]
    conditions, extra = as_operands(correlation_of(found, node), len(operands))
    certain = [Call("is true", (part,), BOOLEAN) for part in conditions]
    return PendingSubquery(
        "mark", found.plan, all_of([*equal, *certain]), (*operands, *extra), Column(0, BOOLEAN, "mark")
    )


def exists_mark(scalars: Scalars, node: ast.Exists) -> Expression:
    """The value of EXISTS (subquery): a column that a MarkJoin will add."""
    found = relation(scalars, node.this)
    conditions, operands = as_operands(correlation_of(found, node.this), 0)
    condition = Call("is true", (all_of(conditions),), BOOLEAN)
    return PendingSubquery("mark", found.plan, condition, operands, Column(0, BOOLEAN, "mark"))


def scalar(scalars: Scalars, node: ast.Nested) -> Expression:
    """The value of a scalar subquery: the one column of its one row, NULL if it has no row."""
    found = relation(scalars, node.this)
    if len(found.names) != 1:
        raise AnalysisError(f"a subquery used as a value has one column, not {len(found.names)}", place_of(node))
    conditions, operands = as_operands(found.correlated, 0)
    value: Expression = Column(0, found.plan.schema[0].type, found.names[0])
    if found.late:
        value = found.late.value
        if found.late.having:
            value = Call("case", (found.late.having, value, Literal(None, value.type)), value.type)
    return PendingSubquery("single", found.plan, all_of(conditions), operands, value)


def relation(scalars: Scalars, query: ast.QueryNode) -> TypedQuery:
    """Analyse a subquery as a relation; the scope of the query around is its outer scope."""
    return scalars.queries.as_relation(query, scalars.scope)


def membership(scalars: Scalars, node: exp.In) -> tuple[list[Expression], TypedQuery]:
    left = node.this.this if isinstance(node.this, exp.Paren) else node.this
    given = left.expressions if isinstance(left, exp.Tuple) else [left]
    operands = [scalars.resolve(operand) for operand in given]
    found = relation(scalars, node.args["query"].this)
    if len(found.names) != len(operands):
        raise AnalysisError(
            f"IN compares {len(operands)} with {len(found.names)} columns of the subquery", place_of(node)
        )
    return operands, found


def correlation_of(found: TypedQuery, node: exp.Expr) -> tuple[Expression, ...]:
    if found.late:
        raise AnalysisError(
            "a correlated aggregate always has a row: it can be compared as a value, not tested with IN or EXISTS",
            place_of(node),
        )
    return found.correlated


def columns(found: TypedQuery, width: int) -> list[Expression]:
    """The named columns of a subquery in the joined input, behind `width` columns of the query around."""
    return [Column(width + index, found.plan.schema[index].type, name) for index, name in enumerate(found.names)]


def place_outer(part: Expression, width: int) -> Expression:
    """A correlated condition over the joined input: outer columns first, then the subquery's, moved by `width`."""

    def change(e: Expression) -> Expression:
        if isinstance(e, Outer):
            return Column(e.index, e.of, e.name)
        return Column(e.index + width, e.of, e.name) if isinstance(e, Column) else e

    return transform(part, change)


def as_operands(parts: Sequence[Expression], start: int) -> tuple[list[Expression], tuple[Expression, ...]]:
    """Correlated conditions with their outer columns numbered as operands from `start` on, and these operands."""
    operands: list[Expression] = []

    def change(e: Expression) -> Expression:
        if not isinstance(e, Outer):
            return e
        operand = Column(e.index, e.of, e.name)
        if operand not in operands:
            operands.append(operand)
        return Outer(start + operands.index(operand), e.of, e.name)

    return [transform(part, change) for part in parts], tuple(operands)


def correlated_key(part: Expression, place: TextSpan | None) -> tuple[Expression, Expression]:
    """The inner and the outer side of a correlated equality; an aggregate can be correlated by nothing else."""
    if isinstance(part, Call) and part.name in ("=", "<=>"):
        for inner, outer in (part.arguments, part.arguments[::-1]):
            reads_outer = any(isinstance(e, Outer) for e in walk(inner))
            reads_inner = any(isinstance(e, Column) for e in walk(outer))
            if not reads_outer and not reads_inner:
                return inner, outer
    raise AnalysisError(
        "a subquery with aggregates can compare columns of the outer query only by =",
        place,
        "write inner_column = outer_column as a condition of its own",
    )
