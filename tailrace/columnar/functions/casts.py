"""Casts: CAST and TRY_CAST between numbers, booleans, dates and timestamps; texts are in cast_texts.py.

A value that does not fit wraps around or saturates with CAST, as in Java; with TRY_CAST it becomes NULL.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.arrow_types import arrow_type
from tailrace.columnar.functions import cast_texts
from tailrace.columnar.functions.decimals import (
    DIGITS,
    ROUNDED_DIGITS,
    TO_ZERO,
    digits_of,
    from_digits,
    low_bits,
    quotient,
    rescale,
    whole_part,
)
from tailrace.columnar.functions.kernel import (
    Kernel,
    Table,
    Values,
    array_of,
    null,
    nulls_of,
    numbers_of,
    where,
)
from tailrace.columnar.functions.rounding import becomes_exact_decimal, decimals_of, truncate_to_integer
from tailrace.logical.expressions import Call, columns_of
from tailrace.types import (
    BIGINT,
    BOOLEAN,
    DATE,
    DOUBLE,
    INTEGER_BITS,
    INTEGER_DIGITS,
    MICROSECONDS,
    STRING,
    TIMESTAMP,
    VOID,
    Type,
    decimal,
    is_decimal,
    is_fraction,
    is_integer,
    is_numeric,
    is_time,
)

Convert = Callable[[Values, Type], Values]
SECOND, DAY = MICROSECONDS["SECOND"], MICROSECONDS["DAY"]
MICRO_DIGITS = 6
EXACT_DIGITS = 15  # a decimal of at most this many digits is a quotient of two exact doubles


def plainly(values: Values, target: Type) -> Values:
    """Cast as C, Java and Arrow all do it."""
    return pc.cast(values, arrow_type(target), safe=False)


def _from_integer(source: Type, target: Type) -> Convert | None:
    if is_integer(target) or is_fraction(target):
        return plainly
    if is_decimal(target):
        digits = pa.decimal128(INTEGER_DIGITS[source], 0)
        return lambda values, target: rescale(pc.cast(values, digits), target)
    if target == TIMESTAMP:
        return seconds_as_timestamp
    return is_not_zero if target == BOOLEAN else None


def _from_fraction(source: Type, target: Type) -> Convert | None:
    if is_integer(target):
        return lambda values, target: array_of(
            truncate_to_integer(numbers_of(values), target), nulls_of(values), target
        )
    if is_fraction(target):
        return plainly
    if is_decimal(target):
        return decimals_of if becomes_exact_decimal(target) else None
    if target == TIMESTAMP:
        return fraction_as_timestamp
    return is_not_zero if target == BOOLEAN else None


def _from_decimal(source: Type, target: Type) -> Convert | None:
    if is_integer(target):
        return whole_part
    if is_fraction(target):
        return decimal_as_fraction
    if is_decimal(target):
        return rescale
    if target == TIMESTAMP:
        return decimal_as_timestamp if source.args[0] + MICRO_DIGITS <= ROUNDED_DIGITS else None
    return is_not_zero if target == BOOLEAN else None


def _from_boolean(source: Type, target: Type) -> Convert | None:
    if is_integer(target) or is_fraction(target):
        return plainly
    if is_decimal(target):
        return lambda values, target: rescale(pc.cast(pc.cast(values, pa.int8()), pa.decimal128(3, 0)), target)
    return None


def _from_time(source: Type, target: Type) -> Convert | None:
    if is_time(target):
        return time_as_date if target == DATE else date_as_time if source == DATE else plainly
    if source != TIMESTAMP:
        return None
    if is_integer(target):
        return whole_seconds
    if is_fraction(target):
        return seconds
    return exact_seconds if is_decimal(target) else None


def converter(source: Type, target: Type) -> Convert | None:
    """The function that casts values of one type to another; None where that is left to Spark."""
    if source == target:
        return lambda values, target: values
    if source == VOID:
        return lambda values, target: pa.nulls(len(values), arrow_type(target))
    for is_kind, find in KINDS:
        if is_kind(source):
            return cast_texts.writer(source, target) if target == STRING else find(source, target)
    return None


KINDS: tuple[tuple[Callable[[Type], bool], Callable[[Type, Type], Convert | None]], ...] = (
    (is_integer, _from_integer),
    (is_fraction, _from_fraction),
    (is_decimal, _from_decimal),
    (lambda type: type == BOOLEAN, _from_boolean),
    (is_time, _from_time),
    (lambda type: type == STRING, cast_texts.reader),
)


# Numbers --------------------------------------------------------------------------------------------------


def is_not_zero(values: Values, target: Type) -> Values:
    return pc.not_equal(values, pc.cast(pa.scalar("0"), values.type))


def decimal_as_fraction(values: Values, target: Type) -> Values:
    """The nearest FLOAT or DOUBLE. Arrow finds it only when it reads the decimal as a text."""
    if values.type.precision <= EXACT_DIGITS and target == DOUBLE:
        return array_of(digits_of(values) / 10.0**values.type.scale, nulls_of(values), DOUBLE)
    return pc.cast(pc.cast(values, pa.string()), arrow_type(target))


# Points in time -------------------------------------------------------------------------------------------


def date_as_time(values: Values, target: Type) -> Values:
    return pc.cast(values, arrow_type(target))


def time_as_date(values: Values, target: Type) -> Values:
    return array_of(numbers_of(values) // DAY, nulls_of(values), DATE)


def whole_seconds(values: Values, target: Type) -> Values:
    """Timestamps as whole seconds since 1970; NULL where these do not fit."""
    found = array_of(numbers_of(values) // SECOND, nulls_of(values), BIGINT)
    return _if_inside(found, plainly, target)


def seconds(values: Values, target: Type) -> Values:
    return array_of(numbers_of(values).astype(np.float64) / float(SECOND), nulls_of(values), target)


def exact_seconds(values: Values, target: Type) -> Values:
    return rescale(from_digits(numbers_of(values), nulls_of(values), decimal(20, 6)), target)


def seconds_as_timestamp(values: Values, target: Type) -> Values:
    """Integers as timestamps, in seconds since 1970; one beyond the range becomes the range's end."""
    wide = numbers_of(values).astype(np.int64)
    most = (2**63 - 1) // SECOND
    found = np.clip(wide, -most, most) * SECOND
    found = np.where(wide > most, 2**63 - 1, np.where(wide < -most, -(2**63), found))
    return array_of(found, nulls_of(values), TIMESTAMP)


