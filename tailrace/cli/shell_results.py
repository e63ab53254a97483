"""Shell results: shows the rows of running queries as they arrive, as a growing table, until they are stopped."""

from __future__ import annotations

import queue
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Event
from typing import TYPE_CHECKING, Any, TextIO

from tailrace.cli.terminal_tables import ProgressLine, align_table
from tailrace.columnar.row_values import row_values
from tailrace.engine.engine import Engine, Query

if TYPE_CHECKING:
    import pyarrow as pa

WAIT = 0.2  # seconds without rows after which the progress line is shown


@dataclass
class LiveTable:
    """A table that grows. Its header is printed once, and again when a column has become wider.

    >>> table = LiveTable("tolls", sys.stdout)
    >>> table.show(["_ts", "car"], [(3, "A1")])
    tolls
     _ts  car
       3  A1
    >>> table.show(["_ts", "car"], [(12, None)])
      12
    >>> table.rows
    2
    """

    title: str
    out: TextIO
    rows: int = 0
    widths: list[int] = field(default_factory=list)

    def show(self, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        before = self.widths
        head, lines, self.widths = align_table(columns, rows, before)
        if self.widths != before:
            print("\n".join(filter(None, [self.title, head])), file=self.out)
        if lines:
            print("\n".join(lines), file=self.out, flush=True)
        self.rows += len(rows)


def rows_of(table: pa.Table) -> list[tuple[Any, ...]]:
    """The rows of an Arrow table."""
    return list(zip(*(row_values(column) for column in table.columns), strict=True))


@contextmanager
def interruptible() -> Iterator[Event]:
    """While the block runs, Ctrl-C only sets the event. Spark's own handling of Ctrl-C would end its jobs."""
    asked = Event()
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, lambda number, frame: asked.set())
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)


class LiveResults:
    """Collects the rows of the queries that it follows, from then on, and shows them."""

    def __init__(self) -> None:
        self.batches: queue.Queue[tuple[str, pa.Table]] = queue.Queue()
        self.following: list[tuple[Query, Any]] = []

    def follow(self, query: Query) -> None:
        """Collect the rows of a query from now on. A query with a sink is left out."""
        if query.definition.format:
            return

        def take(table: pa.Table) -> None:
            self.batches.put((query.name, table))

        query.subscribe(take, tables=True)
        self.following.append((query, take))

    def leave(self) -> None:
        for query, take in self.following:
            with suppress(ValueError):  # this subscriber fell behind and was dropped already
                query.unsubscribe(take)

    def show(self, engine: Engine, stop: Event, titled: bool) -> tuple[int, float | None]:
        """Show rows until `stop` is set or the run ends.

        Returns how many rows came, and after how many seconds the first of them did.
        """
        meter, begun, first = ProgressLine(sys.stderr), time.monotonic(), None
        tables: dict[str, LiveTable] = {}
        last = ""
        while True:
            try:
                name, table = self.batches.get(timeout=WAIT)
            except queue.Empty:
                if stop.is_set() or not engine.running:
                    break
                progress = engine.progress()
                if progress is not None:
                    meter.show(progress)
                continue
            meter.clear()
            first = first or time.monotonic() - begun
            shown = tables.setdefault(name, LiveTable(name if titled else "", sys.stdout))
            if last != name:
                shown.widths = []
            last = name
            shown.show(table.column_names, rows_of(table))
            if stop.is_set():
                break
        meter.clear()
        return sum(each.rows for each in tables.values()), first
