"""Plan: the base of logical plan nodes. A node is small, immutable and checks itself when it is made.

A node's `kind` says what it produces: a stream, a relation, or, inside sequence queries, a relation per step. Two nodes
are equal if they have equal structure, whatever their columns are called: so equal sub-plans of different queries are
equal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import Enum
from functools import cached_property
from typing import Any, ClassVar, TypeVar

from tailrace.schema import Schema

P = TypeVar("P", bound="Plan")


class Kind(Enum):
    """What a node produces."""

    STREAM = "stream"
    RELATION = "relation"
    STEPS = "steps"  # a relation for each step of a sequence query

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, eq=False)
class Plan:
    """The base of plan nodes: children, schema, kind, and equality by structure."""

    makes: ClassVar[Kind | None] = None  # None: by its inputs

    def __post_init__(self) -> None:
        self.check()

    def check(self) -> None:
        """Raise AssertionError if the node makes no sense. Analysis has reported the user's mistakes before."""

    @property
    def children(self) -> tuple[Plan, ...]:
        return ()

    def with_children(self: P, *children: Plan) -> P:
        raise AssertionError(f"{type(self).__name__} has no children")

    @cached_property
    def schema(self) -> Schema:
        raise AssertionError("each node knows its schema")

    @cached_property
    def kind(self) -> Kind:
        """What the node makes; if its class does not say, what its inputs are: with steps on one side, steps."""
        of_inputs = (child.kind for child in self.children if child.kind is not Kind.RELATION)
        return self.makes or next(of_inputs, Kind.RELATION)

    @cached_property
    def _identity(self) -> tuple[Any, ...]:
        compared = tuple(getattr(self, part.name) for part in fields(self) if part.compare)
        return (type(self), *compared)

    @cached_property
    def _hash(self) -> int:
        return hash(self._identity)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Plan) and self._hash == other._hash and self._identity == other._identity


def require(fact: bool, message: str) -> None:
    """Raise AssertionError if a fact does not hold: a bug in Tailrace, never a mistake of the user."""
    if not fact:
        raise AssertionError(f"plan: {message}")


def walk(plan: Plan) -> Iterator[Plan]:
    """The plan and every node below it, outermost first. A node that is reached twice is yielded twice."""
    yield plan
    for child in plan.children:
        yield from walk(child)
