"""Run: queries over their sources on a Spark master, from start to end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame

from tailrace.analysis.program import Query
from tailrace.errors import RunError
from tailrace.physical.cut_stages import cut_stages
from tailrace.physical.plan import PhysicalPlan
from tailrace.settings import Settings
from tailrace.spark import session, sinks
from tailrace.spark.batch_loop import BatchLoop

Show = Callable[[Query, list[str], list[tuple[Any, ...]]], None]


def run_once(
    plan: PhysicalPlan,
    queries: list[Query],
    settings: Settings,
    folder: str | None,
    until: str | None,
    master: str,
    show: Show,
) -> None:
    """Answer the queries over all that is there now; `show` gets the rows of those without INTO."""

    def deliver(query: Query, frame: DataFrame) -> None:
        if query.format:
            sinks.write(frame, query, folder)
        else:
            show(query, frame.columns, [tuple(row) for row in frame.collect()])

    try:
        spark = session.start(master, settings.spark)
        BatchLoop(spark, cut_stages(plan), queries, settings, deliver, until).run_once()
    except PySparkException as problem:
        raise RunError(f"Spark: {first_line(problem)}") from problem


def first_line(problem: Exception) -> str:
    lines = [line.strip() for line in str(problem).split("\n") if line.strip()]
    return lines[0] if lines else type(problem).__name__
