"""Scope: the columns that a query's expressions can name, their positions in its input, and names of its results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from sqlglot import exp

from tailrace.errors import AnalysisError, TextSpan, did_you_mean
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.logical.expressions import Call, Column, Expression, Outer, map_columns
from tailrace.schema import Schema


@dataclass(frozen=True)
class Binding:
    """A FROM item: the name that qualifies its columns, and their schema."""

    name: str | None
    schema: Schema
    start: int  # the position of its first column in the joined input
    timestamp: str | None = None  # the timestamp column of a declared source, for a hint if it is not listed
    is_per_window: bool = False  # its last two columns are a window's, and its aggregates are per window

    @property
    def display_name(self) -> str:
        return self.name or "the subquery"


@dataclass(frozen=True)
class Scope:
    """The FROM items of a query and, for a subquery, the scope of the query around it."""

    bindings: tuple[Binding, ...] = ()
    parent: Scope | None = None
    merged: tuple[tuple[str, Expression], ...] = ()  # columns of JOIN … USING, with the one value of each name
    listed: tuple[tuple[Expression, str], ...] | None = None  # what `*` stands for in a join

    @property
    def width(self) -> int:
        return sum(len(binding.schema) for binding in self.bindings)

    def join(self, other: Scope) -> Scope:
        """The scope of a join: this scope's items, then the other's."""
        width = self.width
        moved = tuple(replace(binding, start=binding.start + width) for binding in other.bindings)
        listed = (*self.columns(), *((_shift(value, width), name) for value, name in other.columns()))
        merged = self.merged + tuple((name, _shift(value, width)) for name, value in other.merged)
        names = {(binding.name or "").lower() for binding in self.bindings} - {""}
        for binding in moved:
            if binding.name and binding.name.lower() in names:
                raise AnalysisError(
                    f"two FROM items are called {binding.name}",
                    hint=f"give one an alias: {binding.name} AS other",
                )
        return replace(self, bindings=self.bindings + moved, listed=listed, merged=merged)

    def columns(self, table: str | None = None) -> tuple[tuple[Expression, str], ...]:
        """The columns of all FROM items in the order of `*`, or those of one item."""
        if table is None and self.listed is not None:
            return self.listed
        return tuple(
            (Column(binding.start + offset, column.type, column.name), column.name)
            for binding in self.bindings
            if table is None or (binding.name or "").lower() == table.lower()
            for offset, column in enumerate(binding.schema)
        )

    def column(self, name: str, table: str | None, place: TextSpan | None) -> Expression:
        """The column of this name: of this query or, as an `Outer`, of the nearest query around that has it."""
        found = self._here(name, table, place)
        if found is not None:
            return found
        around, level = self.parent, 1
        while around is not None:
            outer = around._here(name, table, place)
            if outer is not None:
                return map_columns(outer, partial(as_outer, level))
            around, level = around.parent, level + 1
        raise self._unknown(name, table, place)

    def _here(self, name: str, table: str | None, place: TextSpan | None) -> Expression | None:
        if table is None:
            for merged, value in self.merged:
                if merged.lower() == name.lower():
                    return value
        found = []
        for binding in self.bindings:
            if table is None or (binding.name or "").lower() == table.lower():
                found += [(binding, index) for index in binding.schema.find(name)]
        if len(found) > 1:
            raise _ambiguous(name, found, place)
        if not found:
            return None
        binding, index = found[0]
        column = binding.schema[index]
        return Column(binding.start + index, column.type, column.name)

    def has_table(self, table: str) -> bool:
        return any((binding.name or "").lower() == table.lower() for binding in self.bindings)

    def _unknown(self, name: str, table: str | None, place: TextSpan | None) -> AnalysisError:
        if table is not None and not self.has_table(table):
            known = [binding.name for binding in self.bindings if binding.name]
            return AnalysisError(f"no FROM item is called {table}", place, did_you_mean(table, known))
        bindings = [b for b in self.bindings if table is None or (b.name or "").lower() == table.lower()]
        if not bindings:
            return AnalysisError(f"no column {name}: there is no FROM", place)
        names = [field.name for binding in bindings for field in binding.schema]
        where = " or ".join(binding.display_name for binding in bindings)
        for binding in bindings:
            if binding.timestamp and binding.timestamp.lower() == name.lower():
                hint = f"it is the timestamp of {binding.display_name}: list it among the columns to read it"
                return AnalysisError(f"no column {name} in {where}", place, hint)
        listed = f"the columns are {', '.join(names)}" if names else None
        return AnalysisError(f"no column {name} in {where}", place, did_you_mean(name, names) or listed)

    def star(self, table: str | None, place: TextSpan | None) -> list[tuple[Expression, str]]:
        """The columns that `*` or `table.*` stands for: expressions and their names."""
        if table is not None and not self.has_table(table):
            raise self._unknown("*", table, place)
        return list(self.columns(table))


def as_outer(level: int, column: Column) -> Outer:
    return Outer(column.index, column.of, column.name, level)


def _shift(value: Expression, by: int) -> Expression:
    if isinstance(value, Column):
        return replace(value, index=value.index + by)
    if isinstance(value, Call):
        return replace(value, arguments=tuple(_shift(argument, by) for argument in value.arguments))
    return value


def _ambiguous(name: str, found: list[tuple[Binding, int]], place: TextSpan | None) -> AnalysisError:
    owners = [binding.display_name for binding, _ in found]
    if len(set(owners)) == 1:
        return AnalysisError(f"{owners[0]} has two columns called {name}", place, "give them different names in it")
    hint = " or ".join(f"{owner}.{name}" for owner in dict.fromkeys(owners))
    return AnalysisError(f"{name} could be a column of {' or '.join(dict.fromkeys(owners))}", place, f"write {hint}")


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
    while isinstance(written, (exp.Paren, exp.Cast, exp.TryCast, exp.Filter, ast.Over)):
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
