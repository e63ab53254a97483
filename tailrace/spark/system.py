"""System: queries over the system's own streams, answered beside the run that they tell of.

They are answered in this process, by the same operators, from the few rows that each batch leaves: so they cause no
batch, cost the run next to nothing, and see time by the clock whatever time the run itself goes by. What they remember
is not in the checkpoint: with a new run they begin anew.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from tailrace.analysis.program import Query
from tailrace.catalog.sources import Stream
from tailrace.catalog.system import BATCHES, OPERATORS, QUERIES, SOURCES
from tailrace.logical.plan import Kind
from tailrace.outcome import Progress, SourceSeen
from tailrace.physical.arrow_types import arrow_type
from tailrace.physical.delta import Delta, elements
from tailrace.physical.explain import name_of
from tailrace.physical.operator import Operator
from tailrace.physical.run_local import LocalRun
from tailrace.spark import sinks
from tailrace.spark.clock import Clock
from tailrace.spark.gauge import Taken
from tailrace.spark.watching import Watching

LOG = logging.getLogger("tailrace")
Rows = dict[str, list[tuple[Any, ...]]]  # of each stream, by name


@dataclass
class System:
    """The queries that watch a run. `deliver` gets their rows; `before` is what was seen before the batch at hand."""

    clock: Clock
    deliver: Callable[[Query, pa.Table], None]
    runs: dict[str, tuple[Watching, LocalRun]] = field(default_factory=dict)
    answered: dict[str, int] = field(default_factory=dict)  # rows of queries in the batch at hand
    before: Mapping[str, SourceSeen] = field(default_factory=dict)
    lock: threading.RLock = field(default_factory=threading.RLock)

    def watch(self, wanted: Sequence[Watching], now: int) -> None:
        """Have these queries watch; those that do already go on. What cannot be answered is refused."""
        with self.lock:
            self.clock = self.clock.started(now)
            instant = self.clock.instant(now)
            known = {name: run for name, run in self.runs.items() if any(each.query is run[0].query for each in wanted)}
            new = [each for each in wanted if each.query.name not in known]
            begun = {each.query.name: (each, LocalRun(each.lowered(instant), instant - 1)) for each in new}
            self.runs = {**known, **begun}

    @property
    def reads(self) -> set[str]:
        """The streams that somebody reads."""
        return {source.name for _, run in self.runs.values() for source in run.plan.sources}

    def begin(self, progress: Callable[[], Progress]) -> None:
        """A batch begins: what it adds is told from here on."""
        if self.runs:
            self.before = {source.name: source for source in progress().sources}
            self.answered = {}

    def count(self, query: Query, rows: int) -> None:
        """Rows that a query of the run answered."""
        if self.runs:
            self.answered[query.name] = self.answered.get(query.name, 0) + rows

    def tell(self, taken: Taken, asked: Callable[[], Progress], queries: Sequence[Query], now: int) -> None:
        """A batch is done."""
        wanted = self.reads
        if not wanted:
            return
        progress = asked()
        makers: dict[Stream, Callable[[], list[tuple[Any, ...]]]] = {
            BATCHES: lambda: [batch_row(taken, progress, self.before, len(queries))],
            SOURCES: lambda: source_rows(taken, progress.sources, self.before),
            QUERIES: lambda: [
                (taken.number, each.name, None if each.format else self.answered.get(each.name, 0)) for each in queries
            ],
            OPERATORS: lambda: operator_rows(taken),
        }
        self.advance(now, {stream.name: make() for stream, make in makers.items() if stream.name in wanted})

    def advance(self, now: int, rows: Rows | None = None) -> None:
        """Time goes on: everything before the instant of `now` is decided, and rows come at that instant."""
        with self.lock:
            for name, (watching, run) in list(self.runs.items()):
                instant = self.clock.instant(now)
                if rows is None and instant - 1 <= run.past:
                    continue
                try:
                    self.step(watching.query, run, instant, rows or {})
                except Exception:
                    # Whoever watches must not stop what is watched.
                    del self.runs[name]
                    LOG.warning("%s failed and watches no more", name, exc_info=True)

    def step(self, query: Query, run: LocalRun, instant: int, rows: Rows) -> None:
        given = {each.name: arrived(each, rows[each.name], instant) for each in streams(run) if rows.get(each.name)}
        found = run.batch(given, max(instant - 1, run.past))[query.name]
        if len(found):
            self.deliver(query, table_of(query, found, self.clock))


def streams(run: LocalRun) -> list[Stream]:
    return [source for source in run.plan.sources if isinstance(source, Stream)]


def arrived(stream: Stream, rows: Sequence[tuple[Any, ...]], instant: int) -> Delta:
    columns = [pa.array([row[at] for row in rows], arrow_type(each.type)) for at, each in enumerate(stream.schema)]
    return elements(np.full(len(rows), instant, np.int64), columns)


def table_of(query: Query, rows: Delta, clock: Clock) -> pa.Table:
    """Rows as a sink has them: a copy for each time that a row is there."""
    single = rows.take(np.repeat(np.arange(len(rows)), np.abs(rows.weight)))
    columns: list[Any] = [pa.array(single.start * clock.tick + (clock.origin or 0))]
    if query.kind is Kind.RELATION:
        columns.append(pa.array(np.where(single.weight > 0, "+", "-").tolist(), pa.string()))
    schema = sinks.columns(query, clock)
    return pa.table([each.cast(of.type) for each, of in zip([*columns, *single.columns], schema, strict=True)], schema)


# Rows -----------------------------------------------------------------------------------------------------


def grown(now: int, before: int) -> int:
    """How much a count has grown; sources that come and go may have less than before."""
    return max(0, now - before)


def batch_row(taken: Taken, progress: Progress, before: Mapping[str, SourceSeen], queries: int) -> tuple[Any, ...]:
    sums = [
        sum(grown(getattr(each, what), getattr(before.get(each.name, NONE), what)) for each in progress.sources)
        for what in ("rows", "late", "shed")
    ]
    return (taken.number, taken.seconds, *sums, queries, progress.heartbeat)


def source_rows(taken: Taken, seen: Sequence[SourceSeen], before: Mapping[str, SourceSeen]) -> list[tuple[Any, ...]]:
    found = []
    for each in seen:
        was = before.get(each.name, NONE)
        counts = grown(each.rows, was.rows), grown(each.late, was.late), grown(each.shed, was.shed)
        found.append((taken.number, each.name, *counts, each.newest, each.silent, each.waited))
    return found


def operator_rows(taken: Taken) -> list[tuple[Any, ...]]:
    """Operators as EXPLAIN counts stages, from one; steps as they run."""
    found = []
    for (stage, step), each in sorted(taken.operators.items()):
        work = taken.plan.stages[stage].plan.steps[step].work
        name = name_of(work) if isinstance(work, Operator) else "feed"
        figures = each.rows_in, each.rows_out, each.seconds, each.remembered, each.bytes
        found.append((taken.number, stage + 1, step, name, *figures))
    return found


NONE = SourceSeen("")
