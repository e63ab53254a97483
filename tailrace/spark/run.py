"""Run: queries over their sources on a Spark master, from start to end."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from pyspark.sql import DataFrame

from tailrace.analysis.program import Query
from tailrace.catalog.sources import Relation, Stream
from tailrace.logical.explain import tree
from tailrace.outcome import Outcome, Watch
from tailrace.physical.cut_stages import StagedPlan, cut_stages
from tailrace.physical.plan import PhysicalPlan
from tailrace.settings import Settings
from tailrace.spark import session, sinks
from tailrace.spark.batch_loop import BatchLoop
from tailrace.spark.checkpoint import Checkpoint
from tailrace.spark.problems import in_plain_words
from tailrace.spark.standing import Standing

Show = Callable[[Query, list[str], list[tuple[Any, ...]]], None]


@dataclass(frozen=True)
class Job:
    """What to run, where, and who hears of it; `show` gets the rows of queries without INTO."""

    plan: PhysicalPlan
    queries: list[Query]
    settings: Settings
    folder: str | None
    master: str
    show: Show
    watch: Watch

    def shown(self, query: Query, frame: DataFrame) -> None:
        self.show(query, frame.columns, [tuple(row) for row in frame.collect()])


def run_once(job: Job, until: str | None) -> Outcome:
    """Answer the queries over all that is there now."""

    def deliver(query: Query, frame: DataFrame) -> None:
        if query.format:
            sinks.write(frame, query, job.folder)
        else:
            job.shown(query, frame)

    with in_plain_words():
        spark = session.start(job.master, job.settings.spark)
        plan = cut_stages(job.plan)
        loop = BatchLoop(spark, plan, job.queries, job.settings, deliver, until, job.watch, job.folder)
        outcome = loop.run_once()
        for query in job.queries:
            sinks.finish(spark, query, job.folder)
    return outcome


def stand(job: Job, checkpoint: str | None, pace: str, stopping: Callable[[threading.Event], None]) -> Outcome:
    """Answer the queries over all that comes, until stopped; without a checkpoint a later run begins anew."""
    with in_plain_words(), tempfile.TemporaryDirectory(prefix="tailrace-", ignore_cleanup_errors=True) as folder:
        spark = session.start(job.master, job.settings.spark)
        plan = cut_stages(job.plan)
        shards = spark.sparkContext.defaultParallelism
        kept = Checkpoint.open(checkpoint or folder, described(plan, job), shards)

        def deliver(query: Query, frame: DataFrame) -> None:
            if query.format:
                sinks.commit(frame, query, job.folder, sinks.Written(loop.batch, kept.name, standing.again))
            else:
                job.shown(query, frame)

        loop = BatchLoop(spark, plan, job.queries, job.settings, deliver, None, job.watch, job.folder, now=arrival)
        standing = Standing(loop, kept, pace)
        stopping(standing.stop)
        return standing.run()


def arrival() -> int:
    """The clock at arrival, in microseconds."""
    return time.time_ns() // 1000


def described(plan: StagedPlan, job: Job) -> dict[str, Any]:
    """What a checkpoint belongs to: the time, the sources and the queries, in words that can be compared."""
    return {
        "tick": job.settings.tick,
        "sources": {source.name: source_text(source) for source in plan.sources},
        "queries": {query.name: tree(query.plan) for query in job.queries},
    }


def source_text(source: Stream | Relation) -> str:
    known = {field.name: getattr(source, field.name) for field in fields(source)}
    return ", ".join(f"{name} {value}" for name, value in known.items() if name != "folder")
