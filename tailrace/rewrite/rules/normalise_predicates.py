"""Normalise predicates: selections and join conditions become conjunctions of small parts."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from tailrace.logical.expressions import Call, Expression, all_of, conjuncts
from tailrace.logical.plan import Plan
from tailrace.rewrite.totality import cannot_fail
from tailrace.rewrite.traverse import bottom_up, map_conditions
from tailrace.types import BOOLEAN

MOST_CONJUNCTS = 64
MOST_GROWTH = 4
OPPOSITE = {
    "=": "<>",
    "<>": "=",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
    "is null": "is not null",
    "is not null": "is null",
    "is false": "is not false",
    "is not false": "is false",
}
DUAL = {"and": "or", "or": "and"}

Clause = tuple[Expression, ...]


def normalise_predicates(plan: Plan) -> Plan:
    """Put predicates into conjunctive normal form, each conjunct once, in the order they were first met.

    Law: De Morgan's laws, double negation and distributivity hold in three-valued logic, and the opposite of
    a comparison is unknown exactly where the comparison is. (CACQ §3.2.7 evaluates disjunctions so.)
    A conjunct stays undistributed if it would grow too much or if it guards a part that can fail.

    >>> from tailrace.catalog.sources import Stream
    >>> from tailrace.logical.text.explain import label
    >>> from tailrace.logical.expressions import Column, Literal
    >>> from tailrace.logical.nodes import Scan, Select
    >>> from tailrace.schema import Schema
    >>> from tailrace.types import INT
    >>> slow = Call("<", (Column(0, INT, "v"), Literal(5, INT)), BOOLEAN)
    >>> missing = Call("is null", (Column(0, INT, "v"),), BOOLEAN)
    >>> neither = Call("not", (Call("or", (slow, missing), BOOLEAN),), BOOLEAN)
    >>> print(label(normalise_predicates(Select(Scan(Stream("S", Schema.of(("v", INT)))), neither))))
    select v >= 5 AND v IS NOT NULL
    """
    return bottom_up(plan, lambda node: map_conditions(node, normal_form))


def normal_form(predicate: Expression) -> Expression:
    parts = conjuncts(inward(predicate))
    return all_of(once(clause for part in parts for clause in distribute(part)))


def inward(expression: Expression, negative: bool = False) -> Expression:
    """The expression, or if `negative` its negation, with NOT pushed inward: only atoms without an opposite keep it."""
    if not isinstance(expression, Call):
        return negation(expression) if negative else expression
    match expression.name:
        case "not":
            return inward(expression.arguments[0], not negative)
        case "and" | "or" as name:
            parts = tuple(inward(argument, negative) for argument in expression.arguments)
            return Call(DUAL[name] if negative else name, parts, BOOLEAN)
        case name if negative and name in OPPOSITE:
            return Call(OPPOSITE[name], expression.arguments, BOOLEAN)
    return negation(expression) if negative else expression


def negation(expression: Expression) -> Expression:
    return Call("not", (expression,), BOOLEAN)


def distribute(part: Expression) -> tuple[Expression, ...]:
    """The clauses of one conjunct in normal form; the conjunct itself if it would grow too much or may fail."""
    count, size = extent(part)
    too_large = count > MOST_CONJUNCTS or size > MOST_GROWTH * sum(1 for _ in atoms(part))
    if too_large or (count > 1 and not all(map(cannot_fail, atoms(part)))):
        return (part,)
    return tuple(map(any_of, clauses(part)))


def atoms(expression: Expression) -> Iterable[Expression]:
    """The parts that AND and OR connect."""
    if isinstance(expression, Call) and expression.name in DUAL:
        return [atom for argument in expression.arguments for atom in atoms(argument)]
    return [expression]


def extent(expression: Expression) -> tuple[int, int]:
    """How many conjuncts and how many atoms the normal form would have, without building it."""
    if not isinstance(expression, Call) or expression.name not in DUAL:
        return 1, 1
    count, size = extent(expression.arguments[0])
    for argument in expression.arguments[1:]:
        more, larger = extent(argument)
        if expression.name == "and":
            count, size = count + more, size + larger
        else:
            count, size = count * more, size * more + larger * count
    return count, size


def clauses(expression: Expression) -> list[Clause]:
    """The normal form: a conjunction of clauses, each a disjunction of atoms."""
    if not isinstance(expression, Call) or expression.name not in DUAL:
        return [(expression,)]
    parts = [clauses(argument) for argument in expression.arguments]
    if expression.name == "and":
        return [clause for part in parts for clause in part]
    return [tuple(atom for clause in choice for atom in clause) for choice in product(*parts)]


def once(expressions: Iterable[Expression]) -> list[Expression]:
    return list(dict.fromkeys(expressions))


def any_of(clause: Clause) -> Expression:
    """The atoms connected by OR, each once, as in `(a OR b) OR c`."""
    first, *rest = once(clause)
    for atom in rest:
        first = Call("or", (first, atom), BOOLEAN)
    return first
