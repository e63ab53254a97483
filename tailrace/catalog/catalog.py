"""Catalog: the streams, relations, views and queries by name; a name has one meaning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from tailrace.catalog.declared_tables import Table
from tailrace.catalog.system_streams import SYSTEM_STREAMS
from tailrace.catalog.user_functions import UserFunctions
from tailrace.errors import CatalogError, TextSpan, did_you_mean


class Entry(Protocol):
    """Anything that has a name in the catalog; `word` is its kind: stream, relation, view or query."""

    @property
    def name(self) -> str: ...

    @property
    def word(self) -> str: ...


NOBODY: frozenset[str] = frozenset()


@dataclass(frozen=True)
class FailedEntry:
    """The name of a CREATE statement that failed: a query that reads it is not reported as well."""

    name: str
    word: str


@dataclass
class Catalog:
    """Entries by lower-case name in the order of their creation, which entry reads which, and the user's functions."""

    entries: dict[str, Entry] = field(default_factory=dict)
    reads: dict[str, frozenset[str]] = field(default_factory=dict)
    functions: UserFunctions = field(default_factory=UserFunctions)
    queries: dict[str, Entry] = field(default_factory=dict, compare=False)  # the entries that are queries, as written
    templates: dict[str, Any] = field(
        default_factory=dict, compare=False
    )  # query templates by key: see language/script
    watchers: set[str] = field(default_factory=set, compare=False)  # entries that read system streams, also by views
    statements: dict[str, Any] = field(default_factory=dict, compare=False)  # that created the entries: syntax trees
    tables: dict[str, Table] = field(default_factory=dict)  # of CREATE TABLE; their sources are entries, too
    read_queries: set[str] = field(default_factory=set, compare=False)  # queries that were read when entries were added

    def add(
        self, entry: Entry, place: TextSpan | None = None, reads: frozenset[str] = frozenset(), statement: Any = None
    ) -> None:
        """Add an entry under a name that is free. `statement` is the syntax tree that creates it."""
        taken = self.find(entry.name)
        if taken is not None and not isinstance(taken, FailedEntry):
            article = "a" if taken.word != "relation" else "the"
            raise CatalogError(
                f"there is already {article} {taken.word} {taken.name}",
                place,
                f"DROP {taken.word.upper()} {taken.name} first, or choose another name",
            )
        self.put(entry, reads, statement)

    def put(self, entry: Entry, reads: frozenset[str] = frozenset(), statement: Any = None) -> None:
        """Add an entry, or put it in the place of the one that has its name."""
        name = entry.name.lower()
        if before := self.entries.get(name):
            self.queries.pop(before.name, None)
            self.watchers.discard(name)
        self.entries[name] = entry
        self.reads[name] = frozenset(read.lower() for read in reads)
        self.statements[name] = statement
        self.read_queries |= {read for read in self.reads[name] if getattr(self.find(read), "word", "") == "query"}
        if any(read in SYSTEM_STREAMS or read in self.watchers for read in self.reads[name]):
            self.watchers.add(name)
        if entry.word == "query":
            self.queries[entry.name] = entry

    def add_table(self, table: Table, place: TextSpan | None = None) -> None:
        """Add a table; its source is an entry until something is inserted into it."""
        self.add(table.source or table, place, statement=table.statement)
        if table.source is None:
            self.remove(table.name)
        self.tables[table.name.lower()] = table

    def remove_table(self, table: Table, place: TextSpan | None = None) -> None:
        """Remove a table and its source, which nothing may read any more."""
        if table.name.lower() in self.entries:
            self.drop(table.name, self.entries[table.name.lower()].word, place)
        self.tables.pop(table.name.lower(), None)

    def forget_source(self, table: Table) -> None:
        """Let a table be no source any more: it is inserted into."""
        if table.source is not None and self.entries.get(table.name.lower()) is table.source:
            self.remove(table.name)

    def restore_source(self, table: Table) -> None:
        """Let a table be a source again: nothing is inserted into it any more."""
        if table.source is not None and table.name.lower() not in self.entries:
            self.put(table.source, statement=table.statement)

    def copy(self) -> Catalog:
        """A copy with entries of its own; the templates of queries are shared with this catalog."""
        entries, reads, queries = dict(self.entries), dict(self.reads), dict(self.queries)
        known = set(self.watchers), dict(self.statements), dict(self.tables), set(self.read_queries)
        return Catalog(entries, reads, self.functions, queries, self.templates, *known)

    def find(self, name: str) -> Entry | None:
        """The entry of a name; a table that is no source, and that nothing is inserted into yet, is one too."""
        lower = name.lower()
        return self.entries.get(lower) or SYSTEM_STREAMS.get(lower) or self.tables.get(lower)

    def readers(self, name: str) -> list[Entry]:
        """The entries that read an entry directly."""
        lower = name.lower()
        is_read = self.entries[lower].word != "query" or lower in self.read_queries
        return [self.entries[reader] for reader, read in self.reads.items() if lower in read] if is_read else []

    def remove(self, name: str) -> None:
        """Forget an entry."""
        entry = self.entries.pop(name.lower())
        del self.reads[name.lower()]
        self.statements.pop(name.lower(), None)
        self.queries.pop(entry.name, None)
        self.watchers.discard(name.lower())

    @property
    def system_queries(self) -> frozenset[str]:
        """The queries that read system streams, directly or through views."""
        return frozenset(name for name in self.queries if name.lower() in self.watchers) if self.watchers else NOBODY

    def drop(self, name: str, word: str, place: TextSpan | None = None) -> Entry:
        entry = self.entries.get(name.lower())
        if entry is None:
            known = [other.name for other in (self.tables.values() if word == "table" else self.of(word))]
            raise CatalogError(f"no {word} {name} to drop", place, did_you_mean(name, known))
        if isinstance(entry, FailedEntry):
            self.remove(name)
            return entry
        if entry.word != word and not (word == "table" and entry.word in ("stream", "relation")):
            raise CatalogError(
                f"{entry.name} is a {entry.word}, not a {word}",
                place,
                f"DROP {entry.word.upper()} {entry.name}",
            )
        if readers := self.readers(name):
            users = " and ".join(f"{reader.word} {reader.name}" for reader in readers)
            raise CatalogError(
                f"{word} {entry.name} is still read by {users}", place, f"drop {readers[0].name} before it"
            )
        self.remove(name)
        return entry

    def of(self, word: str) -> Iterator[Entry]:
        """The entries of one kind, in the order they were created."""
        return (entry for entry in self.entries.values() if entry.word == word)
