"""Casts: Python values of Spark SQL's types, and CAST between them; what cannot be converted becomes NULL.

BOOLEAN is bool, integers are int, FLOAT and DOUBLE float, DECIMAL Decimal, DATE date, TIMESTAMP a datetime
in UTC without a zone, INTERVAL timedelta, INTERVAL YEAR TO MONTH a number of months, ARRAY and STRUCT tuples.

>>> from tailrace.types import DOUBLE, INT, decimal
>>> cast("12.7", STRING, INT), cast(Decimal("-2.9"), decimal(3, 1), INT), cast("x", STRING, DATE)
(12, -2, None)
>>> cast(1e10, DOUBLE, STRING), cast(Decimal("2.345"), decimal(4, 3), decimal(3, 2))
('1.0E10', Decimal('2.35'))
"""

from __future__ import annotations

import math
import re
import struct
from datetime import UTC, date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation
from typing import Any

from tailrace.types import (
    BINARY,
    BOOLEAN,
    DATE,
    FLOAT,
    INTEGER_BITS,
    INTERVAL,
    MICROSECONDS,
    MONTHS,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    VOID,
    Type,
    is_decimal,
    is_fraction,
    is_integer,
    is_numeric,
)

EXACT = Context(prec=120, rounding=ROUND_HALF_UP)
EPOCH = datetime(1970, 1, 1)
SECOND = timedelta(seconds=1)
WORDS = {
    **dict.fromkeys(("t", "true", "y", "yes", "1"), True),
    **dict.fromkeys(("f", "false", "n", "no", "0"), False),
}
CLASSES: dict[str, type | tuple[type, ...]] = {
    "BOOLEAN": bool,
    "STRING": str,
    "BINARY": bytes,
    "DATE": date,
    "TIMESTAMP": datetime,
    "TIMESTAMP_NTZ": datetime,
    "INTERVAL": timedelta,
    "INTERVAL YEAR TO MONTH": int,
    "FLOAT": float,
    "DOUBLE": float,
    "DECIMAL": Decimal,
    "ARRAY": tuple,
    "MAP": tuple,
    "STRUCT": tuple,
}


def fits(value: Any, type: Type) -> bool:
    """Whether a value is one of the type, so that a plan whose types lie is found out."""
    if value is None or type == VOID:
        return value is None
    if is_integer(type):
        return value.__class__ is int and wrap_integer(value, type) == value
    if type == DATE:
        return value.__class__ is date
    if is_decimal(type) and isinstance(value, Decimal):
        return rescale(value, type) == value
    return isinstance(value, CLASSES[type.name])


def cast(value: Any, source: Type, target: Type) -> Any:
    if value is None or source == target or target == VOID:
        return value
    if source == STRING:
        return from_text(value.strip(), target)
    if target == STRING:
        return to_text(value, source)
    if source.name == target.name == "ARRAY":
        return tuple(cast(item, source.args[0], target.args[0]) for item in value)
    if is_numeric(target):
        return number(value, source, target)
    if target == BOOLEAN:
        return value != 0
    if target == DATE:
        return value.date() if isinstance(value, datetime) else value
    if target in (TIMESTAMP, TIMESTAMP_NTZ):
        return moment(value)
    if target == INTERVAL:
        return timedelta(seconds=float(value))
    raise NotImplementedError(f"the reference has no cast from {source} to {target}")


def number(value: Any, source: Type, target: Type) -> Any:
    """A number, truth value, moment or interval as a number of the target type."""
    if isinstance(value, datetime):
        value = (value - EPOCH) // SECOND if is_integer(target) else (value - EPOCH) / SECOND
    elif isinstance(value, timedelta):
        value = value / SECOND
    if is_integer(target):
        return whole(value, target)
    if is_fraction(target):
        return fraction(float(value), target)
    return rescale(Decimal(repr(value)) if isinstance(value, float) else Decimal(value), target)


