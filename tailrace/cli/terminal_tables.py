"""Terminal tables: the rows of queries without INTO under each query's name; and a run's progress line."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from shutil import get_terminal_size
from typing import Any, TextIO

from tailrace.logical.queries import QueryDefinition
from tailrace.progress import Progress

WIDTH = 78  # if the terminal's width is not known
PATIENCE = 5.0  # seconds of silence after which the source that holds the watermark back is named


def table(name: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """The rows as a table with aligned columns, numbers to the right.

    >>> print(table("tolls", ["_ts", "car"], [(3, "A1"), (12, None)]))
    tolls
     _ts  car
       3  A1
      12
    """
    head, lines, _ = align_table(columns, rows)
    return "\n".join([name, head, *lines])


def align_table(
    columns: Sequence[str], rows: Sequence[Sequence[Any]], least: Sequence[int] = ()
) -> tuple[str, list[str], list[int]]:
    """The header, the lines and the widths of a table; columns are at least as wide as `least`, so that it can grow."""
    texts = [["" if value is None else readable(value) for value in row] for row in rows]
    before = least or [0] * len(columns)
    widths = [max([len(name), before[i], *(len(row[i]) for row in texts)]) for i, name in enumerate(columns)]
    right = [is_number([row[i] for row in rows if row[i] is not None]) for i in range(len(columns))]

    def line(cells: Sequence[str]) -> str:
        padded = [
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(cells, widths, right, strict=True)
        ]
        return (" " + "  ".join(padded)).rstrip()

    return line(columns), [line(row) for row in texts], widths


def is_number(values: Sequence[Any]) -> bool:
    """Whether a column has values and all of them are numbers."""
    return bool(values) and all(isinstance(value, (int, float, Decimal)) for value in values)


def readable(value: Any) -> str:
    """A value as text, much as Spark writes it. A map is given as a list of pairs.

    >>> from datetime import UTC
    >>> at = datetime(2024, 3, 1, 10, tzinfo=UTC)
    >>> readable(at), readable({"at": at, "tags": ["a", None]}), readable([("one", 1), ("two", 2)])
    ('2024-03-01 10:00:00', '{at: 2024-03-01 10:00:00, tags: [a, NULL]}', '[one: 1, two: 2]')
    """
    match value:
        case None:
            return "NULL"
        case datetime():
            # All timestamps are in the session's time zone, so it is not shown.
            return str(value.replace(tzinfo=None))
        case dict():
            return "{" + ", ".join(f"{name}: {readable(each)}" for name, each in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(readable, value)) + "]"
        case tuple():
            return ": ".join(map(readable, value))
        case _:
            return str(value)


@dataclass
class PrintedResults:
    """Collects the rows of queries; `text` has them query by query, by instant, deletions before insertions."""

    names: dict[str, list[str]] = field(default_factory=dict)
    rows: dict[str, list[tuple[Any, ...]]] = field(default_factory=dict)

    def take(self, query: QueryDefinition, columns: list[str], rows: list[tuple[Any, ...]]) -> None:
        self.names[query.name] = columns
        known = [] if query.is_snapshot else self.rows.get(query.name, [])
        self.rows[query.name] = known + rows

    def text(self) -> str:
        return "\n\n".join(table(name, columns, self.rows_in_order(name)) for name, columns in self.names.items())

    def rows_in_order(self, name: str) -> list[tuple[Any, ...]]:
        """The rows of a query by instant, deletions first ('-' would sort after '+')."""
        columns = self.names[name]
        if columns[:1] != ["_ts"]:
            return self.rows[name]
        if columns[1:2] == ["_op"]:
            return sorted(self.rows[name], key=lambda row: (row[0], row[1] == "+"))
        return sorted(self.rows[name], key=lambda row: row[0])


@dataclass
class Printed:
    """Prints the rows of running queries, those of each batch as soon as they come."""

    out: TextIO
    meter: ProgressLine

    def take(self, query: QueryDefinition, columns: list[str], rows: list[tuple[Any, ...]]) -> None:
        if rows:
            self.meter.clear()
            answers = PrintedResults()
            answers.take(query, columns, rows)
            print(answers.text(), file=self.out, flush=True)


@dataclass
class ProgressLine:
    """One line on a terminal that says how far a run is. Writes nothing if the output is no terminal."""

    out: TextIO
    begun: float = field(default_factory=time.monotonic)

    def show(self, progress: Progress) -> None:
        if self.out.isatty():
            room = width()
            self.out.write("\r" + line(progress, time.monotonic() - self.begun).ljust(room)[:room])
            self.out.flush()

    def clear(self) -> None:
        if self.out.isatty():
            self.out.write("\r" + " " * width() + "\r")
            self.out.flush()


def width() -> int:
    """The length of the progress line: one less than the terminal is wide."""
    return get_terminal_size((WIDTH + 1, 1)).columns - 1


def line(progress: Progress, seconds: float) -> str:
    """The progress line: rows, rows per second and the watermark; or which source holds the watermark back.

    >>> line(Progress(120_000, "2024-03-01 10:00:00"), 2.0)
    '120,000 rows, 60,000 rows/s, everything known up to 2024-03-01 10:00:00'
    >>> from tailrace.progress import LaggingSource
    >>> line(Progress(120_000, "2024-03-01 10:00:00", LaggingSource("S", 12.3, "Calls", "10:00:05")), 2.0)
    '120,000 rows; S holds the watermark back: no rows for 12 s, 10:00:05 behind Calls'
    """
    if progress.held and progress.held.idle_seconds >= PATIENCE:
        return f"{progress.rows:,} rows; {progress.held.describe()}"
    known = f", everything known up to {progress.watermark}" if progress.watermark else ""
    shed = sum(source.shed for source in progress.sources)
    known += f", {shed:,} rows shed" if shed else ""
    return f"{progress.rows:,} rows, {progress.rows / max(seconds, 0.001):,.0f} rows/s{known}"
