"""Sources: opens declared streams and relations as DataFrames of one common layout, so that they can be unioned.

One union is one Structured Streaming query, whatever the number of sources.
"""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Iterable, Mapping
from functools import reduce
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import IntegralType

from tailrace.catalog.formats import FILES, SAMPLED, TYPED
from tailrace.catalog.sources import FRAME, Relation, Stream, beside_script, path_option
from tailrace.errors import RunError
from tailrace.logical.text.spark_sql import name_text, spark_type
from tailrace.operators.identity import source_id
from tailrace.spark.io.frames import move_to_session
from tailrace.spark.io.read_files import TAG, FileLayout, FileSource
from tailrace.spark.source_layout import BLOCK, FILE, MOMENT, SOURCE, UNREADABLE, SourceLayout, beats
from tailrace.spark.time.batch_size import Limits
from tailrace.staging.wire import WEIGHT
from tailrace.types import is_integer

TICKS = "_tailrace_ticks"  # Spark's name for the source of ticks, or the beginning of it


def open_source(
    spark: SparkSession,
    shape: SourceLayout,
    number: int,
    frames: Mapping[str, DataFrame],
    in_ticks: bool | None,
    intake: Limits | None = None,
    layout: FileLayout | None = None,
) -> DataFrame:
    """Open a source as a DataFrame of the common layout: a streaming one unless the source is static.

    `frames` holds the DataFrames of sources that are DataFrames, by name, and `intake` the limits of a batch. `layout`
    says how files are read; without it, the files are looked into.
    """
    source = shape.sources[number]
    if source.format is None:
        raise RunError(f"{source.name} has no USING: nothing says where its rows come from")
    name = spark_name(source) if shape.named else None
    if source.format == FRAME:
        return in_shape(shape, number, frame_of_source(spark, source, frames), bool(in_ticks))
    if source.format.lower() not in FILES:
        return in_shape(shape, number, read_other(spark, source, name, intake), bool(in_ticks))
    files = FileSource(spark, source)
    files.refuse_missing()
    if is_static(source):
        return reduce(DataFrame.union, [in_shape(shape, number, raw, True) for raw in files.read_all(in_ticks)])
    limits = intake.options(files.format, {key.lower() for key in files.options}) if intake is not None else {}
    raw = files.follow(layout or files.layout(in_ticks), {**limits, TAG: str(number)}, name)
    return in_shape(shape, number, raw, bool(in_ticks))


def in_shape(shape: SourceLayout, number: int, raw: DataFrame, in_ticks: bool) -> DataFrame:
    """Bring the rows of a source into the common layout; a column that they do not have is NULL."""
    source = shape.sources[number]
    has = {name.lower() for name in raw.columns}
    known = {
        SOURCE: source_number_sql(source, number, in_ticks, has),
        MOMENT: moment(source, in_ticks, has, raw.isStreaming),
    }
    if isinstance(source, Relation) and source.op:
        known[WEIGHT] = weight(column(source.op, has))
    if (source.format or "").lower() in FILES:
        known |= {FILE: "_metadata.file_path", BLOCK: "_metadata.file_block_start"}
    for index, slot in shape.slots(number).items():
        field = source.schema[index]
        known[f"w{slot}"] = f"CAST({column(field.name, has)} AS {spark_type(field.type)})"
    if UNREADABLE in has:
        known[UNREADABLE] = UNREADABLE
        if not source.timestamp:
            # Spark refuses to read a file for the column of malformed rows alone. A statement may need no other column,
            # so this expression reads one more.
            other = next(name_text(name) for name in raw.columns if name != UNREADABLE)
            known[UNREADABLE] = f"IF({other} IS NULL, {UNREADABLE}, concat({UNREADABLE}, ''))"
    return raw.selectExpr(*shape.texts(known))


def column(name: str, has: Collection[str]) -> str:
    """The SQL name of a column, or NULL if it is not among the columns `has`, which are in lower case."""
    return name_text(name) if name.lower() in has else "NULL"


def is_static(source: Stream | Relation) -> bool:
    return isinstance(source, Relation) and source.is_static


def ticks(spark: SparkSession, shape: SourceLayout, name: str) -> DataFrame:
    """A streaming DataFrame with one row a second that belongs to no source, so that there is a batch every second.

    Spark counts the seconds from when it first saw the `name`, and fails if the clock is behind what it counted.
    """
    reader = spark.readStream.format("rate").option("rowsPerSecond", 1)
    rows = (reader.name(name) if shape.named else reader).load()
    return rows.selectExpr(*shape.texts({SOURCE: str(beats(len(shape.sources))), MOMENT: "CAST(NULL AS BIGINT)"}))


def source_number_sql(source: Stream | Relation, number: int, in_ticks: bool, has: Collection[str]) -> str:
    """The SQL for a row's source number: `number` for an element, `beats(number)` for a heartbeat that can be read."""
    if source.heartbeat is None:
        return str(number)
    is_beat = [f"CAST({column(source.heartbeat, has)} AS BOOLEAN)", f"{moment(source, in_ticks, has)} IS NOT NULL"]
    is_beat += [f"{UNREADABLE} IS NULL"] if UNREADABLE in has else []
    return f"IF({' AND '.join(is_beat)}, {beats(number)}, {number})"


