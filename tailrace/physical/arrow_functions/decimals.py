"""Decimals: arithmetic with Spark's precisions; results are rounded half up, and NULL where they have no room.

Arrow computes what fits into 38 digits on the way. The rest is computed with Python's numbers in NumPy arrays:
Arrow's division of 256-bit decimals is wrong for some.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.logical.expressions import Call
from tailrace.physical.arrow_functions.kernel import Mask, Numbers, Values, array_of, nulls_of, where
from tailrace.physical.arrow_types import arrow_type
from tailrace.types import BIGINT, Type, is_decimal

DIGITS = 38  # of a decimal
ROUNDED_DIGITS = 34  # to which Spark rounds longer decimals when it turns their sign or reads seconds
LONG_DIGITS = 18  # of a decimal whose digits are a 64-bit number
HALF_UP, HALF_EVEN, UP, DOWN = "half_towards_infinity", "half_to_even", "up", "down"  # Arrow's words


def fitted(values: Values, target: Type, mode: str = HALF_UP) -> Values:
    """Decimals as those of another precision and scale."""
    precision, scale = target.args
    digits, places = values.type.precision, values.type.scale
    if places > scale:
        if digits == DIGITS:
            whole = rounded_quotient(ints_of(values), 10 ** (places - scale), mode)
            return from_ints(whole, nulls_of(values), target)
        digits += 1
        values = pc.round(pc.cast(values, pa.decimal128(digits, places)), scale, round_mode=mode)
    if digits - places > precision - scale:
        limit = pc.cast(pa.scalar("1" + "0" * (precision - scale)), values.type)
        values = where(pc.greater_equal(pc.abs(values), limit), pa.scalar(None, values.type), values)
    return pc.cast(values, pa.decimal128(precision, scale))


def without_zero(divisor: Values) -> Values:
    """The divisor, NULL where it is zero."""
    zero = pc.cast(pa.scalar("0"), divisor.type)
    return where(pc.equal(divisor, zero), pa.scalar(None, divisor.type), divisor)


# Operators ------------------------------------------------------------------------------------------------


def _digits(call: Call) -> tuple[int, int, int, int]:
    (p1, s1), (p2, s2) = call.arguments[0].type.args, call.arguments[1].type.args
    return p1, s1, p2, s2


def _common_digits(call: Call) -> tuple[int, int]:
    """Precision and scale in which two decimals are aligned."""
    p1, s1, p2, s2 = _digits(call)
    scale = max(s1, s2)
    return max(p1 - s1, p2 - s2) + scale, scale


@cache
def _dividend(p1: int, s1: int, p2: int, s2: int, wanted: int) -> pa.DataType | None:
    """The type of a dividend whose quotient has so many digits after the point; None if Arrow has no room for it.

    Arrow says by an example how many digits it adds before it divides.
    """
    for scale in range(s1, s1 + DIGITS - p1 + 1):
        type = pa.decimal128(p1 + scale - s1, scale)
        try:
            quotient = pc.divide(pa.array([], type), pa.array([], pa.decimal128(p2, s2))).type
        except pa.ArrowInvalid:
            return None
        if quotient.scale >= wanted:
            return type
    return None


def exact(call: Call) -> bool:
    """Whether Spark does not fail: it has no whole quotient, and so no remainder, of more digits than a decimal."""
    p1, s1, _, s2 = _digits(call)
    if call.name == "div":
        return p1 - s1 + s2 <= DIGITS
    room = {"%": DIGITS, "pmod": DIGITS - 1}
    return call.name not in room or _common_digits(call)[0] <= room[call.name]


def compute(call: Call, given: Sequence[Values]) -> Values:
    """An operator on two decimals."""
    left, right = given
    p1, s1, p2, s2 = _digits(call)
    if call.name in ("/", "div"):
        return _divided(call, left, without_zero(right))
    if call.name == "*":
        if p1 + p2 < DIGITS:
            return fitted(pc.multiply(left, right), call.of)
        return _in_scale(ints_of(left) * ints_of(right), s1 + s2, call.of, nulls_of(*given))
    precision, scale = _common_digits(call)
    if precision > DIGITS or (precision == DIGITS and call.name in ("+", "-")):
        one, other = ints_of(left) * 10 ** (scale - s1), ints_of(right) * 10 ** (scale - s2)
        return _in_scale(one + other if call.name == "+" else one - other, scale, call.of, nulls_of(*given))
    left, right = (pc.cast(side, pa.decimal128(precision, scale)) for side in given)
    if call.name in ("+", "-"):
        return fitted(pc.add(left, right) if call.name == "+" else pc.subtract(left, right), call.of)
    return fitted(_rest(call.name, left, without_zero(right)), call.of)


def _divided(call: Call, left: Values, right: Values) -> Values:
    _, s1, _, s2 = _digits(call)
    scale = call.of.args[1] if is_decimal(call.of) else 0
    dividend = _dividend(*_digits(call), scale + 1)
    if dividend is not None:
        quotient = pc.divide(pc.cast(left, dividend), right)
        return fitted(quotient, call.of) if is_decimal(call.of) else whole_part(quotient, call.of)
    shift, nulls = scale + s2 - s1, nulls_of(left, right)
    numbers, divisor = ints_of(left), np.where(nulls_of(right), 1, ints_of(right))
    numbers, divisor = numbers * 10 ** max(shift, 0), divisor * 10 ** max(-shift, 0)
    if is_decimal(call.of):
        return from_ints(rounded_quotient(numbers, divisor, HALF_UP), nulls, call.of)
    return array_of(_low_bits(rounded_quotient(numbers, divisor, "towards_zero")), nulls, call.of)


def _rest(name: str, left: Values, right: Values) -> Values:
    """`%`, or PMOD, which adds a positive divisor to a negative rest."""
    rest = pc.remainder(left, right)
    if name == "%":
        return rest
    zero = pc.cast(pa.scalar("0"), rest.type)
    moved = pc.cast(pc.add(rest, right), rest.type)
    return where(pc.and_(pc.less(rest, zero), pc.greater(right, zero)), moved, rest)


def _in_scale(digits: Numbers, scale: int, target: Type, nulls: Mask) -> pa.Array:
    """Digits with a scale as decimals of a type, which may have fewer places."""
    places = target.args[1]
    whole = rounded_quotient(digits, 10 ** (scale - places), HALF_UP) if scale > places else digits
    return from_ints(whole, nulls, target)


# Decimals as numbers --------------------------------------------------------------------------------------


def _words_of(values: pa.Array) -> Numbers:
    """The lower and the upper 64 bits of each decimal's digits."""
    data = values.buffers()[1]
    if data is None:
        return np.zeros((len(values), 2), np.int64)
    return np.frombuffer(data, np.int64, len(values) * 2, values.offset * 16).reshape(-1, 2)


