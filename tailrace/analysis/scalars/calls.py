"""Calls: resolves calls of functions, scalar, higher-order and aggregate, typed by their signatures.

Built-in functions come first, then those that were registered from Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import TYPE_CHECKING

from sqlglot import exp

from tailrace.analysis.correlation.outer_columns import has_outer
from tailrace.analysis.scalars.arguments import explicit
from tailrace.analysis.scalars.coercion import cast
from tailrace.analysis.scalars.placeholders import PendingAggregate, PendingSubquery, has_aggregate
from tailrace.catalog import builtin_functions as functions
from tailrace.catalog.builtin_functions import Function, SignatureProblem
from tailrace.catalog.user_functions import ANY_NUMBER, UserAggregate, UserFunction
from tailrace.errors import AnalysisError, TextSpan, did_you_mean
from tailrace.language.dialects.foreign_words import instead_of
from tailrace.language.nodes import place_of
from tailrace.logical.expressions import (
    Aggregation,
    Call,
    Column,
    Expression,
    Lambda,
    Literal,
    UserCall,
    Variable,
    uses_python,
    walk,
)
from tailrace.logical.text.expression_text import UNIT_FIRST
from tailrace.types import (
    BIGINT,
    DATE,
    DOUBLE,
    INT,
    INTERVAL,
    MONTHS,
    STRING,
    TIMESTAMP,
    VOID,
    Type,
    common_type_of,
    is_atomic,
    is_numeric,
    is_time,
)

if TYPE_CHECKING:
    from tailrace.analysis.scalars.resolve import Scalars


# The units that functions such as DATEADD(DAY, 1, t) take.
UNITS = tuple("YEAR QUARTER MONTH WEEK DAY DAYOFYEAR HOUR MINUTE SECOND MILLISECOND MICROSECOND".split())
# The parts that EXTRACT reads from intervals of either kind and from times, under all names that Spark knows.
MONTH_PARTS = tuple("YEAR Y YEARS YR YRS MONTH MON MONS MONTHS".split())
DAY_PARTS = tuple("DAY D DAYS HOUR H HOURS HR HRS MINUTE M MIN MINS MINUTES SECOND S SEC SECS SECONDS".split())
TIME_PARTS = (
    *MONTH_PARTS,
    *DAY_PARTS,
    *"QUARTER QTR WEEK W WEEKS YEAROFWEEK DAYOFWEEK DOW DAYOFWEEK_ISO DOW_ISO DOY".split(),
)
PARTS = {MONTHS: MONTH_PARTS, INTERVAL: DAY_PARTS}
REFUSED = {
    "unstable": (
        "gives another value at each call",
        "a standing query gives the same answer for the same data",
    ),
    "generator": ("makes several rows of one", None),
    "window": ("is a window function", "write OVER (PARTITION BY … ORDER BY …) behind it"),
}


def call(scalars: Scalars, node: exp.Anonymous) -> Expression:
    """The typed expression of a function call, built-in or registered from Python."""
    name = node.this.name if isinstance(node.this, exp.Identifier) else str(node.this)
    place = place_of(node)
    function = functions.find(name)
    if function is None:
        return user_call(scalars, name, node)
    if function.kind in REFUSED:
        why, hint = REFUSED[function.kind]
        raise AnalysisError(f"{name.upper()} {why}", place, instead_of(name) or hint)
    if function.kind == "aggregate":
        return aggregate(scalars, function, node)
    if any(isinstance(argument, exp.Distinct) for argument in node.expressions):
        raise AnalysisError(f"{name.upper()} is no aggregate: DISTINCT is not allowed in it", place)
    if function.kind == "lambda":
        return higher_order(scalars, function, node)
    arguments = [
        unit_word(argument, name.lower())
        if name.lower() in UNIT_FIRST and not index and len(node.expressions) == 3
        else scalars.resolve(argument.unalias())
        for index, argument in enumerate(node.expressions)
    ]
    if function.name in ("date_part", "datepart"):
        check_part(arguments, place)
    return explicit(function, arguments, result_type(function, arguments, node), place)


def check_part(arguments: Sequence[Expression], place: TextSpan | None) -> None:
    """Refuse to extract a part that the time or interval does not have."""
    match arguments:
        case [Literal(str(part)), value]:
            known = PARTS.get(value.type, TIME_PARTS)
            if part.upper() not in known:
                what = f"an {value.type}" if value.type in PARTS else "a time"
                raise AnalysisError(f"{what} has no {part}", place, did_you_mean(part, known))


def resolve_extract(part: str, value: Expression, place: TextSpan | None) -> Expression:
    """The typed expression of EXTRACT(part FROM value)."""
    arguments = (Literal(part, STRING), value)
    check_part(arguments, place)
    function = functions.find("extract")
    assert function is not None
    return Call("extract", arguments, functions.result_type(function, [STRING, value.type], [part, None]))


def unit_word(node: exp.Expr, function: str) -> Expression:
    """A unit of time that is written as a bare word, as in DATEADD(DAY, 1, t), as a text literal."""
    unit = node.name.upper() if isinstance(node, exp.Column) and not node.table else ""
    if unit not in UNITS or (unit == "DAYOFYEAR" and function.endswith("diff")):
        raise AnalysisError("expected a unit of time here", place_of(node), did_you_mean(node.name, UNITS))
    return Literal(unit, STRING)


def result_type(function: Function, arguments: Sequence[Expression], node: exp.Anonymous) -> Type:
    """The type of a call; a problem gets the place of the argument that it is about."""
    literals = [argument.value if isinstance(argument, Literal) else None for argument in arguments]
    names = [argument.name if isinstance(argument, Column) else None for argument in arguments]
    if function.name == "struct":
        named = zip(node.expressions, names, strict=True)
        names = [written.alias if isinstance(written, exp.Alias) else name for written, name in named]
    try:
        return functions.result_type(function, [argument.type for argument in arguments], literals, names)
    except SignatureProblem as problem:
        at = node if problem.argument is None else node.expressions[problem.argument]
        raise AnalysisError(str(problem), place_of(at) or place_of(node)) from None


# Aggregates -----------------------------------------------------------------------------------------------


def aggregate(scalars: Scalars, function: Function, node: exp.Anonymous) -> Expression:
    """The pending aggregate of a call such as COUNT(*), SUM(x) or COUNT(DISTINCT x)."""
    name, place = function.name.lower(), place_of(node)
    refuse_misplaced(scalars, name, place)
    if not function.supported:
        raise AnalysisError(
            f"the aggregate {name.upper()} is not supported",
            place,
            instead_of(name)
            or "COUNT, SUM, AVG, MIN, MAX, STDDEV, VARIANCE and MEDIAN are; others can be registered from Python",
        )
    given = node.expressions
    distinct = bool(given) and isinstance(given[0], exp.Distinct)
    if distinct:
        given = given[0].expressions
    if name == "count" and len(given) == 1 and isinstance(given[0], exp.Star) and not any(given[0].args.values()):
        if distinct:
            raise AnalysisError("COUNT(DISTINCT *) is not part of CQL", place, "count the rows of a SELECT DISTINCT *")
        given = []
    elif name == "count" and not given:
        raise AnalysisError(
            "COUNT needs an argument", place, "COUNT(*) counts tuples, COUNT(x) those where x is not NULL"
        )
    arguments = resolve_aggregate_arguments(scalars, name, given, place)
    type = result_type(function, arguments, node) if arguments or name != "count" else BIGINT
    return PendingAggregate(Aggregation(name, tuple(as_numbers(name, arguments)), type, distinct))


def resolve_filter(scalars: Scalars, node: exp.Filter) -> Expression:
    """The pending aggregate of a call with FILTER (WHERE …)."""
    found = scalars.resolve(node.this)
    if not isinstance(found, PendingAggregate):
        raise AnalysisError("FILTER goes with an aggregate", place_of(node))
    inside = replace(
        scalars, clause="FILTER", aggregates=scalars.nested_aggregates, nested_aggregates=False, windows=False
    )
    condition = inside.condition(node.expression.this)
    return PendingAggregate(replace(found.aggregation, condition=condition))


# Higher-order functions -----------------------------------------------------------------------------------


def higher_order(scalars: Scalars, function: Function, node: exp.Anonymous) -> Expression:
    """A call such as TRANSFORM(a, x -> x + 1); the arguments before a lambda give its variables their types."""
    name, place = function.name.lower(), place_of(node)
    arguments: list[Expression] = []
    for argument in node.expressions:
        if isinstance(argument, exp.Lambda):
            types = variable_types(name, arguments, len(argument.expressions), place)
            variables = tuple(Variable(v.name, type) for v, type in zip(argument.expressions, types, strict=True))
            inside = replace(scalars, variables=scalars.variables + variables, aggregates=False, windows=False)
            body = inside.resolve(argument.this)
            if any(isinstance(part, PendingSubquery) for part in walk(body)):
                raise AnalysisError("a subquery cannot be used inside a lambda", place_of(argument))
            if uses_python(body):
                raise AnalysisError("a function from Python cannot be used inside a lambda", place_of(argument))
            arguments.append(Lambda(variables, body))
        else:
            arguments.append(scalars.resolve(argument))
    if any(has_aggregate(argument) for argument in arguments):
        raise AnalysisError(f"an aggregate cannot be used inside {name.upper()}", place)
    return Call(name, tuple(arguments), result_type(function, arguments, node))


def variable_types(name: str, before: Sequence[Expression], count: int, place: TextSpan | None) -> list[Type]:
    """The types of the variables of a lambda that follows these arguments."""
    inputs = [argument.type for argument in before if not isinstance(argument, Lambda)]
    elements = [type.args for type in inputs if type.name in ("ARRAY", "MAP")]
    if not elements:
        raise AnalysisError(f"{name.upper()} works on an ARRAY or a MAP", place)
    if name in ("aggregate", "reduce") and len(inputs) < 2:
        raise AnalysisError(f"{name.upper()} takes an array, a start and then a lambda", place)
    if name in ("aggregate", "reduce"):
        types = [inputs[1]] if any(isinstance(a, Lambda) for a in before) else [inputs[1], elements[0][0]]
    elif name == "zip_with":
        types = [element[0] for element in elements]
    elif name == "map_zip_with":
        key = common_type_of(*(element[0] for element in elements))
        types = [key or elements[0][0], *(element[1] for element in elements)]
    elif name == "array_sort":
        types = [elements[0][0]] * 2
    elif inputs[0].name == "MAP":
        types = list(elements[0])
    else:
        types = [elements[0][0], INT][:count]
    if len(types) != count:
        raise AnalysisError(f"the lambda of {name.upper()} takes {len(types)} variables, not {count}", place)
    return types


def time_literal(text: str, type: Type, place: TextSpan | None) -> Literal:
    """The literal of DATE '…' or TIMESTAMP '…'. Its text is checked here, where its place in the script is known."""
    try:
        value = date.fromisoformat(text.strip()) if type == DATE else datetime.fromisoformat(text.strip())
    except ValueError:
        form = "2024-02-29" if type == DATE else "2024-02-29 10:00:00"
        raise AnalysisError(f"'{text}' is no {type}", place, f"write it as '{form}'") from None
    return Literal(str(value), type)


OF_NUMBERS = ("sum", "avg", "mean", "median", "stddev", "stddev_pop", "stddev_samp", "variance", "var_pop", "var_samp")


def as_numbers(name: str, arguments: Sequence[Expression]) -> list[Expression]:
    """The arguments of a numeric aggregate: a STRING is cast to DOUBLE, a TIMESTAMP to its seconds."""
    if name not in OF_NUMBERS:
        return list(arguments)
    return [cast(each, DOUBLE) if each.type in (STRING, TIMESTAMP, VOID) else each for each in arguments]


def refuse_misplaced(scalars: Scalars, name: str, place: TextSpan | None) -> None:
    """Refuse an aggregate in a clause without groups, such as WHERE."""
    if not scalars.aggregates:
        hint = "aggregates of a group go into HAVING" if scalars.clause == "WHERE" else None
        raise AnalysisError(f"{name.upper()} is an aggregate and cannot be used in {scalars.clause}", place, hint)


def resolve_aggregate_arguments(
    scalars: Scalars, name: str, given: Sequence[exp.Expr], place: TextSpan | None
) -> list[Expression]:
    """The typed arguments of an aggregate; they hold no aggregate."""
    clause = f"the argument of {name.upper()}"
    inside = replace(
        scalars, clause=clause, aggregates=scalars.nested_aggregates, nested_aggregates=False, windows=False
    )
    arguments = [inside.resolve(argument) for argument in given]
    if any(map(has_outer, arguments)) and not any(reads_own(argument) for argument in arguments):
        raise AnalysisError(
            f"{name.upper()} is over columns of the outer query only, so it is an aggregate of that query",
            place,
            "compute it there, in a subquery in FROM, and read its column here",
        )
    return arguments


def reads_own(argument: Expression) -> bool:
    """Whether an argument reads a column of its own query, and not only those of queries around it."""
    return any(isinstance(part, Column) for part in walk(argument))


def user_call(scalars: Scalars, name: str, node: exp.Anonymous) -> Expression:
    """The typed expression of a call whose name is not a function of Spark's."""
    known = scalars.queries.functions
    entry = known.find(name)
    if entry is None:
        hint = instead_of(name) or did_you_mean(name, [*known.names, *functions.names()])
        is_clause = name.upper() in ("ROLLUP", "CUBE")
        raise AnalysisError(f"{name} is not part of CQL" if is_clause else f"no function {name}", place_of(node), hint)
    if isinstance(entry, UserAggregate):
        return user_aggregate(scalars, entry, node)
    if any(isinstance(argument, exp.Distinct) for argument in node.expressions):
        raise AnalysisError(f"{entry.name} is no aggregate: DISTINCT is not allowed in it", place_of(node))
    refuse_lambdas(entry, node.expressions)
    arguments = [scalars.resolve(argument) for argument in node.expressions]
    return UserCall(entry, cast_arguments(entry, arguments, node.expressions, node))


