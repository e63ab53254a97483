"""Functions: Spark SQL's scalar functions on Python values that are not NULL.

>>> FUNCTIONS["substring"]("Bonn", 2, 2), FUNCTIONS["round"](2.5), FUNCTIONS["round"](-1.25, 1)
('on', Decimal('3'), Decimal('-1.3'))
"""

from __future__ import annotations

import calendar
import math
import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from typing import Any

from tailrace.testing.reference.casts import EXACT, moment


def exact(number: Any) -> Decimal:
    """The number as it is written, which is what Spark rounds."""
    return Decimal(repr(number)) if isinstance(number, float) else Decimal(number)


def round_number(number: Any, places: int = 0, way: str = ROUND_HALF_UP) -> Any:
    if isinstance(number, float) and not math.isfinite(number):
        return number
    return exact(number).quantize(Decimal(1).scaleb(-places), rounding=way, context=EXACT)


def power(base: Any, exponent: Any) -> float:
    try:
        return math.pow(base, exponent)
    except ValueError:
        return math.nan
    except OverflowError:
        return math.inf


def of_positive(function: Callable[[float], float]) -> Callable[[Any], float | None]:
    """Logarithms are NULL where they do not exist."""
    return lambda number: function(float(number)) if number > 0 else None


def positive_remainder(number: Any, divisor: Any) -> Any:
    return None if divisor == 0 else number % abs(divisor) if divisor > 0 else -(-number % divisor)


def substring(text: str, start: int, length: int | None = None) -> str:
    """Counted from 1, from the end where negative; 0 is taken for 1.

    >>> substring("stream", -3), substring("stream", 0, 2), substring("stream", 9)
    ('eam', 'st', '')
    """
    first = start - 1 if start > 0 else len(text) + start if start < 0 else 0
    last = len(text) if length is None else first + length
    return text[max(first, 0) : max(last, 0)]


def pad_text(text: str, length: int, fill: str, left: bool) -> str:
    missing = max(length - len(text), 0)
    padding = (fill * missing)[:missing]
    return (padding + text if left else text + padding)[: max(length, 0)]


def position(part: str, text: str, start: int = 1) -> int:
    return text.find(part, start - 1) + 1


def overlay(text: str, other: str, start: int, length: int = -1) -> str:
    """The text with `other` in place of so many letters from a place on; by default as many as `other` has.

    >>> overlay("stream", "ONG", 4), overlay("stream", "--", 2, 0)
    ('strONG', 's--tream')
    """
    rest = substring(text, start + (len(other) if length < 0 else length))
    return substring(text, 1, start - 1) + other + rest


def capitalise_words(text: str) -> str:
    return " ".join(word.capitalize() for word in text.split(" "))


def add_months(day: Any, count: int) -> Any:
    """The same day of another month, or its last.

    >>> add_months(date(2024, 1, 31), 1)
    datetime.date(2024, 2, 29)
    """
    months = day.year * 12 + day.month - 1 + count
    year, month = months // 12, months % 12 + 1
    return day.replace(year=year, month=month, day=min(day.day, calendar.monthrange(year, month)[1]))


def last_day(day: date) -> date:
    return day.replace(day=calendar.monthrange(day.year, day.month)[1])


def as_date(day: Any) -> date:
    if isinstance(day, str):
        return datetime.fromisoformat(day).date()
    return day.date() if isinstance(day, datetime) else day


def as_moment(given: Any) -> datetime:
    return datetime.fromisoformat(given) if isinstance(given, str) else moment(given)


NUMBERS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "sign": lambda x: (x > 0) - (x < 0),
    "round": round_number,
    "bround": lambda x, places=0: round_number(x, places, ROUND_HALF_EVEN),
    "floor": lambda x, places=0: round_number(x, places, ROUND_FLOOR),
    "ceil": lambda x, places=0: round_number(x, places, ROUND_CEILING),
    "sqrt": lambda x: math.sqrt(x) if x >= 0 else math.nan,
    "power": power,
    "exp": lambda x: power(math.e, x),
    "ln": of_positive(math.log),
    "log10": of_positive(math.log10),
    "log2": of_positive(math.log2),
    "pmod": positive_remainder,
}
TEXTS: dict[str, Callable[..., Any]] = {
    "upper": str.upper,
    "lower": str.lower,
    "length": len,
    "substring": substring,
    "left": lambda text, count: text[: max(count, 0)],
    "right": lambda text, count: text[-count:] if count > 0 else "",
    # Spark's TRIM takes the characters first, BTRIM last.
    "trim": lambda *given: given[-1].strip(*given[:-1] or " "),
    "ltrim": lambda *given: given[-1].lstrip(*given[:-1] or " "),
    "rtrim": lambda *given: given[-1].rstrip(*given[:-1] or " "),
    "btrim": lambda text, signs=" ": text.strip(signs),
    "overlay": overlay,
    "replace": lambda text, old, new="": text.replace(old, new) if old else text,
    "reverse": lambda text: text[::-1],
    "repeat": lambda text, count: text * max(count, 0),
    "lpad": lambda text, length, fill=" ": pad_text(text, length, fill, True),
    "rpad": lambda text, length, fill=" ": pad_text(text, length, fill, False),
    "instr": lambda text, part: position(part, text),
    "locate": position,
    "initcap": capitalise_words,
    "ascii": lambda text: ord(text[0]) if text else 0,
    "startswith": str.startswith,
    "endswith": str.endswith,
    "contains": lambda text, part: part in text,
    "split": lambda text, pattern: tuple(re.split(pattern, text)),
}
TIMES: dict[str, Callable[..., Any]] = {
    "year": lambda day: as_date(day).year,
    "month": lambda day: as_date(day).month,
    "day": lambda day: as_date(day).day,
    "quarter": lambda day: (as_date(day).month + 2) // 3,
    "dayofweek": lambda day: as_date(day).isoweekday() % 7 + 1,
    "weekday": lambda day: as_date(day).weekday(),
    "dayofyear": lambda day: as_date(day).timetuple().tm_yday,
    "hour": lambda given: as_moment(given).hour,
    "minute": lambda given: as_moment(given).minute,
    "second": lambda given: as_moment(given).second,
    "date_add": lambda day, count: day + timedelta(days=count),
    "date_sub": lambda day, count: day - timedelta(days=count),
    "datediff": lambda end, start: (end - start).days,
    "add_months": lambda day, count: add_months(as_date(day), count),
    "last_day": last_day,
    "to_date": as_date,
    "make_date": date,
}
OTHER_NAMES = {
    "signum": "sign",
    "ceiling": "ceil",
    "pow": "power",
    "log": "ln",
    "substr": "substring",
    "char_length": "length",
    "character_length": "length",
    "ucase": "upper",
    "lcase": "lower",
    "position": "locate",
    "dayofmonth": "day",
    "date_diff": "datediff",
    "dateadd": "date_add",
}
FUNCTIONS: dict[str, Callable[..., Any]] = {**NUMBERS, **TEXTS, **TIMES}
FUNCTIONS.update({other: FUNCTIONS[name] for other, name in OTHER_NAMES.items()})
