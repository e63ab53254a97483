"""Patterns: what queries of one shape want of a stream, found out once for all of them.

The rewrites look at constants only where they are equal to others: a part that is there twice is left out once. So what
a query wants is what a sample of its shape wants with its own constants in place, unless some of its comparisons are
equal; then the query is rewritten by itself. Two samples show that this is so.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace

from tailrace.analysis.alike import COMPARISONS, Place, Samples, constant, places
from tailrace.language.shapes import Values
from tailrace.logical.expressions import Call, Expression, Literal, walk

Key = tuple[Hashable, str, object]


@dataclass(frozen=True)
class Pattern:
    """What a sample wants; by the ids of comparisons where values of its shape stand; its other comparisons."""

    wanted: Expression
    places: dict[int, Place]
    besides: frozenset[Key]

    def of(self, values: Values) -> Expression | None:
        """What the query with these values wants; None where only the query itself tells."""
        met: dict[Key, int] = {}

        def put(part: Expression) -> Expression:
            place = self.places.get(id(part))
            if place is not None:
                assert isinstance(part, Call)
                literal = constant(values[place.value], place.type)
                assert literal is not None
                sign = part.name if place.sign is None else values[place.sign]
                key = part.arguments[0], sign, literal.value
                if met.setdefault(key, place.value) != place.value or key in self.besides:
                    raise EqualPartsError
                return Call(sign, (part.arguments[0], literal), part.of)
            if not isinstance(part, Call):
                return part
            children = tuple([put(child) for child in part.arguments])
            same = all(new is old for new, old in zip(children, part.arguments, strict=True))
            return part if same else replace(part, arguments=children)

        try:
            return put(self.wanted)
        except EqualPartsError:
            return None


class EqualPartsError(Exception):
    """Two comparisons of a query are the same."""


def pattern_of(samples: Samples, one: Expression, other: Expression) -> Pattern | None:
    """The pattern of a shape, if what its two samples want tells one."""
    values = samples.values[0]
    found = {
        id(part): place for part, place in places(one, values) if place.sign is None or part.name == values[place.sign]
    }
    compared = [part for part in walk(one) if isinstance(part, Call) and part.name in COMPARISONS]
    besides = frozenset(
        (part.arguments[0], part.name, part.arguments[1].value)
        for part in compared
        if id(part) not in found and isinstance(part.arguments[1], Literal)
    )
    made = Pattern(one, found, besides)
    is_whole = {place.value for place in found.values()} == {
        at for at, value in enumerate(values) if value not in COMPARISONS
    }
    return made if is_whole and made.of(samples.values[1]) == other else None
