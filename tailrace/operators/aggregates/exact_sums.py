"""Exact sums: sums of integers, decimals and doubles without rounding, so that a value that was added can be retracted.

A number is Σ limb · 2^(28·bin), its limbs whole numbers below 2^28 in size; `Sums` has an array of limbs for each
bin that occurs. A bin adds up by itself in 64 bits (2^35 numbers fit before a carry is due), so running sums of
doubles are running sums of integers: the same in any order, and zero again once everything has been retracted.
Rounding happens once, to the nearest double. The price is one integer column per bin instead of one double:
one for small whole numbers, three for doubles of like size, at most 80 for doubles from 1e-308 to 1e308.

>>> sums = {bin: part.sum(keepdims=True) for bin, part in doubles(np.array([1e100, 0.1, -1e100]))}
>>> to_doubles(sums).tolist()
[0.1]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa

Sums = dict[int, np.ndarray]  # by bin, the limbs of all numbers
Part = tuple[int, np.ndarray]  # one bin, and the limbs of all numbers in it

BITS = 28
MASK = (1 << BITS) - 1
# NaN and the infinities are counted, each in a bin that no number reaches.
NAN, PLUS_INFINITY, MINUS_INFINITY = 1000, 1001, 1002
# State stores a number as a list that has bin · 2^40 + limb for each bin that is not zero.
PACKING = 40


def doubles(values: np.ndarray) -> Iterator[Part]:
    """The parts of doubles, from the highest bin down until nothing is left."""
    finite = np.isfinite(values)
    if not finite.all():
        yield NAN, np.isnan(values).astype(np.int64)
        yield PLUS_INFINITY, (values == np.inf).astype(np.int64)
        yield MINUS_INFINITY, (values == -np.inf).astype(np.int64)
        values = np.where(finite, values, 0.0)
    largest = float(np.abs(values).max(initial=0.0))
    bin = (int(np.frexp(largest)[1]) - 1) // BITS
    while values.any():
        part = np.trunc(_scale_by_power(values, -BITS * bin))
        yield bin, part.astype(np.int64)
        values = values - _scale_by_power(part, BITS * bin)
        bin -= 1


def _scale_by_power(values: np.ndarray, power: int) -> np.ndarray:
    """values · 2^power; a product with a power of two is exact, but the power itself must be a normal double."""
    return values * 2.0**power if abs(power) <= 1000 else np.ldexp(values, power)


def integers(values: np.ndarray) -> Iterator[Part]:
    """The parts of 64-bit integers."""
    return _pieces(np.sign(values), np.abs(values).view(np.uint64))


def _pieces(sign: np.ndarray, size: np.ndarray, bin: int = 0) -> Iterator[Part]:
    while size.any():
        yield bin, sign * (size & np.uint64(MASK)).astype(np.int64)
        size = size >> np.uint64(BITS)
        bin += 1


def decimals(column: pa.Array) -> Iterator[Part]:
    """The parts of decimals without NULLs, counted in units of their last digit."""
    words = np.frombuffer(column.buffers()[1], np.uint64)[2 * column.offset : 2 * (column.offset + len(column))]
    low, high = words[0::2], words[1::2]
    negative = high.view(np.int64) < 0
    high = np.where(negative, ~high + (low == 0), high)
    low = np.where(negative, -low, low)
    sign = np.where(negative, -1, 1)
    # 56 bits are two bins; the 72 bits above them are two and a half.
    above = (low >> np.uint64(56)) | (high << np.uint64(8))
    yield from _pieces(sign, low & np.uint64((1 << 56) - 1))
    yield from _pieces(sign, above & np.uint64((1 << 56) - 1), 2)
    yield from _pieces(sign, high >> np.uint64(48), 4)


def squares(parts: Iterable[Part]) -> Iterator[Part]:
    """The parts of the squares of numbers, given the parts of the numbers."""
    single = dict(parts)
    odd = _odd(single)
    yield from odd.items()
    numbers = {bin: part for bin, part in single.items() if bin not in odd}
    if numbers:
        yield from carry_limbs(product(numbers, numbers))[0].items()


def product(left: Sums, right: Sums) -> Sums:
    """The products of numbers, row by row; limbs must be below 2^28, those of the result are below 2^63."""
    sums: Sums = {}
    for one, limbs in left.items():
        for other, factors in right.items():
            amount = limbs * factors
            sums[one + other] = sums[one + other] + amount if one + other in sums else amount
    return sums


def difference(left: Sums, right: Sums) -> Sums:
    found = dict(left)
    for bin, limbs in right.items():
        found[bin] = found[bin] - limbs if bin in found else -limbs
    return found


def limbs_of_counts(counts: np.ndarray) -> Sums:
    """Counts, which are not negative, as numbers with limbs below 2^28."""
    return carry_limbs({0: counts})[0]


def carry_limbs(sums: Sums) -> tuple[Sums, np.ndarray]:
    """The same numbers with limbs in 0 … 2^28−1, and the carry above the highest: −1 for negative numbers, else 0."""
    found: Sums = {}
    waiting = sorted(sums, reverse=True)
    bin = waiting[-1]
    carry = np.zeros(len(sums[bin]), np.int64)
    while waiting or (carry + 1 >> 1).any():
        if waiting and waiting[-1] == bin:
            carry = carry + sums[waiting.pop()]
        elif not carry.any():
            bin = waiting.pop()
            carry = sums[bin]
        found[bin] = carry & MASK
        carry = carry >> BITS
        bin += 1
    return found, carry


def _odd(sums: Sums) -> Sums:
    return {bin: limbs for bin, limbs in sums.items() if bin >= NAN}


def magnitudes(sums: Sums) -> tuple[Sums, np.ndarray]:
    """Absolute values, with limbs in 0 … 2^28−1, and which numbers are negative. NaN and infinities are left out."""
    numbers = {bin: limbs for bin, limbs in sums.items() if bin < NAN}
    if not numbers:
        return {}, np.zeros(len(next(iter(sums.values()), ())), bool)
    found, above = carry_limbs(numbers)
    negative = above < 0
    if negative.any():
        sign = np.where(negative, -1, 1)
        found, _ = carry_limbs({bin: limbs * sign for bin, limbs in numbers.items()})
    return found, negative


def to_doubles(sums: Sums, length: int = 1) -> np.ndarray:
    """The doubles nearest to the sums; NaN and infinities add up as in IEEE 754."""
    sizes, negative = magnitudes(sums)
    found = nearest(sizes) if sizes else np.zeros(length)
    found = np.where(negative, -found, found) if sizes else found
    odd = _odd(sums)
    if odd:
        plus, minus = odd[PLUS_INFINITY] > 0, odd[MINUS_INFINITY] > 0
        found = np.where(plus, np.inf, np.where(minus, -np.inf, found))
        found = np.where((odd[NAN] > 0) | (plus & minus), np.nan, found)
    return found


def nearest(sizes: Sums) -> np.ndarray:
    """The doubles nearest to numbers that are not negative.

    The highest limb that is not zero and the two below it have at least 57 bits. The limbs below these can only decide
    a tie, for which it is enough to know whether they are zero.
    """
    length = len(next(iter(sizes.values())))
    top = np.full(length, np.iinfo(np.int64).min + 2)
    first, second, third = (np.zeros(length, np.int64) for _ in range(3))
    rest = np.zeros(length, bool)
    for bin in sorted(sizes, reverse=True):
        limbs = sizes[bin]
        seen = top > bin
        rest |= (top > bin + 2) & (limbs != 0)
        second = np.where(top == bin + 1, limbs, second)
        third = np.where(top == bin + 2, limbs, third)
        begins = ~seen & (limbs != 0)
        first = np.where(begins, limbs, first)
        top = np.where(begins, bin, top)
    drop = np.maximum(np.frexp(first.astype(np.float64))[1] - 6, 0)
    rest |= (third & ((1 << drop) - 1)) != 0
    leading = (first << (2 * BITS - drop)) | (second << (BITS - drop)) | (third >> drop) | rest
    power = np.where(first != 0, BITS * (top - 2) + drop, 0)
    with np.errstate(over="ignore"):
        return np.ldexp(leading.astype(np.float64), power)


def to_integers(sums: Sums, length: int) -> np.ndarray:
    """Sums of integers in 64 bits, wrapped around as Spark's BIGINT does."""
    found = np.zeros(length, np.int64)
    for bin, limbs in sums.items():
        if BITS * bin < 64:
            found += limbs << (BITS * bin)
    return found


