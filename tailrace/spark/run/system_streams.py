"""System streams: runs queries over the system's own streams, which report on batches, sources, queries and operators.

These queries run in the driver's process, with the same operators, over the few rows that each batch reports. So they
cause no batch and cost the run next to nothing. Their time is the clock, whatever time the run itself has. Their state
is not in the checkpoint: they start empty with each run.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from tailrace.catalog.sources import Stream
from tailrace.catalog.system_streams import BATCHES, OPERATORS, QUERIES, SOURCES
from tailrace.columnar.arrow_types import arrow_type
from tailrace.columnar.delta import Delta, elements
from tailrace.logical.plan import Kind
from tailrace.logical.queries import QueryDefinition
from tailrace.operators.local_run import LocalRun
from tailrace.operators.operator import Operator, TaskContext
from tailrace.progress import Progress, SourceProgress
from tailrace.spark.batch.task_reports import StepMetrics
from tailrace.spark.io import sinks
from tailrace.spark.time.event_clock import EventClock
from tailrace.staging.explain import name_of
from tailrace.staging.plan_version import SystemQueryPlan
from tailrace.staging.stages import StagedPlan

LOG = logging.getLogger("tailrace")
Columns = dict[str, list[pa.Array]]  # the columns of each system stream, by its name


@dataclass(frozen=True)
class BatchReport:
    """What is reported of a finished batch: its number, its duration, its plan, and the metrics of the plan's steps.

    `failures` has the queries that are quarantined, and why.
    """

    number: int
    seconds: float
    plan: StagedPlan
    operators: StepMetrics = field(default_factory=dict)
    failures: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class SystemQuery:
    """A running query over system streams: its plan, its operators with their state, and a clock in its ticks."""

    watching: SystemQueryPlan
    run: LocalRun
    clock: EventClock
    waiting: list[tuple[int, Columns]] = field(default_factory=list)  # reported rows, until their instants are over

    def tell(self, moment: int, rows: Columns) -> None:
        read = {source.name: rows[source.name] for source in self.run.plan.sources}
        # Another thread may have decided the instant in the meantime: then the rows belong to the next one.
        self.waiting.append((max(self.clock.instant(moment), self.run.past + 1), read))

    def step(self, moment: int) -> pa.Table | None:
        """Decide all instants before that of `moment`; returns the result rows, None if there are none."""
        to = self.clock.instant(moment) - 1
        if to <= self.run.past:
            return None
        query, names = self.watching.query, [source.name for source in self.run.plan.sources] if self.waiting else []
        given = {name: elements_of([(instant, rows[name]) for instant, rows in self.waiting]) for name in names}
        self.waiting.clear()
        found = self.run.batch(given, to)[query.name]
        return table_of(query, found, self.clock) if len(found) else None


@dataclass
class SystemStreams:
    """All queries over the system streams of a run; `deliver` gets their rows."""

    deliver: Callable[[QueryDefinition, pa.Table], None]
    origin: int | None = None  # the clock when `watch` was first called: instant 0 of these queries
    seats: list[SystemQuery] = field(default_factory=list)
    answered: dict[str, int] = field(default_factory=dict)  # rows delivered in the current batch, by query
    before: Mapping[str, SourceProgress] = field(default_factory=dict)  # as it was before the current batch
    lock: threading.RLock = field(default_factory=threading.RLock)

    def watch(self, wanted: Sequence[SystemQueryPlan], now: int) -> None:
        """Run exactly these queries; those that already run keep their state. Raises a RunError if one cannot run."""
        with self.lock:
            self.origin = now if self.origin is None else self.origin
            there = {id(each.query) for each in wanted}
            known = [seat for seat in self.seats if id(seat.watching.query) in there]
            seated = {id(seat.watching.query) for seat in known}
            new = [self.seat(each, now) for each in wanted if id(each.query) not in seated]
            self.seats = [*known, *new]

    def seat(self, watching: SystemQueryPlan, now: int) -> SystemQuery:
        clock = EventClock(watching.tick, False).with_origin(self.origin)
        instant = clock.instant(now)
        operators = watching.versions.plan_system_query(watching.query, instant)
        context = TaskContext(origin=clock.ticks_to_origin, in_ticks=False)
        return SystemQuery(watching, LocalRun(operators, instant - 1, context=context), clock)

    @property
    def reads(self) -> set[str]:
        """The names of the system streams that some query reads."""
        return {source.name for seat in self.seats for source in seat.run.plan.sources}

    def begin(self, progress: Callable[[], Progress]) -> None:
        """Note the progress of the sources before a batch, from which its growth is computed."""
        if self.seats:
            self.before = {source.name: source for source in progress().sources}
            self.answered = {}

    def count(self, query: QueryDefinition, rows: int) -> None:
        """Count rows that a query of the run delivered in the current batch."""
        if self.seats:
            self.answered[query.name] = self.answered.get(query.name, 0) + rows

    def tell(
        self, taken: BatchReport, asked: Callable[[], Progress], queries: Sequence[QueryDefinition], now: int
    ) -> None:
        """Report a finished batch: add its rows to the system streams that are read, at the instant of `now`."""
        if not self.seats:
            return
        progress = asked()
        makers: dict[Stream, Callable[[], list[tuple[Any, ...]]]] = {
            BATCHES: lambda: [batch_row(taken, progress, self.before, len(queries))],
            SOURCES: lambda: source_rows(taken, progress.sources, self.before),
            QUERIES: lambda: query_rows(taken, queries, self.answered),
            OPERATORS: lambda: operator_rows(taken),
        }
        with self.lock:
            wanted = self.reads
            told = {stream.name: columns_of(stream, make()) for stream, make in makers.items() if stream.name in wanted}
            for seat in self.seats:
                seat.tell(now, told)

    def advance(self, now: int) -> None:
        """Decide all instants before that of `now`, and deliver the results; a query that fails is removed."""
        with self.lock:
            for seat in list(self.seats):
                try:
                    found = seat.step(now)
                    if found is not None:
                        (seat.watching.take or self.deliver)(seat.watching.query, found)
                except Exception:
                    # A query over system streams must not stop the run.
                    self.seats.remove(seat)
                    LOG.warning("%s failed and was removed", seat.watching.query.name, exc_info=True)


def columns_of(stream: Stream, rows: Sequence[tuple[Any, ...]]) -> list[pa.Array]:
    return [pa.array([row[at] for row in rows], arrow_type(each.type)) for at, each in enumerate(stream.schema)]


def elements_of(rows: Sequence[tuple[int, list[pa.Array]]]) -> Delta:
    """Turn rows reported at several instants, as columns, into the elements of a stream."""
    lengths = [len(columns[0]) for _, columns in rows]
    instants = np.repeat(np.array([instant for instant, _ in rows], np.int64), lengths)
    return elements(
        instants, [pa.concat_arrays(parts) for parts in zip(*(columns for _, columns in rows), strict=True)]
    )


def table_of(query: QueryDefinition, rows: Delta, clock: EventClock) -> pa.Table:
    """Turn a query's rows into a table as sinks have it, with `_ts` and `_op`; each copy of a row is a row."""
    single = rows.one_per_copy()
    columns: list[Any] = [pa.array(single.start * clock.tick + (clock.origin or 0))]
    if query.kind is Kind.RELATION:
        columns.append(pa.array(np.where(single.weight > 0, "+", "-").tolist(), pa.string()))
    schema = sinks.columns(query, clock)
    return pa.table([each.cast(of.type) for each, of in zip([*columns, *single.columns], schema, strict=True)], schema)


