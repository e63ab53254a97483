"""The one Spark session that the tests of this folder share."""

import os
import sys
from collections.abc import Iterator

import pytest
from pyspark.logger import PySparkLogger
from pyspark.sql import SparkSession

from tailrace.spark.session.session import JAVA

# A test's Java is gone again before what its second compiler makes of the code is paid back.
os.environ.setdefault("SPARK_SUBMIT_OPTS", f"{JAVA} -XX:TieredStopAtLevel=1")

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.python.unix.domain.socket.enabled": "true",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.session.timeZone": "UTC",
    # Spark would keep the plans of a thousand statements in a heap that all tests share.
    "spark.sql.ui.retainedExecutions": "20",
    "spark.sql.maxPlanStringLength": "1000",
    "spark.ui.retainedJobs": "50",
    "spark.ui.retainedStages": "50",
    "spark.ui.retainedTasks": "500",
}


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[2]").appName("tests")
    for key, value in SETTINGS.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    # It writes a page for every query that Spark refuses, which tests do on purpose and by the hundred.
    PySparkLogger.getLogger("SQLQueryContextLogger").disabled = True
    yield session
    session.stop()


@pytest.fixture
def as_the_engine_runs(spark: SparkSession) -> Iterator[None]:
    """The session, set as the engine sets its own."""
    spark.conf.set("spark.sql.ansi.enabled", "false")
    yield
    spark.conf.unset("spark.sql.ansi.enabled")
