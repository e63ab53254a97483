"""Sinks: answers to where they were asked to go, with the columns of INTERFACE §4."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from tailrace.analysis.program import Query
from tailrace.catalog.paths import beside_script, path_option
from tailrace.errors import RunError
from tailrace.faults import fault
from tailrace.logical.plan import Kind
from tailrace.logical.spark_text import name_text
from tailrace.physical.arrow_types import arrow_type
from tailrace.physical.cut_stages import Feed
from tailrace.physical.wire import START, WEIGHT
from tailrace.spark.clock import Clock
from tailrace.spark.pushdown import Rows, value, where
from tailrace.spark.sources import FILES
from tailrace.types import BIGINT, STRING, TIMESTAMP


@dataclass(frozen=True)
class Written:
    """A batch whose rows are written: its number, the run it is of, and whether it may have been written before."""

    number: int
    run: str
    again: bool


def answers(rows: Rows, feed: Feed, query: Query, clock: Clock) -> str:
    """The statement for a query's rows: a stream's elements or a relation's changes."""
    head = [f"{stamp(clock)} AS _ts"]
    if query.kind is Kind.RELATION:
        head.append(f"IF({WEIGHT} > 0, '+', '-') AS _op")
    columns = zip(feed.columns, query.names, strict=True)
    names = [f"{value(column, rows.named)} AS {name_text(name)}" for column, name in columns]
    wanted = [*([] if query.is_snapshot else head), *names]
    return f"SELECT {', '.join(wanted)} FROM {rows.table}{where(feed.predicates, rows.named)}"


def columns(query: Query, clock: Clock) -> pa.Schema:
    """The columns of a query's rows."""
    head = [("_ts", arrow_type(BIGINT if clock.in_ticks else TIMESTAMP))]
    if query.kind is Kind.RELATION:
        head.append(("_op", arrow_type(STRING)))
    return pa.schema([*head, *((field.name, arrow_type(field.type)) for field in query.schema)])


def stamp(clock: Clock) -> str:
    """An instant in the type of the input's timestamps."""
    return START if clock.in_ticks else f"timestamp_micros({START} * {clock.tick}L + {clock.origin or 0}L)"


def location(query: Query, folder: str | None) -> str | None:
    """Where a query's rows go."""
    return beside_script(path_option(query.options), folder)


def write(frame: DataFrame, query: Query, folder: str | None) -> None:
    """To the query's format."""
    options = {key: value for key, value in query.options if key.lower() not in ("path", "mode")}
    mode = "overwrite" if query.is_snapshot else "append"
    writer = frame.write.format(query.format or "noop").options(**options).mode(mode)
    path = location(query, folder)
    if path:
        writer.save(path)
    else:
        writer.save()


def commit(frame: DataFrame, query: Query, folder: str | None, batch: Written) -> None:
    """To the query's format, so that a batch that is run again leaves its rows once.

    Files are written aside and then moved, under names that tell the batch. Other formats may get a batch twice.
    """
    path = location(query, folder)
    if path is None or query.is_snapshot or (query.format or "").lower() not in FILES:
        write(frame, query, folder)
        return
    options = {key: value for key, value in query.options if key.lower() not in ("path", "mode")}
    aside = f"{path}/_tailrace/{query.name}"
    frame.write.format(query.format or "").options(**options).mode("overwrite").save(aside)
    fault("written")
    spark = frame.sparkSession
    files, _ = _mark(spark, path)
    named: Any = spark.sparkContext._jvm.org.apache.hadoop.fs.Path  # type: ignore[union-attr]
    prefix = f"part-{batch.number:08}-{query.name}-{batch.run}"
    if batch.again:
        for old in files.globStatus(named(path, f"{prefix}-*")) or ():
            files.delete(old.getPath(), False)
    for number, new in enumerate(files.globStatus(named(aside, "part-*"))):
        if new.getLen():
            ending = new.getPath().getName().partition(".")[2]
            files.rename(new.getPath(), named(path, f"{prefix}-{number}.{ending}"))
            fault("moved")


def begin(spark: SparkSession, query: Query, folder: str | None) -> None:
    """A folder of results is not finished while it is written to."""
    path = location(query, folder)
    if query.format and path:
        files, mark = _mark(spark, path)
        if files.isFile(mark.getParent()):
            raise RunError(f"{query.name}: {path} is a file, and a folder is wanted")
        files.delete(mark, False)


def finish(spark: SparkSession, query: Query, folder: str | None) -> None:
    """Mark a folder of results as finished, as Spark's own jobs do."""
    path = location(query, folder)
    if query.format and path:
        files, mark = _mark(spark, path)
        if files.exists(mark.getParent()):
            files.create(mark, True).close()


def _mark(spark: SparkSession, path: str) -> tuple[Any, Any]:
    """The file system of a folder, and the file in it that says it is finished."""
    java: Any = spark.sparkContext._jvm
    mark = java.org.apache.hadoop.fs.Path(path, "_SUCCESS")
    context: Any = spark.sparkContext._jsc
    return mark.getFileSystem(context.hadoopConfiguration()), mark
