"""Merge projections: one projection where there were two, none where it changes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tailrace.logical.expressions import Column, Expression, Lambda, Literal, inline
from tailrace.logical.nodes import Project
from tailrace.logical.plan import Plan
from tailrace.rewrite.traverse import bottom_up


def merge_projections(plan: Plan) -> Plan:
    """Write a projection of a projection as one, and drop a projection that keeps all columns in place.

    Law: projection treats tuples one by one, so that two are their composition. An expression below that
    would then be computed more than once keeps its own projection. Names do not count: a query knows its own.

    >>> from tailrace.catalog.sources import Stream
    >>> from tailrace.logical.explain import tree
    >>> from tailrace.logical.nodes import Scan
    >>> from tailrace.schema import Schema
    >>> from tailrace.types import INT
    >>> scan = Scan(Stream("S", Schema.of(("k", INT), ("v", INT))))
    >>> swapped = Project(scan, (Column(1, INT), Column(0, INT)), ("v", "k"))
    >>> print(tree(merge_projections(Project(swapped, (Column(1, INT), Column(0, INT)), ("k", "v")))))
    stream-shepherd S(k INT, v INT)  → stream
    """
    return bottom_up(plan, merge)


def merge(plan: Plan) -> Plan:
    match plan:
        case Project(Project(child, inner), outer, names) if repeats_nothing(inner, outer):
            return merge(Project(child, tuple(inline(part, inner) for part in outer), names))
        case Project(child, expressions) if keeps_all(expressions, len(child.schema)):
            return child
    return plan


def keeps_all(expressions: Sequence[Expression], width: int) -> bool:
    columns = [part.index if isinstance(part, Column) else None for part in expressions]
    return columns == list(range(width))


def repeats_nothing(inner: Sequence[Expression], outer: Sequence[Expression]) -> bool:
    """Whether each inner expression that is computed is used at most once."""
    uses: Counter[int] = Counter()
    for expression in outer:
        count_uses(expression, uses, 1)
    return all(isinstance(part, Column | Literal) or uses[index] <= 1 for index, part in enumerate(inner))


def count_uses(expression: Expression, uses: Counter[int], each: int) -> None:
    """Count the columns; one in a lambda is read for every item of an array."""
    if isinstance(expression, Column):
        uses[expression.index] += each
    inside = 2 if isinstance(expression, Lambda) else each
    for child in expression.children:
        count_uses(child, uses, inside)