def whole(value: Any, target: Type) -> int:
    """Fractions are cut off; a double too large stops at the end of the range, an integer wraps around."""
    if isinstance(value, float):
        if math.isnan(value):
            return 0
        limit = 2 ** (INTEGER_BITS[target] - 1)
        return int(max(-limit, min(limit - 1, value)))
    return wrap_integer(int(value), target)


def wrap_integer(value: int, target: Type) -> int:
    bits = INTEGER_BITS[target]
    return int((value + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1))


def fraction(value: float, target: Type) -> float:
    if math.isnan(value):
        return math.nan  # one object, so that bags find it equal to itself
    if target == FLOAT:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    return value


def rescale(value: Decimal, target: Type) -> Decimal | None:
    """The value with the target's digits after the point, rounded half up; NULL where it has no room."""
    precision, scale = target.args
    if not value.is_finite():
        return None
    rounded = value.quantize(Decimal(1).scaleb(-scale), context=EXACT)
    return rounded if rounded.copy_abs() < 10 ** (precision - scale) else None


def moment(value: Any) -> datetime:
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime.combine(value, time())
    return EPOCH + timedelta(seconds=float(value))


def from_text(text: str, target: Type) -> Any:
    try:
        return _read(text, target)
    except (ValueError, InvalidOperation):
        return None


def _read(text: str, target: Type) -> Any:
    if is_integer(target):
        found = re.fullmatch(r"([+-]?\d+)(\.\d*)?", text)
        return int(found[1]) if found and wrap_integer(int(found[1]), target) == int(found[1]) else None
    if is_fraction(target):
        return fraction(float(text), target)
    if is_decimal(target):
        return rescale(Decimal(text), target)
    if target == BOOLEAN:
        return WORDS.get(text.lower())
    if target == DATE:
        return datetime.fromisoformat(text).date()
    if target in (TIMESTAMP, TIMESTAMP_NTZ):
        return read_moment(text)
    if target == BINARY:
        return text.encode()
    if target in (INTERVAL, MONTHS):
        return read_interval(text)
    raise NotImplementedError(f"the reference reads no {target} from text")


def read_moment(text: str) -> datetime:
    """A moment in UTC; a text without a zone is in UTC already.

    >>> read_moment("2024-03-01T12:00:00+02:00")
    datetime.datetime(2024, 3, 1, 10, 0)
    """
    found = datetime.fromisoformat(text.strip())
    return found.astimezone(UTC).replace(tzinfo=None) if found.tzinfo else found


def read_interval(text: str) -> Any:
    """`3 days` as a timedelta, `2 years` as a number of months; several parts add up."""
    parts = re.findall(r"(-?\d+(?:\.\d+)?)\s+([a-z]+?)s?\b", text.lower())
    if not parts:
        raise ValueError(f"no interval: {text}")
    months = {"month": 1, "quarter": 3, "year": 12}
    if all(unit in months for _, unit in parts):
        return sum(int(count) * months[unit] for count, unit in parts)
    return timedelta(microseconds=int(sum(Decimal(count) * MICROSECONDS[unit.upper()] for count, unit in parts)))


def to_text(value: Any, source: Type) -> str:
    if source == BOOLEAN:
        return "true" if value else "false"
    if is_fraction(source):
        return double_text(value)
    if is_decimal(source):
        return f"{value:f}"
    if isinstance(value, datetime):
        text = value.isoformat(sep=" ")
        return text.rstrip("0") if "." in text else text
    if isinstance(value, bytes):
        return value.decode()
    return str(value)


def double_text(value: float) -> str:
    """As Java writes a double: an exponent below 0.001 and from ten millions on.

    >>> [double_text(each) for each in (1.5, 0.0001, 12345678.0, 100.0)]
    ['1.5', '1.0E-4', '1.2345678E7', '100.0']
    """
    if math.isnan(value) or math.isinf(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return f"{Decimal(repr(value)):f}" if "e" in repr(value) else repr(value)
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    shown = "".join(map(str, digits))
    point = int(exponent) + len(digits) - 1
    return f"{'-' if sign else ''}{shown[0]}.{shown[1:] or '0'}E{point}"
