"""Decimal sums: exact sums as DECIMAL values, rounded half up; NULL where they do not fit into the type.

>>> from tailrace.operators.aggregates.exact_sums import decimals
>>> from decimal import Decimal
>>> sums = dict(decimals(pa.array([Decimal("-1.05"), Decimal("9.99")])))
>>> to_decimals(sums, 2, 2, pa.decimal128(3, 2), divisor=np.array([2, 1])).to_pylist()
[Decimal('-0.53'), Decimal('9.99')]
>>> to_decimals(sums, 2, 2, pa.decimal128(3, 3)).to_pylist()
[None, None]
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tailrace.operators.aggregates.exact_sums import BITS, MASK, Sums, carry_limbs, magnitudes, product


def to_decimals(sums: Sums, length: int, scale: int, type: pa.DataType, divisor: np.ndarray | None = None) -> pa.Array:
    """Sums of decimals of a scale, divided by counts (positive, below 2^34), as values of the type."""
    sizes, negative = magnitudes(sums)
    if not sizes:
        sizes, negative = {0: np.zeros(length, np.int64)}, np.zeros(length, bool)
    finer = type.scale - scale
    if finer > 0:
        sizes, _ = carry_limbs(product(sizes, _limbs(10**finer)))
    if finer < 0:
        divisor = (np.ones(length, np.int64) if divisor is None else divisor) * 10**-finer
    if divisor is not None:
        sizes = _divide_limbs(sizes, divisor)
    low, high, fits = _words(sizes, length)
    limit = 10**type.precision
    fits &= (high < limit >> 64) | ((high == limit >> 64) & (low < limit & (2**64 - 1)))
    high = np.where(negative, ~high + (low == 0), high)
    low = np.where(negative, -low, low)
    words = np.stack([low, high], axis=1).reshape(-1)
    validity = None if fits.all() else pa.array(fits).buffers()[1]
    return pa.Array.from_buffers(type, length, [validity, pa.py_buffer(words)])


def _limbs(number: int) -> Sums:
    pieces = range(-(-number.bit_length() // BITS))
    return {bin: np.array([number >> (BITS * bin) & MASK]) for bin in pieces}


def _divide_limbs(sizes: Sums, divisor: np.ndarray) -> Sums:
    """Long division, limb by limb from the top, rounded half up."""
    found: Sums = {}
    rest = np.zeros(len(divisor), np.int64)
    for bin in range(max(sizes), -1, -1):
        above = (rest << BITS) + sizes.get(bin, 0)
        found[bin] = above // divisor
        rest = above - found[bin] * divisor
    found[0] = found[0] + (2 * rest >= divisor)
    return carry_limbs(found)[0]


def _words(sizes: Sums, length: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The lower and the upper 64 bits of numbers, and which numbers fit into 127 bits."""
    low, high = np.zeros(length, np.uint64), np.zeros(length, np.uint64)
    fits = np.ones(length, bool)
    for bin, size in sizes.items():
        limbs, shift = size.astype(np.uint64), BITS * bin
        if shift < 64:
            low |= limbs << np.uint64(shift)
            high |= limbs >> np.uint64(64 - shift) if 64 - shift < BITS else np.uint64(0)
        elif shift < 127:
            high |= limbs << np.uint64(shift - 64)
            fits &= limbs >> np.uint64(max(127 - shift, 0)) == 0
        else:
            fits &= limbs == 0
    return low, high, fits
