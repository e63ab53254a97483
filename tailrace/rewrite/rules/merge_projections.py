"""Merge projections: two projections in a row become one, and one that changes nothing is dropped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tailrace.logical.expressions import Column, Expression, Lambda, Literal, inline
from tailrace.logical.nodes import Project
from tailrace.logical.plan import Plan
from tailrace.rewrite.traverse import bottom_up


def merge_projections(plan: Plan) -> Plan:
    """Replace a projection of a projection by one, and drop a projection that keeps all columns in place.

    Law: a projection treats tuples one by one, so two are their composition. They stay two if an expression of the
    lower one would be computed more than once. Column names are not compared: a query keeps its own.

    >>> from tailrace.catalog.sources import Stream
    >>> from tailrace.logical.text.explain import tree
    >>> from tailrace.logical.nodes import Scan
    >>> from tailrace.schema import Schema
    >>> from tailrace.types import INT
    >>> scan = Scan(Stream("S", Schema.of(("k", INT), ("v", INT))))
    >>> swapped = Project(scan, (Column(1, INT), Column(0, INT)), ("v", "k"))
    >>> print(tree(merge_projections(Project(swapped, (Column(1, INT), Column(0, INT)), ("k", "v")))))
    stream S(k INT, v INT)  → stream
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
    """Whether the outer expressions use each inner one at most once; columns and literals may be used more often."""
    uses: Counter[int] = Counter()
    for expression in outer:
        count_uses(expression, uses, 1)
    return all(isinstance(part, Column | Literal) or uses[index] <= 1 for index, part in enumerate(inner))


def count_uses(expression: Expression, uses: Counter[int], each: int) -> None:
    """Count how often columns are used; one in a lambda counts twice, as it is read for every item of an array."""
    if isinstance(expression, Column):
        uses[expression.index] += each
    inside = 2 if isinstance(expression, Lambda) else each
    for child in expression.children:
        count_uses(child, uses, inside)
