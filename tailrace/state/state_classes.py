"""State classes: the classes of which stored states are made, each under a name that never changes.

A state file has the name under which a class is stored, and the values of its fields in order: classes and fields may
be renamed in the code. Whoever changes the layout of a class raises its version, and files of the old one are refused.

>>> from dataclasses import dataclass
>>> @register_state("example", version=2)
... @dataclass
... class Example:
...     rows: int
>>> name_of(Example), find_class("example.2") is Example, find_class("example.1")
('example.2', True, None)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import is_dataclass
from typing import TypeVar

from tailrace.errors import RunError

__all__ = ["find_class", "name_of", "register_state"]
C = TypeVar("C", bound=type)
_CLASSES: dict[str, type] = {}
_NAMES: dict[type, str] = {}


def register_state(name: str, version: int = 1) -> Callable[[C], C]:
    """Let states that are stored have values of this dataclass."""

    def register(cls: C) -> C:
        assert is_dataclass(cls), f"{name} is no dataclass"
        _CLASSES[f"{name}.{version}"] = cls
        _NAMES[cls] = f"{name}.{version}"
        return cls

    return register


def find_class(name: str) -> type | None:
    """The class that is stored under a name; None if no module of this version that is imported has one."""
    return _CLASSES.get(name)


def name_of(cls: type) -> str:
    """The name under which a class is stored."""
    if cls not in _NAMES:
        raise RunError(f"a state has a {cls.__name__}, which is not marked as stored")
    return _NAMES[cls]
