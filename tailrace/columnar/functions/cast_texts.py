"""Cast texts: casts that read numbers, booleans and dates from texts, and casts that write values as texts.

Two casts are left to Spark. FLOAT and DOUBLE are written as Java does, and Java's versions differ. Texts of timestamps
may name a time zone or leave out the day.
"""

from __future__ import annotations

import decimal
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.arrow_types import arrow_type
from tailrace.columnar.functions import dates
from tailrace.columnar.functions.decimals import rescale, whole_part
from tailrace.columnar.functions.kernel import Values, array_of, null, nulls_of, numbers_of, where
from tailrace.types import (
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    INTEGER_BITS,
    MICROSECONDS,
    TIMESTAMP_NTZ,
    Type,
    is_decimal,
    is_integer,
    is_time,
)

Convert = Callable[[Values, Type], Values]
WHITE_SPACE = "".join(map(chr, range(0x21)))
CONTROLS = WHITE_SPACE + "\x7f"
TRUE, FALSE = ("t", "true", "y", "yes", "1"), ("f", "false", "n", "no", "0")
PLAIN_SCALE = 6  # with more digits after the point, a small decimal is written with an exponent
DIGITS = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)"
DOUBLE_TEXT = rf"^[+-]?{DIGITS}(?:[eE][+-]?[0-9]+)?[dDfF]?$"
HEX_TEXT = re.compile(r"([+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+)[dDfF]?")
SPECIALS = {
    **dict.fromkeys(("inf", "+inf", "infinity", "+infinity"), float("inf")),
    **dict.fromkeys(("-inf", "-infinity"), float("-inf")),
    "nan": float("nan"),
}
DATE_TEXT = (
    r"(?s)^(?P<sign>[+-]?)(?P<year>[0-9]{4,7})"
    r"(?:-(?P<month>[0-9]{1,2})(?:-(?P<day>[0-9]{1,2})(?:[ T].*)?)?)?$"
)
YEAR_10000 = int(dates.year_start(np.array([10_000]))[0])


def reader(source: Type, target: Type) -> Convert | None:
    """The function that reads values of `target` from texts, or None. A text that is no such value becomes NULL."""
    if is_integer(target):
        return read_integer
    if is_decimal(target):
        return read_decimal
    known: dict[Type, Convert] = {
        DOUBLE: read_double,
        BOOLEAN: read_boolean,
        DATE: read_date,
        BINARY: lambda values, target: pc.cast(values, pa.binary()),
    }
    return known.get(target)


def trim_controls(values: Values) -> Values:
    """The texts without white space and control characters at their ends."""
    return pc.utf8_trim(values, characters=CONTROLS)


def read_where(values: Values, matches: Values, target: Type, read: Callable[[Values], Values]) -> Values:
    """Apply `read` to the texts that match; NULL for the others."""
    return where(matches, read(where(matches, values, pa.scalar("0"))), null(target))


def few(values: pa.Array, rows: pa.Array, read: Callable[[str], Any], type: pa.DataType) -> pa.Array:
    """Apply a Python function to the texts of some rows, once for each distinct text; NULL for the other rows."""
    encoded = where(rows, values, pa.scalar(None, values.type)).dictionary_encode()
    known = pa.array([read(text) for text in encoded.dictionary.to_pylist()], type)
    return known.take(encoded.indices)


def read_boolean(values: Values, target: Type) -> Values:
    word = pc.ascii_lower(trim_controls(values))
    yes, no = (pc.is_in(word, value_set=pa.array(words)) for words in (TRUE, FALSE))
    return where(pc.or_(yes, no), yes, null(BOOLEAN))


# Numbers --------------------------------------------------------------------------------------------------


def read_integer(values: Values, target: Type) -> Values:
    """Integers read from texts; digits after a point are cut off."""
    return _read_integer(values, target, r"^(?P<sign>[+-]?)0*(?P<digits>[0-9]*)(?P<rest>\.[0-9]*)?$")


def read_strict_integer(values: Values, target: Type) -> Values:
    return _read_integer(values, target, r"^(?P<sign>[+-]?)0*(?P<digits>[0-9]*)(?P<rest>)$")


def _read_integer(values: Values, target: Type, pattern: str) -> Values:
    text = trim_controls(values)
    parts = pc.extract_regex(text, pattern)
    sign, digits = pc.struct_field(parts, "sign"), pc.struct_field(parts, "digits")
    bare = pc.is_in(text, value_set=pa.array(["", "+", "-"]))
    fits = pc.and_(pc.less(pc.binary_length(digits), 20), pc.invert(bare))
    number = pc.binary_join_element_wise(sign, pa.scalar("0"), where(fits, digits, pa.scalar("")), "")
    read = pc.cast(number, pa.decimal128(38, 0))
    limit = 2 ** (INTEGER_BITS[target] - 1)
    ends = [pc.cast(pa.scalar(str(end)), read.type) for end in (-limit, limit)]
    fits = pc.and_(fits, pc.and_(pc.greater_equal(read, ends[0]), pc.less(read, ends[1])))
    return where(fits, whole_part(read, target), null(target))