def fraction_as_timestamp(values: Values, target: Type) -> Values:
    numbers = numbers_of(values).astype(np.float64)
    with np.errstate(all="ignore"):
        found = truncate_to_integer(numbers * float(SECOND), BIGINT)
    return array_of(found, nulls_of(values) | ~np.isfinite(numbers), TIMESTAMP)


def decimal_as_timestamp(values: Values, target: Type) -> Values:
    """Decimals as timestamps, in seconds since 1970; digits beyond microseconds are cut off."""
    numbers, shift = digits_of(values, ROUNDED_DIGITS), MICRO_DIGITS - values.type.scale
    micros = quotient(numbers * 10 ** max(shift, 0), 10 ** max(-shift, 0), TO_ZERO)
    return array_of(low_bits(micros), nulls_of(values), TIMESTAMP)


# TRY_CAST -------------------------------------------------------------------------------------------------


def try_converter(source: Type, target: Type) -> Convert | None:
    """As `converter`, but a value that does not fit becomes NULL."""
    convert = converter(source, target)
    if source == STRING and is_integer(target):
        return cast_texts.read_strict_integer
    if is_integer(target) and is_decimal(source) and source.args[0] > EXACT_DIGITS:
        return None  # Spark casts by way of a DOUBLE
    if convert and is_integer(target) and is_numeric(source):
        return lambda values, target: _if_inside(values, convert, target)
    if (is_time(source) and is_numeric(target)) or (target == TIMESTAMP and is_numeric(source)):
        return None
    if target == STRING and is_decimal(source) and source.args[1] > cast_texts.PLAIN_SCALE:
        return None
    return convert


def _if_inside(values: Values, convert: Convert, target: Type) -> Values:
    least, most = -(2 ** (INTEGER_BITS[target] - 1)), 2 ** (INTEGER_BITS[target] - 1) - 1
    if pa.types.is_integer(values.type):
        wide = pc.cast(values, pa.int64())
        inside = pc.and_(pc.greater_equal(wide, least), pc.less_equal(wide, most))
    elif pa.types.is_floating(values.type):
        cut = pc.cast(pc.trunc(values), pa.float64())
        inside = pc.and_(pc.greater_equal(cut, float(least)), pc.less_equal(cut, float(most)))
    else:
        whole = quotient(digits_of(values, DIGITS), 10**values.type.scale, TO_ZERO)
        inside = pa.array(((whole >= least) & (whole <= most)).astype(bool))
    return where(inside, convert(values, target), null(target))


def _kernel(find: Callable[[Type, Type], Convert | None]) -> Kernel:
    def run(call: Call, given: Sequence[Values]) -> Values:
        convert = find(call.arguments[0].type, call.of)
        assert convert is not None
        return convert(given[0], call.of)

    def exact(call: Call) -> bool:
        # Spark replaces constants such as 'now' and 'today' before it runs, so constant texts of times are left to it.
        constant_text = call.arguments[0].type == STRING and not columns_of(call)
        return find(call.arguments[0].type, call.of) is not None and not (constant_text and is_time(call.of))

    return Kernel(run, exact=exact)


TABLE: Table = {"cast": _kernel(converter), "try_cast": _kernel(try_converter)}
