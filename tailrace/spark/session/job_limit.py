"""Job limit: cancels jobs that take too long, for what runs in Java and nothing interrupts, as a regular expression."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from tailrace.errors import RunError


class JobLimitError(RunError):
    """A job took longer than it may, and was cancelled. Its task may occupy a core of Java until Spark ends."""


@contextmanager
def limit_jobs(spark: SparkSession, seconds: float | None) -> Iterator[None]:
    """Cancel the jobs that this thread starts in the block once it has taken so long, and raise a JobLimitError.

    None: no limit.
    """
    if seconds is None:
        yield
        return
    context, tag, is_over = spark.sparkContext, f"tailrace-{uuid4().hex}", threading.Event()

    def cancel() -> None:
        is_over.set()
        context.cancelJobsWithTag(tag)

    timer = threading.Timer(seconds, cancel)
    timer.daemon = True
    context.addJobTag(tag)
    timer.start()
    try:
        yield
    except (PySparkException, Py4JError) as problem:
        if is_over.is_set():
            raise JobLimitError(f"it took longer than {seconds:g} seconds") from problem
        raise
    finally:
        timer.cancel()
        context.removeJobTag(tag)
