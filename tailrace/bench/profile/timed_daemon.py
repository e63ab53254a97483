"""Timed daemon: Tailrace's Python daemon, whose workers measure where a task's seconds go.

Set as `spark.python.daemon.module`. A worker wraps the functions of its tasks, and adds a line of JSON for each task to
a file of its own in the folder that the variable TAILRACE_PROFILE names.
"""

from __future__ import annotations

import json
import os
import traceback
from collections.abc import Iterator
from functools import cache, wraps
from pathlib import Path
from typing import Any

from tailrace.bench.profile.part_clock import CLOCK, measure_iterator, wrap_method

FOLDER = "TAILRACE_PROFILE"
OPENING, SENDING, RECEIVING, REST = (
    "take up the task",
    "hand rows to Spark",
    "wait for Spark's rows",
    "rest of the task",
)
SCAN, MEASURE, PREPARE = "scan", "measure rows, find late ones", "prepare results"
FILTER, PROJECT, ADD_UP, SHARD = "filter", "project", "pre-aggregate", "choose shards"
PACK, OPEN, ORDER = "pack and compress", "open messages", "order rows by time"
LOAD, OPERATE, OPERATOR, SAVE, SINK = "load state", "between operators", "operator ", "save state", "sink: write files"


@cache
def wrap_functions() -> None:
    """Wrap what tasks call. Called in the worker, so that the daemon is Tailrace's own until it forks."""
    from pyspark import worker

    from tailrace.exchange import prepare_input
    from tailrace.exchange.payloads import Payload
    from tailrace.exchange.prepare_input import Preparation
    from tailrace.spark.batch import message_tasks, stage_task
    from tailrace.spark.batch.prepare_results import ResultPreparation
    from tailrace.spark.batch.source_task import FilesTask, RowsTask, SourceTask
    from tailrace.spark.batch.stage_task import StageTask
    from tailrace.spark.io.scan_files import FileScan
    from tailrace.state.state_files import StateFolder
    from tailrace.write.result_files import ResultFiles

    for owner, name, part in (
        (FileScan, "blocks", SCAN),
        (SourceTask, "measure", MEASURE),
        (SourceTask, "without_late", MEASURE),
        (prepare_input, "select", FILTER),
        (Preparation, "project", PROJECT),
        (Preparation, "pre_aggregate", ADD_UP),
        (Preparation, "split", SHARD),
        (ResultPreparation, "prepare", PREPARE),
        (Payload, "of", PACK),
        (Payload, "as_row", PACK),
        (Payload, "open", OPEN),
        (stage_task, "delta_of", OPEN),
        (StageTask, "portions", ORDER),
        (StageTask, "load_states", LOAD),
        (StateFolder, "save", SAVE),
        (ResultFiles, "take", SINK),
        (ResultFiles, "finish", SINK),
    ):
        wrap_method(owner, name, part)
    for task in (FilesTask, RowsTask, *(getattr(message_tasks, name) for name in ("ShardTask", "SmallBatchTask"))):
        wrap_task(task)
    wrap_operators()
    wrap_main(worker)


def wrap_task(task: Any) -> None:
    """Measure the rows that a task gets from Spark, and tell its own time from that of sending its rows."""
    from pyspark import TaskContext

    plain = task.__call__

    def call(self: Any, batches: Iterator[Any]) -> Iterator[Any]:
        # PySpark forgets the task before the worker is through with it.
        context = TaskContext.get()
        CLOCK.subject = None if context is None else context.taskAttemptId()
        CLOCK.rename_outermost(SENDING)
        return measure_iterator(plain(self, measure_iterator(batches, RECEIVING)), REST)

    task.__call__ = call


def wrap_operators() -> None:
    """Measure each operator, by the recorder that system queries over operators read."""
    from tailrace.operators.local_run import LocalRun, MetricsRecorder

    plain = LocalRun.advance

    def advance(self: LocalRun, *given: Any) -> Any:
        meter = self.meter = self.meter or MetricsRecorder()
        before = {number: found.seconds for number, found in meter.steps.items()}
        with CLOCK.measure(OPERATE):
            found = plain(self, *given)
            for number, metrics in meter.steps.items():
                part = f"{OPERATOR}{type(self.plan.steps[number].work).__name__}"
                CLOCK.move(part, metrics.seconds - before.get(number, 0.0))
        return found

    LocalRun.advance = advance  # type: ignore[method-assign, assignment]


def wrap_main(worker: Any) -> None:
    """Measure each task from the first byte that Spark sends of it, and write down its parts."""
    plain = worker.main

    def main(infile: Any, outfile: Any) -> None:
        infile.peek(1)  # the worker waits here for its next task
        CLOCK.start(OPENING)
        try:
            plain(infile, outfile)
        finally:
            write_task(CLOCK.stop())

    worker.main = main


def write_task(seconds: dict[str, float]) -> None:
    if CLOCK.subject is not None:
        line = {"task": CLOCK.subject, "seconds": seconds}
        with (Path(os.environ[FOLDER]) / f"{os.getpid()}.tasks").open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def start_daemon() -> None:
    from pyspark import daemon as of_spark

    from tailrace.spark.session import daemon

    # As in Tailrace's own daemon: no traceback when Spark stops before a worker.
    traceback.print_exc = daemon.print_problem  # type: ignore[assignment]
    daemon.import_needed()
    plain = of_spark.worker

    @wraps(plain)
    def work(sock: Any, authenticated: bool) -> int:
        wrap_functions()
        return plain(sock, authenticated)

    of_spark.worker = work
    of_spark.manager()


if __name__ == "__main__":
    start_daemon()
