"""Random expressions: typed scalar expressions over the columns of a schema, drawn by chance.

Chance is Hypothesis, which shrinks what fails, or a seed, which draws widely and fast.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol, TypeVar

from hypothesis import strategies as st

from tailrace.logical.expressions import Aggregation, Call, Column, Expression, Literal, UserCall
from tailrace.schema import Schema
from tailrace.types import BIGINT, BOOLEAN, DOUBLE, INT, STRING, Type
from tests.random_plans.python_functions import AGGREGATES, SCALARS

T = TypeVar("T")
TYPES = (INT, INT, INT, STRING, BOOLEAN, DOUBLE)
# Few values each, so that tuples are often equal and joins find partners.
VALUES: dict[Type, tuple[Any, ...]] = {
    INT: (0, 1, 2, 1, 2, None),
    BIGINT: (0, 1, 2, 1, 2, None),
    STRING: ("a", "b", "", "a", None),
    BOOLEAN: (True, False, True, None),
    DOUBLE: (0.0, 0.5, 1.0, 0.5, None),
}
COMPARISONS = ("=", "<>", "<", "<=", ">", ">=", "<=>")
TESTS = ("is null", "is not null", "is true", "is false", "is not false")


class Chance(Protocol):
    """Where choices come from; small numbers are the simple choices."""

    def number(self, least: int, most: int) -> int: ...


@dataclass(frozen=True)
class Drawn:
    """Chance as Hypothesis draws it."""

    draw: Callable[[st.SearchStrategy[Any]], Any]

    def number(self, least: int, most: int) -> int:
        return self.draw(st.integers(least, most))


@dataclass(frozen=True)
class Seeded:
    """Chance from a seed."""

    random: Random

    def number(self, least: int, most: int) -> int:
        return self.random.randint(least, most)


class Expressions:
    """Draws expressions; each method draws one of its kind. With `python`, functions from Python are among them."""

    def __init__(self, chance: Chance, python: bool = False) -> None:
        self.number = chance.number
        self.python = python

    def pick(self, options: Sequence[T]) -> T:
        """One of the options, the simplest first."""
        return options[self.number(0, len(options) - 1)]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        rest, found = list(items), []
        while rest:
            found.append(rest.pop(self.number(0, len(rest) - 1)))
        return found

    def literal(self, of: Type) -> Literal:
        return Literal(self.pick(VALUES[of]), of)

    def leaf(self, of: Type, schema: Schema) -> Expression:
        columns = [Column(place, of, field.name) for place, field in enumerate(schema) if field.type == of]
        if columns and self.number(0, 3):
            return self.pick(columns)
        return self.literal(of)

    def of_type(self, of: Type, schema: Schema, depth: int = 2) -> Expression:
        """An expression of a type. Columns are by far the most frequent, as in queries people write."""
        if depth == 0 or not self.number(0, 2):
            return self.leaf(of, schema)
        if self.python and of in SCALARS and not self.number(0, 2):
            function, types = SCALARS[of]
            return UserCall(function, tuple(self.of_type(each, schema, depth - 1) for each in types))
        if not self.number(0, 5):
            return self.chosen(of, schema, depth - 1)
        if of == BOOLEAN:
            return self.condition(schema, depth)
        if of == STRING:
            return self.text(schema, depth - 1)
        return self.arithmetic(of, schema, depth - 1)

    def chosen(self, of: Type, schema: Schema, depth: int) -> Expression:
        values = (self.of_type(of, schema, depth), self.of_type(of, schema, depth))
        if self.number(0, 1):
            return Call("coalesce", values, of)
        return Call("case", (self.condition(schema, depth), *values), of)

    def arithmetic(self, of: Type, schema: Schema, depth: int) -> Expression:
        if of == DOUBLE and self.number(0, 1):
            return Call("cast", (self.of_type(INT, schema, depth),), DOUBLE)
        if of == BIGINT and self.number(0, 1):
            return Call("cast", (self.of_type(INT, schema, depth),), BIGINT)
        sides = (self.of_type(of, schema, depth), self.of_type(of, schema, depth))
        signs = ("+", "-", "*", "/") if of == DOUBLE else ("+", "-", "*", "%")
        if of == BIGINT:
            signs = ("+", "-", "*", "%", "div")
        return Call(self.pick(signs), sides, of)

    def text(self, schema: Schema, depth: int) -> Expression:
        if self.number(0, 1):
            return Call("upper", (self.of_type(STRING, schema, depth),), STRING)
        return Call("||", (self.of_type(STRING, schema, depth), self.of_type(STRING, schema, depth)), STRING)

    def condition(self, schema: Schema, depth: int = 2) -> Expression:
        """A predicate: mostly comparisons, joined by AND, OR and NOT."""
        if depth > 0 and self.number(0, 1):
            return self.connected(schema, depth - 1)
        return self.comparison(schema, max(depth - 1, 0))

    def connected(self, schema: Schema, depth: int) -> Expression:
        form = self.pick(("and", "or", "not", "test", "constant"))
        if form == "not":
            return Call("not", (self.condition(schema, depth),), BOOLEAN)
        if form == "test":
            name = self.pick(TESTS)
            of = self.pick(TYPES) if name.endswith("null") else BOOLEAN
            return Call(name, (self.of_type(of, schema, depth),), BOOLEAN)
        if form == "constant":
            return self.literal(BOOLEAN)
        return Call(form, (self.condition(schema, depth), self.condition(schema, depth)), BOOLEAN)

    def comparison(self, schema: Schema, depth: int) -> Expression:
        of = self.pick([field.type for field in schema] or [INT])
        left = self.of_type(of, schema, depth)
        right = self.literal(of) if self.number(0, 1) else self.of_type(of, schema, depth)
        if self.number(0, 4) == 4:
            return Call("in", (left, right, self.literal(of)), BOOLEAN)
        return Call(self.pick(COMPARISONS), (left, right), BOOLEAN)

    def link(self, left: Schema, right: Schema) -> Expression:
        """A join's condition: mostly an equality of two columns, sometimes with more to it."""
        pairs = [
            (Column(one, mine.type, mine.name), Column(len(left) + two, other.type, other.name))
            for one, mine in enumerate(left)
            for two, other in enumerate(right)
            if mine.type == other.type
        ]
        if not pairs or not self.number(0, 4):
            return self.condition(left + right)
        equality = Call("=", self.pick(pairs), BOOLEAN)
        if self.number(0, 1):
            return equality
        return Call("and", (equality, self.condition(left + right)), BOOLEAN)

    def aggregation(self, schema: Schema) -> Aggregation:
        function = self.pick(("count", "count of", "sum", "avg", "min", "max"))
        condition = self.condition(schema, 1) if not self.number(0, 4) else None
        distinct = function != "count" and not self.number(0, 3)
        if self.python and self.number(0, 1):
            user, types = self.pick(AGGREGATES)
            taken = tuple(self.of_type(each, schema, 1) for each in types)
            return Aggregation(user.name.lower(), taken, user.returns, distinct, condition, user)
        if function == "count":
            return Aggregation("count", (), BIGINT, condition=condition)
        if function == "count of":
            arguments = (self.of_type(self.pick(TYPES), schema, 1),)
            return Aggregation("count", arguments, BIGINT, distinct, condition)
        of = self.pick(TYPES) if function in ("min", "max") else INT
        result = {"sum": BIGINT, "avg": DOUBLE}.get(function, of)
        return Aggregation(function, (self.of_type(of, schema, 1),), result, distinct, condition)
