"""Values: a typed scalar expression evaluated on one tuple, with SQL's NULL and Spark SQL's rules.

>>> from tailrace.logical.expressions import Column, Literal
>>> from tailrace.types import BIGINT, INT
>>> value(Call("/", (Column(0, INT), Literal(2, INT)), BIGINT), (-7,))
-3
"""

from __future__ import annotations

import math
import operator as op
import re
from collections.abc import Callable, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from typing import Any

from tailrace.logical.expressions import Call, Column, Expression, Literal, UserCall
from tailrace.testing.reference.arithmetic import arithmetic
from tailrace.testing.reference.casts import cast, fraction, rescale, wrap_integer
from tailrace.testing.reference.functions import FUNCTIONS
from tailrace.types import (
    BINARY,
    DATE,
    STRING,
    VOID,
    Type,
    common_type_of,
    comparison_type,
    is_decimal,
    is_fraction,
    is_integer,
)

Row = tuple[Any, ...]


def value(expression: Expression, row: Row) -> Any:
    """What the expression is worth on this tuple; None is NULL."""
    match expression:
        case Column():
            return row[expression.index]
        case Literal():
            return literal(expression)
        case Call():
            return call_value(expression, row)
        case UserCall():
            # The contract of functions from Python: NULL is None, and what they give is of the type they promise.
            assert not expression.function.vectorised
            return expression.function.function(*(value(argument, row) for argument in expression.arguments))
    raise NotImplementedError(f"the reference cannot evaluate {type(expression).__name__}")


def is_true(predicate: Expression, row: Row) -> bool:
    return value(predicate, row) is True


def literal(constant: Literal) -> Any:
    """Constants of most types are kept as they are; dates, moments, intervals and decimals come as texts."""
    kept, of = constant.value, constant.of
    if kept is None or of == VOID:
        return None
    if of in (STRING, BINARY):
        return kept
    if is_decimal(of):
        return rescale(Decimal(str(kept)), of)
    if is_fraction(of):
        return fraction(float(kept), of)
    return cast(kept, STRING, of) if isinstance(kept, str) else kept


def call_value(call: Call, row: Row) -> Any:
    if call.name in ("and", "or"):
        return either([value(argument, row) for argument in call.arguments], decisive=call.name == "or")
    if call.name in CHOICES:
        return CHOICES[call.name](call, row)
    arguments = [value(argument, row) for argument in call.arguments]
    if call.name in WITH_NULLS:
        return WITH_NULLS[call.name](call, arguments)
    if None in arguments:
        return None
    if call.name in OPERATORS:
        return OPERATORS[call.name](call, arguments)
    if call.name in FUNCTIONS:
        return as_type(FUNCTIONS[call.name](*arguments), call.of)
    raise NotImplementedError(f"the reference has no function {call.name}")


def as_type(result: Any, of: Type) -> Any:
    """A function's result as a value of the type the plan gives it."""
    if result is None:
        return None
    if is_integer(of):
        return wrap_integer(int(result), of)
    if is_fraction(of):
        return fraction(float(result), of)
    if is_decimal(of):
        return rescale(Decimal(result), of)
    return result


# Truth ------------------------------------------------------------------------------------------------------


def either(truths: Sequence[bool | None], decisive: bool = True) -> bool | None:
    """OR in three-valued logic; AND where False decides.

    >>> either([None, True]), either([None, False]), either([None, False], decisive=False)
    (True, None, False)
    """
    if decisive in truths:
        return decisive
    return None if None in truths else not decisive


def as_compared(name: str, left: Any, left_type: Type, right: Any, right_type: Type) -> tuple[Any, Any]:
    """Two values in the type in which they are compared."""
    if left_type == right_type:
        return left, right
    met = comparison_type(name, left_type, right_type)
    assert met is not None, f"{left_type} and {right_type} do not compare"
    return cast(left, left_type, met), cast(right, right_type, met)


