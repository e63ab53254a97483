"""Intervals: constant intervals as literals of one unit, computed while a query is analysed.

An interval is of months or of microseconds. One of both has no length, since months differ: added to a time, it is
added in two steps. A DATE stays a DATE beside an interval of whole days, so literals of days keep DAY as their unit.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TypeGuard

from sqlglot import exp

from tailrace.errors import AnalysisError, TextSpan
from tailrace.language.nodes import place_of
from tailrace.logical.expressions import Expression, Literal, Parameter
from tailrace.types import INTERVAL, MICROSECONDS, MONTHS, MONTHS_OF, Type, is_integer

# The forms of intervals from one field TO another: a pattern, an example and the unit of each field.
FIELDS = {
    "YEAR TO MONTH": (r"(\d{1,9})-(\d{1,2})", "1-2", ("YEAR", "MONTH")),
    "DAY TO HOUR": (r"(\d{1,9}) +(\d{1,2})", "1 02", ("DAY", "HOUR")),
    "DAY TO MINUTE": (r"(\d{1,9}) +(\d{1,2}):(\d{1,2})", "1 02:03", ("DAY", "HOUR", "MINUTE")),
    "DAY TO SECOND": (
        r"(\d{1,9}) +(\d{1,2}):(\d{1,2}):(\d{1,2}(?:\.\d{1,6})?)",
        "1 02:03:04",
        ("DAY", "HOUR", "MINUTE", "SECOND"),
    ),
    "HOUR TO MINUTE": (r"(\d{1,9}):(\d{1,2})", "02:03", ("HOUR", "MINUTE")),
    "HOUR TO SECOND": (r"(\d{1,9}):(\d{1,2}):(\d{1,2}(?:\.\d{1,6})?)", "02:03:04", ("HOUR", "MINUTE", "SECOND")),
    "MINUTE TO SECOND": (r"(\d{1,9}):(\d{1,2}(?:\.\d{1,6})?)", "03:04", ("MINUTE", "SECOND")),
}
MOST = {"MONTH": 11, "HOUR": 23, "MINUTE": 59, "SECOND": 59}  # of a field that is not the first
IN_DAYS = ("DAY", "WEEK")


def resolve_interval(node: exp.Interval) -> Literal:
    """The literal of an interval of one kind."""
    months, rest = interval_literals(node)
    if months is not None and rest is not None:
        hint = "add it to a time, or write months and days as two intervals"
        raise AnalysisError("an interval of both months and days has no length of its own", place_of(node), hint)
    found = months or rest
    assert found is not None
    return found


def split_mixed(sign: type[exp.Expr], left: exp.Expr, right: exp.Expr) -> exp.Expr | None:
    """`time ± interval` of both months and days as two additions, the months first; None for anything else.

    >>> from tailrace.language.script import parse_query, to_text
    >>> sum = parse_query("SELECT t - INTERVAL '1 month 2 days' FROM S").expressions[0]
    >>> print(to_text(split_mixed(type(sum), sum.this, sum.expression)))
    t - INTERVAL '1' MONTH - INTERVAL '2' DAY
    """
    if sign is exp.Add and isinstance(left.unnest(), exp.Interval):
        left, right = right, left
    interval = right.unnest()
    if sign not in (exp.Add, exp.Sub) or not isinstance(interval, exp.Interval) or interval.args.get("unit"):
        return None
    parts = interval_literals(interval)
    if None in parts:
        return None
    found = left.copy()
    for part in parts:
        assert part is not None
        amount, _, unit = str(part.value).partition(" ")
        length = exp.Interval(this=exp.Literal.string(amount), unit=exp.Var(this=unit))
        length.meta.update(interval.meta)
        found = sign(this=found, expression=length)
        found.meta.update(interval.meta)
    return found


def interval_literals(node: exp.Interval) -> tuple[Literal | None, Literal | None]:
    """The months of an interval, and its days and time, each as a literal if the interval has any."""
    place, text, unit = place_of(node), str(node.this.this), node.args.get("unit")
    if unit is not None and " TO " in unit.this:
        parts = field_parts(text, unit.this, place)
    elif unit is not None:
        parts = [(text, unit.this)]
    else:
        words = text.split()
        parts = list(zip(words[::2], words[1::2], strict=True))
    found = [checked_literal(amount, unit, place) for amount, unit in parts]
    return add_up([each for each in found if each.of == MONTHS]), add_up(
        [each for each in found if each.of == INTERVAL]
    )


def field_parts(text: str, unit: str, place: TextSpan | None) -> list[tuple[str, str]]:
    """The amounts and units of an interval such as '1 02:03:04' DAY TO SECOND."""
    if unit not in FIELDS:
        raise AnalysisError(f"an interval has no unit {unit}", place, f"those with TO are {', '.join(FIELDS)}")
    pattern, example, units = FIELDS[unit]
    matched = re.fullmatch(rf"([+-]?) *{pattern}", text.strip())
    fields = matched.groups()[1:] if matched else ()
    if not fields or any(Decimal(each) >= MOST[of] + 1 for each, of in zip(fields[1:], units[1:], strict=True)):
        raise AnalysisError(f"'{text}' is no interval {unit}", place, f"write it as '{example}' {unit}")
    sign = "-" if matched and matched.group(1) == "-" else ""
    return [(f"{sign}{each}", of) for each, of in zip(fields, units, strict=True)]


def checked_literal(amount: str, unit: str, place: TextSpan | None) -> Literal:
    """The literal of INTERVAL '3' DAY. Its unit and size are checked here, where its place in the script is known."""
    type, units = (MONTHS, MONTHS_OF) if unit in MONTHS_OF else (INTERVAL, MICROSECONDS)
    if unit not in units:
        raise AnalysisError(f"an interval has no unit {unit}", place)
    if "." in amount and unit != "SECOND":
        raise AnalysisError("only seconds have fractions", place, "write it in a smaller unit")
    if abs(Decimal(amount)) * units[unit] >= 2 ** (31 if type == MONTHS else 63):
        raise AnalysisError(f"an interval of {amount} {unit} is too long", place)
    return Literal(f"{amount} {unit}", type)


# Arithmetic of constants ----------------------------------------------------------------------------------


def is_constant(expression: Expression) -> TypeGuard[Literal]:
    """Whether an expression is a literal interval that is not NULL."""
    return isinstance(expression, Literal) and expression.of in (INTERVAL, MONTHS) and not expression.is_null


def length_of(literal: Literal) -> int:
    """The length of a literal interval in months or microseconds."""
    amount, _, unit = str(literal.value).rpartition(" ")
    return int(Decimal(amount) * (MONTHS_OF if literal.of == MONTHS else MICROSECONDS)[unit])


def literal_of(length: int, type: Type, in_days: bool = False) -> Literal | None:
    """The literal of a length in months or microseconds; None if the type does not hold it."""
    if abs(length) >= 2 ** (31 if type == MONTHS else 63):
        return None
    if type == MONTHS:
        return Literal(f"{length} MONTH", type)
    if in_days:
        return Literal(f"{length // MICROSECONDS['DAY']} DAY", type)
    seconds = f"{Decimal(length) / MICROSECONDS['SECOND']:f}"
    return Literal(f"{seconds} SECOND", type)


def is_in_days(*literals: Literal) -> bool:
    return all(str(each.value).endswith(IN_DAYS) for each in literals)


def add_up(literals: list[Literal]) -> Literal | None:
    """The sum of literals of one type; None of none."""
    if len(literals) < 2:
        return literals[0] if literals else None
    return literal_of(sum(map(length_of, literals)), literals[0].of, is_in_days(*literals))


def fold_arithmetic(sign: str, left: Expression, right: Expression) -> Literal | None:
    """The sum, difference or multiple of constant intervals; None for anything else, which is computed when it runs.

    >>> from tailrace.types import INT
    >>> fold_arithmetic("*", Literal(3, INT), Literal("90 MINUTE", INTERVAL)).value
    '16200 SECOND'
    >>> fold_arithmetic("+", Literal("1 DAY", INTERVAL), Literal("1 WEEK", INTERVAL)).value
    '8 DAY'
    """
    if not (isinstance(left, Literal) and isinstance(right, Literal)) or Parameter in (type(left), type(right)):
        return None
    if sign == "*" and is_constant(right):
        left, right = right, left
    if sign == "*" and is_constant(left) and is_integer(right.of) and not right.is_null:
        return literal_of(length_of(left) * right.value, left.of)
    if sign not in ("+", "-") or not is_constant(left) or not is_constant(right) or left.of != right.of:
        return None
    length = length_of(left) + (length_of(right) if sign == "+" else -length_of(right))
    return literal_of(length, left.of, is_in_days(left, right))


def negate(literal: Literal) -> Literal:
    """The literal of minus an interval, in the same unit."""
    text = str(literal.value)
    return Literal(text[1:] if text.startswith("-") else f"-{text}", literal.of)
