"""Schema: the named, typed columns of a stream or relation.

>>> from tailrace.types import INT, STRING
>>> people = Schema.of(("id", INT), ("Name", STRING))
>>> print(people), people.find("NAME")
(id INT, Name STRING)
(None, (1,))
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tailrace.stable_encoding import stable
from tailrace.types import Type


@stable("field")
@dataclass(frozen=True)
class Field:
    """A column: its name as declared and its type."""

    name: str
    type: Type

    def __str__(self) -> str:
        return f"{self.name} {self.type}"


@stable("schema")
@dataclass(frozen=True)
class Schema:
    """Columns in order. Names need not be unique: a join of two streams keeps both sides' names."""

    fields: tuple[Field, ...]

    @staticmethod
    def of(*fields: tuple[str, Type]) -> Schema:
        return Schema(tuple(Field(name, type) for name, type in fields))

    def __len__(self) -> int:
        return len(self.fields)

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields)

    def __getitem__(self, index: int) -> Field:
        return self.fields[index]

    def __add__(self, other: Schema) -> Schema:
        return Schema(self.fields + other.fields)

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.fields))})"

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(field.name for field in self.fields)

    @property
    def types(self) -> tuple[Type, ...]:
        return tuple(field.type for field in self.fields)

    def find(self, name: str) -> tuple[int, ...]:
        """The positions of all columns of this name; upper and lower case are equal."""
        return tuple(i for i, field in enumerate(self.fields) if field.name.lower() == name.lower())

    def with_names(self, names: tuple[str, ...]) -> Schema:
        return Schema(tuple(Field(name, field.type) for name, field in zip(names, self.fields, strict=True)))
