"""Plain spark: the same work done by Spark's own Structured Streaming, for measurements to compare with."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.streaming.query import StreamingQuery

from tailrace.spark.run.continuous import LOOK
from tailrace.spark.session import session

# With no delay Spark would drop the rows of the newest second that come with the next batch.
DELAY = "1 second"


def filter_rows(inputs: Sequence[DataFrame]) -> DataFrame:
    return inputs[0].where("speed < 40")


def count_by_minute(inputs: Sequence[DataFrame]) -> DataFrame:
    """The number of rows of each segment in each minute, once the minute is over."""
    timed = inputs[0].withWatermark("ts", DELAY)
    return timed.groupBy(F.window("ts", "1 minute"), "seg").count()


def join_streams(inputs: Sequence[DataFrame]) -> DataFrame:
    """Pairs of rows with equal keys that are at most 60 seconds apart."""
    left, right = (
        frame.withWatermark("ts", DELAY).select(*(F.col(name).alias(f"{side}_{name}") for name in frame.columns))
        for side, frame in zip("lr", inputs, strict=True)
    )
    near = F.expr("l_k = r_k AND l_ts BETWEEN r_ts - INTERVAL 60 SECONDS AND r_ts + INTERVAL 60 SECONDS")
    return left.join(right, near).select("l_k", "l_v", "r_v")


WORKS: dict[str, Callable[[Sequence[DataFrame]], DataFrame]] = {
    "filter": filter_rows,
    "tumbling": count_by_minute,
    "window join": join_streams,
}


def run_plain(
    work: str, inputs: Sequence[tuple[str, str]], checkpoint: str, master: str, into: str | None = None
) -> list[tuple[int, float]]:
    """Run the work over all Parquet files of the inputs (folder, schema), a file of each in each micro-batch.

    The answers go to the folder `into`, or nowhere. Returns for each micro-batch with rows how many rows Spark had read
    when the micro-batch ended, and the second at which it ended.
    """
    spark = session.start(master)
    frames = [
        spark.readStream.schema(schema).option("maxFilesPerTrigger", "1").parquet(folder) for folder, schema in inputs
    ]
    writer = WORKS[work](frames).writeStream.outputMode("append").trigger(availableNow=True)
    writer = writer.option("checkpointLocation", checkpoint).format("parquet" if into else "noop")
    query = writer.start(into) if into else writer.start()
    query.awaitTermination()
    return batches_of(query)


def batches_of(query: StreamingQuery) -> list[tuple[int, float]]:
    """For each micro-batch with rows, how many rows had been read when it ended, and the second at which it ended."""
    found: list[tuple[int, float]] = []
    for progress in query.recentProgress:
        if progress["numInputRows"]:
            begun = datetime.fromisoformat(progress["timestamp"]).timestamp()
            rows = progress["numInputRows"] + (found[-1][0] if found else 0)
            found.append((rows, begun + progress["durationMs"]["triggerExecution"] / 1000))
    return found


def run_plain_members(
    folder: str, schema: str, queries: Sequence[Mapping[str, tuple[int, int]]], checkpoint: str, master: str
) -> list[tuple[int, float]]:
    """Count the rows of each query over a folder's files; a query is the least and the greatest value of each field.

    This is a broadcast join with the table of queries, counted by query. Returns what `run_plain` does.
    """
    spark = session.start(master)
    fields = list(queries[0])
    table = [(number, *(end for field in fields for end in query[field])) for number, query in enumerate(queries)]
    names = ["query", *(f"{field}_{end}" for field in fields for end in ("least", "most"))]
    wanted = F.broadcast(spark.createDataFrame(table, names).repartition(1))
    rows = spark.readStream.schema(schema).option("maxFilesPerTrigger", "1").parquet(folder)
    inside = F.expr(" AND ".join(f"{field} BETWEEN {field}_least AND {field}_most" for field in fields))
    counts = rows.join(wanted, inside).groupBy("query").count()
    writer = counts.writeStream.outputMode("update").trigger(availableNow=True).format("noop")
    query = writer.option("checkpointLocation", checkpoint).start()
    query.awaitTermination()
    return batches_of(query)


def stand_plain(
    folder: str,
    schema: str,
    checkpoint: str,
    master: str,
    pace: str,
    take: Callable[[list[tuple[int, int]]], None],
    stop: threading.Event,
) -> None:
    """Follow a folder until stopped: for each minute and key the count and the newest `at`, as soon as they change.

    `take` gets the keys of each micro-batch, each with the moment of its newest row.
    """
    spark = session.start(master)
    rows = spark.readStream.schema(schema).parquet(folder).where("NOT last").withWatermark("ts", DELAY)
    counts = rows.groupBy(F.window("ts", "1 minute"), "k").agg(F.count("*").alias("n"), F.max("at").alias("newest"))
    working = threading.Lock()

    def batch(frame: DataFrame, number: int) -> None:
        with working:
            found = frame.collect()
            take([(row["k"], row["newest"]) for row in found])

    writer = counts.writeStream.outputMode("update").trigger(processingTime=pace).foreachBatch(batch)
    query = writer.option("checkpointLocation", checkpoint).start()
    while query.isActive and not stop.wait(LOOK):
        pass
    with working:
        query.stop()
    query.awaitTermination()
