"""Lots: the sampling hash in plain Python: Spark's xxhash64 of the seed, the instant and the values."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from tailrace.types import BIGINT, BINARY, BOOLEAN, DATE, DOUBLE, FLOAT, INT, SMALLINT, STRING, TIMESTAMP, TINYINT, Type

MASK = 2**64 - 1
P1, P2, P3, P4, P5 = (
    11400714785074694791,
    14029467366897019727,
    1609587929392839161,
    9650029242287828579,
    2870177450012600261,
)


def sampling_hash(seed: int, instant: int, values: Sequence[Any], types: Sequence[Type]) -> int:
    """The sampling hash, between -2^63 and 2^63 - 1.

    Samples take the elements with the lowest; 42 is Spark's own seed.
    """
    found = hash_bytes(struct.pack("<q", instant), hash_bytes(struct.pack("<q", seed), 42))
    for value, type in zip(values, types, strict=True):
        packed = None if value is None else bytes_of(value, type)
        found = found if packed is None else hash_bytes(packed, found)
    return found - 2**64 if found >= 2**63 else found


def bytes_of(value: Any, type: Type) -> bytes | None:
    """A value as the bytes that count; None of a type that plays no part."""
    match type:
        case _ if type == BOOLEAN or type in (TINYINT, SMALLINT, INT):
            return struct.pack("<i", int(value))
        case _ if type == BIGINT:
            return struct.pack("<q", value)
        case _ if type in (FLOAT, DOUBLE):
            clean = float("nan") if value != value else value + 0.0
            return struct.pack("<f" if type == FLOAT else "<d", clean)
        case _ if type in (STRING, BINARY):
            return struct.pack("<q", zlib.crc32(value.encode() if isinstance(value, str) else value))
        case _ if type == DATE:
            return struct.pack("<i", (value - date(1970, 1, 1)).days)
        case _ if type == TIMESTAMP:
            gone = value - datetime(1970, 1, 1, tzinfo=value.tzinfo)
            return struct.pack("<q", (gone.days * 86400 + gone.seconds) * 10**6 + gone.microseconds)
        case Type("DECIMAL", (precision, scale)) if precision <= 18:
            return struct.pack("<q", int(Decimal(value).scaleb(scale)))
    return None


def hash_bytes(data: bytes, seed: int) -> int:
    """XXH64 of four or eight bytes."""
    found = (seed + P5 + len(data)) & MASK
    if len(data) == 8:
        found ^= rotate_left(int.from_bytes(data, "little") * P2 & MASK, 31) * P1 & MASK
        found = (rotate_left(found, 27) * P1 + P4) & MASK
    else:
        found ^= int.from_bytes(data, "little") * P1 & MASK
        found = (rotate_left(found, 23) * P2 + P3) & MASK
    found = (found ^ found >> 33) * P2 & MASK
    found = (found ^ found >> 29) * P3 & MASK
    return found ^ found >> 32


def rotate_left(bits: int, by: int) -> int:
    return (bits << by | bits >> (64 - by)) & MASK
