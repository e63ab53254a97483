"""Python calls: functions that were registered from Python, called row by row or on whole arrays.

If a function fails, the error message names the function, its arguments and what its exception said.

Values are converted both ways. ARRAY is a list, MAP and STRUCT a dict, TIMESTAMP a datetime with the time zone UTC,
TIMESTAMP_NTZ a datetime without one, DATE a date, INTERVAL a timedelta, NULL None. On the way back nothing is rounded,
cut or read from text.

>>> from tailrace.types import INT, array
>>> as_column([1, None], INT).type
DataType(int32)
>>> as_column([[1], [2.5]], array(INT))
Traceback (most recent call last):
tailrace.columnar.functions.python_calls.Misfit: value 1
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa

from tailrace.catalog.user_functions import UserFunction
from tailrace.columnar.arrow_types import arrow_type
from tailrace.errors import RunError
from tailrace.time_limit import TimeLimitError
from tailrace.types import INTEGER_BITS, Type, is_fraction, is_integer

Test = Callable[[Any], bool]
SHOWN = 80
CLASSES: dict[str, tuple[type, ...]] = {
    "BOOLEAN": (bool, np.bool_),
    "STRING": (str,),
    "BINARY": (bytes, bytearray),
    "TIMESTAMP": (datetime,),
    "TIMESTAMP_NTZ": (datetime,),
    "INTERVAL": (timedelta,),
}


class Misfit(Exception):
    """A value is not of the wanted type; `place` is its index."""

    def __init__(self, place: int) -> None:
        super().__init__(f"value {place}")
        self.place = place


def as_values(column: pa.Array) -> list[Any]:
    found: list[Any] = column.to_pylist(maps_as_pydicts="strict")
    return found


def as_column(values: Sequence[Any], type: Type) -> pa.Array:
    """The values as a column of the type; raises Misfit for the first one that is not of the type."""
    fits, target = type_test(type), arrow_type(type)
    for place, value in enumerate(values):
        if value is not None and not fits(value):
            raise Misfit(place)
    if is_fraction(type):
        values = [_as_double(value, place) for place, value in enumerate(values)]
    try:
        return pa.array(values, target)
    except (pa.ArrowException, ValueError, TypeError, OverflowError):
        raise Misfit(_first_misfit(values, target)) from None


def _as_double(value: Any, place: int) -> float | None:
    try:
        return None if value is None else float(value)
    except OverflowError:
        raise Misfit(place) from None


def _first_misfit(values: Sequence[Any], target: pa.DataType) -> int:
    for place, value in enumerate(values):
        try:
            pa.array([value], target)
        except (pa.ArrowException, ValueError, TypeError, OverflowError):
            return place
    return 0


@cache
def type_test(type: Type) -> Test:
    """A test of whether a value other than None is of the type."""
    if is_integer(type):
        limit = 1 << (INTEGER_BITS[type] - 1)
        return lambda value: _is_whole(value) and -limit <= value < limit
    if is_fraction(type):
        return lambda value: _is_whole(value) or isinstance(value, (float, np.floating))
    if type.name in CLASSES:
        classes = CLASSES[type.name]
        return lambda value: isinstance(value, classes)
    match type.name:
        case "DECIMAL":
            return lambda value: _is_whole(value) or isinstance(value, Decimal)
        case "DATE":
            return lambda value: isinstance(value, date) and not isinstance(value, datetime)
        case "ARRAY":
            (element,) = map(_or_null, type.args)
            return lambda value: isinstance(value, (list, tuple, np.ndarray)) and all(map(element, value))
        case "MAP":
            key, item = type_test(type.args[0]), _or_null(type.args[1])
            return lambda value: (
                isinstance(value, dict) and all(map(key, value.keys())) and all(map(item, value.values()))
            )
        case "STRUCT":
            return _struct_test(type)
    return lambda value: False


def _or_null(type: Type) -> Test:
    fits = type_test(type)
    return lambda value: value is None or fits(value)


def _struct_test(type: Type) -> Test:
    """A test for structs: a dict of the fields, in which a missing field is NULL, or a tuple of all fields."""
    fields = {name: _or_null(part) for name, part in type.args}

    def fits(value: Any) -> bool:
        if isinstance(value, tuple):
            return len(value) == len(fields) and all(
                one(part) for one, part in zip(fields.values(), value, strict=True)
            )
        return isinstance(value, dict) and all(name in fields and fields[name](part) for name, part in value.items())

    return fits


def _is_whole(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def format_value(value: Any) -> str:
    """A value as error messages show it, shortened to SHOWN characters."""
    try:
        text = repr(value)
    except Exception:  # a user's own repr may fail as well
        text = f"a {type(value).__name__}"
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def describe_exception(problem: Exception) -> str:
    """An exception as a text: its class and its message."""
    try:
        text = str(problem)
    except Exception:
        text = ""
    return f"{type(problem).__name__}: {text}" if text else type(problem).__name__


# If a function of arrays fails, up to this many rows are tried one by one, to name one on which it fails.
TRIED = 1000


def run(function: UserFunction, given: Sequence[pa.Array], length: int) -> pa.Array:
    """Call the function on every row of the arrays, which are `length` long."""
    if not length:
        return pa.array([], arrow_type(function.returns))
    return on_arrays(function, given, length) if function.vectorised else on_rows(function, given, length)


def on_rows(function: UserFunction, given: Sequence[pa.Array], length: int) -> pa.Array:
    columns = [as_values(array) for array in given]
    rows: Iterable[tuple[Any, ...]] = zip(*columns, strict=True) if columns else [()] * length
    found: list[Any] = []
    call = function.function
    try:
        for row in rows:
            found.append(call(*row))
    except Exception as problem:
        raise failure_error(function.name, [column[len(found)] for column in columns], problem) from None
    try:
        return as_column(found, function.returns)
    except Misfit as misfit:
        row = tuple(column[misfit.place] for column in columns)
        what = f"gave {format_value(found[misfit.place])}, which is no {function.returns}"
        raise RunError(f"{format_call(function.name, row)} {what}") from None


def on_arrays(function: UserFunction, given: Sequence[pa.Array], length: int) -> pa.Array:
    try:
        found = function.function(*given)
    except Exception as problem:
        raise find_failing_row(function, given, length, problem) from None
    name = f"{function.name}({', '.join(str(array.type) for array in given)})"
    if isinstance(found, pa.ChunkedArray):
        found = found.combine_chunks()
    if not isinstance(found, pa.Array):
        raise RunError(f"{name} gave a {type(found).__name__}, not an Arrow array")
    if len(found) != length:
        raise RunError(f"{name} gave {len(found)} values for {length} rows")
    wanted = arrow_type(function.returns)
    if found.type == wanted:
        return found
    try:
        return found.cast(wanted)
    except (pa.ArrowException, ValueError) as problem:
        raise RunError(f"{name} gave {found.type}, which is no {function.returns}: {problem}") from None


def find_failing_row(function: UserFunction, given: Sequence[pa.Array], length: int, problem: Exception) -> RunError:
    """The error for a function that failed on arrays, with the arguments of a row on which it fails alone."""
    if isinstance(problem, TimeLimitError):
        return problem
    for place in range(min(length, TRIED)):
        row = [array.slice(place, 1) for array in given]
        try:
            function.function(*row)
        except Exception as alone:
            return failure_error(function.name, [as_values(array)[0] for array in row], alone)
    name = f"{function.name}({', '.join(str(array.type) for array in given)})"
    return RunError(f"{name} failed on {length} rows: {describe_exception(problem)}")


def failure_error(name: str, arguments: Sequence[Any], problem: Exception) -> RunError:
    """The error for an exception inside a user's code."""
    if isinstance(problem, TimeLimitError):
        return TimeLimitError(f"{format_call(name, arguments)}: {problem.message}", hint=problem.hint)
    hint = "NULL comes as None" if None in arguments else None
    return RunError(f"{format_call(name, arguments)} failed: {describe_exception(problem)}", None, hint)


def format_call(name: str, arguments: Sequence[Any]) -> str:
    return f"{name}({', '.join(map(format_value, arguments))})"