def pack_limbs(sums: Sums, length: int) -> pa.Array:
    """Numbers as a list column; equal numbers have equal lists."""
    sizes, negative = magnitudes(sums)
    sign = np.where(negative, -1, 1) if negative.any() else 1
    limbs = {**{bin: size * sign for bin, size in sizes.items()}, **_odd(sums)}
    limbs = {bin: limbs[bin] for bin in sorted(limbs) if limbs[bin].any()}
    if not limbs:
        return pa.ListArray.from_arrays(pa.array(np.zeros(length + 1, np.int32)), pa.array([], pa.int64()))
    table = np.stack([limb + (bin << PACKING) for bin, limb in limbs.items()], axis=1)
    kept = np.stack([limb != 0 for limb in limbs.values()], axis=1)
    offsets = np.append(0, np.cumsum(kept.sum(axis=1)))
    return pa.ListArray.from_arrays(pa.array(offsets.astype(np.int32)), pa.array(table[kept]))


def unpack_limbs(column: pa.Array) -> Sums:
    """The numbers of a list column; NULL is zero."""
    flat = column.flatten().to_numpy()
    if not len(flat):
        return {}
    rows = np.repeat(np.arange(len(column)), column.value_lengths().fill_null(0).to_numpy())
    bins = (flat + (1 << (PACKING - 1))) >> PACKING
    lowest = int(bins.min())
    sums = {}
    for bin in (lowest + np.flatnonzero(np.bincount(bins - lowest))).tolist():
        chosen = bins == bin
        sums[bin] = np.zeros(len(column), np.int64)
        sums[bin][rows[chosen]] = flat[chosen] - (bin << PACKING)
    if any(bin >= NAN for bin in sums):
        for bin in (NAN, PLUS_INFINITY, MINUS_INFINITY):
            sums.setdefault(bin, np.zeros(len(column), np.int64))
    return sums