def read_double(values: Values, target: Type) -> Values:
    text = pc.utf8_trim(values, characters=WHITE_SPACE)
    usual = pc.match_substring_regex(text, DOUBLE_TEXT)
    numbers = pc.ascii_rtrim(where(usual, text, pa.scalar("0")), characters="dDfF")
    found = where(usual, pc.cast(numbers, pa.float64()), null(DOUBLE))
    others = pc.and_(pc.invert(usual), pc.match_substring_regex(text, "[xXnN]"))
    if pc.any(others).as_py():
        found = pc.coalesce(found, few(text, others, _unusual_double, pa.float64()))
    return found


def _unusual_double(text: str | None) -> float | None:
    if text is None:
        return None
    if text.lstrip("+-") in ("NaN", "Infinity") and len(text) - len(text.lstrip("+-")) < 2:
        return float(text)
    if found := HEX_TEXT.fullmatch(text):
        try:
            return float.fromhex(found.group(1))
        except OverflowError:
            return float("-inf" if text.startswith("-") else "inf")
    return SPECIALS.get(text.lower())


def read_decimal(values: Values, target: Type) -> Values:
    text = pc.utf8_trim(values, characters=WHITE_SPACE)
    usual = pc.match_substring_regex(text, r"^[+-]?(?:[0-9]{1,20}(?:\.[0-9]{0,17})?|\.[0-9]{1,17})$")
    found = read_where(text, usual, target, lambda texts: rescale(pc.cast(texts, pa.decimal128(37, 17)), target))
    others = pc.and_(pc.invert(usual), pc.match_substring_regex(text, r"[^\x00-\x7f]|[0-9]"))
    if pc.any(others).as_py():
        found = pc.coalesce(found, few(text, others, lambda each: _unusual_decimal(each, target), found.type))
    return found


def _unusual_decimal(text: str | None, target: Type) -> decimal.Decimal | None:
    """Read a decimal that has an exponent, many digits, or digits of other scripts."""
    if text is None or not re.fullmatch(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,9})?", text):
        return None
    precision, scale = target.args
    context = decimal.Context(prec=2000, rounding=decimal.ROUND_HALF_UP, Emax=10**10, Emin=-(10**10))
    try:
        found = decimal.Decimal(text).quantize(decimal.Decimal(1).scaleb(-scale), context=context)
    except decimal.InvalidOperation:
        return None
    return found if found.copy_abs() < 10 ** (precision - scale) else None


# Dates ----------------------------------------------------------------------------------------------------


def read_date(values: Values, target: Type) -> Values:
    parts = pc.extract_regex(trim_controls(values), DATE_TEXT)
    sign = pc.struct_field(parts, "sign")
    year, month, day = (_part(parts, name) for name in ("year", "month", "day"))
    year = np.where(numbers_of(pc.equal(sign, "-")), -year, year)
    month, day = np.where(month < 0, 1, month), np.where(day < 0, 1, day)
    named = (month >= 1) & (month <= 12) & (day >= 1)
    first = dates.month_start((year - dates.EPOCH) * 12 + np.where(named, month, 1) - 1)
    last = dates.month_end(dates.months_of(first))
    found = first + np.where(named, day, 1) - 1
    fits = named & (found <= last) & (found >= -(2**31)) & (found < 2**31)
    return array_of(np.where(fits, found, 0), nulls_of(sign) | ~fits, DATE)


def _part(parts: Values, name: str) -> Any:
    """The year, month or day of dates as numbers; -1 where the text leaves it out."""
    text = pc.struct_field(parts, name)
    written = pc.and_(pc.is_valid(text), pc.not_equal(text, ""))
    return numbers_of(pc.cast(where(written, text, pa.scalar("-1")), pa.int64()))


# Texts ----------------------------------------------------------------------------------------------------


def writer(source: Type, target: Type) -> Convert | None:
    """The function that writes values of `source` as texts, or None where that is left to Spark."""
    if is_integer(source) or is_decimal(source) or source == BOOLEAN:
        return lambda values, target: pc.cast(values, pa.string())
    if is_time(source):
        return write_date if source == DATE else write_timestamp
    return None


def write_date(values: Values, target: Type) -> Values:
    return _with_plus(pc.cast(values, pa.string()), values, YEAR_10000)


def write_timestamp(values: Values, target: Type) -> Values:
    """Timestamps as texts, without zeros at the end of the fraction of a second."""
    local = pc.cast(values, arrow_type(TIMESTAMP_NTZ))
    text = pc.ascii_rtrim(pc.ascii_rtrim(pc.cast(local, pa.string()), characters="0"), characters=".")
    return _with_plus(text, values, YEAR_10000 * MICROSECONDS["DAY"])


def _with_plus(text: Values, values: Values, start: int) -> Values:
    """Put a plus sign before years of more than four digits: values from `start` on have such a year."""
    beyond = numbers_of(values) >= start
    if not beyond.any():
        return text
    signed = pc.binary_join_element_wise(pa.scalar("+"), text, "")
    return pc.if_else(pa.array(beyond), signed, text)
