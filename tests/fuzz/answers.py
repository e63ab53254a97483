"""Answers: the rows that runs hand over for each query, in the form in which they are compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pyarrow as pa

from tailrace.testing.random_scripts.sources import ORIGIN

AnswerRow = tuple[int, str | None, tuple[Any, ...]]


class Answers:
    """Rows by query: the instant, the sign of a change, the tuple."""

    def __init__(self) -> None:
        self.rows: dict[str, list[AnswerRow]] = {}

    def take(self, query: Any, table: pa.Table) -> None:
        """What a run calls with the rows of a query's batch."""
        columns = [column.to_pylist() for column in table.columns]
        self.add(query.name, table.column_names, zip(*columns, strict=True))

    def add(self, name: str, columns: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> None:
        is_signed = len(columns) > 1 and columns[1] == "_op"
        found = self.rows.setdefault(name, [])
        for values in rows:
            row = tuple(plain_value(value) for value in values[2 if is_signed else 1 :])
            found.append((instant_of(values[0]), values[1] if is_signed else None, row))

    def of(self, name: str) -> list[AnswerRow]:
        return self.rows.get(name, [])


def instant_of(stamp: int | datetime) -> int:
    if isinstance(stamp, datetime):
        return (plain_value(stamp) - ORIGIN) // timedelta(seconds=1)
    return stamp


def plain_value(value: Any) -> Any:
    """A value as the reference has it: moments in UTC without a zone, lists as tuples."""
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value.astimezone(UTC).replace(tzinfo=None)
    return tuple(map(plain_value, value)) if isinstance(value, list) else value
