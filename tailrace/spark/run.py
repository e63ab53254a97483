"""Run: queries over their sources on a Spark master, from start to end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyspark.sql import DataFrame

from tailrace.analysis.program import Query
from tailrace.outcome import Outcome, Watch
from tailrace.physical.cut_stages import cut_stages
from tailrace.physical.plan import PhysicalPlan
from tailrace.settings import Settings
from tailrace.spark import session, sinks
from tailrace.spark.batch_loop import BatchLoop
from tailrace.spark.problems import in_plain_words

Show = Callable[[Query, list[str], list[tuple[Any, ...]]], None]


def run_once(
    plan: PhysicalPlan,
    queries: list[Query],
    settings: Settings,
    folder: str | None,
    until: str | None,
    master: str,
    show: Show,
    watch: Watch,
) -> Outcome:
    """Answer the queries over all that is there now; `show` gets the rows of those without INTO."""

    def deliver(query: Query, frame: DataFrame) -> None:
        if query.format:
            sinks.write(frame, query, folder)
        else:
            show(query, frame.columns, [tuple(row) for row in frame.collect()])

    with in_plain_words():
        spark = session.start(master, settings.spark)
        outcome = BatchLoop(spark, cut_stages(plan), queries, settings, deliver, until, watch, folder).run_once()
        for query in queries:
            sinks.finish(spark, query, folder)
    return outcome
