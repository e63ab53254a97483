"""Run once: the ways to run a set of queries: once or continuously, on a master or beside a user's session.

| | takes what is there and ends | goes on |
|---|---|---|
| on a master, for the command line | `run_once` | `stand` |
| beside a user's session, for Python | `run_beside` | `stand_beside` |

In all of them `take` (or `show`) gets the rows of queries without INTO; other rows go to the queries' sinks.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from tailrace.columnar.row_values import row_values
from tailrace.logical.queries import QueryDefinition
from tailrace.logical.time.window_tables import end_of_windows
from tailrace.progress import RunSummary, Watch
from tailrace.spark.batch.run_batch import decide_instants, find_end, run_batch
from tailrace.spark.batch.run_state import BatchInput, RunningPlan, RunState
from tailrace.spark.batch.services import RunSetup, open_services, start_stream
from tailrace.spark.io import sinks
from tailrace.spark.io.delivery import Deliver, Sinks, Take
from tailrace.spark.io.frames import frame_of
from tailrace.spark.io.sinks import BatchId
from tailrace.spark.run.checkpoint import Checkpoint
from tailrace.spark.run.continuous import ContinuousRun, RunObserver
from tailrace.spark.run.system_streams import SystemStreams
from tailrace.spark.session import session
from tailrace.spark.session.errors import translate_spark_errors
from tailrace.spark.time.event_clock import EventClock
from tailrace.spark.time.steady_clock import SteadyClock
from tailrace.staging.plan_version import PlanChange, QuerySet
from tailrace.state.storage import store_at

Show = Callable[[QueryDefinition, list[str], list[tuple[Any, ...]]], None]


def run_once(queries: QuerySet, master: str, show: Show, watch: Watch) -> RunSummary:
    """Run the queries over all rows that are there now; `show` gets the rows of queries without INTO."""
    with translate_spark_errors():
        return answer(queries, session.start(master, queries.settings.spark), {}, as_row_consumer(show), watch)[0]


def as_row_consumer(show: Show) -> Take:
    """Make `show` a consumer of Arrow tables: these have TIMESTAMPs in the session's time zone, not the machine's."""

    def take(query: QueryDefinition, rows: pa.Table) -> None:
        columns = [row_values(column) for column in rows.columns]
        show(query, rows.column_names, list(zip(*columns, strict=True)))

    return take


def run_beside(queries: QuerySet, spark: SparkSession, frames: Mapping[str, DataFrame], take: Take) -> RunSummary:
    """Run the queries once in a private session beside the user's, over files and the user's DataFrames.

    `take` gets the rows of each query without INTO as Arrow tables; a query without rows gets one empty table.
    """
    taken: set[str] = set()

    def once(query: QueryDefinition, rows: pa.Table) -> None:
        taken.add(query.name)
        take(query, rows)

    with translate_spark_errors():
        ours = session.private_session(spark, queries.settings.spark)
        outcome, clock = answer(queries, ours, frames, once, lambda progress: None)
        for query in queries.queries:
            if not query.format and query.name not in taken:
                take(query, sinks.columns(query, clock).empty_table())
    return outcome


def answer(
    queries: QuerySet, spark: SparkSession, frames: Mapping[str, DataFrame], take: Take, watch: Watch
) -> tuple[RunSummary, EventClock]:
    """Run the queries once and mark their sinks as finished; returns the summary and the clock of the run."""
    setup = RunSetup(queries.settings, queries.folder, queries.until, frames)
    outcome, state = run_to_end(queries, spark, setup, Sinks(take, queries.folder), watch)
    for query in queries.queries:
        sinks.finish(spark, query, queries.folder)
    return outcome, state.watermark.clock


def run_to_end(
    queries: QuerySet,
    spark: SparkSession,
    setup: RunSetup,
    deliver: Deliver,
    watch: Watch = lambda progress: None,
    batch_id: BatchId | None = None,
) -> tuple[RunSummary, RunState]:
    """Process all rows that are there and decide every instant; strategies are chosen anew before each batch."""
    plan = RunningPlan.start(queries)
    with (
        session.open_state_folder(spark, None, setup.settings.scratch) as folder,
        open_services(spark, plan, setup, deliver, f"{folder}/state") as services,
    ):
        state = services.first_state()

        def on_batch(frame: DataFrame | None, _: int = 0) -> None:
            nonlocal state, plan
            if state.better_strategies and plan.version is not None:
                plan = RunningPlan.advance(queries, plan.version.with_chosen(state.better_strategies), state)
            batch = BatchInput(frame, setup.now(), batch_id)
            state = state.after(run_batch(batch, state, plan, services))
            watch(state.progress(services.sources.tracker, batch.arrived_at))

        if services.sources.streams:
            offsets = store_at(folder).below("offsets").for_spark
            start_stream(services, offsets, on_batch, StreamingQuery.awaitTermination, availableNow=True)
        if services.sources.complete and state.next_batch == 0:
            on_batch(None)
        # If no row showed the kind of time, time is in ticks and stands at the first instant.
        clock = state.watermark.clock.with_ticks_known(True)
        state = replace(state, watermark=replace(state.watermark, clock=clock))
        end = find_end(state, services)
        if setup.until is None and state.watermark.newest:
            end = end_of_windows((query.plan for query in queries.queries), end, clock.ticks_to_origin)
        if end > state.decided_until or state.next_batch == 0:
            state = state.after(decide_instants(end, BatchInput(None, id=batch_id), state, plan, services))
        return services.sources.summarize(state), state


def stand(
    queries: QuerySet,
    master: str,
    show: Show,
    watch: Watch,
    checkpoint: str | None,
    pace: str | None,
    stopping: Callable[[threading.Event], None],
    changed: Callable[[PlanChange], None],
) -> RunSummary:
    """Run the queries continuously on a master, a batch at most every `pace`, until stopped.

    Without a pace the run takes what is new since the last run and ends. Without a checkpoint a later run starts empty.
    `stopping` gets the event that stops the run; `changed` is called when queries have changed.
    """
    with translate_spark_errors():
        spark = session.start(master, queries.settings.spark)
        with session.open_state_folder(spark, checkpoint, queries.settings.scratch) as folder:
            observer = RunObserver(as_row_consumer(show), watch, changed)
            setup = continuous_setup(queries, pace, checkpoint is not None)
            standing = stand_up(queries, spark, observer, folder, setup)
            stopping(standing.stop)
            outcome = standing.run()
        if pace is None:
            for query in queries.queries:
                if query.name not in standing.state.quarantined:
                    sinks.finish(spark, query, queries.folder)
        return outcome


def stand_beside(
    queries: QuerySet,
    spark: SparkSession,
    frames: Mapping[str, DataFrame],
    observer: RunObserver,
    folder: str,
    pace: str,
    is_kept: bool,
) -> ContinuousRun:
    """A continuous run, not yet started, in a private session beside the user's and over the user's DataFrames.

    Its checkpoint is in `folder`, which `is_kept` for later runs, or is removed at the end.
    """
    ours = session.private_session(spark, queries.settings.spark)
    setup = continuous_setup(queries, pace, is_kept, frames, lasting=True)
    return stand_up(queries, ours, observer, folder, setup)


def continuous_setup(
    queries: QuerySet,
    pace: str | None,
    is_kept: bool,
    frames: Mapping[str, DataFrame] | None = None,
    lasting: bool = False,
) -> RunSetup:
    """How a continuous run is made; nothing is synced if its checkpoint is not kept."""
    settings, clock = queries.settings, SteadyClock()
    setup = RunSetup(settings, queries.folder, queries.until, frames or {}, True, pace, lasting, clock.now)
    setup = replace(setup, reach=clock.reach, has_been_set_back=clock.has_been_set_back)
    return replace(setup, is_durable=is_kept and settings.durability == "full")


def stand_up(
    queries: QuerySet, spark: SparkSession, observer: RunObserver, folder: str, setup: RunSetup
) -> ContinuousRun:
    """A continuous run, not yet started, with its checkpoint in `folder`."""
    fixed = {"tick": queries.settings.tick, "origin": str(queries.settings.origin)}
    kept = Checkpoint.open(folder, fixed, setup.is_durable)

    def deliver(query: QueryDefinition, rows: pa.Table) -> None:
        sinks.write(frame_of(spark, rows), query, queries.folder) if query.format else observer.on_rows(query, rows)

    def count_and_take(query: QueryDefinition, rows: pa.Table) -> None:
        system.count(query, len(rows))
        observer.on_rows(query, rows)

    system = SystemStreams(deliver)
    return ContinuousRun(spark, setup, Sinks(count_and_take, queries.folder), kept, queries, system, observer)
