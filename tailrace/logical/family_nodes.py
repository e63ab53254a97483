"""Family nodes: what the plan of a family has that the plan of one query has not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from tailrace.logical.expressions import Expression
from tailrace.logical.nodes import Unary, require_columns
from tailrace.logical.plan import Kind, Plan, require
from tailrace.schema import Schema
from tailrace.types import BIGINT

MEMBERS = Schema.of(("member", BIGINT))


@dataclass(frozen=True, eq=False)
class TaggedScan(Unary):
    """Some columns of a stream's tuples, each once for each member of a family that wants it, after its number."""

    family: str
    columns: tuple[int, ...]

    def check(self) -> None:
        require(self.child.kind is Kind.STREAM, "members of something that is no stream")

    @cached_property
    def schema(self) -> Schema:
        return MEMBERS + Schema(tuple(self.child.schema[index] for index in self.columns))


@dataclass(frozen=True, eq=False)
class FamilyMembers(Plan):
    """The numbers of a family's members, each from the instant on at which it began."""

    family: str

    @cached_property
    def schema(self) -> Schema:
        return MEMBERS

    @cached_property
    def kind(self) -> Kind:
        return Kind.RELATION


@dataclass(frozen=True, eq=False)
class Stem(Unary):
    """A stream's tuples by a key, remembered once for all joins that read them; a self join reads the next `turn`.

    Windows of rows have stems of their own, in which tuples are numbered; those on time that are joined with them have
    stems `beside` them, since numbers take a stage longer.
    """

    keys: tuple[Expression, ...]
    turn: int = 0
    rows: bool = False
    beside: bool = False

    def check(self) -> None:
        require(self.child.kind is Kind.STREAM, "a stem of something that is no stream")
        require_columns(self.child.schema, *self.keys)


@dataclass(frozen=True, eq=False)
class StemJoin(Plan):
    """Combinations of a tuple of each stem that agree on the key, each once for each member of a family that wants it.

    After the member's number come some columns, counted over those of all stems.
    """

    stems: tuple[Stem, ...]
    family: str
    columns: tuple[int, ...]

    @property
    def children(self) -> tuple[Plan, ...]:
        return self.stems

    def with_children(self, *children: Plan) -> StemJoin:
        return replace(self, stems=tuple(child for child in children if isinstance(child, Stem)))

    @cached_property
    def schema(self) -> Schema:
        fields = [field for stem in self.stems for field in stem.schema]
        return MEMBERS + Schema(tuple(fields[column] for column in self.columns))

    @cached_property
    def kind(self) -> Kind:
        return Kind.RELATION
