"""Scan spec: all that a task must know to read files of a source, and how columns are bound to a file's header.

>>> from tailrace.types import INT, STRING
>>> spec = ScanSpec("csv", (("sep", ";"),), (("ts", INT), ("name", STRING)), ("ts",), "_unreadable")
>>> spec.bind(["Name", "x", "TS"])
(('name', STRING), ('x', STRING), ('ts', INT))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property

import pyarrow as pa

from tailrace.catalog.file_samples import FileFormat, Head, column_names, names_in
from tailrace.columnar.arrow_types import arrow_type
from tailrace.errors import RunError
from tailrace.types import STRING, Type

NamedType = tuple[str, Type]


@dataclass(frozen=True)
class Bound:
    """A comparison that every row which anybody needs satisfies: a column, one of < <= = >= >, and a constant."""

    column: str
    comparison: str
    value: int | date | datetime


class NotScannable(RunError):
    """A file holds what the Arrow scan does not read exactly as Spark does: Spark's reader must read this source."""


@dataclass(frozen=True)
class ScanSpec:
    """How the files of a source are read: format and options, the declared columns, and which of them are wanted.

    `corrupt` names a further column: the text of each row that is malformed, NULL for the others. A row is malformed if
    a wanted value is not of its type. A csv row with too few or too many values is malformed only if all columns of its
    file are wanted, since Spark does not count the values that it need not read. Without `corrupt`, values that cannot
    be read are NULL and nothing tells of them.

    Nobody needs rows that do not satisfy all `bounds`, but for the columns in `always`. So of row groups without any
    other row only these columns are read; the others are NULL there. Rows are not filtered.
    """

    format: str
    options: tuple[tuple[str, str], ...]
    columns: tuple[NamedType, ...]
    wanted: tuple[str, ...]
    corrupt: str | None = None
    bounds: tuple[Bound, ...] = ()
    always: tuple[str, ...] = ()

    @cached_property
    def said(self) -> dict[str, str]:
        """The options, by name in lower case."""
        return {key.lower(): value for key, value in self.options}

    @cached_property
    def file_format(self) -> FileFormat:
        return FileFormat.of(self.format, self.options)

    @cached_property
    def null_text(self) -> str:
        """The text that stands for NULL in csv files."""
        return self.file_format.null

    @cached_property
    def types(self) -> dict[str, Type]:
        """The types of the declared columns, by name in lower case."""
        return {name.lower(): type for name, type in self.columns}

    @cached_property
    def schema(self) -> pa.Schema:
        """The schema of the scanned rows: the wanted columns, then the text of malformed rows."""
        fields = [(name, arrow_type(self.types[name.lower()])) for name in self.wanted]
        return pa.schema([*fields, *([(self.corrupt, pa.string())] if self.corrupt else ())])

    def bind(self, header: Sequence[str] | None) -> tuple[NamedType, ...]:
        """The columns of a file in its own order, bound by name; a column that is not declared is a STRING.

        Without a header the order is that of the declaration.
        """
        if header is None:
            return self.columns
        declared = {name.lower(): (name, type) for name, type in self.columns}
        return tuple(declared.get(name.lower(), (name, STRING)) for name in column_names(header))

    def columns_in(self, head: Head) -> tuple[NamedType, ...] | None:
        """The columns of a csv file, by its first bytes; None if it should have a header and has no line yet."""
        if not self.file_format.has_header:
            return self.columns
        header = names_in(head, self.file_format)
        return None if header is None else self.bind(header)
