"""Sessions: a Spark session as tests have it, and the engine's own beside it, set for statements over few rows."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.sql import SparkSession

from tailrace.spark.session.session import JAVA, private_session
from tests.spark.conftest import SETTINGS

# For a few rows, to compile a statement takes longer than to evaluate it, and a task longer than both.
FOR_FEW_ROWS = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.leafNodeDefaultParallelism": "1",
}


@contextmanager
def open_sessions() -> Iterator[tuple[SparkSession, SparkSession]]:
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ["PYTHONPATH"] = os.pathsep.join([os.getcwd(), os.environ.get("PYTHONPATH", "")])
    builder = SparkSession.builder.master("local[2]").appName("fuzz").config("spark.ui.showConsoleProgress", "false")
    os.environ["SPARK_SUBMIT_OPTS"] = JAVA  # not as tests are: what runs for minutes gains from the second compiler
    for key, value in SETTINGS.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    yield spark, engine_session(spark)
    spark.stop()


def engine_session(spark: SparkSession) -> SparkSession:
    """The engine's own session beside another."""
    ours = private_session(spark)
    for key, value in FOR_FEW_ROWS.items():
        ours.conf.set(key, value)
    return ours
