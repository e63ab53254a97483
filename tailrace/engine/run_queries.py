"""Run queries: runs the queries of a session on Spark, once or continuously."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from tailrace.engine.pipeline import PlanningSession, query_set
from tailrace.errors import RunError
from tailrace.logical.queries import QueryDefinition
from tailrace.progress import RunSummary, Watch

if TYPE_CHECKING:
    import pyarrow as pa

    from tailrace.spark.io.frames import DataFrame, SparkSession
    from tailrace.staging.plan_version import PlanChange

Show = Callable[[QueryDefinition, list[str], list[tuple[Any, ...]]], None]


def run_once(
    session: PlanningSession,
    folder: str | None,
    until: str | None,
    master: str,
    show: Show,
    watch: Watch = lambda progress: None,
) -> RunSummary:
    """Run every query once, over all rows that are there now; `show` gets the rows of queries without INTO."""
    if not session.program.queries:
        return RunSummary()
    refuse_watching(session)
    from tailrace.spark.run.run_once import run_once as run_on_spark

    return run_on_spark(query_set(session, folder, until), master, show, watch)


def stand(
    session: PlanningSession,
    folder: str | None,
    checkpoint: str | None,
    pace: str | None,
    stopping: Callable[[threading.Event], None],
    master: str,
    show: Show,
    watch: Watch = lambda progress: None,
    changed: Callable[[PlanChange], None] = lambda changed: None,
) -> RunSummary:
    """Run every query continuously, going on from the checkpoint; without a pace, over the rows that are new now.

    `pace` is the shortest time between two batches. `stopping` is called once Spark has started, with an event that
    stops the run when it is set: Spark has its own handler of Ctrl-C, which must be replaced. `changed` gets each
    change of the plan.
    """
    if not session.program.queries:
        return RunSummary()
    if pace is None or len(session.program.catalog.system_queries) == len(session.program.queries):
        refuse_watching(session)
    from tailrace.spark.run.run_once import stand as stand_on_spark

    return stand_on_spark(query_set(session, folder), master, show, watch, checkpoint, pace, stopping, changed)


def run_beside(
    session: PlanningSession,
    folder: str | None,
    until: str | None,
    spark: SparkSession,
    frames: Mapping[str, DataFrame],
    take: Callable[[QueryDefinition, pa.Table], None],
) -> RunSummary:
    """Run every query once in a user's Spark application; `take` gets rows of queries without INTO as Arrow tables."""
    refuse_watching(session)
    from tailrace.spark.run.run_once import run_beside as run_on_spark

    return run_on_spark(query_set(session, folder, until), spark, frames, take)


def refuse_watching(session: PlanningSession) -> None:
    """Raise an error if a query reads a system stream: only a continuous run of other queries feeds these."""
    if session.program.catalog.system_queries:
        raise RunError(
            f"{min(session.program.catalog.system_queries)} reads a system stream, and there is no run to watch",
            hint="system streams report on a continuous run of other queries: leave --once out, and add some",
        )
