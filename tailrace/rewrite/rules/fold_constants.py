"""Fold constants: expressions of literals are computed once, before any tuple arrives."""

from __future__ import annotations

from dataclasses import replace

from tailrace.logical.expressions import FALSE, TRUE, Aggregation, Call, Expression, Literal, transform
from tailrace.logical.nodes import Aggregate, Select
from tailrace.logical.plan import Plan
from tailrace.rewrite.constants import evaluate, is_literal, is_null, null_of, truth
from tailrace.rewrite.traverse import bottom_up, map_expressions
from tailrace.types import VOID


def fold_constants(plan: Plan) -> Plan:
    """Replace expressions of literals by their values, and drop a selection by TRUE.

    Law: an expression without columns has one value; `x AND TRUE` is x, `x AND FALSE` is FALSE, `x OR TRUE`
    is TRUE and `x OR FALSE` is x in SQL's three-valued logic, whatever x is. Types stay as they are.

    >>> from tailrace.catalog.sources import Stream
    >>> from tailrace.logical.text.explain import tree
    >>> from tailrace.logical.expressions import Column
    >>> from tailrace.logical.nodes import Scan
    >>> from tailrace.schema import Schema
    >>> from tailrace.types import BOOLEAN, INT
    >>> sum = Call("+", (Literal(60, INT), Literal(5, INT)), INT)
    >>> fast = Call(">", (Column(0, INT, "v"), sum), BOOLEAN)
    >>> print(tree(fold_constants(Select(Scan(Stream("S", Schema.of(("v", INT)))), fast))))
    select v > 65  → stream
    └─ stream S(v INT)  → stream
    """
    return bottom_up(plan, fold_node)


def fold_node(plan: Plan) -> Plan:
    folded = map_expressions(plan, lambda expression: transform(expression, fold))
    match folded:
        case Select(child, predicate) if predicate == TRUE:
            return child
        case Aggregate(_, _, aggregations) if any(a.condition == TRUE for a in aggregations):
            return replace(folded, aggregations=tuple(map(without_true_filter, aggregations)))
    return folded


def without_true_filter(aggregation: Aggregation) -> Aggregation:
    return replace(aggregation, condition=None) if aggregation.condition == TRUE else aggregation


def fold(expression: Expression) -> Expression:
    """Fold one call whose arguments are folded already."""
    if not isinstance(expression, Call):
        return expression
    match expression.name:
        case "and":
            return fold_logic(expression, neutral=TRUE, decisive=FALSE)
        case "or":
            return fold_logic(expression, neutral=FALSE, decisive=TRUE)
        case "not" if expression.arguments[0] in (TRUE, FALSE):
            return FALSE if expression.arguments[0] == TRUE else TRUE
        case "case":
            return fold_case(expression)
        case "coalesce":
            return fold_coalesce(expression)
        case "cast" | "try_cast" if expression.arguments[0].type == expression.of:
            return expression.arguments[0]
    return evaluate(expression) or expression


def fold_logic(call: Call, neutral: Literal, decisive: Literal) -> Expression:
    """Fold AND (neutral TRUE, decisive FALSE) or OR (neutral FALSE, decisive TRUE)."""
    if decisive in call.arguments:
        return decisive
    rest = tuple(argument for argument in call.arguments if argument != neutral)
    if all(map(is_null, rest)):
        return truth(None) if rest else neutral
    if len(rest) == 1 and rest[0].type == call.of:
        return rest[0]
    return call if len(rest) < 2 else call.with_children(rest)


def fold_case(call: Call) -> Expression:
    """Drop the branches of a CASE that are never taken; one that is always taken becomes the ELSE."""
    *branches, otherwise = call.arguments
    if not same_type(call, (*branches[1::2], otherwise)):
        return call
    kept: list[Expression] = []
    for condition, value in zip(branches[::2], branches[1::2], strict=True):
        if condition == TRUE:
            otherwise = value
            break
        if condition != FALSE and not is_null(condition):
            kept += [condition, value]
    if kept and any(value.type == call.of for value in (*kept[1::2], otherwise)):
        return call.with_children((*kept, otherwise))
    return call if kept else with_call_type(otherwise, call)


def fold_coalesce(call: Call) -> Expression:
    """Drop the NULLs of a COALESCE; if the first other argument is a literal, that is the value."""
    if not same_type(call, call.arguments):
        return call
    rest = tuple(argument for argument in call.arguments if not is_null(argument))
    if not rest:
        return null_of(call.of)
    return rest[0] if is_literal(rest[0]) or len(rest) == 1 else call.with_children(rest)


def same_type(call: Call, values: tuple[Expression, ...]) -> bool:
    """Whether all values have the type of the call, so that dropping one cannot change the call's type."""
    return all(value.type == call.of or (is_null(value) and value.type == VOID) for value in values)


def with_call_type(value: Expression, call: Call) -> Expression:
    return null_of(call.of) if is_null(value) else value
