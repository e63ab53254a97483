"""Run: a compiled script on Spark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tailrace.analysis.program import Query
from tailrace.engine.compile import Compiled
from tailrace.errors import RunError
from tailrace.physical.lower import lower

Show = Callable[[Query, list[str], list[tuple[Any, ...]]], None]


def run_once(compiled: Compiled, folder: str | None, until: str | None, master: str, show: Show) -> None:
    """Answer every query over all that is there now; `show` gets the rows of queries without INTO."""
    queries = list(compiled.program.queries.values())
    if not queries:
        return
    plan = lower({name: rewritten.plan for name, rewritten in compiled.rewritten.items()})
    # Spark is loaded only once there is something to run.
    from pyspark.errors import PySparkException
    from pyspark.sql import DataFrame

    from tailrace.spark import session, sinks
    from tailrace.spark.batch_loop import BatchLoop

    def deliver(query: Query, frame: DataFrame) -> None:
        if query.format:
            sinks.write(frame, query, folder)
        else:
            show(query, frame.columns, [tuple(row) for row in frame.collect()])

    try:
        spark = session.start(master, compiled.program.settings.spark)
        BatchLoop(spark, plan, queries, compiled.program.settings, deliver, until).run_once()
    except PySparkException as problem:
        raise RunError(f"Spark: {first_line(problem)}") from problem


def first_line(problem: Exception) -> str:
    lines = [line.strip() for line in str(problem).split("\n") if line.strip()]
    return lines[0] if lines else type(problem).__name__
