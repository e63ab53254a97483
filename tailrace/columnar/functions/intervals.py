"""Intervals: arithmetic of dates, timestamps and intervals. A result outside their range is an error, as in Spark."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.arrow_types import arrow_type
from tailrace.columnar.functions import civil
from tailrace.columnar.functions.kernel import (
    Values,
    array_of,
    literal_number,
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
    TIMESTAMP,
    VOID,
    Type,
    common_type,
    is_integer,
    is_time,
)

DAY = MICROSECONDS["DAY"]


def common_types(call: Call) -> Sequence[Type]:
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


def exact(call: Call) -> bool:
    left, right = own_types(call)
    if VOID in (left, right):
        return False
    if call.name in "+-":
        return is_time(left) or is_time(right) or left == right
    if MONTHS in (left, right) or BIGINT not in (left, right):
        return False
    # To divide an interval by zero is an error in Spark, so the divisor must be a literal other than zero.
    return call.name == "*" or (call.name == "/" and literal_number(call.arguments[1]) not in (None, 0))


def compute(call: Call, given: Sequence[Values]) -> Values:
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
        return array_of(civil.add_months(numbers, months), nulls, DATE)
    day = numbers // DAY
    return array_of(civil.add_months(day, months) * DAY + numbers - day * DAY, nulls, call.of)


def _divide_interval(interval: Values, divisor: Values) -> Values:
    """The quotient of an interval, rounded half away from zero."""
    number, by = numbers_of(interval), numbers_of(divisor)
    whole = np.abs(number) // np.abs(by)
    whole += 2 * (np.abs(number) - whole * np.abs(by)) >= np.abs(by)
    return array_of(whole * np.sign(number) * np.sign(by), nulls_of(interval, divisor), INTERVAL)
