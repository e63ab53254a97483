"""Arithmetic: + - * / % div, functions of numbers, & | ^ ~ and shifts.

Integers wrap around as in Java; a division by zero is NULL. A shift's count is taken modulo the number of bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.functions import decimals, timestamps
from tailrace.columnar.functions.kernel import (
    Kernel,
    Numbers,
    Table,
    Values,
    array_of,
    fixed_types,
    nulls_of,
    numbers_of,
    of_types,
    own_types,
    result_types,
    where,
)
from tailrace.logical.expressions import Call
from tailrace.types import (
    BIGINT,
    BOOLEAN,
    DOUBLE,
    FLOAT,
    INT,
    INTEGERS,
    STRING,
    VOID,
    Type,
    as_decimal,
    is_decimal,
    is_fraction,
    is_integer,
    is_interval,
    is_numeric,
    is_time,
)


def _is_timely(call: Call) -> bool:
    return any(is_time(type) or is_interval(type) for type in own_types(call))


def _operand_types(call: Call) -> Sequence[Type]:
    """The types to which both operands are cast. If one is a decimal, an integer beside it becomes a decimal too."""
    if _is_timely(call):
        return timestamps.arithmetic_types(call)
    if is_decimal(call.of) or any(map(is_decimal, own_types(call))):
        return [call.of if type in (VOID, STRING) else as_decimal(type) for type in own_types(call)]
    return result_types(call)


def _is_exact(call: Call) -> bool:
    if _is_timely(call):
        return timestamps.is_arithmetic_exact(call)
    if all(map(is_decimal, own_types(call))):
        return decimals.exact(call)
    return is_numeric(call.of) and own_types(call) == [call.of] * 2


def _operator(numbers: Callable[[Call, Values, Values], Values]) -> Kernel:
    """The kernel of an operator. Decimals and times have arithmetic of their own; `numbers` does all other numbers."""

    def run(call: Call, given: Sequence[Values]) -> Values:
        if _is_timely(call):
            return timestamps.compute_arithmetic(call, given)
        if is_decimal(call.arguments[0].type):
            return decimals.compute(call, given)
        return numbers(call, given[0], given[1])

    return Kernel(run, _operand_types, _is_exact)


def without_zero(divisor: Values) -> Values:
    """The divisor, NULL where it is zero."""
    return where(pc.equal(divisor, pc.cast(0, divisor.type)), pa.scalar(None, divisor.type), divisor)


def quotient(call: Call, left: Values, right: Values) -> Values:
    """`div`, which cuts toward zero; also `/` of integers, and of FLOAT and DOUBLE."""
    if is_fraction(call.of):
        return pc.divide(left, without_zero(right))
    minus_one = pc.equal(right, pc.cast(-1, right.type))
    # Arrow has no answer for the least integer divided by -1, which Java wraps.
    return where(minus_one, pc.negate(left), pc.divide(left, without_zero(right)))


def rest(call: Call, left: Values, right: Values) -> Values:
    """`%`: the remainder, with the sign of the dividend."""
    return pc.remainder(left, without_zero(right))


def positive_rest(call: Call, left: Values, right: Values) -> Values:
    """PMOD: the divisor is added to a negative remainder, in 32 bits at least, as Java does."""
    with np.errstate(all="ignore"):
        number, divisor = (_as_java(numbers_of(side)) for side in (left, right))
        divisor = np.where(divisor == 0, 1, divisor)
        found = np.fmod(number, divisor)
        found = np.where(found < 0, np.fmod(found + divisor, divisor), found)
    return array_of(found, nulls_of(left, without_zero(right)), call.of)


def _as_java(numbers: Numbers) -> Numbers:
    return numbers.astype(np.int32) if numbers.dtype.kind == "i" and numbers.dtype.itemsize < 4 else numbers


# Functions ------------------------------------------------------------------------------------------------


def _of_double(function: Callable[[Numbers], Numbers]) -> Kernel:
    """The kernel of a function whose result IEEE 754 or Java defines to the last bit."""

    def run(call: Call, given: Sequence[Values]) -> Values:
        with np.errstate(all="ignore"):
            return array_of(function(numbers_of(given[0])), nulls_of(given[0]), call.of)

    return Kernel(run, fixed_types(DOUBLE), lambda call: call.of in (DOUBLE, BOOLEAN))


def sign(numbers: Numbers) -> Numbers:
    """SIGN: −1 or 1; a zero keeps its sign, and NaN stays NaN."""
    return np.where((numbers == 0) | np.isnan(numbers), numbers, np.copysign(1.0, numbers))


def is_nan(call: Call, given: Sequence[Values]) -> Values:
    return pc.coalesce(pc.is_nan(given[0]), pa.scalar(False))


def number_instead(call: Call, given: Sequence[Values]) -> Values:
    """NANVL: the second argument where the first is NaN."""
    return pc.if_else(pc.is_nan(given[0]), given[1], given[0])


def absolute(call: Call, given: Sequence[Values]) -> Values:
    return pc.abs_checked(given[0]) if is_interval(call.of) else pc.abs(given[0])


def negate(call: Call, given: Sequence[Values]) -> Values:
    return pc.negate_checked(given[0]) if is_interval(call.of) else pc.negate(given[0])


def _keeps_value(call: Call) -> bool:
    if is_decimal(call.of):
        return bool(call.of.args[0] <= decimals.ROUNDED_DIGITS)
    return is_numeric(call.of) or is_interval(call.of)


def _div_types(call: Call) -> Sequence[Type]:
    if all(is_integer(type) or type == VOID for type in own_types(call)):
        return [BIGINT, BIGINT]
    return [as_decimal(type) for type in own_types(call)]


def _div_is_exact(call: Call) -> bool:
    if all(map(is_decimal, own_types(call))):
        return decimals.exact(call)
    return of_types(BIGINT)(call)


def _constant(number: float) -> Kernel:
    return Kernel(lambda call, given: pa.scalar(number))


def _bitwise(combine: Callable[..., Values]) -> Kernel:
    return Kernel(lambda call, given: combine(*given), result_types, of_types(*INTEGERS))


def _shift_types(call: Call) -> Sequence[Type]:
    return [call.of, INT]


def _shift(move: Callable[[Numbers, Numbers], Numbers]) -> Kernel:
    def run(call: Call, given: Sequence[Values]) -> Values:
        numbers = numbers_of(given[0])
        count = (numbers_of(given[1]) & (numbers.dtype.itemsize * 8 - 1)).astype(numbers.dtype)
        return array_of(move(numbers, count), nulls_of(*given), call.of)

    return Kernel(run, _shift_types, of_types(INT, BIGINT))


def _unsigned_right(numbers: Numbers, count: Numbers) -> Numbers:
    unsigned = f"u{numbers.dtype.itemsize}"
    return (numbers.view(unsigned) >> count.astype(unsigned)).view(numbers.dtype)


def bit_count(call: Call, given: Sequence[Values]) -> Values:
    """BIT_COUNT: how many bits are one, of the number as 64 bits, whatever its type."""
    return array_of(np.bitwise_count(numbers_of(given[0]).view(np.uint64)), nulls_of(given[0]), INT)


TABLE: Table = {
    "+": _operator(lambda call, left, right: pc.add(left, right)),
    "-": _operator(lambda call, left, right: pc.subtract(left, right)),
    "*": _operator(lambda call, left, right: pc.multiply(left, right)),
    "/": _operator(quotient),
    "%": _operator(rest),
    "pmod": _operator(positive_rest),
    "div": Kernel(_operator(quotient).run, _div_types, _div_is_exact),
    "negate": Kernel(negate, result_types, _keeps_value),
    "abs": Kernel(absolute, result_types, _keeps_value),
    "sign": _of_double(sign),
    "sqrt": _of_double(np.sqrt),
    "rint": _of_double(np.rint),
    "degrees": _of_double(lambda numbers: numbers * (180.0 / np.pi)),
    "radians": _of_double(lambda numbers: numbers * (np.pi / 180.0)),
    "isnan": Kernel(is_nan, exact=of_types(FLOAT, DOUBLE)),
    "nanvl": Kernel(number_instead, result_types, of_types(FLOAT, DOUBLE)),
    "pi": _constant(np.pi),
    "e": _constant(np.e),
    "&": _bitwise(pc.bit_wise_and),
    "|": _bitwise(pc.bit_wise_or),
    "^": _bitwise(pc.bit_wise_xor),
    "~": _bitwise(pc.bit_wise_not),
    "shiftleft": _shift(np.left_shift),
    "shiftright": _shift(np.right_shift),
    "shiftrightunsigned": _shift(_unsigned_right),
    "bit_count": Kernel(bit_count, fixed_types(BIGINT)),
}
