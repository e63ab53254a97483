"""Timestamps: functions of timestamps in UTC, EXTRACT, and conversions between timestamps and numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.arrow_types import arrow_type
from tailrace.columnar.functions import dates as calendar
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
    literal_text,
    nulls_of,
    numbers_of,
    own_types,
)
from tailrace.logical.expressions import Call
from tailrace.types import BIGINT, DATE, INT, MICROSECONDS, STRING, TIMESTAMP, TIMESTAMP_NTZ, Type, decimal, is_integer

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
    if unit in calendar.PARTS:
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
    return array_of(calendar.PARTS[str(unit)](numbers.astype(np.int64)), nulls, INT)


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
        found = calendar.STARTS[calendar.UNITS[unit]](time // DAY) * DAY
    return array_of(found, nulls_of(given[1]), TIMESTAMP)


def _has_unit(call: Call) -> bool:
    unit = str(literal_text(call.arguments[0])).upper()
    return unit in STEPS or unit in calendar.UNITS


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
