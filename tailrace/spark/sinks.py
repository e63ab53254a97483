"""Sinks: answers to where they were asked to go, with the columns of INTERFACE §4."""

from __future__ import annotations

from pathlib import Path

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from tailrace.analysis.program import Query
from tailrace.logical.plan import Kind
from tailrace.spark.clock import Clock


def rows(answers: DataFrame, query: Query, number: int, clock: Clock) -> DataFrame:
    """One query's rows: a stream's elements or a relation's changes, each copy of a tuple a row of its own."""
    mine = answers.where(F.col("_query") == number)
    copies = F.abs(F.col("_weight")).cast("int")
    mine = mine.withColumn("_copy", F.explode(F.sequence(F.lit(1), copies)))
    columns = [F.col(f"q{number}")[f"c{index}"].alias(name) for index, name in enumerate(query.names)]
    head = [stamp(clock).alias("_ts")]
    if query.kind is Kind.RELATION:
        head.append(F.when(F.col("_weight") > 0, "+").otherwise("-").alias("_op"))
    return mine.select(*([] if query.is_snapshot else head), *columns)


def stamp(clock: Clock) -> Column:
    """An instant in the type of the input's timestamps."""
    if clock.in_ticks:
        return F.col("_instant")
    return F.timestamp_micros(F.col("_instant") * F.lit(clock.tick) + F.lit(clock.origin or 0))


def write(frame: DataFrame, query: Query, folder: str | None) -> None:
    """To the query's format; a relative path is relative to the script's folder."""
    options = {key: value for key, value in query.options if key.lower() not in ("path", "mode")}
    path = next((value for key, value in query.options if key.lower() == "path"), None)
    if path and folder and "://" not in path:
        path = str(Path(folder) / path)
    mode = "overwrite" if query.is_snapshot else "append"
    writer = frame.write.format(query.format or "noop").options(**options).mode(mode)
    if path:
        writer.save(path)
    else:
        writer.save()
