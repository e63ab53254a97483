"""Stable encoding: values as bytes that stay the same whatever classes and fields are called, from run to run.

State is found again by such bytes: a query that is started again, also by a newer Tailrace, has the id it had.
A class takes part by a tag of its own, which never changes; its fields count by their order and not by their names.
Fields that do not take part in equality, such as the names of columns, are left out.

>>> from dataclasses import dataclass, field
>>> @stable("example/point")
... @dataclass(frozen=True)
... class Point:
...     x: int
...     y: int
...     name: str = field(default="", compare=False)
>>> @stable("example/point")
... @dataclass(frozen=True)
... class Renamed:
...     across: int
...     down: int
>>> digest(Point(1, 2, "a")) == digest(Renamed(1, 2)) != digest(Point(2, 1))
True
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable, Iterable
from dataclasses import fields
from datetime import date, datetime, timedelta
from decimal import Decimal
from hashlib import blake2b
from typing import Any, TypeVar

__all__ = ["compared_values", "digest", "encode", "stable"]
C = TypeVar("C", bound=type)
TAG, PARTS = "stable_tag", "stable_parts"


def stable(tag: str, *parts: str) -> Callable[[C], C]:
    """Give a dataclass a tag for its encoding; `parts` are the fields that count, by default all that are compared."""

    def mark(cls: C) -> C:
        setattr(cls, TAG, tag)
        setattr(cls, PARTS, parts)
        return cls

    return mark


def digest(value: object, size: int = 10) -> str:
    """The hash of a value's encoding, in hexadecimal digits."""
    return blake2b(encode(value), digest_size=size).hexdigest()


def encode(value: object) -> bytes:
    """The bytes of a value; different values have different bytes.

    >>> encode((1, "1", None, True)) == encode((1, "1", None, True))
    True
    >>> len({encode(each) for each in (1, "1", True, 1.0, Decimal(1), None, (1,), frozenset([1]), b"1")})
    9
    """
    match value:
        case None:
            return b"N0:"
        case bool():
            return frame(b"B", b"1" if value else b"0")
        case int():
            return frame(b"I", str(value).encode())
        case float():
            return frame(b"F", struct.pack(">d", value))
        case str():
            return frame(b"S", value.encode())
        case bytes():
            return frame(b"Y", value)
        case Decimal():
            return frame(b"D", str(value).encode())
        case datetime() | date():
            return frame(b"T", value.isoformat().encode())
        case timedelta():
            return frame(b"L", str(value // timedelta(microseconds=1)).encode())
        case tuple() | list():
            return frame(b"(", b"".join(map(encode, value)))
        case frozenset():
            return frame(b"{", b"".join(sorted(map(encode, value))))
    if is_arrow_type(value):
        return frame(b"A", str(value).encode())
    tag = vars(type(value)).get(TAG)
    if tag is None:
        raise TypeError(f"{type(value).__name__} has no stable encoding: give the class a tag with @stable")
    parts = getattr(type(value), PARTS)
    known = (getattr(value, name) for name in parts) if parts else compared_values(value)
    return frame(b"O", encode(tag) + b"".join(map(encode, known)))


def compared_values(value: Any) -> Iterable[object]:
    """The values of the fields that take part in a dataclass's equality, in their order."""
    return (getattr(value, each.name) for each in fields(value) if each.compare)


def is_arrow_type(value: object) -> bool:
    """Whether a value is an Arrow type. Arrow is not loaded for this: where it is not loaded, no value is one."""
    arrow = sys.modules.get("pyarrow")
    return arrow is not None and isinstance(value, arrow.DataType)


def frame(kind: bytes, content: bytes) -> bytes:
    return kind + str(len(content)).encode() + b":" + content
