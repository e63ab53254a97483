"""Arithmetic: + - * / % div on numbers, moments and intervals that are not NULL.

>>> [integer_arithmetic("/", -7, 2), integer_arithmetic("%", -7, 2), integer_arithmetic("/", 1, 0)]
[-3, -1, None]
"""

from __future__ import annotations

import math
from datetime import timedelta
from decimal import Decimal
from typing import Any

from tailrace.logical.expressions import Call
from tailrace.testing.reference.casts import EXACT, cast, moment, rescale, wrap_integer
from tailrace.testing.reference.functions import add_months
from tailrace.types import (
    DATE,
    DOUBLE,
    INTERVAL,
    Type,
    is_decimal,
    is_integer,
    is_interval,
    is_numeric,
    is_time,
)


def arithmetic(call: Call, arguments: list[Any]) -> Any:
    """The operator on two values of the call's own type; a division by zero is NULL."""
    types = [argument.type for argument in call.arguments]
    name = {"mod": "%"}.get(call.name, call.name)
    if any(is_time(of) or is_interval(of) for of in types):
        return time_arithmetic(call, arguments, types)
    if is_integer(call.of) and all(is_integer(of) or is_decimal(of) for of in types):
        result = integer_arithmetic(name, *arguments)
        return None if result is None else wrap_integer(int(result), call.of)
    if is_decimal(call.of):
        result = decimal_arithmetic(name, *(cast_number(each, of) for each, of in zip(arguments, types, strict=True)))
        return None if result is None else rescale(result, call.of)
    left, right = (cast(each, of, DOUBLE) for each, of in zip(arguments, types, strict=True))
    if left is None or right is None:
        return None
    result = fraction_arithmetic(name, left, right)
    return cast(result, DOUBLE, call.of)


def cast_number(each: Any, of: Type) -> Decimal:
    assert is_numeric(of), f"{of} in decimal arithmetic"
    return Decimal(repr(each)) if isinstance(each, float) else Decimal(each)


def integer_arithmetic(name: str, left: Any, right: Any) -> Any:
    """Divisions cut toward zero, and a remainder has the sign of what is divided."""
    if name in "+-*":
        return {"+": left + right, "-": left - right, "*": left * right}[name]
    if right == 0:
        return None
    quotient = int(abs(left) // abs(right)) * (1 if (left < 0) == (right < 0) else -1)
    return left - right * quotient if name == "%" else quotient


def decimal_arithmetic(name: str, left: Decimal, right: Decimal) -> Decimal | None:
    if name in "+-*":
        return {"+": EXACT.add, "-": EXACT.subtract, "*": EXACT.multiply}[name](left, right)
    if right == 0:
        return None
    return {"/": EXACT.divide, "%": EXACT.remainder, "div": EXACT.divide_int}[name](left, right)


def fraction_arithmetic(name: str, left: float, right: float) -> float | None:
    if name in "+-*":
        return {"+": left + right, "-": left - right, "*": left * right}[name]
    if right == 0:
        return None
    if name == "%":
        return math.nan if math.isinf(left) else math.fmod(left, right)
    return left / right if name == "/" else float(math.trunc(left / right))


def time_arithmetic(call: Call, arguments: list[Any], types: list[Type]) -> Any:
    (left, right), (left_type, right_type), name = arguments, types, call.name
    if is_interval(left_type) and is_interval(right_type):
        return left + right if name == "+" else left - right
    if is_numeric(left_type) or (is_interval(left_type) and is_time(right_type)):
        left, right, left_type, right_type = right, left, right_type, left_type
    if is_interval(left_type):
        if name == "/" and right == 0:
            return None
        return left * float(right) if name == "*" else left / float(right)
    if is_time(right_type):
        return moment(left) - moment(right)
    sign = 1 if name == "+" else -1
    if right_type == INTERVAL:
        moved = moment(left) + sign * right
        return moved.date() if call.of == DATE else moved
    return left + timedelta(days=sign * right) if is_numeric(right_type) else add_months(left, sign * right)