def digits_of(values: Values) -> Numbers:
    """The lower 64 bits of all digits: for a decimal of up to 18 digits, all of them."""
    return _words_of(pa.repeat(values, 1) if isinstance(values, pa.Scalar) else values)[:, 0]


def ints_of(values: Values) -> Numbers:
    """All digits as Python's numbers; whatever stands there where a decimal is NULL."""
    words = _words_of(pa.repeat(values, 1) if isinstance(values, pa.Scalar) else values)
    found: Numbers = words[:, 1].astype(object) * 2**64 + words[:, 0].view(np.uint64).astype(object)
    return found


def from_digits(digits: Numbers, nulls: Mask, type: Type) -> pa.Array:
    """Decimals with these digits, which are as many as the type has or fewer."""
    return _from_words(np.stack([digits, digits >> 63], axis=1), nulls, type)


def from_ints(digits: Numbers, nulls: Mask, type: Type) -> pa.Array:
    """Decimals with these digits; NULL where they are too many."""
    fits = np.abs(digits) < 10 ** type.args[0]
    digits = np.where(fits, digits, 0)
    words = np.stack([_low_bits(digits), (digits >> 64).astype(np.int64)], axis=1)
    return _from_words(words, nulls | ~fits.astype(bool), type)


def _low_bits(numbers: Numbers) -> Numbers:
    return (numbers & (2**64 - 1)).astype(np.uint64).view(np.int64)


def _from_words(words: Numbers, nulls: Mask, type: Type) -> pa.Array:
    nulls = np.broadcast_to(nulls, len(words))
    validity = pa.array(~nulls).buffers()[1] if nulls.any() else None
    data = pa.py_buffer(np.ascontiguousarray(words, np.int64))
    return pa.Array.from_buffers(pa.decimal128(*type.args), len(words), [validity, data])


def rounded_quotient(numbers: Numbers, divisor: Numbers | int, mode: str) -> Numbers:
    """Whole quotients of Python's numbers.

    >>> rounded_quotient(np.array([5, -5, 15, 7], object), 10, HALF_EVEN).tolist()
    [0, 0, 2, 1]
    """
    negative = (numbers < 0) != (np.asarray(divisor) < 0)
    size, by = np.abs(numbers), np.abs(divisor)
    whole = size // by
    rest = size - whole * by
    match mode:
        case "half_towards_infinity":
            more = rest * 2 >= by
        case "half_to_even":
            more = (rest * 2 > by) | ((rest * 2 == by) & (whole % 2 == 1))
        case "up" | "down":
            more = (rest > 0) & (negative if mode == DOWN else ~negative.astype(bool))
        case _:
            more = np.zeros(len(rest), bool)
    found: Numbers = np.where(negative, -(whole + more), whole + more)
    return found


def whole_part(values: Values, type: Type) -> Values:
    """Decimals cut off to integers; what is too large loses its upper bits, as in Java."""
    cut = pc.cast(values, pa.decimal128(values.type.precision, 0), safe=False)
    low = array_of(digits_of(cut), nulls_of(cut), BIGINT)
    return pc.cast(low, arrow_type(type), safe=False)
