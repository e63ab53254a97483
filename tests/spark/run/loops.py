"""Loops: scripts in the session that tests share, by the very function that an Engine runs them with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql import SparkSession

from tailrace.engine.pipeline import PlanningSession, compile_script, query_set
from tailrace.engine.run_queries import run_beside
from tailrace.errors import Source
from tailrace.logical.queries import QueryDefinition
from tailrace.progress import RunSummary, Watch
from tailrace.spark.batch.services import RunSetup
from tailrace.spark.io.delivery import Sinks, Take
from tailrace.spark.io.sinks import BatchId
from tailrace.spark.run.run_once import run_to_end
from tailrace.spark.session.session import private_session

Answers = dict[str, list[tuple[Any, ...]]]


def run(spark: SparkSession, folder: Path, script: str, until: str | None = None) -> tuple[RunSummary, Answers]:
    """Run a script once. Returns the run's summary, and the rows of each query in order."""
    outcome, answers = run_compiled(spark, folder, compile_script(Source(script), folder), until)
    return outcome, {name: sorted(rows) for name, rows in answers.items()}


def run_compiled(
    spark: SparkSession, folder: Path, compiled: PlanningSession, until: str | None
) -> tuple[RunSummary, Answers]:
    """The summary of a run, and the rows of each query as they came; queries with INTO write theirs into sinks."""
    found: Answers = {name: [] for name in compiled.program.queries}
    return run_beside(compiled, str(folder), until, spark, {}, taking(found)), found


def run_with(
    spark: SparkSession,
    folder: Path,
    script: str,
    watch: Watch = lambda progress: None,
    now: Callable[[], int | None] = lambda: None,
    batch: BatchId | None = None,
) -> tuple[RunSummary, Answers]:
    """Run a script once, with a clock or an id of its batches; `watch` gets the progress after each batch."""
    compiled = compile_script(Source(script), folder)
    found: Answers = {name: [] for name in compiled.program.queries}
    queries = query_set(compiled, str(folder), None)
    setup, deliver = RunSetup(queries.settings, str(folder), now=now), Sinks(taking(found), str(folder))
    return run_to_end(queries, private_session(spark), setup, deliver, watch, batch)[0], found


def taking(found: Answers) -> Take:
    """A receiver of answers that adds them to `found`."""

    def take(query: QueryDefinition, rows: pa.Table) -> None:
        found[query.name] += zip(*(column.to_pylist() for column in rows.columns), strict=True)

    return take
