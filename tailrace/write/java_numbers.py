"""Java numbers: writes FLOAT and DOUBLE as `toString` of Java does.

Arrow finds the shortest digits that mean a number, and so does Java from version 19 on. Older versions find the same
digits but for few numbers, which are written here one by one, as `jdk.internal.math.FloatingDecimal` writes them:

* Large numbers, beyond what all integers have a value for: their digits are those of the integer, cut off in a place
  that depends on the exponent.
* Negative powers of two, for which it assumes that the next numbers are nearer than they are.
* Subnormal numbers, where few digits are shortest, and Java wants two.

>>> write_fractions(pa.array([1.0, 1e7, 0.00125, 2.0**60]), 17).to_pylist()
['1.0', '1.0E7', '0.00125', '1.15292150460684698E18']
>>> write_fractions(pa.array([2.0**60]), 21).to_pylist()
['1.152921504606847E18']
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.functions.kernel import Mask, Numbers, nulls_of, numbers_of

SHORTEST_SINCE = 19  # the version of Java from which on all numbers have the shortest digits
PLAIN_FROM, PLAIN_TO = 1e-3, 1e7  # numbers outside are written with an exponent
MOST_SMALL = -21, 62  # exponents of two of numbers that Java writes as integers, if they are
EXACT_POWERS = 27  # powers of five whose bits Java has in a table


@dataclass(frozen=True)
class FractionKind:
    """What distinguishes FLOAT from DOUBLE: the bits of a number's digits, and the least exponent of two."""

    bits: int
    least: int

    @property
    def tiniest(self) -> float:
        """The least number that is not subnormal."""
        return math.ldexp(1.0, self.least)


KINDS = {pa.float32(): FractionKind(24, -126), pa.float64(): FractionKind(53, -1022)}


def write_fractions(values: pa.Array, java: int) -> pa.Array:
    """The texts of numbers, as this version of Java writes them."""
    kind, numbers = KINDS[values.type], numbers_of(values)
    size = np.abs(numbers)
    text = pc.cast(values, pa.string())
    is_plain = (size >= PLAIN_FROM) & (size < PLAIN_TO)
    if not is_plain.all():
        text = pc.if_else(pa.array(is_plain), text, write_unusual(text, size))
    # Arrow writes whole numbers without a point.
    whole = is_plain & (size == np.floor(size, where=is_plain, out=np.zeros_like(size)))
    if whole.any():
        text = pc.if_else(pa.array(whole), pc.binary_join_element_wise(text, "0", "."), text)
    odd = find_odd(size, kind, java) & ~nulls_of(values)
    return replace_odd(text, values, odd, kind, java) if odd.any() else text


