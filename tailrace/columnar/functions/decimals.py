"""Decimals: arithmetic with Spark's precisions; results are rounded half up, and NULL where they do not fit.

Everything that divides, and so everything that rounds or cuts off, works on the digits as whole numbers (12.34 is
1234 with scale 2): Arrow's division of decimals, also inside its rounding and its casts, is wrong for some pairs of
numbers (as of version 26). Digits are 64-bit numbers while 18 of them are enough, and Python's integers in NumPy
arrays beyond.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.functions.kernel import Mask, Numbers, Values, array_of, nulls_of, where
from tailrace.logical.expressions import Call
from tailrace.types import INTEGER_BITS, Type, is_decimal

DIGITS = 38  # of a decimal
LONG_DIGITS = 18  # of a 64-bit number
ROUNDED_DIGITS = 34  # to which Spark rounds longer decimals when it changes their sign or casts them to timestamps
HALF_UP, HALF_EVEN, UP, DOWN, TO_ZERO = "half up", "half even", "up", "down", "to zero"


# Decimals as whole numbers ----------------------------------------------------------------------------------


def _words_of(values: Values) -> Numbers:
    """The lower and the upper 64 bits of each decimal's digits."""
    if isinstance(values, pa.Scalar):
        values = pa.repeat(values, 1)
    data = values.buffers()[1]
    if data is None:
        return np.zeros((len(values), 2), np.int64)
    return np.frombuffer(data, np.int64, len(values) * 2, values.offset * 16).reshape(-1, 2)


def digits_of(values: Values, room: int = 0) -> Numbers:
    """The digits of decimals as whole numbers with room for `room` digits; any number where a decimal is NULL."""
    words = _words_of(values)
    if max(values.type.precision, room) <= LONG_DIGITS:
        return words[:, 0]
    found: Numbers = words[:, 1].astype(object) * 2**64 + words[:, 0].view(np.uint64).astype(object)
    return found


def from_digits(digits: Numbers, nulls: Mask, type: Type) -> pa.Array:
    """Decimals with these digits; NULL where the type has room for fewer."""
    precision = type.args[0]
    if digits.dtype != object:
        fits = np.abs(digits) < 10**precision if precision <= LONG_DIGITS else np.ones(1, bool)
        low, high = digits, digits >> 63
    else:
        fits = (np.abs(digits) < 10**precision).astype(bool)
        digits = np.where(fits, digits, 0)
        low, high = low_bits(digits), (digits >> 64).astype(np.int64)
    nulls = np.broadcast_to(nulls | ~fits, len(digits))
    validity = pa.array(~nulls).buffers()[1] if nulls.any() else None
    data = pa.py_buffer(np.stack([low, high], axis=1).astype(np.int64))
    return pa.Array.from_buffers(pa.decimal128(*type.args), len(digits), [validity, data])


def low_bits(numbers: Numbers) -> Numbers:
    """The lower 64 bits of whole numbers."""
    return (numbers & (2**64 - 1)).astype(np.uint64).view(np.int64) if numbers.dtype == object else numbers


def quotient(numbers: Numbers, divisor: Numbers | int, mode: str) -> Numbers:
    """Quotients rounded to whole numbers by `mode`; the numbers must have room for twice the divisor.

    >>> quotient(np.array([5, -5, 15, 7]), 10, HALF_EVEN).tolist()
    [0, 0, 2, 1]
    """
    negative = (numbers < 0) != (np.asarray(divisor) < 0)
    size, by = np.abs(numbers), np.abs(divisor)
    whole = size // by
    rest = size - whole * by
    match mode:
        case "half up":
            more = rest * 2 >= by
        case "half even":
            more = (rest * 2 > by) | ((rest * 2 == by) & (whole % 2 == 1))
        case "up" | "down":
            more = (rest > 0) & (negative == (mode == DOWN))
        case _:
            more = np.zeros(1, bool)
    found: Numbers = whole + more
    return np.where(negative, -found, found)


def whole_part(values: Values, type: Type) -> Values:
    """Decimals cut off to integers; one that is too large loses its upper bits, as in Java."""
    whole = low_bits(quotient(digits_of(values), 10**values.type.scale, TO_ZERO))
    return array_of(whole.astype(f"i{INTEGER_BITS[type] // 8}"), nulls_of(values), type)


