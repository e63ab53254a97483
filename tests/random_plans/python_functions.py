"""Python functions: some functions and aggregates as a user would register them, for random plans and other tests."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tailrace.catalog.user_functions import UserAggregate, UserFunction, UserFunctions
from tailrace.types import BOOLEAN, INT, STRING, Type


def mixed(one: int | None, other: int | None) -> int | None:
    return None if one is None else (one * 3 - (other or 0)) % 7


def tagged(text: str | None, number: int | None) -> str | None:
    return f"{text}#{number}" if text else None


def is_odd(number: int | None) -> bool | None:
    return None if number is None else number % 2 == 1


class Spread:
    """The greatest less the least; nothing can be taken back."""

    returns = "BIGINT"

    def __init__(self) -> None:
        self.values: list[int] = []

    def add(self, value: int) -> None:
        self.values.append(value)

    def result(self) -> int | None:
        return max(self.values) - min(self.values) if self.values else None


class Product:
    """The product, kept small; over nothing it is 1."""

    returns = "BIGINT"

    def __init__(self) -> None:
        self.zeros, self.product = 0, 1

    def add(self, value: int) -> None:
        if value:
            self.product *= value
        self.zeros += not value

    def remove(self, value: int) -> None:
        if value:
            self.product //= value
        self.zeros -= not value
        assert self.zeros >= 0
        assert self.product != 0

    def result(self) -> int:
        return 0 if self.zeros else self.product % 1_000_003


class Texts:
    """All texts in order, each with its number; two arguments, and both ways."""

    returns = "STRING"

    def __init__(self) -> None:
        self.counts: Counter[tuple[Any, ...]] = Counter()

    def add(self, text: str, number: int) -> None:
        self.counts[text, number] += 1

    def remove(self, text: str, number: int) -> None:
        assert self.counts[text, number] > 0
        self.counts[text, number] -= 1

    def result(self) -> str | None:
        return ",".join(f"{text}{number}" for text, number in sorted(self.counts.elements())) or None


FUNCTIONS = (
    UserFunctions()
    .function("mixed", mixed, "INT")
    .function("Tagged", tagged, "STRING", ["STRING", "INT"])
    .function("is_odd", is_odd, "BOOLEAN")
    .aggregate("spread", Spread)
    .aggregate("Product_Of", Product)
    .aggregate("texts", Texts)
)


def function(name: str) -> UserFunction:
    found = FUNCTIONS.find(name)
    assert isinstance(found, UserFunction)
    return found


def user_aggregate(name: str) -> UserAggregate:
    found = FUNCTIONS.find(name)
    assert isinstance(found, UserAggregate)
    return found


# What of them gives a value of a type, and what it takes.
SCALARS: dict[Type, tuple[UserFunction, tuple[Type, ...]]] = {
    INT: (function("mixed"), (INT, INT)),
    STRING: (function("tagged"), (STRING, INT)),
    BOOLEAN: (function("is_odd"), (INT,)),
}
AGGREGATES: tuple[tuple[UserAggregate, tuple[Type, ...]], ...] = (
    (user_aggregate("spread"), (INT,)),
    (user_aggregate("product_of"), (INT,)),
    (user_aggregate("texts"), (STRING, INT)),
)
