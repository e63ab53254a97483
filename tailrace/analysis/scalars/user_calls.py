"""User calls: resolves calls of the functions and aggregates that were registered from Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlglot import exp

from tailrace.analysis.scalars.aggregate_arguments import refuse_misplaced, resolve_aggregate_arguments
from tailrace.analysis.scalars.coercion import cast
from tailrace.analysis.scalars.placeholders import PendingAggregate
from tailrace.catalog import builtin_functions as functions
from tailrace.catalog.user_functions import ANY_NUMBER, UserAggregate, UserFunction
from tailrace.errors import AnalysisError, did_you_mean
from tailrace.language.nodes import place_of
from tailrace.logical.expressions import Aggregation, Expression, UserCall
from tailrace.types import MONTHS, STRING, VOID, Type, is_atomic, is_numeric, is_time

if TYPE_CHECKING:
    from tailrace.analysis.scalars.resolve import Scalars


def call(scalars: Scalars, name: str, node: exp.Anonymous) -> Expression:
    """The typed expression of a call whose name is not a function of Spark's."""
    known = scalars.queries.functions
    entry = known.find(name)
    if entry is None:
        hint = did_you_mean(name, [*known.names, *functions.names()])
        raise AnalysisError(f"no function {name}", place_of(node), hint)
    if isinstance(entry, UserAggregate):
        return aggregate(scalars, entry, node)
    if any(isinstance(argument, exp.Distinct) for argument in node.expressions):
        raise AnalysisError(f"{entry.name} is no aggregate: DISTINCT is not allowed in it", place_of(node))
    refuse_lambdas(entry, node.expressions)
    arguments = [scalars.resolve(argument) for argument in node.expressions]
    return UserCall(entry, cast_arguments(entry, arguments, node.expressions, node))


def aggregate(scalars: Scalars, entry: UserAggregate, node: exp.Anonymous) -> Expression:
    refuse_misplaced(scalars, entry.name, place_of(node))
    given = node.expressions
    distinct = bool(given) and isinstance(given[0], exp.Distinct)
    if distinct:
        given = given[0].expressions
    refuse_lambdas(entry, given)
    arguments = resolve_aggregate_arguments(scalars, entry.name, given, place_of(node))
    taken = cast_arguments(entry, arguments, given, node)
    return PendingAggregate(Aggregation(entry.name.lower(), taken, entry.returns, distinct, user=entry))


def refuse_lambdas(entry: UserFunction | UserAggregate, given: Sequence[exp.Expr]) -> None:
    for argument in given:
        if isinstance(argument, exp.Lambda):
            raise AnalysisError(f"{entry.name} takes values, not a lambda", place_of(argument))


def cast_arguments(
    entry: UserFunction | UserAggregate, arguments: Sequence[Expression], written: Sequence[exp.Expr], node: exp.Expr
) -> tuple[Expression, ...]:
    """The arguments, cast to the declared types; refused if their number or types do not fit."""
    if len(arguments) not in entry.counts:
        raise AnalysisError(f"{entry.name} takes {numbers(entry.counts)}, not {len(arguments)}", place_of(node))
    wanted = entry.arguments or [argument.type for argument in arguments]
    found = []
    for number, (argument, type) in enumerate(zip(arguments, wanted, strict=True)):
        place = place_of(written[number]) or place_of(node)
        if argument.type == MONTHS or not goes(argument.type, type):
            raise AnalysisError(f"argument {number + 1} of {entry.name} must be {type}, not {argument.type}", place)
        found.append(cast(argument, type))
    return tuple(found)


def goes(source: Type, target: Type) -> bool:
    """Whether Spark SQL casts an argument of type `source` to `target` implicitly."""
    if source in (target, VOID):
        return True
    if not is_atomic(source) or not is_atomic(target):
        return False
    alike = (is_numeric(source) and is_numeric(target)) or (is_time(source) and is_time(target))
    return alike or STRING in (source, target)


def numbers(counts: range) -> str:
    """The allowed numbers of arguments, for a message.

    >>> numbers(range(2, 3)), numbers(range(0, 2)), numbers(range(1, ANY_NUMBER.stop))
    ('2 arguments', '0 to 1 arguments', 'at least 1 argument')
    """
    if counts.stop == ANY_NUMBER.stop:
        return f"at least {counts.start} argument{'s' if counts.start != 1 else ''}"
    if len(counts) == 1:
        return f"{counts.start or 'no'} argument{'s' if counts.start != 1 else ''}"
    return f"{counts.start} to {counts.stop - 1} arguments"
