"""Nodes: the operators of a logical plan. One class for each idea, named as in the language and the papers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar
from typing import Literal as Word

from tailrace.catalog.sources import Relation, Stream
from tailrace.logical.expressions import Aggregation, Expression, columns_of
from tailrace.logical.plan import Kind, Plan, require, walk
from tailrace.logical.sampling import SampleRate
from tailrace.logical.windows import Every, Window
from tailrace.schema import Field, Schema
from tailrace.stable_encoding import stable
from tailrace.types import BOOLEAN, VOID

RELATIONAL = (Kind.RELATION, Kind.STEPS)


def require_columns(schema: Schema, *expressions: Expression) -> None:
    require(all(index < len(schema) for index in columns_of(*expressions)), "a column that the input lacks")


@dataclass(frozen=True, eq=False)
class Unary(Plan):
    """A node with one input; schema and kind are the input's unless a subclass overrides them."""

    child: Plan

    @property
    def children(self) -> tuple[Plan, ...]:
        return (self.child,)

    def with_children(self, *children: Plan) -> Unary:
        return replace(self, child=children[0])

    @cached_property
    def schema(self) -> Schema:
        return self.child.schema


@dataclass(frozen=True, eq=False)
class Binary(Plan):
    """A node with two inputs that are relations or steps; with steps on one side, the result is steps."""

    left: Plan
    right: Plan

    @property
    def children(self) -> tuple[Plan, ...]:
        return (self.left, self.right)

    def with_children(self, *children: Plan) -> Binary:
        return replace(self, left=children[0], right=children[1])

    def check(self) -> None:
        require(
            self.left.kind in RELATIONAL and self.right.kind in RELATIONAL,
            f"{type(self).__name__} of a stream",
        )

    @cached_property
    def schema(self) -> Schema:
        return self.left.schema


@stable("plan/scan")
@dataclass(frozen=True, eq=False)
class Scan(Plan):
    """A declared stream or relation; with `columns`, only these of its columns."""

    source: Stream | Relation
    columns: tuple[int, ...] | None = None

    @cached_property
    def schema(self) -> Schema:
        if self.columns is None:
            return self.source.schema
        return Schema(tuple(self.source.schema[index] for index in self.columns))

    @cached_property
    def kind(self) -> Kind:
        return Kind.STREAM if isinstance(self.source, Stream) else Kind.RELATION


@stable("plan/apply-window")
@dataclass(frozen=True, eq=False)
class ApplyWindow(Unary):
    """Stream to relation: the tuples in the window at each instant."""

    makes: ClassVar[Kind | None] = Kind.RELATION
    window: Window

    def check(self) -> None:
        require(self.child.kind is Kind.STREAM, "a window on something that is no stream")


@stable("plan/select")
@dataclass(frozen=True, eq=False)
class Select(Unary):
    """The tuples whose predicate is true."""

    predicate: Expression

    def check(self) -> None:
        require(self.predicate.type in (BOOLEAN, VOID), "a predicate that is not BOOLEAN")
        require_columns(self.child.schema, self.predicate)


@stable("plan/project")
@dataclass(frozen=True, eq=False)
class Project(Unary):
    """Computed columns; duplicates stay."""

    expressions: tuple[Expression, ...]
    names: tuple[str, ...] = field(compare=False)

    def check(self) -> None:
        require(len(self.expressions) == len(self.names), "as many names as expressions")
        require_columns(self.child.schema, *self.expressions)

    @cached_property
    def schema(self) -> Schema:
        pairs = zip(self.names, self.expressions, strict=True)
        return Schema(tuple(Field(name, expression.type) for name, expression in pairs))


@stable("plan/join")
@dataclass(frozen=True, eq=False)
class Join(Binary):
    """Pairs of tuples for which the condition is true; an outer join pads tuples without a partner with NULLs."""

    how: Word["inner", "left", "right", "full"]
    condition: Expression

    def check(self) -> None:
        super().check()
        require_columns(self.schema, self.condition)

    @cached_property
    def schema(self) -> Schema:
        return self.left.schema + self.right.schema


@stable("plan/semi-join")
@dataclass(frozen=True, eq=False)
class SemiJoin(Binary):
    """The left tuples that have a right tuple for which the condition is true; with `anti`, those that have none."""

    anti: bool
    condition: Expression

    def check(self) -> None:
        super().check()
        require_columns(self.left.schema + self.right.schema, self.condition)


@stable("plan/mark-join")
@dataclass(frozen=True, eq=False)
class MarkJoin(Binary):
    """The left tuples with one more column: the OR, in SQL's three-valued logic, of the condition over the right."""

    condition: Expression

    def check(self) -> None:
        super().check()
        require_columns(self.left.schema + self.right.schema, self.condition)

    @cached_property
    def schema(self) -> Schema:
        return self.left.schema + Schema.of(("mark", BOOLEAN))


@stable("plan/single-join")
@dataclass(frozen=True, eq=False)
class SingleJoin(Binary):
    """The left tuples with the columns of the one right tuple that fits, or NULLs; if two fit, the query fails."""

    condition: Expression

    def check(self) -> None:
        super().check()
        require_columns(self.schema, self.condition)

    @cached_property
    def schema(self) -> Schema:
        return self.left.schema + self.right.schema


