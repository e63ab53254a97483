"""Totality: which expressions have a value for every tuple.

Spark raises an error for `1 / 0`, for a sum too large for its type or for a text that is no number. A rule
that has an expression evaluated on tuples which did not reach it before asks here first: a query that ran
must not fail because of where a predicate went.
"""

from __future__ import annotations

from tailrace.logical.expressions import Call, Column, Expression, Literal
from tailrace.types import (
    DATE,
    DOUBLE,
    INTEGER_BITS,
    STRING,
    VOID,
    Type,
    as_decimal,
    is_atomic,
    is_decimal,
    is_fraction,
    is_integer,
    is_numeric,
    is_time,
)

LOGIC = frozenset({"and", "or", "not", "is null", "is not null", "is true", "is false", "is not false"})
# Arguments of different types are cast to one type first, which can fail: a text may be no number.
ALIKE = frozenset({"=", "<>", "<", "<=", ">", ">=", "<=>", "in", "coalesce", "greatest", "least"})
TEXT = frozenset({"||", "concat", "upper", "lower", "trim", "ltrim", "rtrim", "length"})


def cannot_fail(expression: Expression) -> bool:
    """Whether the expression surely has a value, or NULL, for every tuple. In doubt: no.

    >>> from tailrace.types import BIGINT, INT
    >>> v = Column(0, INT, "v")
    >>> half, inverse = (Call("/", pair, BIGINT) for pair in ((v, Literal(2, INT)), (Literal(1, INT), v)))
    >>> cannot_fail(half), cannot_fail(inverse)
    (True, False)
    """
    match expression:
        case Column() | Literal():
            return True
        case Call():
            return call_cannot_fail(expression) and all(map(cannot_fail, expression.arguments))
    return False


def call_cannot_fail(call: Call) -> bool:
    """Whether the operator or function gives a value for any values of its arguments."""
    types = [argument.type for argument in call.arguments]
    match call.name:
        case name if name in LOGIC:
            return True
        case name if name in ALIKE:
            return alike(types)
        case name if name in TEXT:
            return all(type in (STRING, VOID) for type in types)
        case "case":
            return alike([call.of, *types[1:-1:2], types[-1]])
        case "like" | "ilike":
            return types[0] in (STRING, VOID) and plain_pattern(call.arguments[1])
        case "+" | "-" | "*" | "negate":
            return is_fraction(call.of) and all(map(is_numeric, types))
        case "/" | "%" | "div":
            return all(map(is_whole_or_fraction, types)) and safe_divisor(call.arguments[1])
        case "extract":
            return is_time(types[1])
        case "cast":
            return cast_cannot_fail(types[0], call.of)
    return False


def alike(types: list[Type]) -> bool:
    """Whether values of these types can be compared without a cast that can fail."""
    real = [type for type in types if type != VOID]
    return len(set(real)) <= 1 or all(map(is_numeric, real))


def is_whole_or_fraction(type: Type) -> bool:
    return is_integer(type) or is_fraction(type)


def safe_divisor(divisor: Expression) -> bool:
    """Whether a divisor is a literal other than 0 and -1; the least integer divided by -1 overflows."""
    if not isinstance(divisor, Literal) or type(divisor.value) not in (int, float):
        return False
    return divisor.value not in (0, -1)


def plain_pattern(pattern: Expression) -> bool:
    return isinstance(pattern, Literal) and isinstance(pattern.value, str) and "\\" not in pattern.value


def cast_cannot_fail(source: Type, target: Type) -> bool:
    """Whether every value of the source type can be cast to the target type."""
    if source in (target, VOID) or (target == STRING and is_atomic(source)):
        return True
    if is_integer(source) and is_integer(target):
        return INTEGER_BITS[source] <= INTEGER_BITS[target]
    if (is_integer(source) or is_decimal(source)) and is_decimal(target):
        return holds_all(as_decimal(source), target)
    return (is_numeric(source) and target == DOUBLE) or (source == DATE and is_time(target))


def holds_all(source: Type, target: Type) -> bool:
    """Whether a DECIMAL type holds every value of another: it has as many digits on either side of the point."""
    (precision, scale), (room, fraction) = source.args, target.args
    return bool(room - fraction >= precision - scale and fraction >= scale)
