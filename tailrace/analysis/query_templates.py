"""Query templates: queries that differ only in the constants they compare with are analysed once for all.

For a template (language/templates.py), two sample queries are analysed whose constants and signs have nothing in
common. If their plans differ in these alone, the same holds for every query of the template: analysis looks only at the
type of a compared constant, which the template fixes. A query of the template is then known without being parsed: the
encoding of its plan is that of a sample with the query's constants and signs in the holes. If more of it is needed than
the samples show, it is analysed by itself (`TemplatedQuery.whole`).

The predicate that such a query puts on its stream is also found once. Rewrites look at constants only to see whether
two are equal: of two equal conditions one is dropped. So a query's predicate is a sample's predicate with the query's
constants in place, unless two of its comparisons are equal; such a query is rewritten by itself. Here too, the two
samples show that it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, replace

from tailrace.analysis.scalars.coercion import cast, number
from tailrace.catalog.catalog import Catalog, Entry
from tailrace.catalog.user_functions import UserFunctions
from tailrace.language.templates import Values, fill_template, sample_values
from tailrace.logical.expressions import Call, Expression, Literal, walk
from tailrace.logical.nodes import Select
from tailrace.logical.plan import Plan
from tailrace.logical.plan import walk as walk_plan
from tailrace.settings import Settings
from tailrace.stable_encoding import Hole, encode, encode_around
from tailrace.types import STRING, Type

COMPARISONS = ("=", "<>", "<", "<=", ">", ">=")


@dataclass(frozen=True)
class Parameter:
    """A parameter of a template: the index of its constant among the values, its type, and the index of its sign.

    `sign` is None where the template fixes the sign, as in `= 3` or in BETWEEN.
    """

    value: int
    type: Type
    sign: int | None

    def literal(self, values: Values) -> Literal:
        found = constant(values[self.value], self.type)
        assert found is not None
        return found


@dataclass(frozen=True)
class SignHole(Hole):
    """Where the sign of a comparison is in the encoding of a plan: the index of the sign among the values."""

    sign: int

    def fill(self, values: Values) -> str:
        return values[self.sign]


@dataclass(frozen=True)
class ConstantHole(Hole):
    """Where the constant of a comparison is in the encoding of a plan."""

    parameter: Parameter

    def fill(self, values: Values) -> object:
        return self.parameter.literal(values).value


Pieces = tuple[bytes | Hole, ...]


@dataclass(frozen=True, eq=False)
class QueryTemplate:
    """A template that was analysed: the plans and values of two sample queries, and what all its queries share.

    `names` are the columns' names, `pieces` the encoding of the plan with holes for its parameters. `reads`,
    `functions` and `settings` are those it was analysed with: it holds as long as these are the same.
    """

    plans: tuple[Plan, Plan]
    values: tuple[Values, Values]
    names: tuple[str, ...]
    pieces: Pieces
    reads: Mapping[str, Entry]
    functions: UserFunctions
    settings: Settings

    def holds(self, catalog: Catalog, settings: Settings) -> bool:
        """Whether the template still holds: the names it reads, functions and settings are those of its analysis."""
        known = all(catalog.entries.get(name) is entry for name, entry in self.reads.items())
        return known and catalog.functions is self.functions and settings is self.settings

    def encode_plan(self, values: Values) -> bytes:
        """The encoding of the plan of the query with these values."""
        return fill_holes(self.pieces, values)


def fill_holes(pieces: Pieces, values: Values) -> bytes:
    return b"".join(piece if isinstance(piece, bytes) else encode(piece.fill(values)) for piece in pieces)


def constant(text: str, type: Type) -> Literal | None:
    """The literal of this type that analysis makes of a constant's text; None if it makes no literal of it.

    >>> from tailrace.types import BIGINT, INT
    >>> constant("-3", BIGINT), constant("'x'", INT)
    (Literal(value=-3, of=BIGINT), None)
    """
    if text[0] == "'":
        return Literal(text[1:-1], STRING) if type == STRING else None
    literal = number(text.lstrip("-"))
    found = cast(Literal(-literal.value, literal.of) if text[0] == "-" else literal, type)
    return found if isinstance(found, Literal) else None


def find_parameters(expression: Expression, values: Values) -> Iterator[tuple[Call, Parameter]]:
    """The comparisons of an expression with the values of a template, each with the parameter that the value is."""
    for part in walk(expression):
        if isinstance(part, Call) and part.name in COMPARISONS and isinstance(part.arguments[1], Literal):
            literal = part.arguments[1]
            for at, value in enumerate(values):
                if value not in COMPARISONS and constant(value, literal.of) == literal:
                    signed = at > 0 and values[at - 1] in COMPARISONS
                    yield part, Parameter(at, literal.of, at - 1 if signed else None)


def pieces_of(plan: Plan, values: Values) -> Pieces:
    """The encoding of a plan, with holes where its selections compare with values of its template."""
    parts: dict[int, tuple[object, ...]] = {}
    for node in walk_plan(plan):
        for call, found in find_parameters(node.predicate, values) if isinstance(node, Select) else ():
            sign = call.name if found.sign is None else SignHole(found.sign)
            parts[id(call)] = (sign, call.arguments, call.of)
            parts[id(call.arguments[1])] = (ConstantHole(found), found.type)
    return encode_around(plan, parts)


def analyse_template(
    key: str,
    derive: Callable[[str], tuple[Plan, tuple[str, ...], Mapping[str, Entry]]],
    functions: UserFunctions,
    settings: Settings,
) -> QueryTemplate | None:
    """Analyse a template by two sample queries; None unless their plans differ in the values alone.

    `derive` analyses the text of a query: it gives its plan, its column names and the entries it reads.
    """
    values = sample_values(key)
    if values is None:
        return None
    (one, names, reads), (other, others, _) = (derive(fill_template(key, each)) for each in values)
    pieces = pieces_of(one, values[0])
    told = {piece.parameter.value for piece in pieces if isinstance(piece, ConstantHole)}
    told |= {piece.sign for piece in pieces if isinstance(piece, SignHole)}
    alike = names == others and one.kind is other.kind and one.schema == other.schema
    if not alike or len(told) < len(values[0]) or fill_holes(pieces, values[1]) != encode(other):
        return None
    return QueryTemplate((one, other), values, names, pieces, reads, functions, settings)


Key = tuple[Hashable, str, object]


@dataclass(frozen=True)
class PredicateTemplate:
    """The predicate that the queries of a template put on their stream.

    `wanted` is a sample's predicate. `places` gives the parameter of each of its comparisons with a value of the
    template, by the comparison's id. `besides` are the sample's other comparisons with constants.
    """

    wanted: Expression
    places: dict[int, Parameter]
    besides: frozenset[Key]

    def of(self, values: Values) -> Expression | None:
        """The predicate of the query with these values; None if two comparisons are equal: then rewrite the query."""
        met: dict[Key, int] = {}

        def put(part: Expression) -> Expression:
            place = self.places.get(id(part))
            if place is not None:
                assert isinstance(part, Call)
                literal = place.literal(values)
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
    """Two comparisons of a query are equal."""


def make_predicate_template(template: QueryTemplate, one: Expression, other: Expression) -> PredicateTemplate | None:
    """The predicate template, given the predicates of the two samples; None if they differ in more than the values."""
    values = template.values[0]
    found = {
        id(part): place
        for part, place in find_parameters(one, values)
        if place.sign is None or part.name == values[place.sign]
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
    return made if is_whole and made.of(template.values[1]) == other else None
