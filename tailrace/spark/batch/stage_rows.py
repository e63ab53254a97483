"""Stage rows: the rows of a stage that several statements read, computed once and planned once."""

from __future__ import annotations

from pyspark import StorageLevel
from pyspark.sql import DataFrame

from tailrace.spark.session.session import is_local


def cut_off(rows: DataFrame) -> DataFrame:
    """The rows, kept once they are computed, as something without a plan below it.

    Else each reader has a copy of all that is below in its plan, and so have theirs: stages over stages that many read
    are planned a hundred times over. Where executors can be lost two of them keep the rows: nobody could compute them.
    """
    local = is_local(rows.sparkSession.sparkContext.master or "")
    return rows.localCheckpoint(eager=False, storageLevel=None if local else StorageLevel.MEMORY_AND_DISK_2)


def free(rows: DataFrame) -> None:
    """Let go of rows that were cut off."""
    rows._jdf.queryExecution().logical().rdd().unpersist(False)
