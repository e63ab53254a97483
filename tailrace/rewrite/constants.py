"""Constants: evaluates operators on literals as Spark would, where the result is certain.

A call that could overflow, divide by zero or round is left to Spark, and so is every FLOAT. Arithmetic on decimals is
left to Spark too: a decimal literal is written without its type, and Spark takes the type from the digits.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

from tailrace.logical.expressions import FALSE, TRUE, Call, Expression, Literal
from tailrace.types import BOOLEAN, DOUBLE, INTEGER_BITS, STRING, VOID, Type, is_decimal, is_integer

COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}
STRICT = frozenset({*COMPARISONS, *ARITHMETIC, "/", "%", "div", "negate", "not", "||", "concat"})
EXACT_IN_DOUBLE = 2**53


def is_literal(expression: Expression) -> bool:
    return isinstance(expression, Literal)


def is_null(expression: Expression) -> bool:
    return isinstance(expression, Literal) and expression.is_null


def null_of(type: Type) -> Literal:
    return Literal(None, type)


def truth(value: bool | None) -> Literal:
    """The literal TRUE or FALSE; for None a NULL, SQL's unknown."""
    return null_of(BOOLEAN) if value is None else TRUE if value else FALSE


def evaluate(call: Call) -> Literal | None:
    """The value of a call on literals; None if an argument is not a literal or the result is not certain.

    >>> from tailrace.types import BIGINT, INT
    >>> evaluate(Call("/", (Literal(-7, INT), Literal(2, INT)), BIGINT))
    Literal(value=-3, of=BIGINT)
    >>> evaluate(Call("/", (Literal(7, INT), Literal(0, INT)), BIGINT)) is None
    True
    """
    if call.name in STRICT and any(map(is_null, call.arguments)):
        return null_of(call.of)
    literals = [argument for argument in call.arguments if isinstance(argument, Literal)]
    if len(literals) < len(call.arguments) or not literals:
        return None
    match call.name:
        case "is null" | "is not null" | "is true" | "is false" | "is not false":
            return truth(is_test(call.name, literals[0].value))
        case "in":
            return member(literals[0], literals[1:])
        case "cast":
            return cast(literals[0], call.of)
        case "negate":
            return fold_negation(literals[0], call.of)
        case "||" | "concat":
            return fold_concatenation(literals, call.of)
        case name if name in COMPARISONS:
            return fold_comparison(name, *literals)
        case "+" | "-" | "*" | "/" | "%" | "div":
            return fold_arithmetic(call.name, literals[0], literals[1], call.of)
    return None


def is_test(name: str, value: Any) -> bool:
    match name:
        case "is null":
            return value is None
        case "is not null":
            return value is not None
        case "is true":
            return value is True
        case "is false":
            return value is False
    return value is not False


# Comparisons ----------------------------------------------------------------------------------------------


def like_values(left: Literal, right: Literal) -> bool:
    """Whether Python compares these two literals as Spark does."""
    values = (left.value, right.value)
    if is_integer(left.of) and is_integer(right.of):
        return all(type(value) is int for value in values)
    if left.of != right.of:
        return False
    if left.of == DOUBLE:
        return all(type(value) is float and not math.isnan(value) for value in values)
    if is_decimal(left.of):
        return all(isinstance(value, Decimal) for value in values)
    known: dict[Type, type] = {STRING: str, BOOLEAN: bool}
    return left.of in known and all(type(value) is known[left.of] for value in values)


def fold_comparison(name: str, left: Literal, right: Literal) -> Literal | None:
    return truth(COMPARISONS[name](left.value, right.value)) if like_values(left, right) else None


def member(value: Literal, items: Sequence[Literal]) -> Literal | None:
    """`value IN (items)`: unknown if the value is NULL, or if no item equals it and some item is NULL."""
    if value.value is None:
        return truth(None)
    known = [item for item in items if item.value is not None]
    if not all(like_values(value, item) for item in known):
        return None
    if any(item.value == value.value for item in known):
        return TRUE
    return FALSE if len(known) == len(items) else truth(None)


# Arithmetic and texts -------------------------------------------------------------------------------------


def whole(value: int, type: Type) -> Literal | None:
    """An integer as a literal of a type; None if the type cannot hold it."""
    limit = 1 << (INTEGER_BITS[type] - 1)
    return Literal(value, type) if -limit <= value < limit else None


def fold_arithmetic(name: str, left: Literal, right: Literal, type: Type) -> Literal | None:
    if not like_values(left, right):
        return None
    if is_integer(type) and is_integer(left.of):
        value = whole_result(name, left.value, right.value)
        return None if value is None else whole(value, type)
    if left.of == type == DOUBLE:
        return fraction_result(name, left.value, right.value)
    return None


def whole_result(name: str, left: int, right: int) -> int | None:
    """Arithmetic on integers as in Spark: division rounds toward zero, a remainder has the sign of the dividend."""
    if name in ARITHMETIC:
        return int(ARITHMETIC[name](left, right))
    if right == 0:
        return None
    quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
    return left - quotient * right if name == "%" else quotient


def fraction_result(name: str, left: float, right: float) -> Literal | None:
    if name in ARITHMETIC:
        value = ARITHMETIC[name](left, right)
    elif name == "/" and right != 0:
        value = left / right
    else:
        return None
    return Literal(value, DOUBLE) if math.isfinite(value) else None


def fold_negation(literal: Literal, type: Type) -> Literal | None:
    if literal.of != type:
        return None
    match literal.value:
        case int() if is_integer(type):
            return whole(-literal.value, type)
        case Decimal() if is_decimal(type):
            return Literal(-literal.value, type)
        case float() if type == DOUBLE:
            return Literal(-literal.value, type)
    return None


def cast(literal: Literal, target: Type) -> Literal | None:
    value = literal.value
    if value is None and target != VOID:
        return null_of(target)
    if not is_integer(literal.of) or type(value) is not int:
        return None
    if is_integer(target):
        return whole(value, target)
    if target == DOUBLE and abs(value) <= EXACT_IN_DOUBLE:
        return Literal(float(value), DOUBLE)
    return None


def fold_concatenation(literals: Sequence[Literal], type: Type) -> Literal | None:
    if type != STRING or any(literal.of != STRING for literal in literals):
        return None
    return Literal("".join(literal.value for literal in literals), STRING)
