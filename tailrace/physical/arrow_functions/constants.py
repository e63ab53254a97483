"""Constants: a literal as an Arrow scalar.

>>> from tailrace.types import INTERVAL
>>> constant(Literal("90 MINUTE", INTERVAL)).as_py()
datetime.timedelta(seconds=5400)
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

import pyarrow as pa

from tailrace.logical.expressions import Literal
from tailrace.physical.arrow_types import arrow_type
from tailrace.types import (
    BOOLEAN,
    DATE,
    INTERVAL,
    MICROSECONDS,
    MONTHS,
    MONTHS_OF,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Type,
    is_decimal,
    is_fraction,
    is_integer,
)

INTERVAL_TEXT = re.compile(r"\s*([+-]?\d+(?:\.\d+)?)\s+([a-zA-Z]+?)[sS]?\s*")


@lru_cache(maxsize=4096)
def constant(literal: Literal) -> pa.Scalar | None:
    """The literal's value; None where it is written in a way that only Spark reads."""
    if literal.value is None:
        return pa.scalar(None, arrow_type(literal.of))
    try:
        return pa.scalar(_python_value(literal.value, literal.of), arrow_type(literal.of))
    except (ValueError, ArithmeticError, TypeError, pa.ArrowException):
        return None


def _python_value(value: Any, type: Type) -> Any:
    if type == BOOLEAN:
        return bool(value)
    if is_integer(type):
        return int(value)
    if is_fraction(type):
        return float(value)
    if is_decimal(type):
        return Decimal(str(value))
    if type == DATE:
        return date.fromisoformat(str(value).strip())
    if type in (TIMESTAMP, TIMESTAMP_NTZ):
        return _moment(str(value), type)
    if type == INTERVAL:
        return _counted(str(value), MICROSECONDS)
    if type == MONTHS:
        return _counted(str(value), MONTHS_OF)
    return value


def _moment(text: str, type: Type) -> datetime:
    """A point in time in UTC; a TIMESTAMP_NTZ forgets the zone that is written."""
    found = datetime.fromisoformat(text.strip())
    if type == TIMESTAMP and found.tzinfo:
        found = found.astimezone(UTC)
    return found.replace(tzinfo=UTC if type == TIMESTAMP else None)


def _counted(text: str, units: dict[str, int]) -> int:
    """The length of an interval such as `90 MINUTE`; only seconds have fractions."""
    found = INTERVAL_TEXT.fullmatch(text)
    if not found or found.group(2).upper() not in units:
        raise ValueError(f"no interval: {text}")
    unit = found.group(2).upper()
    length = Decimal(found.group(1)) * units[unit]
    if length != int(length) or ("." in found.group(1) and unit != "SECOND"):
        raise ValueError(f"Spark decides what {text} is")
    return int(length)
