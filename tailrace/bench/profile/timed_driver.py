"""Timed driver: measures where the driver's own seconds of each batch go, and writes a line of JSON for each."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tailrace.bench.profile.part_clock import CLOCK, wrap_method

STATEMENT = "statement and job"  # from the statement to its rows; the job itself is told apart by Spark's event log
REST = "rest of on_batch"


def wrap_driver(file: Path) -> None:
    """Wrap what the driver does in a batch; from now on each batch adds a line to the file."""
    from tailrace.spark.batch.batch_job import BatchJob
    from tailrace.spark.batch.run_batch import BatchRun
    from tailrace.spark.batch.task_reports import TaskReports
    from tailrace.spark.io.bind_files import FileBinding
    from tailrace.spark.io.delivery import Sinks
    from tailrace.spark.run import continuous, run_once
    from tailrace.spark.run.checkpoint import Checkpoint

    for owner, name, part in (
        (FileBinding, "bind", "ask for the names of files"),
        (BatchRun, "scanned_sources", "plan the batch"),
        (BatchRun, "scan_files", "plan the batch"),
        (BatchRun, "source_tables", "plan the batch"),
        (BatchJob, "results", "build the statement"),
        (BatchJob, "collect", STATEMENT),
        (Sinks, "one", "deliver"),
        (Sinks, "many", "deliver"),
        (TaskReports, "drain", "read reports"),
        (Checkpoint, "commit", "commit the record"),
    ):
        wrap_method(owner, name, part)
    for module in (run_once, continuous):
        wrap_stream(module, file)


def wrap_stream(module: Any, file: Path) -> None:
    """Measure each batch that Structured Streaming hands over."""
    plain = module.start_stream

    def start_stream(services: Any, offsets: str, take: Callable[[Any, int], None], *rest: Any, **trigger: Any) -> None:
        def take_timed(frame: Any, number: int) -> None:
            begun = time.time()
            CLOCK.start(REST)
            try:
                take(frame, number)
            finally:
                line = {"begun": 1000 * begun, "seconds": CLOCK.stop()}
                with file.open("a", encoding="utf-8") as lines:
                    lines.write(json.dumps(line) + "\n")

        plain(services, offsets, take_timed, *rest, **trigger)

    module.start_stream = start_stream
