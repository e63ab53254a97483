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
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from tailrace.columnar.row_values import row_values
from tailrace.logical.queries import QueryDefinition
from tailrace.progress import RunSummary, Watch
from tailrace.spark.batch.run_batch import BatchLoop
from tailrace.spark.io import sinks
from tailrace.spark.io.delivery import Sinks, Take
from tailrace.spark.io.frames import frame_of
from tailrace.spark.run.checkpoint import Checkpoint
from tailrace.spark.run.continuous import ContinuousRun, arrival
from tailrace.spark.run.system_streams import SystemStreams
from tailrace.spark.session import session
from tailrace.spark.session.errors import translate_spark_errors
from tailrace.spark.time.batch_size import BatchSizeController
from tailrace.spark.time.event_clock import EventClock
from tailrace.spark.time.load_shedding import LoadShedder
from tailrace.staging.plan_version import PlanChange, PlanVersion, QuerySet

Show = Callable[[QueryDefinition, list[str], list[tuple[Any, ...]]], None]


def run_once(work: QuerySet, master: str, show: Show, watch: Watch) -> RunSummary:
    """Run the queries over all rows that are there now; `show` gets the rows of queries without INTO."""
    with translate_spark_errors():
        return answer(work, session.start(master, work.settings.spark), {}, as_row_consumer(show), watch)[0]


def as_row_consumer(show: Show) -> Take:
    """Make `show` a consumer of Arrow tables: these have TIMESTAMPs in the session's time zone, not the machine's."""

    def take(query: QueryDefinition, rows: pa.Table) -> None:
        columns = [row_values(column) for column in rows.columns]
        show(query, rows.column_names, list(zip(*columns, strict=True)))

    return take


def run_beside(work: QuerySet, spark: SparkSession, frames: Mapping[str, DataFrame], take: Take) -> RunSummary:
    """Run the queries once in a private session beside the user's, over files and the user's DataFrames.

    `take` gets the rows of each query without INTO as Arrow tables; a query without rows gets one empty table.
    """
    taken: set[str] = set()

    def once(query: QueryDefinition, rows: pa.Table) -> None:
        taken.add(query.name)
        take(query, rows)

    with translate_spark_errors():
        ours = session.private_session(spark, work.settings.spark)
        outcome, clock = answer(work, ours, frames, once, lambda progress: None)
        for query in work.queries:
            if not query.format and query.name not in taken:
                take(query, sinks.columns(query, clock).empty_table())
    return outcome


def answer(
    work: QuerySet, spark: SparkSession, frames: Mapping[str, DataFrame], take: Take, watch: Watch
) -> tuple[RunSummary, EventClock]:
    """Run the queries once and mark their sinks as finished; returns the summary and the clock of the run."""
    loop = open_batch_loop(work, spark, frames, take, watch)
    outcome = loop.run_once()
    for query in work.queries:
        sinks.finish(spark, query, work.folder)
    return outcome, loop.watermarks.clock


def open_batch_loop(
    work: QuerySet, spark: SparkSession, frames: Mapping[str, DataFrame], take: Take, watch: Watch
) -> BatchLoop:
    """The batch loop of a query set; rows go to the queries' sinks, or to `take` if a query has none.

    Before each batch the loop plans anew if other strategies have become cheaper.
    """
    edition, plan = work.versions.advance(PlanVersion(), 0, -1, -1, {})

    def renew(loop: BatchLoop) -> None:
        nonlocal edition
        if loop.better_strategies:
            before = edition.with_chosen(loop.better_strategies)
            edition, loop.plan = work.versions.advance(before, loop.batch, loop.decided_until, loop.decided_until, {})
            loop.better_strategies, loop.new_states = {}, edition.names - before.names

    delivery = Sinks(take, work.folder)
    loop = BatchLoop(spark, plan, work.queries, work.settings, delivery, work.until, watch, work.folder, frames)
    loop.renew = renew
    return loop


def stand(
    work: QuerySet,
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
        spark = session.start(master, work.settings.spark)
        with session.open_state_folder(spark, checkpoint, work.settings.scratch) as folder:
            standing = stand_up(work, spark, {}, as_row_consumer(show), watch, folder, pace)
            standing.on_plan_change = changed
            stopping(standing.stop)
            outcome = standing.run()
        if pace is None:
            for query in work.queries:
                sinks.finish(spark, query, work.folder)
        return outcome


def stand_beside(
    work: QuerySet,
    spark: SparkSession,
    frames: Mapping[str, DataFrame],
    take: Take,
    folder: str,
    pace: str,
) -> ContinuousRun:
    """A continuous run, not yet started, in a private session beside the user's and over the user's DataFrames."""
    ours = session.private_session(spark, work.settings.spark)
    standing = stand_up(work, ours, frames, take, lambda progress: None, folder, pace)
    standing.lasting = True
    return standing


def stand_up(
    work: QuerySet,
    spark: SparkSession,
    frames: Mapping[str, DataFrame],
    take: Take,
    watch: Watch,
    folder: str,
    pace: str | None,
) -> ContinuousRun:
    """A continuous run, not yet started, with its checkpoint in `folder`; `take` gets rows that go to no sink."""
    fixed = {"tick": work.settings.tick, "origin": str(work.settings.origin)}
    kept = Checkpoint.open(folder, fixed)

    def deliver(query: QueryDefinition, rows: pa.Table) -> None:
        sinks.write(frame_of(spark, rows), query, work.folder) if query.format else take(query, rows)

    def count_and_take(query: QueryDefinition, rows: pa.Table) -> None:
        system.count(query, len(rows))
        take(query, rows)

    system = SystemStreams(deliver)
    loop = open_batch_loop(work, spark, frames, count_and_take, watch)
    loop.is_continuous, loop.decides_all, loop.now = True, pace is None, arrival
    loop.renew = lambda loop: None  # ContinuousRun.advance_plan does it
    if pace is not None:
        loop.batch_size = BatchSizeController(work.settings.batch_time / 1_000_000, work.settings.batch_rows)
        loop.shedding = LoadShedder(loop.batch_size.target, work.settings.shedding)
    return ContinuousRun(loop, kept, pace, work, system)
