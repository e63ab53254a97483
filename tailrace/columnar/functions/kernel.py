"""Kernel: how one operator or function is evaluated on Arrow values, and for which types the result is exactly Spark's.

Values are an array, or a scalar where they are the same in every row; at least one of a call's arguments is an
array. A kernel gets its arguments cast to the types it wants, and returns values of the call's own type.

`constant` turns a literal into an Arrow scalar:

>>> from tailrace.types import INTERVAL
>>> constant(Literal("90 MINUTE", INTERVAL)).as_py()
datetime.timedelta(seconds=5400)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.arrow_types import arrow_type
from tailrace.logical.expressions import Call, Expression, Literal
from tailrace.types import (
    BOOLEAN,
    DATE,
    INTERVAL,
    MICROSECONDS,
    MONTHS,
    MONTHS_OF,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Type,
    is_decimal,
    is_fraction,
    is_integer,
)

Values = Any  # pa.Array | pa.Scalar, which have no types
Numbers = np.ndarray[Any, Any]
Mask = np.ndarray[Any, np.dtype[np.bool_]]
Run = Callable[[Call, Sequence[Values]], Values]
Wants = Callable[[Call], Sequence[Type]]
Test = Callable[[Call], bool]


def own_types(call: Call) -> Sequence[Type]:
    return [argument.type for argument in call.arguments]


def result_types(call: Call) -> Sequence[Type]:
    """Cast every argument to the type of the result."""
    return [call.of] * len(call.arguments)


def always(call: Call) -> bool:
    return True


@dataclass(frozen=True)
class Kernel:
    """Evaluates one function on Arrow columns."""

    run: Run
    wants: Wants = own_types  # to which types arguments are cast
    exact: Test = always  # for which calls the result is exactly Spark's; others are left to Spark


Table = dict[str, Kernel]


def fixed_types(*wanted: Type, repeat: bool = False) -> Wants:
    """Cast the first arguments to these types; with `repeat`, cast all further ones to the last of these types."""

    def wants(call: Call) -> Sequence[Type]:
        given = own_types(call)
        more = [wanted[-1]] * len(given) if repeat else given[len(wanted) :]
        return [*wanted, *more][: len(given)]

    return wants


def of_types(*types: Type, count: int | None = None) -> Test:
    """A test that each argument, or each of the first `count`, has one of these types."""
    return lambda call: all(argument.type in types for argument in call.arguments[:count])


def arguments(*counts: int) -> Test:
    return lambda call: len(call.arguments) in counts


def literal_text(expression: Expression) -> str | None:
    """The text of a string literal; None for any other expression."""
    if isinstance(expression, Literal) and expression.of == STRING and expression.value is not None:
        return str(expression.value)
    return None


def literal_number(expression: Expression) -> int | None:
    """The value of an integer literal; None for any other expression."""
    if isinstance(expression, Literal) and type(expression.value) is int:
        return expression.value
    return None


# Arrow values as NumPy sees them -------------------------------------------------------------------------


def numbers_of(values: Values) -> Numbers:
    """Values of a type of fixed width as a NumPy array, without a copy; any number where a value is NULL."""
    if isinstance(values, pa.Scalar):
        return numbers_of(pa.repeat(values, 1))
    if pa.types.is_boolean(values.type):
        return np.asarray(pc.fill_null(values, False).to_numpy(zero_copy_only=False))
    width = values.type.bit_width // 8
    kind = np.dtype(f"f{width}" if pa.types.is_floating(values.type) else f"i{width}")
    data = values.buffers()[1]
    if data is None:
        return np.zeros(len(values), kind)
    return np.frombuffer(data, kind, len(values), values.offset * width)


def nulls_of(*several: Values) -> Mask:
    """A mask of the rows in which any of the values is NULL; it has length 1 where no array has a NULL."""
    found: Mask = np.zeros(1, bool)
    for values in several:
        if isinstance(values, pa.Scalar):
            found = found | (not values.is_valid)
        elif values.null_count:
            found = found | values.is_null().to_numpy(zero_copy_only=False)
    return found


def array_of(numbers: Numbers, nulls: Mask, type: Type) -> pa.Array:
    """An Arrow array of a type of fixed width, from numbers and a mask of the NULLs."""
    target = arrow_type(type)
    numbers, nulls = np.broadcast_arrays(numbers, nulls)
    if type.name == "BOOLEAN":
        return pa.array(np.ascontiguousarray(numbers, bool), target, mask=np.ascontiguousarray(nulls))
    kind = f"f{target.bit_width // 8}" if pa.types.is_floating(target) else f"i{target.bit_width // 8}"
    plain = pa.array(np.ascontiguousarray(numbers, kind), mask=np.ascontiguousarray(nulls) if nulls.any() else None)
    return plain if plain.type == target else plain.view(target)


def length_of(several: Sequence[Values]) -> int:
    return next(len(values) for values in several if not isinstance(values, pa.Scalar))


def as_array(values: Values, length: int) -> pa.Array:
    if not isinstance(values, pa.Scalar):
        return values
    return pa.repeat(values, length) if values.is_valid else pa.nulls(length, values.type)


def where(condition: Values, values: Values, others: Values) -> Values:
    """The values where the condition is true, the others where it is false or NULL."""
    return pc.if_else(pc.coalesce(condition, pa.scalar(False)), values, others)


def null(type: Type) -> pa.Scalar:
    return pa.scalar(None, arrow_type(type))


INTERVAL_TEXT = re.compile(r"\s*([+-]?\d+(?:\.\d+)?)\s+([a-zA-Z]+?)[sS]?\s*")


@lru_cache(maxsize=4096)
def constant(literal: Literal) -> pa.Scalar | None:
    """The literal as an Arrow scalar; None if it is written in a way that only Spark reads."""
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
        return _interval_length(str(value), MICROSECONDS)
    if type == MONTHS:
        return _interval_length(str(value), MONTHS_OF)
    return value


def _moment(text: str, type: Type) -> datetime:
    """The timestamp that a text says, in UTC; a TIMESTAMP_NTZ ignores a time zone in the text."""
    found = datetime.fromisoformat(text.strip())
    if type == TIMESTAMP and found.tzinfo:
        found = found.astimezone(UTC)
    return found.replace(tzinfo=UTC if type == TIMESTAMP else None)


def _interval_length(text: str, units: dict[str, int]) -> int:
    """The length of an interval such as `90 MINUTE`, given the lengths of units; only seconds have fractions."""
    found = INTERVAL_TEXT.fullmatch(text)
    if not found or found.group(2).upper() not in units:
        raise ValueError(f"no interval: {text}")
    unit = found.group(2).upper()
    length = Decimal(found.group(1)) * units[unit]
    if length != int(length) or ("." in found.group(1) and unit != "SECOND"):
        raise ValueError(f"Spark decides what {text} is")
    return int(length)
