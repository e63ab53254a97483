"""Replies: what SHOW, DESCRIBE and EXPLAIN find in the catalog, and what a statement remarks about itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

from tailrace.analysis.checks import AlreadyReported
from tailrace.catalog.catalog import Catalog, FailedEntry
from tailrace.catalog.declared_tables import Table
from tailrace.catalog.sources import Declared
from tailrace.catalog.system_streams import SYSTEM_STREAMS
from tailrace.errors import CatalogError, did_you_mean
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.language.script import TemplateMatch, to_text
from tailrace.logical.plan import Plan
from tailrace.logical.queries import Definition, QueryDefinition

Described = Declared | Definition | Table


class Reply:
    """What a statement says when it is executed."""


@dataclass(frozen=True)
class Listing(Reply):
    """The result of SHOW: the entries of one kind at this point of the script; streams and relations are tables."""

    word: str
    entries: tuple[Described, ...]


@dataclass(frozen=True)
class Description(Reply):
    """The result of DESCRIBE."""

    entry: Described


@dataclass(frozen=True)
class StatementText(Reply):
    """The result of SHOW CREATE: the statement that creates an entry."""

    text: str


@dataclass(frozen=True)
class Explanation(Reply):
    """The result of EXPLAIN: the plans to explain, by name; with what they did in the run, if `is_measured`."""

    plans: dict[str, Plan]
    is_measured: bool = False


@dataclass(frozen=True)
class Remark(Reply):
    """What a statement was taken for, or why it has no effect."""

    text: str


def list_entries(catalog: Catalog, statement: ast.Show) -> Listing:
    word = statement.args["kind"].lower()
    if word != "table":
        return Listing(word, tuple(e for e in catalog.of(word) if isinstance(e, (Declared, Definition))))
    without_source = (table for table in catalog.tables.values() if table.name.lower() not in catalog.entries)
    return Listing(word, (*(e for e in catalog.entries.values() if isinstance(e, Declared)), *without_source))


def describe_entry(catalog: Catalog, statement: ast.Describe) -> Description:
    return Description(find_entry(catalog, statement.this))


def find_entry(catalog: Catalog, name: exp.Identifier) -> Described:
    """The entry of a name; a CatalogError if there is none."""
    entry = catalog.find(name.name)
    if isinstance(entry, FailedEntry):
        raise AlreadyReported("a statement above is wrong")
    if not isinstance(entry, (Declared, Definition, Table)):
        known = [*(each.name for each in catalog.entries.values()), *catalog.tables, *SYSTEM_STREAMS]
        raise CatalogError(f"there is nothing called {name.name}", place_of(name), did_you_mean(name.name, known))
    return entry


def find_statement(catalog: Catalog, statement: ast.ShowCreate) -> StatementText:
    """The statement that creates what has a name; IF NOT EXISTS and OR REPLACE are left out."""
    kind = (statement.args.get("kind") or "").lower()
    table = catalog.tables.get(statement.this.name.lower()) if kind == "table" else None
    entry = table or find_entry(catalog, statement.this)
    is_kind = kind in ("", entry.word) or (kind == "table" and isinstance(entry, Declared))
    if not is_kind:
        message = f"{entry.name} is a {entry.word}, not a {kind}"
        raise CatalogError(message, place_of(statement.this), f"SHOW CREATE {entry.word.upper()} {entry.name}")
    tree = entry.statement if isinstance(entry, Table) else catalog.statements.get(entry.name.lower())
    if tree is None:
        hint = "system streams are there by themselves" if entry.name in SYSTEM_STREAMS else None
        raise CatalogError(f"no statement created {entry.name}", place_of(statement.this), hint)
    tree = (tree.read() if isinstance(tree, TemplateMatch) else tree).copy()
    for part in ("replace", "if_not_exists"):
        tree.set(part, None)
    return StatementText(to_text(tree))


def find_plans(catalog: Catalog, statement: ast.Explain, derive: Callable[[ast.QueryNode], Plan]) -> Explanation:
    """The plans that an EXPLAIN is about; `derive` gives the plan of a query that is not registered."""
    target, is_measured = statement.this if statement.args.get("this") else None, bool(statement.args.get("analyze"))
    if target is None:
        plans = {e.name: e.plan for e in catalog.entries.values() if isinstance(e, QueryDefinition)}
    elif isinstance(target, exp.Identifier):
        entry = catalog.find(target.name)
        if isinstance(entry, FailedEntry):
            raise AlreadyReported("a statement above is wrong")
        if not isinstance(entry, Definition):
            known = [e.name for e in catalog.entries.values() if isinstance(e, Definition)]
            raise CatalogError(
                f"no query or view {target.name} to explain", place_of(target), did_you_mean(target.name, known)
            )
        plans = {entry.name: entry.plan}
    else:
        plans = {"query": derive(target)}
    return Explanation(plans, is_measured)