def rescale(values: Values, target: Type, mode: str = HALF_UP) -> Values:
    """Decimals cast to another precision and scale; NULL where they do not fit."""
    precision, scale = target.args
    digits, places = values.type.precision, values.type.scale
    if places > scale:
        whole = quotient(digits_of(values, digits + 1), 10 ** (places - scale), mode)
        return from_digits(whole, nulls_of(values), target)
    if digits - places > precision - scale:
        limit = pc.cast(pa.scalar("1" + "0" * (precision - scale)), values.type)
        values = where(pc.greater_equal(pc.abs(values), limit), pa.scalar(None, values.type), values)
    return pc.cast(values, pa.decimal128(precision, scale))


# Operators ------------------------------------------------------------------------------------------------


def _parameters(call: Call) -> tuple[int, int, int, int]:
    (p1, s1), (p2, s2) = call.arguments[0].type.args, call.arguments[1].type.args
    return p1, s1, p2, s2


def _common_precision(call: Call) -> tuple[int, int]:
    """The precision and scale that have room for both of two decimals."""
    p1, s1, p2, s2 = _parameters(call)
    scale = max(s1, s2)
    return max(p1 - s1, p2 - s2) + scale, scale


def exact(call: Call) -> bool:
    """Whether Spark cannot fail: it fails on `div`, `%` and PMOD if a whole quotient may need more than 38 digits."""
    p1, s1, _, s2 = _parameters(call)
    if call.name == "div":
        return p1 - s1 + s2 <= DIGITS
    return call.name not in ("%", "pmod") or _common_precision(call)[0] <= DIGITS


def compute(call: Call, given: Sequence[Values]) -> Values:
    """Apply an operator to two columns of decimals."""
    left, right = given
    p1, s1, p2, s2 = _parameters(call)
    precision, scale = _common_precision(call)
    match call.name:
        case "/" | "div":
            return _divide(call, left, right)
        case "%" | "pmod":
            return _rest(call, left, right)
        case "*" if p1 + p2 < DIGITS:
            return rescale(pc.multiply(left, right), call.of)
        case "*":
            return _decimals_of_digits(
                digits_of(left, DIGITS) * digits_of(right, DIGITS), s1 + s2, nulls_of(*given), call.of
            )
    if precision < DIGITS:
        left, right = (pc.cast(side, pa.decimal128(precision, scale)) for side in given)
        return rescale(pc.add(left, right) if call.name == "+" else pc.subtract(left, right), call.of)
    one = digits_of(left, DIGITS) * 10 ** (scale - s1)
    other = digits_of(right, DIGITS) * 10 ** (scale - s2)
    return _decimals_of_digits(one + other if call.name == "+" else one - other, scale, nulls_of(*given), call.of)


def _decimals_of_digits(digits: Numbers, scale: int, nulls: Mask, target: Type) -> pa.Array:
    """Decimals of `target` from digits with a scale; they are rounded if `target` has fewer places."""
    places = target.args[1]
    whole = quotient(digits, 10 ** (scale - places), HALF_UP) if scale > places else digits
    return from_digits(whole, nulls, target)


def _divide(call: Call, left: Values, right: Values) -> Values:
    """`/` and `div`: NULL where the divisor is zero."""
    p1, s1, p2, s2 = _parameters(call)
    shift = (call.of.args[1] if is_decimal(call.of) else 0) + s2 - s1
    room = 1 + max(p1 + max(shift, 0), p2 + max(-shift, 0))
    numbers, divisor = digits_of(left, room), digits_of(right, room)
    zero = divisor == 0
    nulls = nulls_of(left, right) | zero
    divisor = np.where(zero, 1, divisor) * 10 ** max(-shift, 0)
    mode = HALF_UP if is_decimal(call.of) else TO_ZERO
    found = quotient(numbers * 10 ** max(shift, 0), divisor, mode)
    return from_digits(found, nulls, call.of) if is_decimal(call.of) else array_of(low_bits(found), nulls, call.of)


def _rest(call: Call, left: Values, right: Values) -> Values:
    """`%`, or PMOD, which adds a positive divisor to a negative remainder."""
    _, s1, _, s2 = _parameters(call)
    precision, scale = _common_precision(call)
    numbers = digits_of(left, precision) * 10 ** (scale - s1)
    divisor = digits_of(right, precision) * 10 ** (scale - s2)
    zero = divisor == 0
    divisor = np.where(zero, 1, divisor)
    found = np.abs(numbers) % np.abs(divisor)
    found = np.where(numbers < 0, -found, found)
    if call.name == "pmod":
        found = np.where((found < 0) & (divisor > 0), found + divisor, found)
    return _decimals_of_digits(found, scale, nulls_of(left, right) | zero, call.of)
