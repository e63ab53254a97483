"""Sinks: answers to where they were asked to go, with the columns of INTERFACE §4."""

from __future__ import annotations

from pathlib import Path

from pyspark.sql import DataFrame

from tailrace.analysis.program import Query
from tailrace.logical.plan import Kind
from tailrace.logical.spark_text import name_text
from tailrace.physical.cut_stages import Feed
from tailrace.physical.wire import START, WEIGHT
from tailrace.spark.clock import Clock
from tailrace.spark.pushdown import Rows, value, where


def answers(rows: Rows, feed: Feed, query: Query, clock: Clock) -> str:
    """The statement for a query's rows: a stream's elements or a relation's changes."""
    head = [f"{stamp(clock)} AS _ts"]
    if query.kind is Kind.RELATION:
        head.append(f"IF({WEIGHT} > 0, '+', '-') AS _op")
    columns = zip(feed.columns, query.names, strict=True)
    names = [f"{value(column, rows.named)} AS {name_text(name)}" for column, name in columns]
    wanted = [*([] if query.is_snapshot else head), *names]
    return f"SELECT {', '.join(wanted)} FROM {rows.table}{where(feed.predicates, rows.named)}"


def stamp(clock: Clock) -> str:
    """An instant in the type of the input's timestamps."""
    return START if clock.in_ticks else f"timestamp_micros({START} * {clock.tick}L + {clock.origin or 0}L)"


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
