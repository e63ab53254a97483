"""Run: queries over their sources on a Spark master, from start to end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from tailrace.analysis.program import Query
from tailrace.outcome import Outcome, Watch
from tailrace.physical.cut_stages import cut_stages
from tailrace.physical.plan import PhysicalPlan
from tailrace.settings import Settings
from tailrace.spark import session, sinks
from tailrace.spark.batch_loop import BatchLoop, Deliver
from tailrace.spark.clock import Clock
from tailrace.spark.problems import in_plain_words

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

    def deliver(query: Query, frame: DataFrame) -> None:
        show(query, frame.columns, [tuple(row) for row in frame.collect()])

    with in_plain_words():
        return answer(work, session.start(master, work.settings.spark), {}, deliver, watch)[0]


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
