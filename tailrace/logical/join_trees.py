"""Join trees: turns nested inner joins into one join of many inputs, and finds the keys that all inputs share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from tailrace.logical import nodes
from tailrace.logical.expressions import TRUE, Call, Column, Expression, columns_of, conjuncts, inline, refer_to, shift
from tailrace.logical.plan import Plan
from tailrace.types import INTEGER_BITS, Type


@dataclass(frozen=True)
class Flat:
    """A tree of inner joins as one join of its inputs."""

    inputs: tuple[Plan, ...]
    parts: tuple[Expression, ...]  # the conditions, over the columns of all inputs, one input after the other
    columns: tuple[Expression, ...]  # the tree's output, over the same

    @property
    def starts(self) -> list[int]:
        """The position of each input's first column, and the number of all columns as last entry."""
        return list(accumulate((len(each.schema) for each in self.inputs), initial=0))

    @property
    def owners(self) -> list[int]:
        """For each column, the index of the input that it belongs to."""
        return [place for place, each in enumerate(self.inputs) for _ in each.schema]


def flatten_joins(plan: Plan) -> Flat:
    """The inner joins at the top of a plan as one join, also through projections that only choose columns."""
    match plan:
        case nodes.Join(how="inner"):
            left, right = flatten_joins(plan.left), flatten_joins(plan.right)
            width = left.starts[-1]
            columns = (*left.columns, *(shift(column, width) for column in right.columns))
            own = (inline(part, columns) for part in conjuncts(plan.condition) if part != TRUE)
            parts = (*left.parts, *(shift(part, width) for part in right.parts), *own)
            return Flat(left.inputs + right.inputs, parts, columns)
        case nodes.Project() if all(isinstance(each, Column) for each in plan.expressions):
            below = flatten_joins(plan.child)
            if len(below.inputs) > 1:
                return Flat(below.inputs, below.parts, tuple(inline(each, below.columns) for each in plan.expressions))
    return Flat((plan,), (), refer_to(plan.schema))


@dataclass(frozen=True)
class Term:
    """A value computed from the input at index `place`, without a cast that only widens a whole number."""

    place: int
    value: Expression


@dataclass(frozen=True)
class Class:
    """An equivalence class: terms that the join's conditions require to be equal, and the type they are compared in."""

    terms: frozenset[Term]
    type: Type
    null_safe: bool

    def with_other(self, other: Class) -> Class | None:
        """The union of two classes that share a term, null-safe only if both are; None if types have no common type."""
        widest = max((self.type, other.type), key=lambda type: INTEGER_BITS.get(type, 0))
        if self.type != other.type and not {self.type, other.type} <= INTEGER_BITS.keys():
            return None
        return Class(self.terms | other.terms, widest, self.null_safe and other.null_safe)

    def covers(self, inputs: int) -> bool:
        """Whether the class has exactly one term of each of the `inputs` inputs."""
        return sorted(term.place for term in self.terms) == list(range(inputs))

    def value(self, place: int) -> Expression:
        found = next(term.value for term in self.terms if term.place == place)
        return found if found.type == self.type else Call("cast", (found,), self.type)


def equal_terms(part: Expression, owners: Sequence[int]) -> Class | None:
    """The class of two terms, each of one input, that a condition `one = other` equates; None for other conditions."""
    if not isinstance(part, Call) or part.name not in ("=", "<=>"):
        return None
    sides = [{owners[column] for column in columns_of(side)} for side in part.arguments]
    if not all(len(side) == 1 for side in sides) or sides[0] == sides[1]:
        return None
    one, other = part.arguments
    if one.type != other.type:
        return None
    terms = frozenset(Term(min(side), bare(value)) for side, value in zip(sides, part.arguments, strict=True))
    return Class(terms, one.type, part.name == "<=>")


def bare(value: Expression) -> Expression:
    """The value without casts that only widen a whole number, such as INT to BIGINT."""
    match value:
        case Call("cast", (inner,)) if 0 < INTEGER_BITS.get(inner.type, 0) <= INTEGER_BITS.get(value.type, 0):
            return bare(inner)
    return value


def shared_classes(equalities: Sequence[Class], inputs: int) -> list[Class]:
    """The classes that the equalities form if each has exactly one term of every input; otherwise none."""
    found = classes(equalities)
    return found if all(each.covers(inputs) for each in found) else []


def classes(equalities: Sequence[Class]) -> list[Class]:
    """The classes that the equalities form: those with a common term are merged. None at all if types do not fit."""
    found: list[Class] = []
    for equality in equalities:
        merged: Class | None = equality
        apart = []
        for known in found:
            if known.terms & equality.terms:
                merged = merged and merged.with_other(known)
            else:
                apart.append(known)
        if merged is None:
            return []
        found = [*apart, merged]
    return found
