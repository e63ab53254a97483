"""Replace: puts a new definition in the place of one that stands, and has its readers read the new one.

What means the same as before stays as it is, with its state. A reader whose meaning changes is analysed anew from its
own text. If it is wrong now, that is a problem of the replacing statement, unless the script replaces or drops the
reader too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sqlglot import exp

from tailrace.analysis.checks import reportable_problems
from tailrace.catalog.catalog import Catalog, Entry
from tailrace.catalog.sources import Declared
from tailrace.errors import CatalogError, TailraceError
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.language.script import TemplateMatch
from tailrace.logical.queries import Definition, QueryDefinition


@dataclass(frozen=True)
class Analysed:
    """An entry as a statement defines it, the names it reads, and the statement."""

    entry: Entry
    reads: frozenset[str]
    statement: ast.Statement


Analyse = Callable[[ast.Statement], Analysed]


def is_same(before: Entry, after: Entry) -> bool:
    """Whether two entries mean the same to whoever reads them, and to the run."""
    if isinstance(before, Definition) and isinstance(after, Definition):
        alike = (before.plan, before.names) == (after.plan, after.names) and type_of(before) is type_of(after)
        return alike and sink_of(before) == sink_of(after)
    return isinstance(before, Declared) and before == after


def type_of(entry: Definition) -> type:
    return QueryDefinition if isinstance(entry, QueryDefinition) else type(entry)


def sink_of(entry: Definition) -> object:
    return (entry.format, entry.options) if isinstance(entry, QueryDefinition) else None


def replace_entry(
    catalog: Catalog, found: Analysed, name: exp.Identifier, analyse: Analyse, stale: dict[str, TailraceError]
) -> Iterator[Entry]:
    """Replace the entry of a name, and those of its readers that mean something else now; yields the changed ones.

    `stale` gets the problem of each reader that is wrong now, by lower-case name; a problem ends when it is replaced.
    """
    key = found.entry.name.lower()
    refuse_circle(catalog, found, name)
    stale.pop(key, None)
    if is_same(catalog.entries[key], found.entry):
        return
    catalog.put(found.entry, found.reads, found.statement)
    yield found.entry
    for reader in catalog.readers(key):
        statement = catalog.statements[reader.name.lower()]
        statement = statement.read() if isinstance(statement, TemplateMatch) else statement
        try:
            again = analyse(statement)
        except TailraceError as problem:
            stale[reader.name.lower()] = wrong_reader(reader, name, problem)
        else:
            yield from replace_entry(catalog, again, name, analyse, stale)


def refuse_circle(catalog: Catalog, found: Analysed, name: exp.Identifier) -> None:
    """Refuse a definition that would read itself, directly or through others."""
    key, seen, pending = found.entry.name.lower(), set[str](), list(found.reads)
    while pending:
        read = pending.pop()
        if read == key:
            message = f"{found.entry.name} would read itself"
            raise CatalogError(message, place_of(name), "what it reads must not be made from it")
        if read not in seen:
            seen.add(read)
            pending += catalog.reads.get(read, ())


def wrong_reader(reader: Entry, name: exp.Identifier, problem: TailraceError) -> TailraceError:
    said = "; ".join(each.message for each in reportable_problems(problem)) or problem.message
    return CatalogError(
        f"{reader.word} {reader.name} reads {name.name}, and would be wrong: {said}",
        place_of(name),
        f"drop {reader.word} {reader.name} before, or replace it too",
    )
