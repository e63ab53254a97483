"""Run: a compiled script on Spark, which is loaded only once there is something to run."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from tailrace.analysis.program import Query
from tailrace.engine.compile import Compiled
from tailrace.engine.deep import deep
from tailrace.outcome import Outcome, Watch

if TYPE_CHECKING:
    import pyarrow as pa

    from tailrace.spark.frames import DataFrame, SparkSession
    from tailrace.spark.run import Work

Show = Callable[[Query, list[str], list[tuple[Any, ...]]], None]


def run_once(
    compiled: Compiled,
    folder: str | None,
    until: str | None,
    master: str,
    show: Show,
    watch: Watch = lambda progress: None,
) -> Outcome:
    """Answer every query over all that is there now; `show` gets the rows of queries without INTO."""
    if not compiled.program.queries:
        return Outcome()
    from tailrace.spark.run import run_once as run_on_spark

    return run_on_spark(work(compiled, folder, until), master, show, watch)


def stand(
    compiled: Compiled,
    folder: str | None,
    checkpoint: str | None,
    pace: str,
    stopping: Callable[[threading.Event], None],
    master: str,
    show: Show,
    watch: Watch = lambda progress: None,
) -> Outcome:
    """Answer every query over all that comes, going on from the checkpoint.

    `stopping` gets what stops the run when it is set, once Spark is there (which has its own idea of Ctrl-C).
    """
    if not compiled.program.queries:
        return Outcome()
    from tailrace.spark.run import stand as stand_on_spark

    return stand_on_spark(work(compiled, folder, None), master, show, watch, checkpoint, pace, stopping)


def run_beside(
    compiled: Compiled,
    folder: str | None,
    until: str | None,
    spark: SparkSession,
    frames: Mapping[str, DataFrame],
    take: Callable[[Query, pa.Table], None],
) -> Outcome:
    """The same beside a user's session, over files and DataFrames; `take` gets rows as Arrow tables."""
    from tailrace.spark.run import run_beside as run_on_spark

    return run_on_spark(work(compiled, folder, until), spark, frames, take)


def work(compiled: Compiled, folder: str | None, until: str | None) -> Work:
    """All queries together, ready for Spark."""
    from tailrace.physical.lower import lower
    from tailrace.spark.run import Work

    queries = list(compiled.program.queries.values())
    plans = {name: rewritten.plan for name, rewritten in compiled.rewritten.items()}
    plan = deep(lambda: lower(plans, {query.name for query in queries if query.is_snapshot}))
    return Work(plan, queries, compiled.program.settings, folder, until)
