"""Steps: the nodes into which the physical side lays out a sequence query; the language has no words for them.

In a plan of these, a stream's elements have their places in the sequence as their last column.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from tailrace.logical.nodes import Binary, FrequencySample, JumpWindow, OrderKey, Unary
from tailrace.logical.plan import Kind, require
from tailrace.logical.windows import Every
from tailrace.schema import Schema
from tailrace.types import BIGINT

PLACE = Schema.of(("place", BIGINT))


@dataclass(frozen=True, eq=False)
class WithPositions(Unary):
    """A stream's elements with their places: elements of one instant by an order, each value of a key for itself."""

    key: tuple[int, ...] = ()
    order: tuple[OrderKey, ...] = ()

    def check(self) -> None:
        require(self.child.kind is Kind.STREAM, "places of something that is no stream")

    @cached_property
    def schema(self) -> Schema:
        return self.child.schema + PLACE


@dataclass(frozen=True, eq=False)
class Prefiltered(Unary):
    """A stream without elements that a jumping window, or a sample if there is no range, can do without."""

    range: Every | None
    frequency: Every
    key: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class PlacedJump(JumpWindow):
    """A jumping window over elements with places; its tuples keep theirs."""


@dataclass(frozen=True, eq=False)
class PlacedSample(FrequencySample):
    """A sample of elements with places, which keep theirs."""


@dataclass(frozen=True, eq=False)
class RelationAtSteps(Unary):
    """A relation as steps see it: at each the relation of its instant."""

    def check(self) -> None:
        require(self.child.kind is Kind.RELATION, "steps of something that is no relation")

    @cached_property
    def kind(self) -> Kind:
        return Kind.STEPS


@dataclass(frozen=True, eq=False)
class EvaluationPoints(Unary):
    """The elements with which a jumping window is evaluated, as steps of one tuple: these columns of them."""

    columns: tuple[int, ...]

    @cached_property
    def schema(self) -> Schema:
        return Schema(tuple(self.child.schema[index] for index in self.columns))


@dataclass(frozen=True, eq=False)
class ResultsAtSteps(Binary):
    """The left side's steps at the evaluations on the right, which are just a key; after each tuple its place."""

    key: tuple[int, ...]

    @cached_property
    def schema(self) -> Schema:
        return self.left.schema + PLACE

    @cached_property
    def kind(self) -> Kind:
        return Kind.STREAM


@dataclass(frozen=True, eq=False)
class AtPositions(Unary):
    """Tuples as steps again, each at the place in its last column only."""

    @cached_property
    def kind(self) -> Kind:
        return Kind.STEPS