# Rows -----------------------------------------------------------------------------------------------------


def growth(now: int, before: int) -> int:
    """How much a count has grown; never below 0: a source that left and came back may count less than before."""
    return max(0, now - before)


def batch_row(
    taken: BatchReport, progress: Progress, before: Mapping[str, SourceProgress], queries: int
) -> tuple[Any, ...]:
    sums = [
        sum(growth(getattr(each, what), getattr(before.get(each.name, NONE), what)) for each in progress.sources)
        for what in ("rows", "late", "shed")
    ]
    return (taken.number, taken.seconds, *sums, queries, progress.watermark)


def source_rows(
    taken: BatchReport, seen: Sequence[SourceProgress], before: Mapping[str, SourceProgress]
) -> list[tuple[Any, ...]]:
    found = []
    for each in seen:
        was = before.get(each.name, NONE)
        counts = growth(each.rows, was.rows), growth(each.late, was.late), growth(each.shed, was.shed)
        found.append((taken.number, each.name, *counts, each.newest, each.idle_seconds, each.holds_watermark))
    return found


def query_rows(
    taken: BatchReport, queries: Sequence[QueryDefinition], answered: Mapping[str, int]
) -> list[tuple[Any, ...]]:
    running = [query for query in queries if query.name not in taken.failures]
    found = [(taken.number, each.name, None if each.format else answered.get(each.name, 0), None) for each in running]
    return [*found, *((taken.number, name, None, failure) for name, failure in taken.failures.items())]


def operator_rows(taken: BatchReport) -> list[tuple[Any, ...]]:
    """The rows of the system stream of operators; stages count from 1, as in EXPLAIN, and steps from 0."""
    found = []
    for (stage, step), each in sorted(taken.operators.items()):
        work = taken.plan.stages[stage].plan.steps[step].work
        name = name_of(work) if isinstance(work, Operator) else "input"
        figures = each.rows_in, each.rows_out, each.seconds, each.state_rows, each.state_bytes
        found.append((taken.number, taken.plan.since_batch, stage + 1, step, name, *figures))
    return found


NONE = SourceProgress("")