def weight(op: str) -> str:
    """The SQL for a row's weight: 1 for '+' in the column `op`, -1 for '-', NULL for anything else."""
    return f"CASE trim({op}) WHEN '+' THEN 1L WHEN '-' THEN -1L END"


def moment(source: Stream | Relation, in_ticks: bool, has: Collection[str], is_streaming: bool = True) -> str:
    """The SQL for a row's moment: its timestamp, without one the clock at arrival, for a static relation 0."""
    if source.event_time:
        is_there = all(name.lower() in has for name, _ in source.event_time.reads)
        return source.event_time.text if is_there else "CAST(NULL AS BIGINT)"
    if source.timestamp:
        stamp = column(source.timestamp, has)
        return f"CAST({stamp} AS BIGINT)" if in_ticks else f"unix_micros(CAST({stamp} AS TIMESTAMP))"
    if isinstance(source, Relation):
        return "0L"
    # Spark fixes current_timestamp() for a streaming batch. For another DataFrame it would differ with each job.
    return "unix_micros(current_timestamp())" if is_streaming else f"{time.time_ns() // 1000}L"


def raise_moments(rows: DataFrame, floors: Mapping[int, int]) -> DataFrame:
    """The rows, where those of some sources have no moment before a floor: `floors` has the floors by source number."""
    if not floors:
        return rows
    cases = " ".join(f"WHEN {number} THEN greatest({MOMENT}, {floor}L)" for number, floor in floors.items())
    return rows.withColumn(MOMENT, F.expr(f"CASE {SOURCE} {cases} ELSE {MOMENT} END"))


def frame_of_source(spark: SparkSession, source: Stream | Relation, frames: Mapping[str, DataFrame]) -> DataFrame:
    """The user's DataFrame of a source, moved to our session."""
    frame = frames.get(source.name.lower())
    if frame is None:
        raise RunError(f"{source.name} has no DataFrame", hint="engine.stream(…) and engine.relation(…) take one")
    return move_to_session(frame, spark)


def spark_name(source: Stream | Relation) -> str:
    """The name of a source in Spark's offsets, with a hash: another declaration of the name starts at its beginning."""
    letters = re.sub(r"[^a-z0-9]", "_", source.name.lower())
    return f"{letters}_{source_id(source)[:8]}"


def read_other(
    spark: SparkSession, source: Stream | Relation, name: str | None = None, intake: Limits | None = None
) -> DataFrame:
    """Open a source that is neither files nor a DataFrame, such as Kafka; streaming unless it is static."""
    format = source.format or ""
    options: dict[str, Any] = {key: value for key, value in source.options if key.lower() != "path"}
    path = beside_script(path_option(source.options), source.folder)
    if is_static(source):
        rows = spark.read.format(format).options(**options)
        return rows.load(path) if path else rows.load()
    if intake is not None:
        options |= intake.options(format.lower(), {key.lower() for key in options})
    reader = spark.readStream.format(format).options(**options)
    reader = reader.name(name) if name else reader
    return reader.load(path) if path else reader.load()


# Ticks or TIMESTAMPs --------------------------------------------------------------------------------------


def find_time(spark: SparkSession, source: Stream | Relation, frames: Mapping[str, DataFrame]) -> bool | None:
    """Whether a source's timestamps count ticks: by its declaration, else by its rows; None if neither shows it."""
    if not source.timestamp:
        return isinstance(source, Relation)
    if source.event_time:
        return source.event_time.in_ticks
    if found := source.schema.find(source.timestamp):
        return is_integer(source.schema[found[0]].type)
    format = (source.format or "").lower()
    if not format:
        return None
    if format in FILES:
        files = FileSource(spark, source)
        return files.time_in(files.files)
    frame = frame_of_source(spark, source, frames) if source.format == FRAME else read_other(spark, source)
    kinds = [field.dataType for field in frame.schema if field.name.lower() == source.timestamp.lower()]
    return any(isinstance(kind, IntegralType) for kind in kinds)


def agree_on_time(sources: Mapping[str, bool | None]) -> bool | None:
    """Whether all sources count ticks, given what each of them shows; None if none shows it yet.

    >>> agree_on_time({"S": None, "T": True})
    True
    """
    kinds = {kind: name for name, kind in sources.items() if kind is not None}
    if len(kinds) > 1:
        raise RunError(f"{kinds[True]} counts ticks and {kinds[False]} has TIMESTAMPs: a script needs one kind of time")
    return next(iter(kinds), None)


def ask_for_time(sources: Iterable[Stream | Relation]) -> None:
    """Refuse a source without a kind of time if only its declaration can show one: its rows will never do so."""
    for source in sources:
        if source.format and source.format.lower() not in (*SAMPLED, *TYPED):
            stamp = source.timestamp
            raise RunError(
                f"{source.name}: nothing says whether {stamp} counts ticks or is a TIMESTAMP",
                hint=f"list it among the columns: {stamp} BIGINT, or {stamp} TIMESTAMP",
            )
