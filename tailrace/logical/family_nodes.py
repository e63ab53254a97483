"""Family nodes: the nodes that only plans of families have: one plan that answers many similar queries."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from tailrace.logical.expressions import Expression
from tailrace.logical.nodes import Unary, require_columns
from tailrace.logical.plan import Kind, Plan, require
from tailrace.schema import Schema
from tailrace.stable_encoding import stable
from tailrace.types import BIGINT

MEMBERS = Schema.of(("member", BIGINT))


@stable("plan/tagged-scan")
@dataclass(frozen=True, eq=False)
class TaggedScan(Unary):
    """A stream's tuples, copied for each family member whose predicate they satisfy: member number, then `columns`."""

    family: str
    columns: tuple[int, ...]

    def check(self) -> None:
        require(self.child.kind is Kind.STREAM, "members of something that is no stream")

    @cached_property
    def schema(self) -> Schema:
        return MEMBERS + Schema(tuple(self.child.schema[index] for index in self.columns))


@stable("plan/family-members")
@dataclass(frozen=True, eq=False)
class FamilyMembers(Plan):
    """A relation of the numbers of a family's members; each is in it from the instant at which the member started."""

    family: str

    @cached_property
    def schema(self) -> Schema:
        return MEMBERS


@stable("plan/stem")
@dataclass(frozen=True, eq=False)
class Stem(Unary):
    """A stream's tuples by a key, kept once for all joins that read them (CACQ's SteM).

    A join of a stream with itself by one key reads several equal stems, which differ in `turn`. Row windows have stems
    of their own (`rows`), in which tuples are numbered. Numbering takes one more stage, so all stems of a join with a
    row window are marked `beside` and are not shared with joins of time windows only.
    """

    keys: tuple[Expression, ...]
    turn: int = 0
    rows: bool = False
    beside: bool = False

    def check(self) -> None:
        require(self.child.kind is Kind.STREAM, "a stem of something that is no stream")
        require_columns(self.child.schema, *self.keys)


@stable("plan/stem-join")
@dataclass(frozen=True, eq=False)
class StemJoin(Plan):
    """The join of several stems for a family: one tuple of each stem, all with equal keys.

    A combination is copied for each member whose predicates it satisfies. The output is the member's number, then
    `columns`: positions in the stems' columns, one stem after the other.
    """

    makes: ClassVar[Kind | None] = Kind.RELATION
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
