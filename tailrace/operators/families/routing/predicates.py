"""Predicates: a query's predicate as a few branches, each a conjunction that grouped filters can index.

A branch has a region of values for each of some columns, and a residual: conjuncts that fit no index. A row passes the
predicate where it passes any of the branches, which is exactly where SQL finds the predicate TRUE.

>>> from tailrace.types import INT
>>> a, b = Column(0, INT, "a"), Column(1, INT, "b")
>>> low, high = Call("<", (a, Literal(3, INT)), BOOLEAN), Call(">", (b, Literal(7, INT)), BOOLEAN)
>>> for branch in branches(Call("not", (Call("and", (low, high), BOOLEAN),), BOOLEAN)):
...     print([(column.name, region.below, region.cuts, region.null) for column, region in branch.regions.items()])
[('a', False, (3,), False)]
[('b', True, (8,), False)]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from tailrace.columnar.evaluate import can_evaluate, evaluate
from tailrace.columnar.functions.kernel import constant
from tailrace.columnar.functions.synonyms import expand_synonym
from tailrace.logical.expressions import Call, Column, Expression, Literal, uses_python
from tailrace.operators.families.routing.ordinals import has_keys, keeps_values, region_of_prefix, steps, time_number
from tailrace.operators.families.routing.regions import (
    EVERYTHING,
    NOTHING,
    NULL,
    Region,
    complement,
    intersection,
    opposite,
    point,
    points,
    union,
)
from tailrace.types import BOOLEAN, DOUBLE, STRING, Type, common_type_of, comparison_type, is_integer

MOST_BRANCHES = 16
DUAL = {"and": "or", "or": "and"}
MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "<>": "<>", "<=>": "<=>"}


@dataclass(frozen=True)
class Branch:
    regions: dict[Column, Region] = field(default_factory=dict)
    residual: tuple[Expression, ...] = ()


Branches = tuple[Branch, ...]
ALWAYS = Branch()


def branches(predicate: Expression) -> Branches:
    """The branches of a predicate; none where it is never true."""
    return tuple(_branches(predicate, True))


def _branches(expression: Expression, wanted: bool) -> list[Branch]:
    """The branches of where the expression is TRUE if that is `wanted`, else of where it is FALSE."""
    if isinstance(expression, Call):
        if expression.name == "not":
            return _branches(expression.arguments[0], not wanted)
        if expression.name in DUAL:
            parts = flat(expression)
            return (_all if (expression.name == "and") == wanted else _any)(expression, parts, wanted)
    found = verdict(expression)
    if found is None:
        return [_residual_branch(expression, wanted)]
    region = found.true if wanted else found.false
    if region.is_empty:
        return []
    return [ALWAYS if found.column is None or region.is_everything else Branch({found.column: region})]


def flat(call: Call) -> list[Expression]:
    """The operands of AND, or of OR, however the same connective is nested.

    >>> one, two = Literal(True, BOOLEAN), Literal(False, BOOLEAN)
    >>> [part.value for part in flat(Call("or", (Call("or", (one, two), BOOLEAN), one), BOOLEAN))]
    [True, False, True]
    """
    found, left = [], [*reversed(call.arguments)]
    while left:
        part = left.pop()
        if isinstance(part, Call) and part.name == call.name:
            left += reversed(part.arguments)
        else:
            found.append(part)
    return found


def _residual_branch(expression: Expression, wanted: bool) -> Branch:
    return Branch({}, (expression if wanted else Call("not", (expression,), BOOLEAN),))


def _all(whole: Expression, parts: Sequence[Expression], wanted: bool) -> list[Branch]:
    """Every part holds. Parts of one branch come first; a part that would make too many branches becomes a residual."""
    given = [(_branches(part, wanted), part) for part in parts]
    start = _together([branches[0] for branches, _ in given if len(branches) == 1])
    if start is None or not all(branches for branches, _ in given):
        return []
    found = [start]
    for several, part in sorted((pair for pair in given if len(pair[0]) > 1), key=lambda pair: len(pair[0])):
        if len(found) * len(several) > MOST_BRANCHES:
            several = [_residual_branch(part, wanted)]
        pairs = (_together((one, other)) for one in found for other in several)
        found = [branch for branch in pairs if branch is not None]
    return found


def _together(several: Sequence[Branch]) -> Branch | None:
    """The conjunction of branches; None if no row can pass it."""
    columns: dict[int, Column] = {}
    regions: dict[int, list[Region]] = {}
    residual: list[Expression] = []
    for branch in several:
        for column, region in branch.regions.items():
            columns[column.index] = column
            regions.setdefault(column.index, []).append(region)
        residual += [part for part in branch.residual if part not in residual]
    found = {columns[index]: intersection(each) for index, each in regions.items()}
    return None if any(region.is_empty for region in found.values()) else Branch(found, tuple(residual))


def _any(whole: Expression, parts: Sequence[Expression], wanted: bool) -> list[Branch]:
    """Some part holds. Parts over one column make one region; if one calls Python, all parts are one residual."""
    if any(map(uses_python, parts)):
        return [_residual_branch(whole, wanted)]
    alone: dict[Column, list[Region]] = {}
    mixed: list[Branch] = []
    for branch in (branch for part in parts for branch in _branches(part, wanted)):
        if not branch.regions and not branch.residual:
            return [ALWAYS]
        if len(branch.regions) == 1 and not branch.residual:
            ((column, region),) = branch.regions.items()
            alone.setdefault(column, []).append(region)
        else:
            mixed.append(branch)
    united = [(column, union(regions)) for column, regions in alone.items()]
    if any(region.is_everything for _, region in united):
        return [ALWAYS]
    found = [Branch({column: region}) for column, region in united] + mixed
    return found if len(found) <= MOST_BRANCHES else [_residual_branch(whole, wanted)]


# Expressions over one column --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Verdict:
    """For which values of its column an expression is TRUE and FALSE; a constant has no column."""

    column: Column | None
    true: Region
    false: Region


def verdict(expression: Expression) -> Verdict | None:
    """The verdict on an expression; None if it is not over a single column that can be indexed."""
    match expression:
        case Literal(value=None):
            return Verdict(None, NOTHING, NOTHING)
        case Literal():
            return Verdict(None, *((EVERYTHING, NOTHING) if expression.value else (NOTHING, EVERYTHING)))
        case Column():
            return Verdict(expression, point(1, 2), point(0, 1)) if expression.of == BOOLEAN else None
        case Call():
            call = expand_synonym(expression)
            if call is not expression:
                return verdict(call)
            judge = JUDGES.get(expression.name)
            return judge(expression) if judge else None
    return None


def _verdict_of_and_or(call: Call) -> Verdict | None:
    found = [verdict(part) for part in flat(call)]
    known = [each for each in found if each is not None]
    columns = {each.column for each in known if each.column is not None}
    if len(known) < len(found) or len(columns) > 1:
        return None
    true, false = [each.true for each in known], [each.false for each in known]
    column = columns.pop() if columns else None
    if call.name == "and":
        return Verdict(column, intersection(true), union(false))
    return Verdict(column, union(true), intersection(false))


def _of_truth(change: Callable[[Verdict], Region]) -> Callable[[Call], Verdict | None]:
    """IS TRUE and the like, which are never NULL."""

    def judge(call: Call) -> Verdict | None:
        inner = verdict(call.arguments[0])
        return _certain(inner.column, change(inner)) if inner else None

    return judge


def _certain(column: Column | None, true: Region) -> Verdict:
    return Verdict(column, true, complement(true))


def _not(call: Call) -> Verdict | None:
    inner = verdict(call.arguments[0])
    return Verdict(inner.column, inner.false, inner.true) if inner else None


def _is_null(call: Call) -> Verdict | None:
    found = _column(call.arguments[0])
    if found:
        return _certain(found, NULL)
    inner = verdict(call.arguments[0])
    return _certain(inner.column, complement(union((inner.true, inner.false)))) if inner else None


def _is_not_null(call: Call) -> Verdict | None:
    found = _is_null(call)
    return Verdict(found.column, found.false, found.true) if found else None


def _comparison(call: Call) -> Verdict | None:
    (one, other), name = call.arguments, call.name
    if isinstance(one, Literal) or _column(one) is None:
        one, other, name = other, one, MIRRORED[name]
    found = _comparison_places(one, (other,), comparison_type(name, one.type, other.type))
    if found is None:
        return None
    column, (place,) = found
    if place is None:
        return _certain(column, NULL) if name == "<=>" else Verdict(column, NOTHING, NOTHING)
    if name == "<=>":
        return _certain(column, point(*place))
    true = REGIONS[name](*place)
    return Verdict(column, true, opposite(true))


def _in(call: Call) -> Verdict | None:
    value, *items = call.arguments
    found = _comparison_places(value, items, common_type_of(*(each.type for each in call.arguments)))
    if found is None:
        return None
    column, places = found
    true = points(place for place in places if place is not None)
    return Verdict(column, true, NOTHING if None in places else opposite(true))


def _like(call: Call) -> Verdict | None:
    """A pattern without wildcards, or with % at its end only, is one interval of texts."""
    column, pattern = _column(call.arguments[0]), call.arguments[1]
    if column is None or column.of != STRING or not isinstance(pattern, Literal) or len(call.arguments) > 2:
        return None
    if pattern.value is None:
        return Verdict(column, NOTHING, NOTHING)
    start = pattern.value.rstrip("%")
    if any(sign in start for sign in "%_\\"):
        return None
    true = region_of_prefix(start) if start != pattern.value else point(*steps(start, STRING))
    return Verdict(column, true, opposite(true))


REGIONS: dict[str, Callable[[Any, Any], Region]] = {
    "=": point,
    "<>": lambda at, after: opposite(point(at, after)),
    "<": lambda at, after: Region(True, (at,), False),
    "<=": lambda at, after: Region(True, (after,), False),
    ">": lambda at, after: Region(False, (after,), False),
    ">=": lambda at, after: Region(False, (at,), False),
}
JUDGES: dict[str, Callable[[Call], Verdict | None]] = {
    **dict.fromkeys(MIRRORED, _comparison),
    **dict.fromkeys(DUAL, _verdict_of_and_or),
    "not": _not,
    "in": _in,
    "like": _like,
    "is null": _is_null,
    "is not null": _is_not_null,
    "is true": _of_truth(lambda inner: inner.true),
    "is false": _of_truth(lambda inner: inner.false),
    "is not true": _of_truth(lambda inner: complement(inner.true)),
    "is not false": _of_truth(lambda inner: complement(inner.false)),
}


# Columns and constants --------------------------------------------------------------------------------------

Place = tuple[Any, Any]


def _column(expression: Expression) -> Column | None:
    """The column that an expression is, perhaps under casts that keep its values; None for other expressions."""
    if isinstance(expression, Column):
        return expression if has_keys(expression.of) else None
    while isinstance(expression, Call) and expression.name == "cast" and len(expression.arguments) == 1:
        if not keeps_values(expression.arguments[0].type, expression.of):
            return None
        expression = expression.arguments[0]
    return _column(expression) if isinstance(expression, Column) else None


def _comparison_places(
    value: Expression, items: Sequence[Expression], met: Type | None
) -> tuple[Column, list[Place | None]] | None:
    """The column `value`, and for each constant of `items` its place among the column's keys (None for NULL).

    `met` is the type in which they are compared. None in all if this is no comparison of a column with constants.
    """
    column = _column(value)
    if column is None:
        return None
    if met is None or not keeps_values(value.type, met):
        return None
    places: list[Place | None] = []
    for item in items:
        if not isinstance(item, Literal) and not _is_constant(item):
            return None
        known, found = _value(item, met)
        if not known:
            return None
        places.append(None if found is None else steps(found, column.of))
    return column, places


def _is_constant(expression: Expression) -> bool:
    """A literal, perhaps under casts."""
    while isinstance(expression, Call) and expression.name == "cast" and len(expression.arguments) == 1:
        expression = expression.arguments[0]
    return isinstance(expression, Literal)


def _value(item: Expression, met: Type) -> tuple[bool, Any]:
    """Whether a constant's value is known here, and what it is in the type in which it is compared."""
    if isinstance(item, Literal):
        if item.value is None:
            return True, None
        if type(item.value) is int and is_integer(met) and is_integer(item.of):
            return True, item.value
        if type(item.value) is float and met == item.of == DOUBLE:
            return True, item.value
    cast = item if item.type == met else Call("cast", (item,), met)
    if not can_evaluate(cast):
        return False, None
    scalar = constant(cast) if isinstance(cast, Literal) else evaluate(cast, [], 1)[0]
    if scalar is None or not scalar.is_valid:
        return scalar is not None, None
    return True, time_number(scalar) if pa.types.is_temporal(scalar.type) else scalar.as_py()
