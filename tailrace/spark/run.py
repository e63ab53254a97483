"""Run: queries over their sources on a Spark master, from start to end."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from tailrace.analysis.program import Query
from tailrace.catalog.sources import Relation, Stream
from tailrace.logical.explain import tree
from tailrace.outcome import Outcome, Watch
from tailrace.physical.cut_stages import StagedPlan, cut_stages
from tailrace.physical.plan import PhysicalPlan
from tailrace.settings import Settings
from tailrace.spark import session, sinks
from tailrace.spark.batch_loop import BatchLoop, Deliver
from tailrace.spark.checkpoint import Checkpoint
from tailrace.spark.clock import Clock
from tailrace.spark.problems import in_plain_words
from tailrace.spark.standing import Standing

Show = Callable[[Query, list[str], list[tuple[Any, ...]]], None]
Take = Callable[[Query, pa.Table], None]


@dataclass(frozen=True)
class Work:
    """What to answer: the queries and their plan, the settings, the script's folder, and until when."""

    plan: PhysicalPlan
    queries: list[Query]
    settings: Settings
    folder: str | None
    until: str | None


def run_once(work: Work, master: str, show: Show, watch: Watch) -> Outcome:
    """Answer the queries over all that is there now; `show` gets the rows of those without INTO."""
    with in_plain_words():
        return answer(work, session.start(master, work.settings.spark), {}, shown(show), watch)[0]


def shown(show: Show) -> Deliver:
    """Hands rows to `show`, by way of Arrow: there a TIMESTAMP is in the session's time zone, not in this machine's."""

    def deliver(query: Query, frame: DataFrame) -> None:
        columns = [column.to_pylist() for column in frame.toArrow().columns]
        show(query, frame.columns, list(zip(*columns, strict=True)))

    return deliver


def run_beside(work: Work, spark: SparkSession, frames: Mapping[str, DataFrame], take: Take) -> Outcome:
    """The same beside a user's session and over DataFrames; `take` gets rows as Arrow tables, if only an empty one."""
    taken: set[str] = set()

    def deliver(query: Query, frame: DataFrame) -> None:
        taken.add(query.name)
        take(query, frame.toArrow())

    with in_plain_words():
        ours = session.beside(spark, work.settings.spark)
        outcome, clock = answer(work, ours, frames, deliver, lambda progress: None)
        for query in work.queries:
            if not query.format and query.name not in taken:
                take(query, sinks.columns(query, clock).empty_table())
    return outcome


def answer(
    work: Work, spark: SparkSession, frames: Mapping[str, DataFrame], deliver: Deliver, watch: Watch
) -> tuple[Outcome, Clock]:
    """How answering ended, and the clock it went by; `deliver` gets what goes into no sink."""

    def either(query: Query, frame: DataFrame) -> None:
        if query.format:
            sinks.write(frame, query, work.folder)
        else:
            deliver(query, frame)

    staged = cut_stages(work.plan)
    loop = BatchLoop(spark, staged, work.queries, work.settings, either, work.until, watch, work.folder, frames)
    outcome = loop.run_once()
    for query in work.queries:
        sinks.finish(spark, query, work.folder)
    return outcome, loop.heartbeat.clock


def stand(
    work: Work,
    master: str,
    show: Show,
    watch: Watch,
    checkpoint: str | None,
    pace: str,
    stopping: Callable[[threading.Event], None],
) -> Outcome:
    """Answer the queries over all that comes, until stopped; without a checkpoint a later run begins anew."""
    with in_plain_words(), tempfile.TemporaryDirectory(prefix="tailrace-", ignore_cleanup_errors=True) as folder:
        spark = session.start(master, work.settings.spark)
        plan = cut_stages(work.plan)
        shards = spark.sparkContext.defaultParallelism
        present = shown(show)
        kept = Checkpoint.open(checkpoint or folder, described(plan, work), shards)

        def deliver(query: Query, frame: DataFrame) -> None:
            if query.format:
                sinks.write(frame, query, work.folder, loop.written)
            else:
                present(query, frame)

        loop = BatchLoop(spark, plan, work.queries, work.settings, deliver, None, watch, work.folder, now=arrival)
        standing = Standing(loop, kept, pace)
        stopping(standing.stop)
        return standing.run()


def arrival() -> int:
    """The clock at arrival, in microseconds."""
    return time.time_ns() // 1000


def described(plan: StagedPlan, work: Work) -> dict[str, Any]:
    """What a checkpoint belongs to: the time, the sources and the queries, in words that can be compared."""
    return {
        "tick": work.settings.tick,
        "sources": {source.name: source_text(source) for source in plan.sources},
        "queries": {query.name: tree(query.plan) for query in work.queries},
    }


def source_text(source: Stream | Relation) -> str:
    known = {field.name: getattr(source, field.name) for field in fields(source)}
    return ", ".join(f"{name} {value}" for name, value in known.items() if name != "folder")
