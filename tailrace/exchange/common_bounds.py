"""Common bounds: the comparisons with constants that every row which some query needs satisfies.

A scan leaves out groups of rows by them. If one query wants `speed < 40` and another `speed < 60 AND seg = 3`, then
every row that somebody needs has a speed below 60.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from tailrace.logical.expressions import Call, Column, Expression, Literal, conjuncts
from tailrace.scan.scan_spec import Bound
from tailrace.schema import Schema
from tailrace.types import BIGINT, DATE, INT, SMALLINT, TIMESTAMP, TINYINT

LOWER = (">", ">=")
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}
Limits = Mapping[tuple[int, bool], tuple[str, Any]]  # by column and whether it is a lower limit


def common_bounds(predicates: Sequence[Sequence[Expression]], schema: Schema) -> tuple[Bound, ...]:
    """The bounds of all rows that a source's readers need, given the predicates of each; none without a reader.

    >>> from tailrace.types import BOOLEAN
    >>> def below(limit):
    ...     return Call("<", (Column(0, INT), Literal(limit, INT)), BOOLEAN)
    >>> schema = Schema.of(("speed", INT))
    >>> common_bounds([[below(40)], [below(60)]], schema)
    (Bound(column='speed', comparison='<', value=60),)
    >>> common_bounds([[below(40)], []], schema)
    ()
    """
    first, *others = map(limits_of, predicates) if predicates else ({},)
    found = []
    for key, limit in first.items():
        if all(key in other for other in others):
            comparison, value = choose((limit, *(other[key] for other in others)), key[1], loosest=True)
            found.append(Bound(schema[key[0]].name, comparison, value))
    return tuple(found)


def limits_of(predicates: Iterable[Expression]) -> Limits:
    """The tightest lower and upper limit of each column that is compared with constants."""
    found: dict[tuple[int, bool], tuple[str, Any]] = {}
    for predicate in predicates:
        for column, comparison, value in comparisons_in(predicate):
            for sign in (">=", "<=") if comparison == "=" else (comparison,):
                key = column, sign in LOWER
                known = found.get(key, (sign, value))
                found[key] = choose((known, (sign, value)), key[1], loosest=False)
    return found


def choose(limits: Iterable[tuple[str, Any]], is_lower: bool, loosest: bool) -> tuple[str, Any]:
    """The loosest or the tightest of some limits of one kind; of equal values one of them excludes the value itself."""

    def tightness(limit: tuple[str, Any]) -> tuple[Any, bool]:
        return limit[1], (limit[0] == ">") if is_lower else (limit[0] != "<")

    return min(limits, key=tightness) if is_lower == loosest else max(limits, key=tightness)


def comparisons_in(predicate: Expression) -> Iterator[tuple[int, str, Any]]:
    """The comparisons of a column with a constant that a row must satisfy to satisfy the predicate."""
    for part in conjuncts(predicate):
        if not (isinstance(part, Call) and part.name in MIRRORED):
            continue
        left, right = part.arguments
        if isinstance(left, Column) and (value := value_of(right)) is not None and left.type == right.type:
            yield left.index, part.name, value
        elif isinstance(right, Column) and (value := value_of(left)) is not None and left.type == right.type:
            yield right.index, MIRRORED[part.name], value


def value_of(expression: Expression) -> int | date | datetime | None:
    """The value of a constant that groups of rows can be compared with; None for all others."""
    if not isinstance(expression, Literal) or expression.is_null:
        return None
    kind, value = expression.type, expression.value
    if kind in (TINYINT, SMALLINT, INT, BIGINT):
        return int(value)
    try:
        if kind == DATE:
            return date.fromisoformat(value)
        return datetime.fromisoformat(value).replace(tzinfo=UTC) if kind == TIMESTAMP else None
    except (TypeError, ValueError):
        return None