def rank(of: Any) -> Any:
    """What a value is ordered by: NaN is equal to itself and larger than every number."""
    if isinstance(of, float):
        return (1, 0.0) if math.isnan(of) else (0, of)
    return of


COMPARISONS = {"=": op.eq, "<>": op.ne, "<": op.lt, "<=": op.le, ">": op.gt, ">=": op.ge}


def compare(name: str, left: Any, left_type: Type, right: Any, right_type: Type) -> bool | None:
    left, right = as_compared(name, left, left_type, right, right_type)
    if left is None or right is None:
        return None
    return bool(COMPARISONS[name](rank(left), rank(right)))


def comparison(call: Call, arguments: list[Any]) -> bool | None:
    first, second = call.arguments
    return compare(call.name, arguments[0], first.type, arguments[1], second.type)


def same(call: Call, arguments: list[Any]) -> bool:
    """`<=>`: NULL is the same as NULL."""
    if None in arguments:
        return arguments[0] is arguments[1]
    first, second = call.arguments
    return bool(compare("=", arguments[0], first.type, arguments[1], second.type))


def is_in(call: Call, arguments: list[Any]) -> bool | None:
    types = [argument.type for argument in call.arguments]
    common = common_type_of(*types)
    assert common is not None, f"{types} have no common type"
    value, *items = (cast(each, of, common) for each, of in zip(arguments, types, strict=True))
    return either([compare("=", value, common, item, common) for item in items])


def is_between(call: Call, arguments: list[Any]) -> bool | None:
    types = [argument.type for argument in call.arguments]
    above = compare(">=", arguments[0], types[0], arguments[1], types[1])
    below = compare("<=", arguments[0], types[0], arguments[2], types[2])
    return either([above, below], decisive=False)


# Choices: only the chosen argument counts -------------------------------------------------------------------


def branch_value(call: Call, argument: Expression, row: Row) -> Any:
    return cast(value(argument, row), argument.type, call.of)


def case_value(call: Call, row: Row) -> Any:
    arguments = call.arguments
    for index in range(0, len(arguments) - 1, 2):
        if is_true(arguments[index], row):
            return branch_value(call, arguments[index + 1], row)
    return branch_value(call, arguments[-1], row) if len(arguments) % 2 else None


def first_known(call: Call, row: Row) -> Any:
    for argument in call.arguments:
        found = branch_value(call, argument, row)
        if found is not None:
            return found
    return None


def null_if(call: Call, row: Row) -> Any:
    first, second = call.arguments
    equal = compare("=", value(first, row), first.type, value(second, row), second.type)
    return None if equal else branch_value(call, first, row)


def if_null_else(call: Call, row: Row) -> Any:
    known = value(call.arguments[0], row) is not None
    return branch_value(call, call.arguments[1 if known else 2], row)


def extreme(call: Call, row: Row) -> Any:
    """GREATEST and LEAST leave NULLs out."""
    known = [found for argument in call.arguments if (found := branch_value(call, argument, row)) is not None]
    if not known:
        return None
    return max(known, key=rank) if call.name == "greatest" else min(known, key=rank)


CHOICES: dict[str, Callable[[Call, Row], Any]] = {
    "case": case_value,
    "if": case_value,
    "coalesce": first_known,
    "ifnull": first_known,
    "nvl": first_known,
    "nvl2": if_null_else,
    "nullif": null_if,
    "greatest": extreme,
    "least": extreme,
}


# Bits, texts and parts -------------------------------------------------------------------------------------


def negate(call: Call, arguments: list[Any]) -> Any:
    return as_type(-arguments[0], call.of)


def bits(call: Call, arguments: list[int]) -> int:
    left, right = arguments
    return {"|": left | right, "^": left ^ right, "&": left & right}[call.name]


