"""Sampling: the rate of a sample of a stream, and the hash by which an element is in the sample or not.

An element's sample hash, called its lot, is a number from -2^63 to 2^63 - 1: Spark's xxhash64 of the seed, the instant
and the columns (for STRING and BINARY, of the column's crc32). It depends on nothing else, so a sample taken again, on
any machine, has the same elements. Equal elements of one instant have the same lot. Columns of nested types, intervals
and decimals of more than 18 digits are left out of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from tailrace.stable_encoding import stable
from tailrace.types import BINARY, BOOLEAN, INTEGERS, STRING, Type, is_decimal, is_fraction, is_time

LOTS = 2**64
LONG_DECIMAL = 18  # digits; Spark stores a decimal of more digits in more than 64 bits


@stable("sample-rate")
@dataclass(frozen=True)
class SampleRate:
    """A sampling rate: the `percent` of a stream's elements with the lowest lots, hashed with this seed.

    >>> print(SampleRate(Decimal("12.5"), 7))
    12.5 PERCENT SEED 7
    >>> SampleRate(Decimal(100), 7).most == 2**63 - 1, SampleRate(Decimal(50), 7).most
    (True, -1)
    """

    percent: Decimal
    seed: int

    @property
    def most(self) -> int:
        """The greatest lot that an element of the sample can have."""
        return int(Fraction(self.percent) / 100 * LOTS) - LOTS // 2 - 1

    def __str__(self) -> str:
        return f"{self.percent} PERCENT SEED {self.seed}"


def has_lot(type: Type) -> bool:
    """Whether columns of a type are hashed into an element's lot."""
    if is_decimal(type):
        return bool(type.args[0] <= LONG_DECIMAL)
    return type in (*INTEGERS, BOOLEAN, STRING, BINARY) or is_fraction(type) or is_time(type)
