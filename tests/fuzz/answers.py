"""Answers: the rows that runs hand over for each query, in the form in which they are compared."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pyarrow as pa

from tests.fuzz.sources import ORIGIN

AnswerRow = tuple[int, str | None, tuple[Any, ...]]


class Answers:
    """Rows by query: the instant, the sign of a change, the tuple."""

    def __init__(self) -> None:
        self.rows: dict[str, list[AnswerRow]] = {}

    def take(self, query: Any, table: pa.Table) -> None:
        """What a run calls with the rows of a query's batch."""
        names = table.column_names
        signed = len(names) > 1 and names[1] == "_op"
        columns = [column.to_pylist() for column in table.columns]
        found = self.rows.setdefault(query.name, [])
        for values in zip(*columns, strict=True):
            row = tuple(plain_value(value) for value in values[2 if signed else 1 :])
            found.append((instant_of(values[0]), values[1] if signed else None, row))

    def show(self, query: Any, names: list[str], rows: list[tuple[Any, ...]]) -> None:
        """What a run of the command line calls with the rows of a query's batch."""
        signed = len(names) > 1 and names[1] == "_op"
        found = self.rows.setdefault(query.name, [])
        for values in rows:
            row = tuple(plain_value(value) for value in values[2 if signed else 1 :])
            found.append((instant_of(values[0]), values[1] if signed else None, row))


def instant_of(stamp: int | datetime) -> int:
    if isinstance(stamp, datetime):
        return (plain_value(stamp) - ORIGIN) // timedelta(seconds=1)
    return stamp


def plain_value(value: Any) -> Any:
    """A value as the reference has it: moments in UTC without a zone, lists as tuples."""
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value.astimezone(UTC).replace(tzinfo=None)
    return tuple(map(plain_value, value)) if isinstance(value, list) else value
