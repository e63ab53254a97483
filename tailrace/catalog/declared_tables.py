"""Tables: what CREATE TABLE declares: a source, if the table is read, and a sink, if rows are inserted into it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tailrace.catalog.sources import Options, Relation, Stream
from tailrace.schema import Schema


@dataclass(frozen=True)
class Table:
    """A table by its two sides. One that is inserted into stands for the query that does so, and is no source."""

    name: str
    schema: Schema
    source: Stream | Relation | None = None  # None: it only takes rows
    format: str | None = None  # None: it cannot be inserted into
    options: Options = ()
    statement: Any = field(default=None, compare=False)  # the syntax tree of the CREATE that it is understood as

    @property
    def word(self) -> str:
        return "table"
