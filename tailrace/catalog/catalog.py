"""Catalog: the streams, relations, views and queries by name; a name has one meaning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

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

    def add(self, entry: Entry, place: TextSpan | None = None, reads: frozenset[str] = frozenset()) -> None:
        taken = self.find(entry.name)
        if taken is not None and not isinstance(taken, FailedEntry):
            article = "a" if taken.word != "relation" else "the"
            raise CatalogError(
                f"there is already {article} {taken.word} {taken.name}",
                place,
                f"DROP {taken.word.upper()} {taken.name} first, or choose another name",
            )
        name = entry.name.lower()
        self.entries[name] = entry
        self.reads[name] = frozenset(read.lower() for read in reads)
        if any(read in SYSTEM_STREAMS or read in self.watchers for read in self.reads[name]):
            self.watchers.add(name)
        if entry.word == "query":
            self.queries[entry.name] = entry

    def copy(self) -> Catalog:
        """A copy with entries of its own; the templates of queries are shared with this catalog."""
        entries, reads, queries = dict(self.entries), dict(self.reads), dict(self.queries)
        return Catalog(entries, reads, self.functions, queries, self.templates, set(self.watchers))

    def find(self, name: str) -> Entry | None:
        return self.entries.get(name.lower()) or SYSTEM_STREAMS.get(name.lower())

    @property
    def system_queries(self) -> frozenset[str]:
        """The queries that read system streams, directly or through views."""
        return frozenset(name for name in self.queries if name.lower() in self.watchers) if self.watchers else NOBODY

    def drop(self, name: str, word: str, place: TextSpan | None = None) -> Entry:
        entry = self.entries.get(name.lower())
        if entry is None:
            known = [other.name for other in self.of(word)]
            raise CatalogError(f"no {word} {name} to drop", place, did_you_mean(name, known))
        if isinstance(entry, FailedEntry):
            del self.entries[name.lower()], self.reads[name.lower()]
            return entry
        if entry.word != word:
            raise CatalogError(
                f"{entry.name} is a {entry.word}, not a {word}",
                place,
                f"DROP {entry.word.upper()} {entry.name}",
            )
        # A query has no readers: only streams, relations and views can be read.
        readers = [
            self.entries[reader] for reader, read in self.reads.items() if word != "query" and name.lower() in read
        ]
        if readers:
            users = " and ".join(f"{reader.word} {reader.name}" for reader in readers)
            raise CatalogError(
                f"{word} {entry.name} is still read by {users}", place, f"drop {readers[0].name} before it"
            )
        del self.entries[name.lower()], self.reads[name.lower()]
        self.queries.pop(entry.name, None)
        self.watchers.discard(name.lower())
        return entry

    def of(self, word: str) -> Iterator[Entry]:
        """The entries of one kind, in the order they were created."""
        return (entry for entry in self.entries.values() if entry.word == word)
