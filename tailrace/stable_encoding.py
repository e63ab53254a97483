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
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime, timedelta
from decimal import Decimal
from hashlib import blake2b
from typing import Any, TypeVar

__all__ = ["Hole", "compared_values", "digest", "encode", "encode_around", "hash_bytes", "stable"]
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
    return hash_bytes(encode(value), size)


def hash_bytes(encoded: bytes, size: int = 10) -> str:
    return blake2b(encoded, digest_size=size).hexdigest()


def encode(value: object) -> bytes:
    """The bytes of a value; different values have different bytes.

    >>> encode((1, "1", None, True)) == encode((1, "1", None, True))
    True
    >>> len({encode(each) for each in (1, "1", True, 1.0, Decimal(1), None, (1,), frozenset([1]), b"1", ((1,),))})
    10
    """
    written: list[Any] = []
    write(value, written, {})
    return b"".join(written)


@dataclass(frozen=True)
class Hole:
    """A part of a value that is not known yet, by its index among the parts that will be known later."""

    index: int


def encode_around(value: object, parts_of: Mapping[int, Sequence[object]]) -> tuple[bytes | Hole, ...]:
    """The encoding of a value in pieces, with holes between them.

    `parts_of` has for some objects inside the value, by id, what to encode in place of their fields: holes among it.
    The encodings of what fills the holes, put in between, give the encoding of the whole.
    """
    written: list[bytes | Hole] = []
    write(value, written, parts_of)
    pieces: list[bytes | Hole] = []
    for piece in written:
        if pieces and isinstance(piece, bytes) and isinstance(pieces[-1], bytes):
            pieces[-1] += piece
        else:
            pieces.append(piece)
    return tuple(pieces)


def write(value: object, written: list[Any], parts_of: Mapping[int, Sequence[object]]) -> None:
    """Append the encoding of a value: atoms have their length in front, others a bracket at their end."""
    match value:
        case Hole():
            written.append(value)
        case tuple() | list():
            written.append(b"(")
            for part in value:
                write(part, written, parts_of)
            written.append(b")")
        case frozenset():
            written += [b"{", *sorted(map(encode, value)), b")"]
        case _:
            atom = encode_atom(value)
            if atom is not None:
                written.append(atom)
            else:
                written.append(b"<" + encode(tag_of(value)))
                for part in parts_of.get(id(value)) or encoded_parts(value):
                    write(part, written, parts_of)
                written.append(b")")


def encode_atom(value: object) -> bytes | None:
    """The bytes of a value without parts; None for an object."""
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
    return frame(b"A", str(value).encode()) if is_arrow_type(value) else None


def tag_of(value: object) -> str:
    tag: str | None = vars(type(value)).get(TAG)
    if tag is None:
        raise TypeError(f"{type(value).__name__} has no stable encoding: give the class a tag with @stable")
    return tag


def encoded_parts(value: Any) -> Iterable[object]:
    """The values of an object's fields that take part in its encoding."""
    names = getattr(type(value), PARTS)
    return (getattr(value, name) for name in names) if names else compared_values(value)


def compared_values(value: Any) -> Iterable[object]:
    """The values of the fields that take part in a dataclass's equality, in their order."""
    return (getattr(value, each.name) for each in fields(value) if each.compare)


def is_arrow_type(value: object) -> bool:
    """Whether a value is an Arrow type. Arrow is not loaded for this: where it is not loaded, no value is one."""
    arrow = sys.modules.get("pyarrow")
    return arrow is not None and isinstance(value, arrow.DataType)


def frame(kind: bytes, content: bytes) -> bytes:
    return kind + str(len(content)).encode() + b":" + content
