"""Bits: & | ^ ~ and shifts. A shift's count is taken modulo the number of bits, as in Java."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow.compute as pc

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
    result_types,
)
from tailrace.logical.expressions import Call
from tailrace.types import BIGINT, INT, INTEGERS, Type


def _operator(combine: Callable[..., Values]) -> Kernel:
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
    "&": _operator(pc.bit_wise_and),
    "|": _operator(pc.bit_wise_or),
    "^": _operator(pc.bit_wise_xor),
    "~": _operator(pc.bit_wise_not),
    "shiftleft": _shift(np.left_shift),
    "shiftright": _shift(np.right_shift),
    "shiftrightunsigned": _shift(_unsigned_right),
    "bit_count": Kernel(bit_count, fixed_types(BIGINT)),
}
