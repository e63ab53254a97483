"""Items: the items of a select list, and the names of their columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from tailrace.errors import AnalysisError
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.logical.expressions import Column, Expression


@dataclass(frozen=True)
class SelectItem:
    """One column of a select list: its expression, its name, and its syntax tree."""

    value: Expression
    name: str
    node: exp.Expr


def column_name(written: exp.Expr, value: Expression, position: int) -> str:
    """The name of a select item: its alias, the column's declared name, the function's name, or c and its position."""
    if isinstance(written, exp.Alias):
        return str(written.alias)
    while isinstance(written, (exp.Paren, exp.Cast, exp.TryCast, exp.Filter)):
        written = written.this
    if isinstance(written, exp.Column):
        return value.name if isinstance(value, Column) and value.name else str(written.name)
    if isinstance(written, exp.Dot):
        return str(written.expression.name)
    if isinstance(written, exp.Anonymous):
        name = written.this.name if isinstance(written.this, exp.Identifier) else str(written.this)
        return name.lower()
    if isinstance(written, (exp.Case, ast.Exists)):
        return type(written).__name__.lower()
    return f"c{position}"


def refuse_repeats(names: Sequence[exp.Identifier]) -> None:
    """Refuse a list of names in which a name is listed twice."""
    met: set[str] = set()
    for name in names:
        if name.name.lower() in met:
            raise AnalysisError(f"{name.name} is listed twice", place_of(name))
        met.add(name.name.lower())


def distinct_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names, with a number behind each that repeats an earlier one; upper and lower case are equal.

    >>> distinct_names(["A", "B", "a", "A"])
    ('A', 'B', 'a_2', 'A_3')
    """
    taken = {name.lower() for name in names}
    met: set[str] = set()
    found = []
    for name in names:
        fresh, number = name, 1
        while fresh.lower() in met or (number > 1 and fresh.lower() in taken):
            number += 1
            fresh = f"{name}_{number}"
        met.add(fresh.lower())
        found.append(fresh)
    return tuple(found)
