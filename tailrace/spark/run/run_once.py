"""Run: queries over their sources on a Spark master, from start to end."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from tailrace.analysis.program import Query
from tailrace.columnar.row_values import row_values
from tailrace.progress import Outcome, Watch
from tailrace.spark.batch.run_batch import BatchLoop
from tailrace.spark.io import sinks
from tailrace.spark.io.delivery import Delivery, Take
from tailrace.spark.io.frames import frame_of
from tailrace.spark.run.checkpoint import Checkpoint
from tailrace.spark.run.continuous import Standing, arrival
from tailrace.spark.run.system_streams import System
from tailrace.spark.session import session
from tailrace.spark.session.errors import in_plain_words
from tailrace.spark.time.batch_size import Intake
from tailrace.spark.time.event_clock import Clock
from tailrace.spark.time.load_shedding import Shedding
from tailrace.staging.plan_version import Changed, Edition, Work

Show = Callable[[Query, list[str], list[tuple[Any, ...]]], None]


def run_once(work: Work, master: str, show: Show, watch: Watch) -> Outcome:
    """Answer the queries over all that is there now; `show` gets the rows of those without INTO."""
    with in_plain_words():
        return answer(work, session.start(master, work.settings.spark), {}, shown(show), watch)[0]


def shown(show: Show) -> Take:
    """Hands rows to `show`, by way of Arrow: there a TIMESTAMP is in the session's time zone, not in this machine's."""

    def take(query: Query, rows: pa.Table) -> None:
        columns = [row_values(column) for column in rows.columns]
        show(query, rows.column_names, list(zip(*columns, strict=True)))

    return take


def run_beside(work: Work, spark: SparkSession, frames: Mapping[str, DataFrame], take: Take) -> Outcome:
    """The same beside a user's session and over DataFrames; `take` gets rows as Arrow tables, if only an empty one."""
    taken: set[str] = set()

    def once(query: Query, rows: pa.Table) -> None:
        taken.add(query.name)
        take(query, rows)

    with in_plain_words():
        ours = session.beside(spark, work.settings.spark)
        outcome, clock = answer(work, ours, frames, once, lambda progress: None)
        for query in work.queries:
            if not query.format and query.name not in taken:
                take(query, sinks.columns(query, clock).empty_table())
    return outcome


def answer(
    work: Work, spark: SparkSession, frames: Mapping[str, DataFrame], take: Take, watch: Watch
) -> tuple[Outcome, Clock]:
    """How answering ended, and the clock it went by; `take` gets what goes into no sink."""
    loop = looped(work, spark, frames, take, watch)
    outcome = loop.run_once()
    for query in work.queries:
        sinks.finish(spark, query, work.folder)
    return outcome, loop.heartbeat.clock


def looped(work: Work, spark: SparkSession, frames: Mapping[str, DataFrame], take: Take, watch: Watch) -> BatchLoop:
    """The loop over a work's queries, which writes to their sinks; `take` gets what goes into none."""
    edition, plan = Edition().next(work, 0, -1, -1, {})

    def renew(loop: BatchLoop) -> None:
        nonlocal edition
        if loop.chosen:
            before = edition.with_chosen(loop.chosen)
            edition, loop.plan = before.next(work, loop.batch, loop.past, loop.past, {})
            loop.chosen, loop.fresh = {}, edition.names - before.names

    delivery = Delivery(take, work.folder)
    loop = BatchLoop(spark, plan, work.queries, work.settings, delivery, work.until, watch, work.folder, frames)
    loop.renew = renew
    return loop


def stand(
    work: Work,
    master: str,
    show: Show,
    watch: Watch,
    checkpoint: str | None,
    pace: str | None,
    stopping: Callable[[threading.Event], None],
    changed: Callable[[Changed], None],
) -> Outcome:
    """Answer the queries over all that comes, until stopped or, without a pace, over all that is new.

    Without a checkpoint a later run begins anew.
    """
    with in_plain_words():
        spark = session.start(master, work.settings.spark)
        with session.reachable(spark, checkpoint, work.settings.scratch) as folder:
            standing = stand_up(work, spark, {}, shown(show), watch, folder, pace)
            standing.changed = changed
            stopping(standing.stop)
            outcome = standing.run()
        if pace is None:
            for query in work.queries:
                sinks.finish(spark, query, work.folder)
        return outcome


def stand_beside(
    work: Work,
    spark: SparkSession,
    frames: Mapping[str, DataFrame],
    take: Take,
    folder: str,
    pace: str,
) -> Standing:
    """Queries ready to stand beside a user's session and over DataFrames; `take` gets rows as Arrow tables."""
    ours = session.beside(spark, work.settings.spark)
    standing = stand_up(work, ours, frames, take, lambda progress: None, folder, pace)
    standing.lasting = True
    return standing


def stand_up(
    work: Work,
    spark: SparkSession,
    frames: Mapping[str, DataFrame],
    take: Take,
    watch: Watch,
    folder: str,
    pace: str | None,
) -> Standing:
    """Queries ready to stand, with their checkpoint in a folder; `take` gets what goes into no sink."""
    fixed = {"tick": work.settings.tick, "origin": str(work.settings.origin)}
    kept = Checkpoint.open(folder, fixed)

    def deliver(query: Query, rows: pa.Table) -> None:
        sinks.write(frame_of(spark, rows), query, work.folder) if query.format else take(query, rows)

    def counted(query: Query, rows: pa.Table) -> None:
        system.count(query, len(rows))
        take(query, rows)

    system = System(deliver)
    loop = looped(work, spark, frames, counted, watch)
    loop.standing, loop.ending, loop.now = True, pace is None, arrival
    loop.renew = lambda loop: None  # a standing run has editions of its own
    if pace is not None:
        loop.intake = Intake(work.settings.batch_time / 1_000_000, work.settings.batch_rows)
        loop.shedding = Shedding(loop.intake.target, work.settings.shedding)
    return Standing(loop, kept, pace, work, system)
