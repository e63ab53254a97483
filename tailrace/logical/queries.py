"""Queries: views and standing queries as analysis leaves them: a typed plan, names of columns, and notes."""

from __future__ import annotations

from dataclasses import dataclass, field

from tailrace.catalog.sources import Options
from tailrace.errors import TextSpan
from tailrace.language import nodes as ast
from tailrace.language.script import to_text
from tailrace.logical.plan import Kind, Plan
from tailrace.schema import Schema


@dataclass(frozen=True)
class Note:
    """A remark for the query's author: a default that was applied, or a clause that has no effect."""

    text: str
    place: TextSpan | None
    is_default: bool


@dataclass(frozen=True, eq=False)
class Definition:
    """A view or a standing query with its expanded syntax tree; two are equal only if they are the same object."""

    name: str
    plan: Plan
    names: tuple[str, ...]
    notes: tuple[Note, ...]
    query: ast.QueryNode
    place: TextSpan | None
    word: str = field(default="view", init=False)

    def expanded_text(self, pretty: bool = False) -> str:
        """The query's text with every default written out."""
        return to_text(self.query, pretty)

    @property
    def kind(self) -> Kind:
        return self.plan.kind

    @property
    def schema(self) -> Schema:
        return self.plan.schema.with_names(self.names)


@dataclass(frozen=True, eq=False)
class View(Definition):
    """CREATE VIEW: a derived stream or relation that queries can read."""


@dataclass(frozen=True, eq=False)
class QueryDefinition(Definition):
    """CREATE QUERY: a standing query and where its results go."""

    format: str | None = None
    options: Options = ()
    word: str = field(default="query", init=False)

    @property
    def is_snapshot(self) -> bool:
        """Whether the query's sink holds the current relation instead of the changelog."""
        return any(key.lower() == "mode" and value.lower() == "snapshot" for key, value in self.options)

    @property
    def strategy(self) -> str | None:
        """The expiry strategy in the query's own OPTIONS; None if the query follows the setting."""
        return next((value.lower() for key, value in self.options if key.lower() == "strategy"), None)
