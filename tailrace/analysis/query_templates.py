"""Alike: queries that differ only in the constants they compare with are analysed once for all.

Two samples of a shape are analysed, with constants and signs that have nothing in common. If what they mean differs in
these alone, as a text that writes a plan down to the last detail, then so do all others of the shape: no rule of the
analysis looks at a constant that something is compared with, but at its type, which the shape tells. Whoever wants
more of such a query than its samples tell has it analysed by itself.

Patterns: what queries of one shape want of a stream, found out once for all of them.

The rewrites look at constants only where they are equal to others: a part that is there twice is left out once. So what
a query wants is what a sample of its shape wants with its own constants in place, unless some of its comparisons are
equal; then the query is rewritten by itself. Two samples show that this is so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, replace

from tailrace.analysis.scalars.coercion import cast, number
from tailrace.catalog.catalog import Catalog, Entry
from tailrace.catalog.user_functions import UserFunctions
from tailrace.language.templates import Values, fill_template, samples
from tailrace.logical.explain import tree
from tailrace.logical.expression_text import text_of
from tailrace.logical.expressions import Call, Column, Expression, Literal, walk
from tailrace.logical.nodes import Select
from tailrace.logical.plan import Plan
from tailrace.logical.plan import walk as walk_plan
from tailrace.settings import Settings
from tailrace.types import BOOLEAN, STRING, Type

COMPARISONS = ("=", "<>", "<", "<=", ">", ">=")


@dataclass(frozen=True)
class Parameter:
    """Where a value of a shape stands: a constant of this type, and before it perhaps a sign of the shape as well."""

    value: int
    type: Type
    sign: int | None

    def text(self, values: Values) -> str:
        literal = constant(values[self.value], self.type)
        assert literal is not None
        sign = "=" if self.sign is None else values[self.sign]
        compared = text_of(Call(sign, (Column(0, self.type, "x"), literal), BOOLEAN))
        return compared.removeprefix("x = ").removeprefix("x ")


@dataclass(frozen=True)
class QueryTemplate:
    """Two plans of a shape, their values, and what holds for every query of this shape while they do."""

    plans: tuple[Plan, Plan]
    values: tuple[Values, Values]
    names: tuple[str, ...]
    pieces: tuple[str | Parameter, ...]
    reads: Mapping[str, Entry]
    functions: UserFunctions
    settings: Settings

    def hold(self, catalog: Catalog, settings: Settings) -> bool:
        """Whether names still mean what they meant."""
        known = all(catalog.entries.get(name) is entry for name, entry in self.reads.items())
        return known and catalog.functions is self.functions and settings is self.settings

    def text(self, values: Values) -> str:
        """What `tree` writes of the plan of the query with these values."""
        return fill_pieces(self.pieces, values)


def fill_pieces(pieces: tuple[str | Parameter, ...], values: Values) -> str:
    return "".join(piece if isinstance(piece, str) else piece.text(values) for piece in pieces)


def constant(text: str, type: Type) -> Literal | None:
    """What is written, as a constant of a type, if the analysis makes it one.

    >>> from tailrace.types import BIGINT, INT
    >>> constant("-3", BIGINT), constant("'x'", INT)
    (Literal(value=-3, of=BIGINT), None)
    """
    if text[0] == "'":
        return Literal(text[1:-1], STRING) if type == STRING else None
    literal = number(text.lstrip("-"))
    found = cast(Literal(-literal.value, literal.of) if text[0] == "-" else literal, type)
    return found if isinstance(found, Literal) else None


def places(expression: Expression, values: Values) -> Iterator[tuple[Call, Parameter]]:
    """The comparisons with values of a shape, and which of them; a sign counts where it stands as it is written."""
    for part in walk(expression):
        if isinstance(part, Call) and part.name in COMPARISONS and isinstance(part.arguments[1], Literal):
            literal = part.arguments[1]
            for at, value in enumerate(values):
                if value not in COMPARISONS and constant(value, literal.of) == literal:
                    signed = at > 0 and values[at - 1] in COMPARISONS
                    yield part, Parameter(at, literal.of, at - 1 if signed else None)


def pieces_of(plan: Plan, values: Values) -> tuple[str | Parameter, ...]:
    """The text of a plan, cut where values of its shape stand in selections."""
    predicates = [node.predicate for node in walk_plan(plan) if isinstance(node, Select)]
    found = {place.text(values): place for each in predicates for _, place in places(each, values)}
    if not found:
        return (tree(plan),)
    marks = "|".join(map(re.escape, sorted(found, key=len, reverse=True)))
    return tuple(found.get(piece, piece) for piece in re.split(rf"(?<![\w.])({marks})(?![\w.])", tree(plan)))


def samples_of(
    key: str,
    derive: Callable[[str], tuple[Plan, tuple[str, ...], Mapping[str, Entry]]],
    functions: UserFunctions,
    settings: Settings,
) -> QueryTemplate | None:
    """The samples of a shape, if a plan says nothing of its values but the values.

    `derive` gives a query's plan, its names, and what it reads.
    """
    values = samples(key)
    if values is None:
        return None
    (one, names, reads), (other, others, _) = (derive(fill_template(key, each)) for each in values)
    pieces = pieces_of(one, values[0])
    told = {piece.value for piece in pieces if isinstance(piece, Parameter)}
    told |= {piece.sign for piece in pieces if isinstance(piece, Parameter) and piece.sign is not None}
    alike = names == others and one.kind is other.kind and one.schema == other.schema
    if not alike or len(told) < len(values[0]) or fill_pieces(pieces, values[1]) != tree(other):
        return None
    return QueryTemplate((one, other), values, names, pieces, reads, functions, settings)


Key = tuple[Hashable, str, object]


@dataclass(frozen=True)
class PredicateTemplate:
    """What a sample wants; by the ids of comparisons where values of its shape stand; its other comparisons."""

    wanted: Expression
    places: dict[int, Parameter]
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


def pattern_of(samples: QueryTemplate, one: Expression, other: Expression) -> PredicateTemplate | None:
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
    made = PredicateTemplate(one, found, besides)
    is_whole = {place.value for place in found.values()} == {
        at for at, value in enumerate(values) if value not in COMPARISONS
    }
    return made if is_whole and made.of(samples.values[1]) == other else None
