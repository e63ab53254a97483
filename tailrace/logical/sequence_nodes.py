"""Sequence nodes: nodes into which lowering translates a sequence query; analysis and rewrites do not make them.

In a plan of these nodes the last column of a stream is each element's position in the sequence: its instant and its
rank among the elements of that instant, as one number.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from tailrace.logical.nodes import Binary, FrequencySample, JumpWindow, OrderKey, Unary
from tailrace.logical.plan import Kind, require
from tailrace.logical.windows import Every
from tailrace.schema import Schema
from tailrace.stable_encoding import stable
from tailrace.types import BIGINT

PLACE = Schema.of(("place", BIGINT))


@stable("plan/with-positions")
@dataclass(frozen=True, eq=False)
class WithPositions(Unary):
    """A stream's elements with their positions: `order` ranks those of one instant, each key value by itself."""

    key: tuple[int, ...] = ()
    order: tuple[OrderKey, ...] = ()

    def check(self) -> None:
        require(self.child.kind is Kind.STREAM, "places of something that is no stream")

    @cached_property
    def schema(self) -> Schema:
        return self.child.schema + PLACE


@stable("plan/prefiltered")
@dataclass(frozen=True, eq=False)
class Prefiltered(Unary):
    """A stream without elements that a jumping window cannot see; without a range, that a frequency sample drops."""

    range: Every | None
    frequency: Every
    key: tuple[int, ...]


@stable("plan/placed-jump")
@dataclass(frozen=True, eq=False)
class PlacedJump(JumpWindow):
    """A jumping window over elements with positions; its tuples keep their positions."""


@stable("plan/placed-sample")
@dataclass(frozen=True, eq=False)
class PlacedSample(FrequencySample):
    """A frequency sample of elements with positions; its elements keep their positions."""


@stable("plan/relation-at-steps")
@dataclass(frozen=True, eq=False)
class RelationAtSteps(Unary):
    """A relation as steps: at each step, the relation at that step's instant."""

    makes: ClassVar[Kind | None] = Kind.STEPS

    def check(self) -> None:
        require(self.child.kind is Kind.RELATION, "steps of something that is no relation")


@stable("plan/evaluation-points")
@dataclass(frozen=True, eq=False)
class EvaluationPoints(Unary):
    """The elements at which a jumping window is evaluated: each is a step of one tuple with these columns of it."""

    columns: tuple[int, ...]

    @cached_property
    def schema(self) -> Schema:
        return Schema(tuple(self.child.schema[index] for index in self.columns))


@stable("plan/results-at-steps")
@dataclass(frozen=True, eq=False)
class ResultsAtSteps(Binary):
    """The tuples of the left side at each evaluation point of the right side, with the evaluation's position last.

    The right side's columns are the key's only: an evaluation sees the left tuples whose columns `key` equal them.
    """

    makes: ClassVar[Kind | None] = Kind.STREAM
    key: tuple[int, ...]

    @cached_property
    def schema(self) -> Schema:
        return self.left.schema + PLACE


@stable("plan/at-positions")
@dataclass(frozen=True, eq=False)
class AtPositions(Unary):
    """Tuples as steps: each tuple is in the one step whose position is its last column."""

    makes: ClassVar[Kind | None] = Kind.STEPS