def like(text: str, pattern: str, escape: str = "\\", ignore_case: bool = False) -> bool:
    """
    >>> like("100%", "100\\\\%"), like("1000", "1_0%"), like("abc", "A%")
    (True, True, False)
    """
    parts, index = [], 0
    while index < len(pattern):
        sign = pattern[index]
        if sign == escape and index + 1 < len(pattern):
            index += 1
            parts.append(re.escape(pattern[index]))
        else:
            parts.append({"%": ".*", "_": "."}.get(sign, re.escape(sign)))
        index += 1
    flags = re.DOTALL | (re.IGNORECASE if ignore_case else 0)
    return re.fullmatch("".join(parts), text, flags) is not None


def item(call: Call, arguments: list[Any]) -> Any:
    """`a[i]`: an array counts from 0, a map is asked for a key; what is not there is NULL."""
    container, key = arguments
    if call.arguments[0].type.name == "MAP":
        return dict(container).get(key)
    return container[key] if 0 <= key < len(container) else None


def part(call: Call, arguments: list[Any]) -> Any:
    names = [name.lower() for name, _ in call.arguments[0].type.args]
    return arguments[0][names.index(str(arguments[1]).lower())]


def extract(call: Call, arguments: list[Any]) -> Any:
    unit = str(arguments[0]).lower()
    if unit == "second" and is_decimal(call.of):
        return rescale(Decimal(arguments[1].second) + Decimal(arguments[1].microsecond).scaleb(-6), call.of)
    return as_type(FUNCTIONS[unit](arguments[1]), call.of)


def concat_texts(call: Call, arguments: list[Any]) -> Any:
    pairs = zip(arguments, call.arguments, strict=True)
    return "".join(cast(each, of.type, STRING) for each, of in pairs)


def cast_call(call: Call, arguments: list[Any]) -> Any:
    return cast(arguments[0], call.arguments[0].type, call.of)


def number_of_date(call: Call, arguments: list[Any]) -> Any:
    """Functions of dates take moments and texts as well."""
    as_dates = [
        cast(each, of.type, DATE) if isinstance(each, str | date | datetime) else each
        for each, of in zip(arguments, call.arguments, strict=True)
    ]
    return None if None in as_dates else as_type(FUNCTIONS[call.name](*as_dates), call.of)


# These see NULLs and say themselves what they make of them.
WITH_NULLS: dict[str, Callable[[Call, list[Any]], Any]] = {
    "<=>": same,
    "in": is_in,
    "between": is_between,
    "not": lambda call, given: None if given[0] is None else not given[0],
    "is null": lambda call, given: given[0] is None,
    "is not null": lambda call, given: given[0] is not None,
    "is true": lambda call, given: given[0] is True,
    "is false": lambda call, given: given[0] is False,
    "is not true": lambda call, given: given[0] is not True,
    "is not false": lambda call, given: given[0] is not False,
    "isnull": lambda call, given: given[0] is None,
    "isnotnull": lambda call, given: given[0] is not None,
    "concat_ws": lambda call, given: None if given[0] is None else given[0].join(t for t in given[1:] if t is not None),
}
OPERATORS: dict[str, Callable[[Call, list[Any]], Any]] = {
    **dict.fromkeys(COMPARISONS, comparison),
    **dict.fromkeys(("+", "-", "*", "/", "%", "div", "mod"), arithmetic),
    **dict.fromkeys(("|", "^", "&"), bits),
    **dict.fromkeys(("date_add", "date_sub", "datediff", "date_diff", "last_day"), number_of_date),
    **dict.fromkeys(("cast", "try_cast"), cast_call),
    **dict.fromkeys(("||", "concat"), concat_texts),
    "negate": negate,
    "~": lambda call, given: ~given[0],
    "like": lambda call, given: like(*given),
    "escape": lambda call, given: like(*given),
    "ilike": lambda call, given: partial(like, ignore_case=True)(*given),
    "rlike": lambda call, given: re.search(given[1], given[0]) is not None,
    "item": item,
    "field": part,
    "extract": extract,
}
