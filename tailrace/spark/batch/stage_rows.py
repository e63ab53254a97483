"""Stage rows: caches the rows of a stage that several statements read, so that they are computed and planned once."""

from __future__ import annotations

from pyspark import StorageLevel
from pyspark.sql import DataFrame

from tailrace.spark.session.session import is_local


def cut_off(rows: DataFrame) -> DataFrame:
    """Cache rows when they are first computed, and replace their plan by a leaf.

    Without this, each reader's plan would contain a copy of the whole plan below, and the readers' readers a copy of
    that: with shared stages above shared stages, Spark would plan the same part a hundred times. On a cluster two
    executors keep the rows, since rows that are lost cannot be computed again.
    """
    local = is_local(rows.sparkSession.sparkContext.master or "")
    return rows.localCheckpoint(eager=False, storageLevel=None if local else StorageLevel.MEMORY_AND_DISK_2)


def free(rows: DataFrame) -> None:
    """Free the rows that `cut_off` cached."""
    rows._jdf.queryExecution().logical().rdd().unpersist(False)
