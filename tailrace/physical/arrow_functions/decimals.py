"""Decimals: arithmetic with Spark's precisions; results are rounded half up, and NULL where they have no room.

Arrow computes with up to 76 digits and neither rounds nor forgets digits, so what fits there is exact.
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

DIGITS = 38  # of a decimal in 128 bits
MOST_DIGITS = 76  # of a decimal in 256 bits
ROUNDED_DIGITS = 34  # to which Spark rounds longer decimals when it turns their sign or reads seconds
LONG_DIGITS = 18  # of a decimal whose digits are a 64-bit number
HALF_UP, HALF_EVEN = "half_towards_infinity", "half_to_even"


def decimal_type(precision: int, scale: int) -> pa.DataType:
    return pa.decimal128(precision, scale) if precision <= DIGITS else pa.decimal256(precision, scale)


def fitted(values: Values, target: Type, mode: str = HALF_UP) -> Values:
    """Decimals as those of another precision and scale."""
    precision, scale = target.args
    whole = values.type.precision - values.type.scale
    if values.type.scale > scale:
        whole += 1
        room = decimal_type(whole + values.type.scale, values.type.scale)
        values = pc.round(pc.cast(values, room), scale, round_mode=mode)
    if whole > precision - scale:
        limit = pc.cast(pa.scalar("1" + "0" * (precision - scale)), values.type)
        values = where(pc.greater_equal(pc.abs(values), limit), pa.scalar(None, values.type), values)
    return pc.cast(values, pa.decimal128(precision, scale))


# Operators ------------------------------------------------------------------------------------------------


def _digits(call: Call) -> tuple[int, int, int, int]:
    (p1, s1), (p2, s2) = call.arguments[0].type.args, call.arguments[1].type.args
    return p1, s1, p2, s2


def _sum_digits(call: Call) -> tuple[int, int]:
    """Precision and scale in which two decimals are aligned."""
    p1, s1, p2, s2 = _digits(call)
    scale = max(s1, s2)
    return max(p1 - s1, p2 - s2) + scale, scale


@cache
def _dividend(p1: int, s1: int, p2: int, s2: int, wanted: int) -> tuple[int, int, int] | None:
    """Precision and scale for a dividend whose quotient has so many digits after the point, and its precision.

    Arrow says by an example what digits it adds before it divides; None if there is no room for them.
    """
    for scale in range(s1, s1 + MOST_DIGITS - p1 + 1):
        precision = p1 + scale - s1
        try:
            empty = (pa.array([], pa.decimal256(precision, scale)), pa.array([], pa.decimal256(p2, s2)))
            found = pc.divide(*empty).type
        except pa.ArrowInvalid:
            return None
        if found.scale >= wanted:
            return precision, scale, found.precision
    return None


def _quotient_digits(call: Call) -> tuple[int, int, int] | None:
    return _dividend(*_digits(call), call.of.args[1] + 1 if call.of.args else 0)


def exact(call: Call) -> bool:
    """Whether Arrow has room for all digits on the way to the result."""
    p1, s1, p2, s2 = _digits(call)
    if call.name in ("+", "-"):
        return _sum_digits(call)[0] < MOST_DIGITS
    if call.name == "*":
        return p1 + p2 < MOST_DIGITS
    if call.name in ("/", "div"):
        # A whole quotient of more digits is NULL or an error there.
        return _quotient_digits(call) is not None and (is_decimal(call.of) or p1 - s1 + s2 <= DIGITS)
    return _sum_digits(call)[0] <= DIGITS


def compute(call: Call, given: Sequence[Values]) -> Values:
    """An operator on two decimals."""
    if call.name == "*":
        return fitted(pc.multiply(*_in_width(given, sum(_digits(call)[0::2]) + 1)), call.of)
    if call.name in ("/", "div"):
        return _quotient(call, *given)
    precision, scale = _sum_digits(call)
    left, right = (pc.cast(side, decimal_type(precision, scale)) for side in given)
    if call.name in ("+", "-"):
        left, right = _in_width((left, right), precision + 1)
        return fitted(pc.add(left, right) if call.name == "+" else pc.subtract(left, right), call.of)
    return fitted(_rest(call, left, without_zero(right)), call.of)


def _in_width(several: Sequence[Values], precision: int) -> list[Values]:
    """Decimals as wide as a result of that precision: Arrow computes in the width of what it is given."""
    kind = pa.decimal128 if precision <= DIGITS else pa.decimal256
    return [pc.cast(values, kind(values.type.precision, values.type.scale)) for values in several]


def _quotient(call: Call, left: Values, right: Values) -> Values:
    found = _quotient_digits(call)
    assert found is not None
    precision, scale, result = found
    left, right = _in_width((pc.cast(left, decimal_type(precision, scale)), right), result)
    quotient = pc.divide(left, without_zero(right))
    return fitted(quotient, call.of) if call.of.args else whole_part(quotient, call.of)


def _rest(call: Call, left: Values, right: Values) -> Values:
    rest = pc.remainder(left, right)
    if call.name == "%":
        return rest
    # A negative rest moves by the divisor, which may take a digit more than the common type has.
    sum = pc.add(*_in_width((rest, right), right.type.precision + 1))
    moved = pc.remainder(sum, pc.cast(right, sum.type))
    return where(pc.less(rest, pc.cast(pa.scalar("0"), rest.type)), pc.cast(moved, rest.type), rest)


def without_zero(divisor: Values) -> Values:
    """The divisor, NULL where it is zero."""
    zero = pc.cast(pa.scalar("0"), divisor.type)
    return where(pc.equal(divisor, zero), pa.scalar(None, divisor.type), divisor)


# Decimals and 64-bit numbers -------------------------------------------------------------------------------


def digits_of(values: Values) -> Numbers:
    """The lowest 64 bits of all digits: for a decimal of up to 18 digits, all of them."""
    if isinstance(values, pa.Scalar):
        return digits_of(pa.repeat(values, 1))
    words = values.type.byte_width // 8
    data = values.buffers()[1]
    if data is None:
        return np.zeros(len(values), np.int64)
    return np.frombuffer(data, np.int64, len(values) * words, values.offset * words * 8)[::words]


def from_digits(digits: Numbers, nulls: Mask, type: Type) -> pa.Array:
    """Decimals with these digits, which are as many as the type has or fewer."""
    digits, nulls = np.broadcast_arrays(digits, nulls)
    pairs = np.stack([digits, digits >> 63], axis=1)
    validity = pa.array(~nulls).buffers()[1] if nulls.any() else None
    return pa.Array.from_buffers(pa.decimal128(*type.args), len(digits), [validity, pa.py_buffer(pairs)])


def whole_part(values: Values, type: Type) -> Values:
    """Decimals cut off to integers; what is too large loses its upper bits, as in Java."""
    cut = pc.cast(values, decimal_type(values.type.precision, 0), safe=False)
    low = array_of(digits_of(cut), nulls_of(cut), BIGINT)
    return pc.cast(low, arrow_type(type), safe=False)
