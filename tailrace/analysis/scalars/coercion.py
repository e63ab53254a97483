"""Coercion: Spark SQL's implicit casts made explicit, so that every evaluator sees the same types."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import combinations

from sqlglot import exp

from tailrace.errors import AnalysisError, TextSpan
from tailrace.logical.expressions import Call, Expression, Literal, Parameter
from tailrace.types import (
    BIGINT,
    BOOLEAN,
    DOUBLE,
    INT,
    INTEGER_BITS,
    VOID,
    Type,
    common_type,
    common_type_of,
    comparison_type,
    decimal,
    is_decimal,
    is_fraction,
    is_integer,
    is_numeric,
)

COMPARISONS: dict[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.NullSafeEQ: "<=>",
}


def number(text: str) -> Literal:
    """A number's literal with Spark's type: the smallest of INT, BIGINT and DECIMAL; DOUBLE if it has an exponent."""
    if "e" in text.lower():
        return Literal(float(text), DOUBLE)
    if "." not in text:
        value = int(text)
        for type in (INT, BIGINT):
            if value < 2 ** (INTEGER_BITS[type] - 1):
                return Literal(value, type)
        return Literal(Decimal(value), decimal(min(38, len(str(value)))))
    exact = Decimal(text)
    _, digits, exponent = exact.as_tuple()
    scale = -int(exponent)
    return Literal(exact, decimal(max(len(digits), scale), scale))


def cast(expression: Expression, type: Type) -> Expression:
    """The expression cast to a type; a literal is converted at once if its value fits."""
    if expression.type == type:
        return expression
    if isinstance(expression, Literal):
        retyped = _retype_literal(expression, type)
        if retyped is not None:
            return retyped
    return Call("cast", (expression,), type)


def _retype_literal(literal: Literal, type: Type) -> Literal | None:
    if literal.is_null:
        return Literal(None, type)
    to_double = type == DOUBLE and (is_integer(literal.of) or is_decimal(literal.of))
    if not to_double and not (is_integer(literal.of) and is_integer(type) and fits(literal, type)):
        return None
    if isinstance(literal, Parameter):
        return Parameter(literal.number, type, literal.has_sign)
    return Literal(float(literal.value) if to_double else literal.value, type)


def fits(literal: Literal, type: Type) -> bool:
    """Whether an integer type holds the value of a literal; the value counts only where the type is narrower."""
    bits = INTEGER_BITS[type]
    return INTEGER_BITS[literal.of] <= bits or abs(literal.value) < 2 ** (bits - 1)


def minus(literal: Literal) -> Literal:
    """The literal of a negative number."""
    value = literal.value
    return Literal(value.copy_negate() if isinstance(value, Decimal) else -value, literal.of)


def together(expressions: Sequence[Expression], what: str, place: TextSpan | None) -> tuple[list[Expression], Type]:
    """The expressions cast to their common type, and that type; `what` begins the message if there is none."""
    type = common_type_of(*(expression.type for expression in expressions))
    if type is None:
        pairs = combinations([expression.type for expression in expressions], 2)
        first, other = next(pair for pair in pairs if common_type(*pair) is None)
        raise AnalysisError(f"{what} {first} and {other} have no common type", place, "CAST one of them")
    return [cast(expression, type) for expression in expressions], type


def compare(sign: str, left: Expression, right: Expression, place: TextSpan | None) -> Call:
    """A comparison, with both sides cast to the type in which they are compared; refused if there is none."""
    type = comparison_type(sign, left.type, right.type)
    if type is None:
        raise AnalysisError(
            f"{left.type} and {right.type} do not compare", place, f"CAST one side: CAST(… AS {left.type})"
        )
    return Call(sign, (cast(left, type), cast(right, type)), BOOLEAN)


def truth(expression: Expression, what: str, place: TextSpan | None) -> Expression:
    """The expression as a condition: it must be BOOLEAN or a bare NULL."""
    if expression.type == BOOLEAN:
        return expression
    if expression.type == VOID:
        return cast(expression, BOOLEAN)
    raise AnalysisError(f"{what} must be a condition, not {expression.type}", place, "compare it with something")


def whole_quotient(sides: Sequence[Expression], place: TextSpan | None) -> Call:
    """`left DIV right`, which Spark has for integers and decimals only."""
    for side in sides:
        if not is_numeric(side.type):
            raise AnalysisError("DIV divides numbers", place)
        if is_fraction(side.type):
            raise AnalysisError(
                f"DIV does not divide {side.type}", place, "CAST it to BIGINT or DECIMAL, or divide by /"
            )
    return Call("div", tuple(cast(side, BIGINT) if is_integer(side.type) else side for side in sides), BIGINT)
