"""Ordinals: a column's values as keys in Spark's order, and constants as places among them.

The keys of numbers, truth values and points in time are whole numbers; that of a DOUBLE is its place among all doubles,
NaN being the last and −0.0 the same as 0.0. Texts stay texts, whose order by code points is that of their UTF-8 bytes.
Every key has a next one, so that `x > c` is the same as `x >= next`.

>>> from tailrace.types import INT
>>> steps(2.5, INT), steps("a", STRING)
((3, 3), ('a', 'a\\x00'))
>>> ordinals(pa.array([3, None, 5])).numbers.tolist()[::2]
[3, 5]
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.functions.decimals import LONG_DIGITS, digits_of
from tailrace.columnar.functions.kernel import nulls_of, numbers_of
from tailrace.operators.families.routing.regions import Key, Region
from tailrace.types import (
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    INTEGER_BITS,
    INTERVAL,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Type,
    as_decimal,
    is_decimal,
    is_fraction,
    is_integer,
)

Numbers = np.ndarray[Any, Any]
TOP = 1 << 200  # TOP is above, −TOP below all numbers of all columns
SMALL = 1 << 62
LEAST, MOST = -(1 << 63), (1 << 63) - 1
SIGN = np.int64(MOST)
NAN = 0x7FF8 << 48
LAST_SIGN = chr(0x10FFFF)
EXACT_BITS = {DOUBLE: 32, FLOAT: 16}  # integers of up to this many bits are all values of the type
TIMES = (DATE, TIMESTAMP, TIMESTAMP_NTZ, INTERVAL)


@cache
def has_keys(type: Type) -> bool:
    """Whether a column of this type can be indexed."""
    return is_integer(type) or is_fraction(type) or is_decimal(type) or type in (BOOLEAN, STRING, *TIMES)


@cache
def is_long(type: Type) -> bool:
    """Whether the keys of a column are numbers of 64 bits."""
    return type != STRING and not (is_decimal(type) and type.args[0] > LONG_DIGITS)


@cache
def keeps_values(source: Type, target: Type) -> bool:
    """Whether a cast keeps every value, so that comparisons after it are comparisons before it.

    >>> keeps_values(BOOLEAN, BOOLEAN), keeps_values(FLOAT, DOUBLE), keeps_values(DOUBLE, FLOAT)
    (True, True, False)
    """
    if source == target:
        return True
    if is_integer(source) and target in EXACT_BITS:
        return INTEGER_BITS[source] <= EXACT_BITS[target]
    if is_integer(source) and is_integer(target):
        return INTEGER_BITS[source] <= INTEGER_BITS[target]
    if is_decimal(target) and (is_integer(source) or is_decimal(source)):
        (precision, scale), (room, fraction) = as_decimal(source).args, target.args
        return bool(fraction >= scale and room - fraction >= precision - scale)
    return source == FLOAT and target == DOUBLE


# Constants ------------------------------------------------------------------------------------------------


def steps(value: Any, column: Type) -> tuple[Key, Key]:
    """The least key of the column that is not below a constant, and the least that is above it."""
    if _is_fraction(column):
        place = _place(value)
        return place, place + 1
    if isinstance(value, str):
        return value, value + "\0"
    if isinstance(value, int) and not is_decimal(column):
        return int(value), value + 1
    if isinstance(value, float) and not math.isfinite(value):
        end = -TOP if value == -math.inf else TOP
        return end, end
    over, under = value.as_integer_ratio()
    if is_decimal(column):
        over *= 10 ** column.args[1]
    return -(-over // under), over // under + 1


_is_fraction = cache(is_fraction)


def _place(value: float) -> int:
    """The number of a double among all doubles."""
    if math.isnan(value):
        return NAN
    (bits,) = struct.unpack("<q", struct.pack("<d", value + 0.0))
    return bits if bits >= 0 else bits ^ MOST


def region_of_prefix(text: str) -> Region:
    """The texts that begin with a text.

    >>> region_of_prefix("ab"), region_of_prefix("a" + LAST_SIGN).cuts[1]
    (Region(below=False, cuts=('ab', 'ac'), null=False), 'b')
    """
    start = text.rstrip(LAST_SIGN)
    if not start:
        return Region(not text, (text,) if text else (), False)
    after = ord(start[-1]) + 1
    # From 0xD800 up to 0xE000 there are no characters: these numbers are halves of characters in UTF-16.
    after = 0xE000 if after == 0xD800 else after
    return Region(False, (text, start[:-1] + chr(after)), False)


def time_number(scalar: pa.Scalar) -> int:
    """The days or microseconds of a constant in time, as a column holds them."""
    if pa.types.is_date32(scalar.type):
        return (scalar.as_py() - date(1970, 1, 1)) // timedelta(days=1)
    return int(scalar.value)


# Columns --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ordinals:
    """A column's keys: `numbers`, or the `distinct` keys at these indexes. The number of a NULL may be any."""

    numbers: Numbers
    nulls: Numbers | None
    distinct: Numbers | None = None

    @cached_property
    def are_small(self) -> bool:
        """Whether the difference of any two of the numbers fits into 64 bits."""
        if self.numbers.dtype.itemsize < 8 or not len(self.numbers):
            return True
        return bool(self.numbers.min() > -SMALL and self.numbers.max() < SMALL)

    @cached_property
    def by_rank(self) -> Ordinals:
        """The same keys with `distinct` sorted: that is done once, for many searches."""
        distinct, numbers = np.unique(self.numbers, return_inverse=True)
        return Ordinals(numbers, self.nulls, distinct)


def ordinals(values: pa.Array) -> Ordinals:
    nulls = nulls_of(values) if values.null_count else None
    type = values.type
    if pa.types.is_null(type):
        return Ordinals(np.zeros(len(values), np.int64), np.ones(len(values), bool))
    if pa.types.is_floating(type):
        return Ordinals(_places(numbers_of(values).astype(np.float64)), nulls)
    if pa.types.is_decimal(type) and type.precision <= LONG_DIGITS:
        return Ordinals(np.ascontiguousarray(digits_of(values)), nulls)
    if pa.types.is_decimal(type) or pa.types.is_string(type):
        return _encode_ordinals(values, nulls)
    return Ordinals(numbers_of(values), nulls)


def _places(values: Numbers) -> Numbers:
    bits = (values + 0.0).view(np.int64)
    places: Numbers = np.where(bits < 0, bits ^ SIGN, bits)
    places[np.isnan(values)] = NAN
    return places


def _encode_ordinals(values: pa.Array, nulls: Numbers | None) -> Ordinals:
    encoded = values.dictionary_encode()
    codes = pc.fill_null(encoded.indices, 0).to_numpy(zero_copy_only=False)
    if pa.types.is_decimal(values.type):
        return Ordinals(codes, nulls, digits_of(encoded.dictionary))
    distinct = np.empty(len(encoded.dictionary), object)
    distinct[:] = encoded.dictionary.to_pylist()
    return Ordinals(codes, nulls, distinct)
