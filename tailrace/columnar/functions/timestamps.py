"""Timestamps: functions of timestamps in UTC, EXTRACT, conversions between timestamps and numbers, and arithmetic.

Arithmetic of dates, timestamps and intervals fails where a result is outside their range, as in Spark.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.arrow_types import arrow_type
from tailrace.columnar.functions import dates
from tailrace.columnar.functions.decimals import from_digits
from tailrace.columnar.functions.kernel import (
    Kernel,
    Numbers,
    Table,
    Values,
    Wants,
    arguments,
    array_of,
    fixed_types,
    literal_number,
    literal_text,
    nulls_of,
    numbers_of,
    own_types,
)
from tailrace.logical.expressions import Call
from tailrace.types import (
    BIGINT,
    DATE,
    INT,
    INTERVAL,
    MICROSECONDS,
    MONTHS,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    VOID,
    Type,
    common_type,
    decimal,
    is_integer,
    is_time,
)

DAY, HOUR, MINUTE, SECOND = (MICROSECONDS[unit] for unit in ("DAY", "HOUR", "MINUTE", "SECOND"))
PARTS: dict[str, Callable[[Numbers], Numbers]] = {
    "hour": lambda time: time % DAY // HOUR,
    "minute": lambda time: time % HOUR // MINUTE,
    "second": lambda time: time % MINUTE // SECOND,
}
# The part that each word of EXTRACT names.
EXTRACTED = {
    word: name
    for name, words in {
        "year": "YEAR Y YEARS YR YRS",
        "yearofweek": "YEAROFWEEK",
        "quarter": "QUARTER QTR",
        "month": "MONTH MON MONS MONTHS",
        "weekofyear": "WEEK W WEEKS",
        "dayofmonth": "DAY D DAYS",
        "dayofweek": "DAYOFWEEK DOW",
        "dayofweek_iso": "DAYOFWEEK_ISO DOW_ISO",
        "dayofyear": "DOY",
        "hour": "HOUR H HOURS HR HRS",
        "minute": "MINUTE M MIN MINS MINUTES",
        "exact second": "SECOND S SEC SECONDS SECS",
    }.items()
    for word in words.split()
}


def _time_types(call: Call) -> Sequence[Type]:
    """Cast to TIMESTAMP; a TIMESTAMP_NTZ stays what it is."""
    return [type if type == TIMESTAMP_NTZ else TIMESTAMP for type in own_types(call)]


def part(name: str) -> Kernel:
    def run(call: Call, given: Sequence[Values]) -> Values:
        return array_of(PARTS[name](numbers_of(given[0])), nulls_of(given[0]), INT)

    return Kernel(run, _time_types, arguments(1))


# EXTRACT --------------------------------------------------------------------------------------------------


def _unit(call: Call) -> str | None:
    return EXTRACTED.get(str(literal_text(call.arguments[0])).upper())


def _extract_types(call: Call) -> Sequence[Type]:
    unit, type = _unit(call), call.arguments[1].type
    if unit in dates.PARTS:
        return [STRING, DATE]
    return [STRING, type if type == TIMESTAMP_NTZ else TIMESTAMP]


def _extract_is_exact(call: Call) -> bool:
    return _unit(call) is not None and call.of == (decimal(8, 6) if _unit(call) == "exact second" else INT)


def extract(call: Call, given: Sequence[Values]) -> Values:
    unit, numbers, nulls = _unit(call), numbers_of(given[1]), nulls_of(given[1])
    if unit == "exact second":
        return from_digits(numbers % MINUTE, nulls, call.of)
    if unit in PARTS:
        return array_of(PARTS[unit](numbers), nulls, INT)
    return array_of(dates.PARTS[str(unit)](numbers.astype(np.int64)), nulls, INT)


# Truncation -----------------------------------------------------------------------------------------------

STEPS = {
    "DAY": DAY,
    "DD": DAY,
    "HOUR": HOUR,
    "MINUTE": MINUTE,
    "SECOND": SECOND,
    "MILLISECOND": 1000,
    "MICROSECOND": 1,
}


def date_trunc(call: Call, given: Sequence[Values]) -> Values:
    unit, time = str(literal_text(call.arguments[0])).upper(), numbers_of(given[1])
    if unit in STEPS:
        found = time - time % STEPS[unit]
    else:
        found = dates.STARTS[dates.UNITS[unit]](time // DAY) * DAY
    return array_of(found, nulls_of(given[1]), TIMESTAMP)


def _has_unit(call: Call) -> bool:
    unit = str(literal_text(call.arguments[0])).upper()
    return unit in STEPS or unit in dates.UNITS


# Timestamps and numbers -------------------------------------------------------------------------------------


def _since_1970(unit: int) -> Kernel:
    """The kernel that counts the units from 1970 to a timestamp; `unit` is in microseconds."""

    return Kernel(lambda call, given: _count(given[0], unit), _time_types, arguments(1))


def _count(time: Values, unit: int) -> Values:
    return array_of(numbers_of(time) // unit, nulls_of(time), BIGINT)


def unix_timestamp(call: Call, given: Sequence[Values]) -> Values:
    """UNIX_TIMESTAMP: whole seconds since 1970, cut toward 1970."""
    before = pc.less(_count(given[0], 1), pa.scalar(0))
    # -t // unit counts the whole seconds before 1970.
    backwards = pc.negate(array_of(-numbers_of(given[0]) // SECOND, nulls_of(given[0]), BIGINT))
    return pc.if_else(before, backwards, _count(given[0], SECOND))


def _at(unit: int) -> Kernel:
    """The kernel that turns a number of units since 1970 into a timestamp; as in Spark, it fails beyond the range."""

    def run(call: Call, given: Sequence[Values]) -> Values:
        return pc.cast(pc.multiply_checked(given[0], pa.scalar(unit)), arrow_type(TIMESTAMP))

    wants: Wants = lambda call: [BIGINT if is_integer(type) else type for type in own_types(call)]  # noqa: E731
    return Kernel(run, wants, lambda call: own_types(call) == [BIGINT])


def arithmetic_types(call: Call) -> Sequence[Type]:
    """The types to which both operands are cast."""
    left, right = own_types(call)
    if is_time(left) and is_time(right):
        common = common_type(left, right)
        return [common or left] * 2
    if DATE in (left, right) and INTERVAL in (left, right) and call.of != DATE:
        return [TIMESTAMP if type == DATE else type for type in (left, right)]
    if INTERVAL in (left, right):
        return [BIGINT if is_integer(type) else type for type in (left, right)]
    return [INT if is_integer(type) else type for type in (left, right)]


def is_arithmetic_exact(call: Call) -> bool:
    left, right = own_types(call)
    if VOID in (left, right):
        return False
    if call.name in "+-":
        return is_time(left) or is_time(right) or left == right
    if MONTHS in (left, right) or BIGINT not in (left, right):
        return False
    # To divide an interval by zero is an error in Spark, so the divisor must be a literal other than zero.
    return call.name == "*" or (call.name == "/" and literal_number(call.arguments[1]) not in (None, 0))


def compute_arithmetic(call: Call, given: Sequence[Values]) -> Values:
    (left, right), (left_type, right_type) = given, own_types(call)
    if not is_time(left_type) and (is_time(right_type) or right_type == INTERVAL != left_type):
        left, right, left_type, right_type = right, left, right_type, left_type
    if call.name == "*":
        return pc.cast(pc.multiply_checked(pc.cast(left, pa.int64()), right), arrow_type(INTERVAL))
    if call.name == "/":
        return _divide_interval(left, right)
    if is_time(left_type) and right_type == MONTHS:
        return _months_later(call, left, right)
    if left_type == right_type == DATE:
        apart = pc.subtract(_whole(left), _whole(right))
        return pc.cast(pc.multiply(apart, pa.scalar(DAY)), arrow_type(INTERVAL))
    if left_type == DATE:
        day, count = pc.cast(left, pa.int32()), _in_days(right) if right_type == INTERVAL else right
        return pc.cast(pc.add(day, count) if call.name == "+" else pc.subtract(day, count), pa.date32())
    return pc.add_checked(left, right) if call.name == "+" else pc.subtract_checked(left, right)


def _in_days(interval: Values) -> Values:
    """The number of days of an interval that is added to a date and leaves it a date: it is one of whole days."""
    days = array_of(numbers_of(interval) // DAY, nulls_of(interval), INT)
    return days[0] if isinstance(interval, pa.Scalar) else days


def _whole(date: Values) -> Values:
    return pc.cast(pc.cast(date, pa.int32()), pa.int64())


def _months_later(call: Call, time: Values, count: Values) -> Values:
    months = numbers_of(count).astype(np.int64) * (1 if call.name == "+" else -1)
    numbers, nulls = numbers_of(time), nulls_of(time, count)
    if call.of == DATE:
        return array_of(dates.add_months(numbers, months), nulls, DATE)
    day = numbers // DAY
    return array_of(dates.add_months(day, months) * DAY + numbers - day * DAY, nulls, call.of)


def _divide_interval(interval: Values, divisor: Values) -> Values:
    """The quotient of an interval, rounded half away from zero."""
    number, by = numbers_of(interval), numbers_of(divisor)
    whole = np.abs(number) // np.abs(by)
    whole += 2 * (np.abs(number) - whole * np.abs(by)) >= np.abs(by)
    return array_of(whole * np.sign(number) * np.sign(by), nulls_of(interval, divisor), INTERVAL)


TABLE: Table = {
    **{name: part(name) for name in PARTS},
    "extract": Kernel(extract, _extract_types, _extract_is_exact),
    "date_trunc": Kernel(date_trunc, fixed_types(STRING, TIMESTAMP), _has_unit),
    "unix_seconds": _since_1970(SECOND),
    "unix_millis": _since_1970(1000),
    "unix_micros": _since_1970(1),
    "unix_timestamp": Kernel(unix_timestamp, _time_types, arguments(1)),
    "timestamp_seconds": _at(SECOND),
    "timestamp_millis": _at(1000),
    "timestamp_micros": _at(1),
}
