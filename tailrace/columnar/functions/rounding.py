"""Rounding: ROUND, BROUND, CEIL and FLOOR, and fractions as decimals.

Spark rounds the digits that a DOUBLE has in its shortest written form, so that 1.005 becomes 1.01. Almost every number
is so far from the middle between two results that plain arithmetic rounds it right. The few others are written out and
rounded as decimals.

>>> round_to(np.array([1.005, -2.5, 0.29]), 2).tolist()
[1.01, -2.5, 0.29]
"""

from __future__ import annotations

import decimal
from collections.abc import Sequence

import numpy as np

from tailrace.columnar.functions.decimals import (
    DOWN,
    HALF_EVEN,
    HALF_UP,
    LONG_DIGITS,
    UP,
    digits_of,
    from_digits,
    quotient,
    rescale,
)
from tailrace.columnar.functions.kernel import (
    Kernel,
    Numbers,
    Table,
    Values,
    array_of,
    literal_number,
    nulls_of,
    numbers_of,
    own_types,
)
from tailrace.logical.expressions import Call
from tailrace.types import BIGINT, DOUBLE, INT, INTEGER_BITS, Type, is_decimal, is_integer

# Java 17 writes some numbers with other digits than the shortest form has, all of them beyond these places.
MOST_PLACES = 12
MOST_WHOLE_DIGITS = 15
WHOLE = 2.0**53  # from here on a DOUBLE has no digits after the point
DOUBT = 2.0**-50
MODES = {HALF_UP: decimal.ROUND_HALF_UP, HALF_EVEN: decimal.ROUND_HALF_EVEN}
EXACT = decimal.Context(prec=400)


def scaled_digits(numbers: Numbers, places: int, mode: str = HALF_UP) -> Numbers:
    """Fractions times 10**places, rounded to whole numbers of at most 18 digits; 0 for those that have more."""
    with np.errstate(all="ignore"):
        size = np.abs(numbers) * 10.0**places
        whole = np.floor(size)
        part = size - whole
        few = size < 10.0**LONG_DIGITS
        found = np.where(few, np.copysign(whole + (part > 0.5), numbers), 0).astype(np.int64)
        doubtful = few & ((np.abs(part - 0.5) <= size * DOUBT) | (size >= WHOLE / 2))
    if doubtful.any():
        values, at = np.unique(numbers[doubtful], return_inverse=True)
        found[doubtful] = np.array([_as_written(value, places, MODES[mode]) for value in values.tolist()])[at]
    return found


def _as_written(value: float, places: int, mode: str) -> int:
    shifted = decimal.Decimal(repr(value)).scaleb(places, EXACT)
    return int(shifted.quantize(decimal.Decimal(1), mode, EXACT))


def round_to(numbers: Numbers, places: int, mode: str = HALF_UP) -> Numbers:
    """Fractions rounded to `places` digits after the point; a negative zero loses its sign."""
    digits = scaled_digits(numbers, places, mode)
    with np.errstate(all="ignore"):
        beyond = ~(np.abs(numbers) * 10.0**places < WHOLE)
    return np.where(beyond, numbers, digits / 10.0**places) + 0.0


def decimals_of(values: Values, target: Type) -> Values:
    """FLOATs and DOUBLEs as decimals of up to 18 digits; NULL where they do not fit."""
    precision, scale = target.args
    numbers = numbers_of(values).astype(np.float64)
    with np.errstate(all="ignore"):
        fits = np.abs(numbers) < 10.0 ** (precision - scale)
    return from_digits(scaled_digits(numbers, scale), nulls_of(values) | ~fits, target)


def becomes_exact_decimal(target: Type) -> bool:
    """Whether all digits are certain that a decimal of this type keeps of a DOUBLE."""
    precision, scale = target.args
    return precision <= LONG_DIGITS and scale <= MOST_PLACES and precision - scale <= MOST_WHOLE_DIGITS


