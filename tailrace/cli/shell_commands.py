r"""Shell commands: the texts that \d, \plan, \now and other commands print, which only look at things."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tailrace.analysis.statements.replies import Described
from tailrace.catalog.catalog import Entry
from tailrace.catalog.declared_tables import Table
from tailrace.catalog.sources import Declared
from tailrace.cli.terminal_tables import align_table
from tailrace.deep_stack import on_deep_stack
from tailrace.engine.engine import Engine, Query
from tailrace.engine.explain import derived_text, entry_text, explain_report, indent
from tailrace.engine.internals import script_of
from tailrace.errors import CatalogError, did_you_mean
from tailrace.logical.queries import Definition, QueryDefinition
from tailrace.schema import Schema

KINDS = {"s": "stream", "r": "relation", "v": "view", "q": "query"}
HELP = r"""
Statements end with a semicolon and may take several lines. A SELECT shows its rows as they come, from the first one
that is there; Ctrl-C stops it. A CREATE QUERY does so too, and keeps running after Ctrl-C, until DROP QUERY.

  \d            all streams, relations, views and queries
  \ds \dr \dv \dq   only streams, relations, views, queries
  \d NAME       the columns of one, where it comes from, and the text of a view or query with its defaults
  \plan NAME    the plan of a view or query, and how it came about; EXPLAIN shows plans too
  \watch NAME   the rows of a standing query from now on, until Ctrl-C
  \now NAME     a standing query's relation as it is now, or a stream's newest rows
  \i FILE       take the statements of a file
  \e            write a statement, or change the last one, in $EDITOR
  \p            what was written of a statement so far;   \r   forget it
  \timing       tell how long statements take, or no longer
  \?            this help;   \q or Ctrl-D   leave
""".strip("\n")
NEWEST = 20  # rows of a stream that \now shows


def listing(engine: Engine, letters: str = "") -> str:
    """The catalog's entries as a table, a line each. `letters` are keys of KINDS; without any, all kinds are listed."""
    kinds = [KINDS[letter] for letter in letters] or list(KINDS.values())
    rows = [row(entry) for kind in kinds for entry in script_of(engine).program.catalog.of(kind)]
    return table(["name", "kind", "columns"], rows) if rows else "there is nothing yet"


def row(entry: Entry) -> tuple[str, str, str]:
    assert isinstance(entry, (Declared, Definition))
    kind = entry.word
    if isinstance(entry, Definition):
        into = f" into {entry.format}" if isinstance(entry, QueryDefinition) and entry.format else ""
        kind = f"{entry.word} ({entry.kind}{into})"
    return entry.name, kind, columns(entry.schema)


def columns(schema: Schema) -> str:
    return ", ".join(f"{field.name} {field.type}" for field in schema)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    first, lines, _ = align_table(head, list(rows))
    return "\n".join([first, *lines])


def description(engine: Engine, name: str) -> str:
    """One entry in full: its columns, and how it was declared or, of a view or query, its text with defaults."""
    entry = find_entry(engine, name)
    parts = [f"{entry.word} {entry.name}", table(["column", "type"], [(f.name, str(f.type)) for f in entry.schema])]
    if isinstance(entry, Definition):
        return "\n".join([*parts, indent(on_deep_stack(lambda: derived_text(entry)))])
    _, _, rest = entry_text(entry).partition(str(entry.schema))
    return "\n".join([*parts, *([f"  {rest.removeprefix(', ')}"] if rest else [])])


def plan(engine: Engine, name: str) -> str:
    """The long EXPLAIN of a view or query: its plan, and how the plan came about."""
    entry = find_entry(engine, name)
    if not isinstance(entry, Definition):
        raise CatalogError(f"{entry.name} is a {entry.word}, and only views and queries have a plan")
    return on_deep_stack(lambda: explain_report(script_of(engine), [entry], "text"))


def find_entry(engine: Engine, name: str) -> Described:
    catalog = script_of(engine).program.catalog
    entry = catalog.find(name)
    if not isinstance(entry, (Declared, Definition, Table)):
        known = [each.name for each in catalog.entries.values()]
        raise CatalogError(f"there is nothing called {name}", hint=did_you_mean(name, known))
    return entry


def find_query(engine: Engine, name: str) -> Query:
    """The registered query of this name, in upper or lower case."""
    entry = find_entry(engine, name)
    if entry.name not in engine.queries:
        raise CatalogError(f"{entry.name} is a {entry.word}, not a query", hint="\\dq lists those")
    return engine.queries[entry.name]


def now(query: Query) -> str:
    """A relation's current rows, or a stream's newest rows, as a table."""
    is_relation = str(query.definition.kind) == "relation"
    rows = query.snapshot() if is_relation else query.rows()[-NEWEST:]
    names = query.definition.names if is_relation else ("_ts", *query.definition.names)
    return f"{table(list(names), rows)}\n({len(rows):,} row{'' if len(rows) == 1 else 's'})"
