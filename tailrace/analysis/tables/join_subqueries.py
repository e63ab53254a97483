"""Join subqueries: joins whose ON has subqueries in it.

Below an inner join's ON stands what could stand in WHERE. For an outer join the subquery becomes a column of the side
whose columns it reads. One that reads both sides is tested on pairs, and tuples that are in no pair are added, padded.
"""

from __future__ import annotations

from typing import Literal

from sqlglot import exp

from tailrace.analysis.scalars.placeholders import PendingSubquery, attach, has_subquery
from tailrace.analysis.scalars.resolve import Scalars
from tailrace.analysis.select import apply_condition, conditions
from tailrace.errors import AnalysisError
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.logical import nodes
from tailrace.logical.expressions import (
    Call,
    Column,
    Expression,
    Variable,
    all_of,
    columns_of,
    conjuncts,
    refer_to,
    shift,
    transform,
    walk,
)
from tailrace.logical.expressions import Literal as Constant
from tailrace.logical.plan import Plan
from tailrace.types import BOOLEAN, comparison_type

How = Literal["inner", "left", "right", "full"]


def has_query(node: exp.Expr) -> bool:
    """Whether a condition as it is written has a subquery in it."""
    return node.find(ast.Nested, ast.Exists) is not None


def join_with_subqueries(scalars: Scalars, written: exp.Expr, left: Plan, right: Plan, how: How) -> Plan:
    """The join of two FROM items whose ON has subqueries."""
    if how == "inner":
        return inner_join(scalars, written, left, right)
    condition = scalars.condition(written)
    found = join_on_sides(left, right, how, condition)
    return found or join_on_pairs(left, right, how, condition, written)


def inner_join(scalars: Scalars, written: exp.Expr, left: Plan, right: Plan) -> Plan:
    parts = conditions(written)
    plain = [scalars.condition(part) for part in parts if not has_query(part)]
    plan: Plan = nodes.Join(left, right, "inner", all_of(plain))
    width = len(plan.schema)
    for part in parts:
        if has_query(part):
            plan = apply_condition(scalars, part, plan)
    return keep_first(plan, width)


def keep_first(plan: Plan, width: int) -> Plan:
    """A plan's first columns."""
    if len(plan.schema) == width:
        return plan
    return nodes.Project(plan, refer_to(plan.schema, range(width)), plan.schema.names[:width])


def join_on_sides(left: Plan, right: Plan, how: How, condition: Expression) -> Plan | None:
    """The join with each subquery as a column of one side; None if one reads columns of both sides."""
    width, other = len(left.schema), len(right.schema)
    sides = {"left": left, "right": right}
    values: dict[str, tuple[str, Expression]] = {}

    def change(part: Expression) -> Expression:
        if not isinstance(part, PendingSubquery):
            return part
        read = columns_of(*part.operands)
        side = "left" if max(read, default=0) < width else "right"
        own = part if side == "left" else part.with_children(tuple(shift(each, -width) for each in part.operands))
        sides[side], value = attach(sides[side], own)
        name = f"subquery {len(values)}"
        values[name] = side, value
        return Variable(name, part.type)

    for part in walk(condition):
        if isinstance(part, PendingSubquery):
            read = columns_of(*part.operands)
            mixed = read and min(read) < width <= max(read)
            if mixed or any(has_subquery(operand) for operand in part.operands):
                return None
    condition = transform(condition, change)
    grown = len(sides["left"].schema)

    def place(part: Expression) -> Expression:
        if isinstance(part, Column):
            return part if part.index < width else shift(part, grown - width)
        if isinstance(part, Variable) and part.name in values:
            side, value = values[part.name]
            return value if side == "left" else shift(value, grown)
        return part

    joined = nodes.Join(sides["left"], sides["right"], how, transform(condition, place))
    if len(joined.schema) == width + other:
        return joined
    kept = refer_to(joined.schema, [*range(width), *range(grown, grown + other)])
    return nodes.Project(joined, kept, (*left.schema.names, *right.schema.names))


def join_on_pairs(left: Plan, right: Plan, how: How, condition: Expression, written: exp.Expr) -> Plan:
    """The pairs for which the condition is true, and the tuples of a side that are in none, padded with NULLs."""
    parts = conjuncts(condition)
    plan: Plan = nodes.Join(left, right, "inner", all_of([part for part in parts if not has_subquery(part)]))
    width, names = len(left.schema), plan.schema.names
    total = len(plan.schema)
    plan, asked = attach(plan, all_of([part for part in parts if has_subquery(part)]))
    pairs = keep_first(nodes.Select(plan, asked), total)
    found = [pairs]
    for side, first, kinds in ((left, 0, ("left", "full")), (right, width, ("right", "full"))):
        if how not in kinds:
            continue
        own = refer_to(side.schema)
        if any(comparison_type("<=>", column.type, column.type) is None for column in own):
            raise AnalysisError(
                "a subquery that reads both sides cannot be used in ON of an outer join over MAPs", place_of(written)
            )
        same = [Call("<=>", (column, shift(column, len(own) + first)), BOOLEAN) for column in own]
        alone = nodes.SemiJoin(side, pairs, True, all_of(same))
        padded = [
            own[index - first] if first <= index < first + len(own) else Constant(None, field.type)
            for index, field in enumerate(pairs.schema)
        ]
        found.append(nodes.Project(alone, tuple(padded), names))
    return nodes.Union(tuple(found))