def user_aggregate(scalars: Scalars, entry: UserAggregate, node: exp.Anonymous) -> Expression:
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
        raise AnalysisError(f"{entry.name} takes {describe_counts(entry.counts)}, not {len(arguments)}", place_of(node))
    wanted = entry.arguments or [argument.type for argument in arguments]
    found = []
    for number, (argument, type) in enumerate(zip(arguments, wanted, strict=True)):
        place = place_of(written[number]) or place_of(node)
        if argument.type == MONTHS or not can_cast(argument.type, type):
            raise AnalysisError(f"argument {number + 1} of {entry.name} must be {type}, not {argument.type}", place)
        found.append(cast(argument, type))
    return tuple(found)


def can_cast(source: Type, target: Type) -> bool:
    """Whether Spark SQL casts an argument of type `source` to `target` implicitly."""
    if source in (target, VOID):
        return True
    if not is_atomic(source) or not is_atomic(target):
        return False
    alike = (is_numeric(source) and is_numeric(target)) or (is_time(source) and is_time(target))
    return alike or STRING in (source, target)


def describe_counts(counts: range) -> str:
    """The allowed numbers of arguments, for a message.

    >>> describe_counts(range(2, 3)), describe_counts(range(0, 2)), describe_counts(range(1, ANY_NUMBER.stop))
    ('2 arguments', '0 to 1 arguments', 'at least 1 argument')
    """
    if counts.stop == ANY_NUMBER.stop:
        return f"at least {counts.start} argument{'s' if counts.start != 1 else ''}"
    if len(counts) == 1:
        return f"{counts.start or 'no'} argument{'s' if counts.start != 1 else ''}"
    return f"{counts.start} to {counts.stop - 1} arguments"