@stable("plan/aggregate")
@dataclass(frozen=True, eq=False)
class Aggregate(Unary):
    """One tuple for each group: keys, then aggregates. Without keys there is one group, even if there are no tuples."""

    keys: tuple[Expression, ...]
    aggregations: tuple[Aggregation, ...]
    names: tuple[str, ...] = field(compare=False)

    def check(self) -> None:
        require(self.child.kind in RELATIONAL, "an aggregate of a stream")
        require(len(self.names) == len(self.keys) + len(self.aggregations), "a name for each column")
        require_columns(self.child.schema, *self.keys, *(e for a in self.aggregations for e in a.expressions))

    @cached_property
    def schema(self) -> Schema:
        types = (*(key.type for key in self.keys), *(aggregation.type for aggregation in self.aggregations))
        return Schema(tuple(Field(name, type) for name, type in zip(self.names, types, strict=True)))


@stable("plan/distinct")
@dataclass(frozen=True, eq=False)
class Distinct(Unary):
    """Each tuple once."""

    def check(self) -> None:
        require(self.child.kind in RELATIONAL, "DISTINCT of a stream")


@stable("plan/union")
@dataclass(frozen=True, eq=False)
class Union(Plan):
    """All tuples of all inputs, with their multiplicities. The inputs may also be streams."""

    inputs: tuple[Plan, ...]

    @property
    def children(self) -> tuple[Plan, ...]:
        return self.inputs

    def with_children(self, *children: Plan) -> Union:
        return replace(self, inputs=children)

    def check(self) -> None:
        require(len({child.schema.types for child in self.inputs}) == 1, "a union of different types")
        streams = {child.kind is Kind.STREAM for child in self.inputs}
        require(len(streams) == 1, "a union of a stream and a relation")

    @cached_property
    def schema(self) -> Schema:
        return self.inputs[0].schema


@stable("plan/except")
@dataclass(frozen=True, eq=False)
class Except(Binary):
    """The left tuples that are not on the right; with `all`, multiplicities subtract."""

    all: bool

    def check(self) -> None:
        super().check()
        require(self.left.schema.types == self.right.schema.types, "EXCEPT of different types")


@stable("plan/intersect")
@dataclass(frozen=True, eq=False)
class Intersect(Binary):
    """The tuples on both sides; with `all`, the lesser multiplicity."""

    all: bool

    def check(self) -> None:
        super().check()
        require(self.left.schema.types == self.right.schema.types, "INTERSECT of different types")


@stable("plan/order-key")
@dataclass(frozen=True)
class OrderKey:
    """One item of ORDER BY."""

    expression: Expression
    descending: bool = False
    nulls_first: bool = True


@stable("plan/top-k")
@dataclass(frozen=True, eq=False)
class TopK(Unary):
    """The first `limit` tuples in an order, after the first `offset`."""

    order: tuple[OrderKey, ...]
    limit: int | None
    offset: int = 0

    def check(self) -> None:
        require(self.child.kind in RELATIONAL, "an order on a stream")
        require_columns(self.child.schema, *(key.expression for key in self.order))


@stable("plan/to-stream")
@dataclass(frozen=True, eq=False)
class ToStream(Unary):
    """Relation to stream: at each instant ISTREAM sends what was inserted, DSTREAM what was deleted, RSTREAM all."""

    makes: ClassVar[Kind | None] = Kind.STREAM
    operator: Word["istream", "dstream", "rstream"]

    def check(self) -> None:
        require(self.child.kind is Kind.RELATION, "a to-stream operator on something that is no relation")


@stable("plan/jump-window")
@dataclass(frozen=True, eq=False)
class JumpWindow(Unary):
    """Stream to steps: a window of the last `range` tuples or ticks of each substream, evaluated every `frequency`."""

    makes: ClassVar[Kind | None] = Kind.STEPS
    range: Every
    frequency: Every
    partition: tuple[int, ...] = ()

    def check(self) -> None:
        require(self.child.kind is Kind.STREAM, "a jumping window on something that is no stream")


@stable("plan/append")
@dataclass(frozen=True, eq=False)
class Append(Unary):
    """Steps to stream: the whole result of each step, in the order of the steps."""

    makes: ClassVar[Kind | None] = Kind.STREAM

    def check(self) -> None:
        require(self.child.kind is Kind.STEPS, "nothing to append step by step")


@stable("plan/frequency-sample")
@dataclass(frozen=True, eq=False)
class FrequencySample(Unary):
    """Stream to stream: every n-th element, or the last one of each slot of time; for each substream by itself."""

    frequency: Every
    partition: tuple[int, ...] = ()

    def check(self) -> None:
        require(self.child.kind is Kind.STREAM, "a sample of something that is no stream")


@stable("plan/hash-sample")
@dataclass(frozen=True, eq=False)
class HashSample(Unary):
    """Stream to stream: a sample by hash. An element is kept if the hash of `columns` is low enough (sampling.py)."""

    rate: SampleRate
    columns: tuple[int, ...]

    def check(self) -> None:
        require(self.child.kind is Kind.STREAM, "a sample of something that is no stream")
        require(all(index < len(self.child.schema) for index in self.columns), "a column that the input lacks")


def is_static(plan: Plan) -> bool:
    """Whether the plan is a relation that never changes after the first instant: it reads static relations only."""
    return all(
        node.kind is Kind.RELATION
        and (not isinstance(node, Scan) or (isinstance(node.source, Relation) and node.source.is_static))
        for node in walk(plan)
    )
