"""A user's session is left as it was found."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tailrace import Engine

pytestmark = pytest.mark.spark
DESCRIPTION = "spark.job.description"


@pytest.mark.parametrize("described", ["a user's", None])
def test_what_a_thread_calls_its_jobs_stays(described: str | None, spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "S.csv").write_text("ts,v\n1,2\n")
    engine = Engine(spark, tmp_path)
    engine.execute("CREATE STREAM S (v INT) USING csv OPTIONS (path 'S.csv') TIMESTAMP BY ts;")
    query = engine.query("SELECT v FROM S")
    spark.sparkContext.setLocalProperty(DESCRIPTION, described)  # type: ignore[arg-type]
    try:
        engine.run(once=True)
        assert len(query.rows()) == 1
        assert spark.sparkContext.getLocalProperty(DESCRIPTION) == described
    finally:
        spark.sparkContext.setLocalProperty(DESCRIPTION, None)  # type: ignore[arg-type]
