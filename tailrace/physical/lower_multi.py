"""Lower multi: a tree of inner joins of three or more inputs on one key is one mjoin (CQL §12.5), not many joins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from tailrace.logical import nodes
from tailrace.logical.expressions import TRUE, Call, Column, Expression, all_of, columns_of, conjuncts, inline, shift
from tailrace.logical.expressions import move as moved
from tailrace.logical.plan import Plan
from tailrace.physical.expressions import can_evaluate
from tailrace.physical.operators.multi_join import MultiJoin, SharedKey
from tailrace.rewrite.totality import cannot_fail
from tailrace.types import INTEGER_BITS, Type

if TYPE_CHECKING:
    from tailrace.physical.lower import Lowering


@dataclass(frozen=True)
class Flat:
    """A tree of inner joins as one join: its inputs, what must hold, and the columns of the tree.

    Both are over the columns of all inputs, one after another.
    """

    inputs: tuple[Plan, ...]
    parts: tuple[Expression, ...]
    columns: tuple[Expression, ...]

    @property
    def starts(self) -> list[int]:
        """At which column each input starts, and where the last one ends."""
        return list(accumulate((len(each.schema) for each in self.inputs), initial=0))

    @property
    def owners(self) -> list[int]:
        """For each column the input that has it."""
        return [place for place, each in enumerate(self.inputs) for _ in each.schema]


def flattened(plan: Plan) -> Flat:
    """Inner joins below inner joins are one join; projections in between only choose columns. What is shared stays."""
    match plan:
        case nodes.Join(how="inner"):
            left, right = flattened(plan.left), flattened(plan.right)
            width = left.starts[-1]
            columns = (*left.columns, *(shift(column, width) for column in right.columns))
            own = (inline(part, columns) for part in conjuncts(plan.condition) if part != TRUE)
            parts = (*left.parts, *(shift(part, width) for part in right.parts), *own)
            return Flat(left.inputs + right.inputs, parts, columns)
        case nodes.Project() if all(isinstance(each, Column) for each in plan.expressions):
            below = flattened(plan.child)
            if len(below.inputs) > 1:
                return Flat(below.inputs, below.parts, tuple(inline(each, below.columns) for each in plan.expressions))
    columns = tuple(Column(index, field.type, field.name) for index, field in enumerate(plan.schema))
    return Flat((plan,), (), columns)


@dataclass(frozen=True)
class Term:
    """A value of one input, without the cast to a wider whole number that a comparison may ask for."""

    place: int
    value: Expression


@dataclass(frozen=True)
class Class:
    """Terms that must be equal, and the type they are compared in."""

    terms: frozenset[Term]
    type: Type
    null_safe: bool

    def with_other(self, other: Class) -> Class | None:
        """Both as one; NULLs are out of both as soon as they are out of one. None where types do not meet."""
        widest = max((self.type, other.type), key=lambda type: INTEGER_BITS.get(type, 0))
        if self.type != other.type and not {self.type, other.type} <= INTEGER_BITS.keys():
            return None
        return Class(self.terms | other.terms, widest, self.null_safe and other.null_safe)

    def value(self, place: int) -> Expression:
        found = next(term.value for term in self.terms if term.place == place)
        return found if found.type == self.type else Call("cast", (found,), self.type)


def equal_terms(part: Expression, owners: Sequence[int]) -> Class | None:
    """`one = other` between values of two inputs."""
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
    """The value without a cast that only makes a whole number wider."""
    match value:
        case Call("cast", (inner,)) if 0 < INTEGER_BITS.get(inner.type, 0) <= INTEGER_BITS.get(value.type, 0):
            return bare(inner)
    return value


def shared_classes(equalities: Sequence[Class], inputs: int) -> list[Class]:
    """The classes that the equalities form, if each has one value of every input; else none."""
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
    covers = all(sorted(term.place for term in each.terms) == list(range(inputs)) for each in found)
    return found if covers else []


def multi_join(lowering: Lowering, node: nodes.Join) -> int | None:
    """The step of a tree of inner joins on one key; None for every other tree.

    A condition that can fail must meet the tuples it was written for, so such trees stay as they are.
    """
    flat = flattened(node)
    if len(flat.inputs) < 3 or not all(map(cannot_fail, flat.parts)):
        return None
    owners = flat.owners
    equalities = [(part, equal_terms(part, owners)) for part in flat.parts]
    classes = shared_classes([each for _, each in equalities if each], len(flat.inputs))
    if not classes:
        return None
    return placed(lowering, flat, classes, [part for part, each in equalities if not each])


def placed(lowering: Lowering, flat: Flat, classes: Sequence[Class], parts: Sequence[Expression]) -> int:
    """The inputs, filtered by what speaks of one of them only and with the key among their columns, and their join."""
    plan, starts, owners = lowering.plan, flat.starts, flat.owners
    used = [{owners[column] for column in columns_of(part)} or {0} for part in parts]
    inputs, keys = [], []
    for place, each in enumerate(flat.inputs):
        number = lowering.step(each)
        alone = [shift(part, -starts[place]) for part, of in zip(parts, used, strict=True) if of == {place}]
        number = lowering.select(number, all_of(alone)) if alone else number
        values = [shift(each.value(place), -starts[place]) for each in classes]
        number, columns = lowering.with_columns(number, values)
        inputs.append(number)
        keys.append(columns)
    widths = [len(plan.types(number)) for number in inputs]
    wider = list(accumulate(widths, initial=0))
    where = [wider[place] + column - starts[place] for column, place in enumerate(owners)]
    rest = [moved(part, where.__getitem__) for part, of in zip(parts, used, strict=True) if len(of) > 1]
    shared = tuple(
        SharedKey(columns, each.null_safe) for columns, each in zip(zip(*keys, strict=True), classes, strict=True)
    )
    types = tuple(type for number in inputs for type in plan.types(number))
    number = plan.add(MultiJoin(types, shared, tuple(widths), tuple(filter(can_evaluate, rest))), *inputs)
    late = [part for part in rest if not can_evaluate(part)]
    number = lowering.select(number, all_of(late)) if late else number
    return lowering.keep(number, [where[index] for index in indexes(flat.columns)])


def indexes(columns: Sequence[Expression]) -> Iterator[int]:
    for column in columns:
        assert isinstance(column, Column)
        yield column.index
