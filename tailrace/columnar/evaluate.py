"""Evaluate: typed scalar expressions evaluated on whole Arrow columns, with exactly the results of Spark SQL.

`can_evaluate` refuses every expression for which Arrow's result might differ from Spark's. The planner leaves those to
Catalyst. Functions from Python are evaluated here and nowhere else.

>>> from tailrace.types import BIGINT, INT
>>> speed = Column(0, BIGINT, "speed")
>>> half = Call("div", (speed, Literal(2, INT)), BIGINT)
>>> can_evaluate(half), evaluate(half, [pa.array([-7, None, 7])], 3).to_pylist()
(True, [-3, None, 3])
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import pyarrow as pa

from tailrace.columnar.arrow_types import arrow_type
from tailrace.columnar.functions import (
    arithmetic,
    casts,
    containers,
    dates,
    logic,
    patterns,
    python_calls,
    rounding,
    slices,
    texts,
    timestamps,
)
from tailrace.columnar.functions.guarded import evaluate_guarded, is_guard
from tailrace.columnar.functions.kernel import Table, Values, as_array, constant
from tailrace.columnar.functions.synonyms import expand_synonym
from tailrace.logical.expressions import Call, Column, Expression, Literal, UserCall
from tailrace.logical.text.expression_text import text_of
from tailrace.types import INTEGER_BITS, MONTHS, Type

KERNELS: Table = {
    **logic.TABLE,
    **arithmetic.TABLE,
    **rounding.TABLE,
    **casts.TABLE,
    **texts.TABLE,
    **slices.TABLE,
    **patterns.TABLE,
    **dates.TABLE,
    **timestamps.TABLE,
    **containers.TABLE,
}


def evaluate(expression: Expression, columns: Sequence[pa.Array], length: int) -> pa.Array:
    """Evaluate an expression on each row of the columns, which are `length` long; ValueError if it is left to Spark."""
    if not can_evaluate(expression):
        raise ValueError(f"{text_of(expression)} is left to Spark")
    found = _array(with_implied_casts(expression), columns, length)
    wanted = arrow_type(expression.type)
    return found if found.type == wanted else found.cast(wanted)


@lru_cache(maxsize=4096)
def can_evaluate(expression: Expression) -> bool:
    """Whether `evaluate` gives exactly what Spark SQL gives, whatever the columns hold."""
    return expression.type != MONTHS and _is_exact(with_implied_casts(expression))


@lru_cache(maxsize=4096)
def with_implied_casts(expression: Expression) -> Expression:
    """The expression with its synonyms expanded, and with the casts written out that Spark implies."""
    if isinstance(expression, UserCall):
        return expression.with_children(tuple(map(with_implied_casts, expression.arguments)))
    if not isinstance(expression, Call):
        return expression
    call = expand_synonym(expression)
    if call != expression:
        return with_implied_casts(call)
    if expression.name not in KERNELS:
        return expression
    wanted = KERNELS[expression.name].wants(expression)
    return expression.with_children(
        tuple(with_implied_casts(_cast(*pair)) for pair in zip(expression.arguments, wanted, strict=True))
    )


def _cast(expression: Expression, type: Type) -> Expression:
    if expression.type == type:
        return expression
    if isinstance(expression, Literal) and (expression.value is None or _is_wider(expression.of, type)):
        return Literal(expression.value, type)
    return Call("cast", (expression,), type)


def _is_wider(one: Type, other: Type) -> bool:
    return one in INTEGER_BITS and other in INTEGER_BITS and INTEGER_BITS[one] <= INTEGER_BITS[other]


def _is_exact(expression: Expression) -> bool:
    match expression:
        case Column():
            return _travels(expression.of) and expression.of != MONTHS
        case Literal():
            return _travels(expression.of) and constant(expression) is not None
        case Call():
            kernel = KERNELS.get(expression.name)
            return kernel is not None and kernel.exact(expression) and all(map(_is_exact, expression.arguments))
        case UserCall():
            return all(map(_is_exact, expression.arguments))
    return False


def _travels(type: Type) -> bool:
    try:
        return bool(arrow_type(type))
    except ValueError:
        return False


def _array(expression: Expression, columns: Sequence[pa.Array], length: int) -> pa.Array:
    return as_array(_values(expression, columns, length), length)


def _values(expression: Expression, columns: Sequence[pa.Array], length: int) -> Values:
    """The values of an expression that has its implied casts: an array, or a scalar if it reads no column."""
    match expression:
        case Column():
            return columns[expression.index]
        case Literal():
            return constant(expression)
        case UserCall():
            given = [_values(argument, columns, length) for argument in expression.arguments]
            if length and all(isinstance(values, pa.Scalar) for values in given):
                return python_calls.run(expression.function, [as_array(values, 1) for values in given], 1)[0]
            return python_calls.run(expression.function, [as_array(values, length) for values in given], length)
        case Call() if is_guard(expression):
            return evaluate_guarded(expression, columns, length, _array)
        case Call():
            given = [_values(argument, columns, length) for argument in expression.arguments]
            run = KERNELS[expression.name].run
            if all(isinstance(values, pa.Scalar) for values in given):
                return as_array(run(expression, [as_array(values, 1) for values in given]), 1)[0]
            return run(expression, given)
    raise AssertionError(f"{expression!r} has no values")
