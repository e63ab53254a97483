"""Set operations: brings the columns of the sides of a UNION BY NAME into one order."""

from __future__ import annotations

from dataclasses import replace

from tailrace.analysis.subqueries import TypedQuery
from tailrace.errors import AnalysisError, TextSpan
from tailrace.logical import nodes
from tailrace.logical.expressions import Expression, Literal, refer_to
from tailrace.types import VOID


def match_names(left: TypedQuery, right: TypedQuery, place: TextSpan | None) -> list[TypedQuery]:
    """Both sides with the left side's columns, then those that only the right side has; NULL where a side lacks one."""
    for side in (left, right):
        lower = [name.lower() for name in side.names]
        for index, name in enumerate(lower):
            if name in lower[:index]:
                raise AnalysisError(f"BY NAME: two columns are called {side.names[index]}", place, "give one an alias")
    known = {name.lower() for name in left.names}
    names = (*left.names, *(name for name in right.names if name.lower() not in known))
    return [with_columns(side, names) for side in (left, right)]


def with_columns(side: TypedQuery, names: tuple[str, ...]) -> TypedQuery:
    """The query with these columns in this order; a column that it does not have is NULL."""
    columns = refer_to(side.plan.schema)
    by_name: dict[str, Expression] = {name.lower(): column for name, column in zip(side.names, columns, strict=False)}
    values = tuple(by_name.get(name.lower(), Literal(None, VOID)) for name in names)
    if values == columns:
        return replace(side, names=names)
    return replace(side, plan=nodes.Project(side.plan, values, names), names=names)