def write_unusual(text: pa.Array, size: Numbers) -> pa.Array:
    """The texts of numbers that Java writes with an exponent, of zero, NaN and the infinities, from those of Arrow."""
    found = pc.replace_substring_regex(text, r"^(-?[0-9])e", r"\1.0e")
    found = pc.replace_substring(pc.replace_substring(found, "e+", "E"), "e", "E")
    for exponent in (*range(-7, -3), *range(7, 12)):
        rows = (size >= 10.0**exponent) & (size < 10.0 ** (exponent + 1))
        if rows.any():
            found = pc.if_else(pa.array(rows), with_exponent(text, found, exponent), found)
    specials = {"0": "0.0", "-0": "-0.0", "nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}
    for arrows, javas in specials.items():
        found = pc.if_else(pc.equal(text, arrows), javas, found)
    return found


def with_exponent(text: pa.Array, others: pa.Array, exponent: int) -> pa.Array:
    """Numbers with this exponent that Arrow writes plainly; the text of `others` for those that it does not."""
    if exponent > 0:
        moved = pc.replace_substring_regex(text, r"^(-?[0-9])([0-9]*)(?:\.([0-9]+))?$", r"\1.\2\3")
    else:
        moved = pc.replace_substring_regex(text, r"^(-?)0\.0*([1-9])([0-9]*)$", r"\1\2.\3")
    moved = pc.ascii_rtrim(moved, "0")
    moved = pc.if_else(pc.ends_with(moved, "."), pc.binary_join_element_wise(moved, "0", ""), moved)
    moved = pc.binary_join_element_wise(moved, str(exponent), "E")
    return pc.if_else(pc.match_substring(text, "e"), others, moved)


def find_odd(size: Numbers, kind: FractionKind, java: int) -> Mask:
    """Where Java may write other digits than Arrow, given numbers without their signs."""
    odd = (size > 0) & (size < kind.tiniest)
    if java < SHORTEST_SINCE:
        mantissa, _ = np.frexp(size)
        is_power = (mantissa == 0.5) & (size < 1)
        odd |= is_power | ((size >= 2.0**kind.bits) & np.isfinite(size))
    return odd


def replace_odd(text: pa.Array, values: pa.Array, odd: Mask, kind: FractionKind, java: int) -> pa.Array:
    """The texts, with those of odd numbers written one by one, each distinct number once."""
    known = pc.if_else(pa.array(odd), values, pa.scalar(None, values.type)).dictionary_encode()
    digits_of = shortest_digits if java >= SHORTEST_SINCE else old_digits
    texts = [write_digits(number, *digits_of(abs(number), kind)) for number in known.dictionary.to_pylist()]
    return pc.coalesce(pa.array(texts, pa.string()).take(known.indices), text)


def write_digits(number: float, digits: str, exponent: int) -> str:
    """A number with these digits, of which the first is worth 10 ** exponent."""
    sign = "-" if number < 0 else ""
    if 0 <= exponent < 7:
        digits = digits.ljust(exponent + 1, "0")
        return f"{sign}{digits[: exponent + 1]}.{digits[exponent + 1 :] or '0'}"
    if -3 <= exponent < 0:
        return f"{sign}0.{'0' * (-exponent - 1)}{digits}"
    return f"{sign}{digits[0]}.{digits[1:] or '0'}E{exponent}"


def decimal_exponent(value: Fraction) -> int:
    """The exponent of the first digit of a number."""
    found = len(str(value.numerator)) - len(str(value.denominator))
    return found if Fraction(10) ** found <= value else found - 1


def shortest_digits(number: float, kind: FractionKind) -> tuple[str, int]:
    """The digits since Java 19, and the exponent of the first one: at least two, as near as so many can be."""
    value, binary = Fraction(number), math.frexp(number)[1] - 1
    half = Fraction(2) ** (max(binary, kind.least) - kind.bits)
    first, count = decimal_exponent(value), 2
    while True:
        unit = Fraction(10) ** (first - count + 1)
        nearest = round(value / unit)
        if abs(nearest * unit - value) <= half:
            digits = str(nearest)
            return digits.rstrip("0") or "0", first + len(digits) - count
        count += 1


def old_digits(number: float, kind: FractionKind) -> tuple[str, int]:
    """The digits before Java 19, and the exponent of the first one: `FloatingDecimal.dtoa`, step by step.

    The number is b / s times a power of ten, and the next number is 2 m / s away. Digits are taken off b until what is
    left of it is less than m, or nearly a whole digit. Java does so in 64 bits if it thinks that they suffice, and a
    sum of theirs may overflow.
    """
    mantissa, exponent = math.frexp(number)
    binary, significant = exponent - 1, kind.bits
    if binary < kind.least:
        significant -= kind.least - binary
    bits = int(math.ldexp(mantissa, kind.bits))
    bits >>= (bits & -bits).bit_length() - 1
    length = bits.bit_length()
    tiny = max(0, length - binary - 1)  # bits after the point
    if tiny == 0 and MOST_SMALL[0] <= binary <= MOST_SMALL[1]:
        return integer_digits(int(number), max(0, binary - significant - 1))
    first = math.floor(
        (math.ldexp(bits, 1 - length) - 1.5) * 0.289529654 + 0.176091259 + float(binary) * 0.301029995663981
    )
    five = max(0, -first)
    twos, fives = max(0, first) + tiny, max(0, first)  # powers of two and five in s
    more = five + tiny + binary  # powers of two in b
    least = more - significant - (length == 1)  # powers of two in m
    more -= length - 1
    shift = min(more, twos)
    more, twos, least = more - shift, twos - shift, least - shift
    if least < 0:
        more, twos, least = more - least, twos - least, 0
    fits = length + more + bits_of_power(five) < 64 and twos + 1 + bits_of_power(fives + 1) < 64
    return generate_digits((bits * 5**five) << more, 5**fives << twos, 5**five << least, first, fits)


def generate_digits(b: int, s: int, m: int, first: int, fits: bool) -> tuple[str, int]:
    """Take decimal digits off b / s; `first` is the estimated exponent of the first one."""
    digits, tens, is_first = "", 10 * s, True
    while True:
        digit, b = divmod(b, s)
        b, m = 10 * b, 10 * m
        low, high = b < m, b + m >= tens
        if fits:
            m = as_long(m)
            low, high = (b < m, as_long(b + m) > tens) if m > 0 else (True, True)
        if is_first and digit == 0 and not high:
            first -= 1
        else:
            digits += str(digit)
        if (low or high) and not (is_first and not -3 <= first < 8):
            break
        is_first = False
    if high and (not low or 2 * b > tens or (2 * b == tens and int(digits[-1]) % 2)):
        longer = str(int(digits) + 1).rjust(len(digits), "0")
        first += len(longer) - len(digits)
        digits = longer
    if digits[0] == "0":
        digits = digits[1:]
        first -= 1
    return digits.rstrip("0"), first


def as_long(number: int) -> int:
    """The number as 64 bits have it, where it may overflow."""
    return (number + 2**63) % 2**64 - 2**63


def bits_of_power(exponent: int) -> int:
    """How many bits Java thinks that a power of five has."""
    if exponent == 0:
        return 0
    return int((5**exponent).bit_length()) if exponent < EXACT_POWERS else 3 * exponent


def integer_digits(number: int, meaningless: int) -> tuple[str, int]:
    """The digits of an integer; its last ones are rounded off where `meaningless` bits are beyond the number's own."""
    count = int(meaningless * math.log10(2)) if meaningless > 1 else 0
    if count:
        number, rest = divmod(number, 10**count)
        number += rest >= 10**count // 2
    text = str(number)
    return text.rstrip("0"), len(text) - 1 + count
