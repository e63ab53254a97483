"""Shares: how much of a stream a sample takes, and by which lot each of its elements is taken or left.

An element's lot is a number between -2^63 and 2^63 - 1 that follows from the element, its instant and the seed alone:
Spark's xxhash64 of the seed, the instant and the columns (of a text or BINARY its crc32). So the same elements are
taken whenever and wherever the sample is taken again. Equal elements of one instant have the same lot. Columns of
types that have no lot (nested ones, intervals, decimals of more than 18 digits) play no part.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from tailrace.types import BINARY, BOOLEAN, INTEGERS, STRING, Type, is_decimal, is_fraction, is_time

LOTS = 2**64
LONG_DECIMAL = 18  # digits: decimals of more are no whole numbers of 64 bits to Spark


@dataclass(frozen=True)
class SampleRate:
    """So many percent of the elements, by the lots of a seed.

    >>> print(SampleRate(Decimal("12.5"), 7))
    12.5 PERCENT SEED 7
    >>> SampleRate(Decimal(100), 7).most == 2**63 - 1, SampleRate(Decimal(50), 7).most
    (True, -1)
    """

    percent: Decimal
    seed: int

    @property
    def most(self) -> int:
        """The greatest lot of an element that is taken."""
        return int(Fraction(self.percent) / 100 * LOTS) - LOTS // 2 - 1

    def __str__(self) -> str:
        return f"{self.percent} PERCENT SEED {self.seed}"


def has_lot(type: Type) -> bool:
    """Whether values of a type play a part in an element's lot."""
    if is_decimal(type):
        return bool(type.args[0] <= LONG_DECIMAL)
    return type in (*INTEGERS, BOOLEAN, STRING, BINARY) or is_fraction(type) or is_time(type)
