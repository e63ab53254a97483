"""Sessions: a Spark session as tests have it, and the engine's own beside it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.sql import SparkSession

from tailrace.spark.session import JAVA, beside
from tests.spark.conftest import SETTINGS


@contextmanager
def open_sessions() -> Iterator[tuple[SparkSession, SparkSession]]:
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ["PYTHONPATH"] = os.pathsep.join([os.getcwd(), os.environ.get("PYTHONPATH", "")])
    builder = SparkSession.builder.master("local[2]").appName("fuzz").config("spark.ui.showConsoleProgress", "false")
    os.environ.setdefault("SPARK_SUBMIT_OPTS", JAVA)
    for key, value in SETTINGS.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    yield spark, beside(spark)
    spark.stop()