def truncate_to_integer(numbers: Numbers, type: Type) -> Numbers:
    """Fractions cut off to integers as Java does: one beyond the range becomes the range's end, and NaN becomes 0.

    Types of less than 32 bits get the lower bits of the result in 32 bits.
    """
    bits = max(INTEGER_BITS[type], 32)
    least, most = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    with np.errstate(all="ignore"):
        whole = np.trunc(np.nan_to_num(numbers, nan=0.0)).astype(np.float64)
        inside = (whole >= float(least)) & (whole < float(most + 1) if bits == 64 else whole <= float(most))
        cut = np.where(inside, whole, 0.0).astype(f"i{bits // 8}")
    cut = np.where(inside, cut, np.where(whole < 0, least, most)).astype(f"i{bits // 8}")
    return cut.astype(f"i{INTEGER_BITS[type] // 8}")


# Functions ------------------------------------------------------------------------------------------------


def _places(call: Call) -> int | None:
    return literal_number(call.arguments[1]) if len(call.arguments) > 1 else 0


def _round_types(call: Call) -> Sequence[Type]:
    first, *places = own_types(call)
    return [first if is_decimal(first) else call.of, *(INT for _ in places)]


def _round_is_exact(call: Call) -> bool:
    places, type = _places(call), call.of
    if places is None:
        return False
    if is_integer(type):
        return places > -len(str(2 ** (INTEGER_BITS[type] - 1)))
    if is_decimal(type):
        # In Spark, to round to a negative number of places is an error if the result does not fit.
        precision, scale = call.arguments[0].type.args
        return 0 <= places < 38 or (places > -30 and precision - scale < 38)
    return type == DOUBLE and 0 <= places <= MOST_PLACES


def _round(mode: str) -> Kernel:
    def run(call: Call, given: Sequence[Values]) -> Values:
        values, places = given[0], _places(call)
        assert places is not None
        if is_decimal(call.of):
            return _round_decimals(values, places, call.of, mode)
        if call.of == DOUBLE:
            return array_of(round_to(numbers_of(values), places, mode), nulls_of(values), DOUBLE)
        if places >= 0:
            return values
        return array_of(_round_integers(numbers_of(values), 10**-places, mode), nulls_of(values), call.of)

    return Kernel(run, _round_types, _round_is_exact)


def _round_decimals(values: Values, places: int, target: Type, mode: str) -> Values:
    if places >= 0:
        return rescale(values, target, mode)
    numbers = digits_of(values, max(values.type.precision, values.type.scale - places) + 1)
    tens = quotient(numbers, 10 ** (values.type.scale - places), mode) * 10**-places
    return from_digits(tens, nulls_of(values), target)


def _round_integers(numbers: Numbers, step: int, mode: str) -> Numbers:
    wide = numbers.astype(np.int64)
    size = np.where(wide < 0, -wide, wide).view(np.uint64)
    whole = size // np.uint64(step)
    rest = size - whole * np.uint64(step)
    half = np.uint64(step // 2)
    up = (rest > half) | ((rest == half) & ((whole % 2 == 1) if mode == HALF_EVEN else True))
    found = ((whole + up) * np.uint64(step)).view(np.int64)
    return np.where(wide < 0, -found, found).astype(numbers.dtype)


def _edge_types(call: Call) -> Sequence[Type]:
    first, *places = own_types(call)
    return [call.of if is_integer(first) else first, *(INT for _ in places)]


def _edge_is_exact(call: Call) -> bool:
    places, first = _places(call), call.arguments[0].type
    if len(call.arguments) == 1 and not is_decimal(first):
        return first in (DOUBLE, BIGINT) and call.of == BIGINT
    return places is not None and 0 <= places < 38 and is_decimal(first) and is_decimal(call.of)


def _edge(mode: str) -> Kernel:
    """CEIL (up) and FLOOR (down)."""

    def run(call: Call, given: Sequence[Values]) -> Values:
        values, first = given[0], call.arguments[0].type
        if is_decimal(call.of):
            return rescale(values, call.of, mode)
        if is_integer(first):
            return values
        with np.errstate(all="ignore"):
            edges = np.ceil(numbers_of(values)) if mode == UP else np.floor(numbers_of(values))
        return array_of(truncate_to_integer(edges, BIGINT), nulls_of(values), BIGINT)

    return Kernel(run, _edge_types, _edge_is_exact)


TABLE: Table = {
    "round": _round(HALF_UP),
    "bround": _round(HALF_EVEN),
    "ceil": _edge(UP),
    "floor": _edge(DOWN),
}
