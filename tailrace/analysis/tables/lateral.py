"""Lateral: a subquery in FROM that reads columns of the FROM items to its left, joined with them."""

from __future__ import annotations

from typing import Literal

from sqlglot import exp

from tailrace.analysis.correlation.dependent_join import free_subquery
from tailrace.analysis.correlation.lift_conditions import lift_conditions
from tailrace.analysis.correlation.outer_columns import Operands
from tailrace.analysis.scalars.placeholders import place_operands
from tailrace.analysis.scalars.scope import Scope
from tailrace.errors import AnalysisError, ErrorGroup, TailraceError, TextSpan
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.logical import nodes
from tailrace.logical.expressions import TRUE, Call, Column, Expression, all_of, move, refer_to
from tailrace.logical.plan import Kind, Plan
from tailrace.types import BOOLEAN


def check_lateral(node: ast.Join, left: Plan) -> None:
    """Refuse LATERAL where it cannot read the items to its left."""
    right = node.args["right"]
    if left.kind is not Kind.RELATION:
        raise AnalysisError("a sequence query has no LATERAL subqueries", place_of(right))
    if node.args["kind"] not in ("COMMA", "CROSS", "INNER", "LEFT"):
        raise AnalysisError(
            f"LATERAL cannot be the right side of a {node.args['kind']} JOIN",
            place_of(right),
            "what finds nothing on the left has nothing to read: write LEFT JOIN LATERAL or JOIN LATERAL",
        )


def suggest_lateral(problem: TailraceError, item: exp.Expr, left: Scope) -> TailraceError:
    """A problem of the item to the right; if LATERAL before its subquery is all that is missing, the hint says so."""
    if isinstance(problem, ErrorGroup):
        return ErrorGroup([suggest_lateral(each, item, left) for each in problem.problems])
    unknown = [binding.name for binding in left.bindings if problem.message == f"no FROM item is called {binding.name}"]
    if not unknown or not isinstance(item, ast.Item) or not isinstance(item.this, ast.QueryNode):
        return problem
    hint = f"write LATERAL before the subquery: then it reads {unknown[0]} and what else stands to its left"
    return AnalysisError(problem.message, problem.place, hint)


def lateral_join(
    left: Plan, right: Plan, how: Literal["inner", "left"], condition: Expression, place: TextSpan | None
) -> Plan:
    """The join of the left tuples with what the dependent plan `right` gives for each; `condition` is that of ON."""
    width, other = len(left.schema), len(right.schema)
    operands = Operands()
    lifted = lift_conditions(right, exact=True)
    if lifted is not None:
        freed, named = lifted.plan, lifted.moved
        links = [operands.number(part) for part in lifted.conditions]
        links = [place_operands(part, tuple(operands.found), width) for part in links]
    else:
        plan = operands.number(right)
        try:
            freed, values = free_subquery(plan, left, operands.found)
        except AnalysisError as problem:
            raise AnalysisError(problem.message, place, problem.hint) from None
        named = tuple(range(len(values), len(values) + other))
        links = [
            Call("<=>", (value, Column(width + index, value.type, freed.schema[index].name)), BOOLEAN)
            for index, value in enumerate(values)
        ]
    asked = move(condition, lambda index: index if index < width else width + named[index - width])
    joined = nodes.Join(left, freed, how, all_of([*links, asked] if asked != TRUE else links))
    if len(freed.schema) == other:
        return joined
    kept = refer_to(joined.schema, [*range(width), *(width + index for index in named)])
    return nodes.Project(joined, kept, (*left.schema.names, *right.schema.names))
