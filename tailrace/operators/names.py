"""Names: texts about columns, for operators that describe themselves: an operator knows columns by position only."""

from __future__ import annotations

from collections.abc import Sequence

from tailrace.logical.expressions import Column, Expression
from tailrace.logical.text.expression_text import text_of

Names = tuple[str, ...]


def disambiguate(names: Sequence[str]) -> Names:
    """The names, with the column's position behind each that several columns have.

    >>> disambiguate(["k", "v", "k"])
    ('k#0', 'v', 'k#2')
    """
    return tuple(name if names.count(name) == 1 else f"{name}#{place}" for place, name in enumerate(names))


def text_with(names: Sequence[str], expression: Expression) -> str:
    """The text of an expression over columns of these names."""
    apart = disambiguate(names)
    return text_of(expression, lambda column: apart[column.index])


def list_columns(columns: Sequence[int], names: Sequence[str]) -> str:
    """Some columns as text.

    >>> list_columns([2, 1], ["k", "v", "w"])
    'w, v'
    """
    apart = disambiguate(names)
    return ", ".join(apart[column] for column in columns)


def by_columns(columns: Sequence[int], names: Sequence[str]) -> str:
    """A key as text, with a space before it to go behind other text; without columns nothing.

    >>> by_columns([0], ["k", "v"]), by_columns([], ["k"])
    (' by k', '')
    """
    return f" by {list_columns(columns, names)}" if columns else ""


def column_definitions(columns: Sequence[Expression], names: Sequence[str], below: Sequence[str]) -> list[str]:
    """The columns as text, such as `v * 2 AS w`; `below` are the names of the columns they are computed from."""
    texts = [text_with(below, column) for column in columns]
    bare = [below[column.index] if isinstance(column, Column) else "" for column in columns]
    named = zip(texts, bare, names, strict=False)
    return [text if name in (text, plain) else f"{text} AS {name}" for text, plain, name in named]


def is_everything(columns: Sequence[Expression], width: int) -> bool:
    """Whether these are all columns of an input that has so many, in their order."""
    places = [column.index for column in columns if isinstance(column, Column)]
    return len(places) == len(columns) and places == list(range(width))
