"""Query templates: queries that differ only in the constants they compare with are analysed once for all.

A template (language/templates.py) is parsed and analysed once, with a Parameter in place of each constant. A parameter
has a type but no value: if analysis asks for the value, it fails with an UnknownValueError, and the queries of the
template are analysed one by one. A query of the template binds its constants: its plan is the template's plan with
literals in place of the parameters, and the encoding of its plan is that of the template's with the literals' encodings
in the holes.

Parameters stand only on the right of comparisons in selections. There nothing but their type counts in analysis.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from tailrace.analysis.scalars.coercion import cast, minus, number
from tailrace.catalog.catalog import Catalog, Entry
from tailrace.catalog.user_functions import UserFunctions
from tailrace.errors import UnknownValueError
from tailrace.language import nodes as ast
from tailrace.language.script import TemplateMatch
from tailrace.language.templates import put_parameters
from tailrace.logical.expressions import Call, Constants, Literal, Parameter, bind, walk
from tailrace.logical.nodes import Select
from tailrace.logical.plan import Plan
from tailrace.logical.plan import walk as walk_plan
from tailrace.settings import Settings
from tailrace.stable_encoding import Hole, encode, encode_around
from tailrace.types import STRING, Type

COMPARISONS = ("=", "<>", "<", "<=", ">", ">=")


@dataclass(frozen=True, eq=False)
class QueryTemplate:
    """A template that was analysed: its plan with parameters, and what all its queries share.

    `types` are the parameters' types, `names` the columns' names, `pieces` the encoding of the plan with holes for the
    parameters. `reads`, `functions` and `settings` are those it was analysed with: it holds as long as these are the
    same.
    """

    plan: Plan
    types: tuple[Type, ...]
    names: tuple[str, ...]
    pieces: tuple[bytes | Hole, ...]
    reads: Mapping[str, Entry]
    functions: UserFunctions
    settings: Settings

    def holds(self, catalog: Catalog, settings: Settings) -> bool:
        """Whether the template still holds: the names it reads, functions and settings are those of its analysis."""
        known = all(catalog.entries.get(name) is entry for name, entry in self.reads.items())
        return known and catalog.functions is self.functions and settings is self.settings

    def constants_of(self, match: TemplateMatch) -> Constants:
        """The constants that a query has for the parameters."""
        signs, texts = match.values[::2], match.values[1::2]
        return [(sign, constant(text, type)) for sign, text, type in zip(signs, texts, self.types, strict=True)]

    def encode_plan(self, constants: Constants) -> bytes:
        """The encoding of the plan of the query with these constants."""
        filling = [part for sign, literal in constants for part in (sign, literal.value)]
        return b"".join([encode(filling[each.index]) if isinstance(each, Hole) else each for each in self.pieces])


def constant(text: str, type: Type) -> Literal:
    """The literal of this type that analysis makes of a constant's text.

    >>> from tailrace.types import BIGINT
    >>> constant("-3", BIGINT)
    Literal(value=-3, of=BIGINT)
    """
    if text[0] == "'":
        return Literal(text[1:-1], STRING)
    found = cast(minus(number(text[1:])) if text[0] == "-" else number(text), type)
    assert isinstance(found, Literal)
    return found


def bind_plan(plan: Plan, constants: Constants) -> Plan:
    """The plan with constants in place of the parameters in its selections."""
    if plan.children:
        plan = plan.with_children(*(bind_plan(child, constants) for child in plan.children))
    return replace(plan, predicate=bind(plan.predicate, constants)) if isinstance(plan, Select) else plan


def analyse_template(
    match: TemplateMatch,
    derive: Callable[[ast.QueryNode], tuple[Plan, tuple[str, ...], Mapping[str, Entry]]],
    functions: UserFunctions,
    settings: Settings,
) -> QueryTemplate | None:
    """Analyse the template of a query; None if its queries must be analysed one by one.

    `derive` analyses the tree of a query: it gives its plan, its column names and the entries it reads.
    """
    query = match.read().args["query"]
    try:
        if not put_parameters(query, match.values):
            return None
        plan, names, reads = derive(query)
        found = find_parameters(plan)
        pieces = encode_with_holes(plan, found)
    except UnknownValueError:
        return None
    types = {parameter.number: parameter.of for _, parameter in found}
    count = len(match.values) // 2
    if not len({parameter for _, parameter in found}) == len(types) == count:
        return None  # one was dropped, or is compared in two types
    return QueryTemplate(plan, tuple(types[n] for n in range(count)), names, pieces, reads, functions, settings)


def find_parameters(plan: Plan) -> list[tuple[Call, Parameter]]:
    """The comparisons of a plan's selections whose right side is a parameter, each with the parameter."""
    selections = (node for node in walk_plan(plan) if isinstance(node, Select))
    calls = (part for node in selections for part in walk(node.predicate) if isinstance(part, Call))
    compared = ((call, call.arguments[-1]) for call in calls if call.name in COMPARISONS)
    return [(call, right) for call, right in compared if isinstance(right, Parameter)]


def encode_with_holes(plan: Plan, found: list[tuple[Call, Parameter]]) -> tuple[bytes | Hole, ...]:
    """The encoding of a plan with holes for these parameters; an UnknownValueError if it has others."""
    parts: dict[int, tuple[object, ...]] = {}
    for call, parameter in found:
        sign, value = Hole(2 * parameter.number), Hole(2 * parameter.number + 1)
        parts[id(parameter)] = (value, parameter.of)
        parts[id(call)] = (sign if parameter.has_sign else call.name, call.arguments, call.of)
    return encode_around(plan, parts)
