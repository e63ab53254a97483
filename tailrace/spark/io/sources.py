"""Sources: opens declared streams and relations as DataFrames with one common layout, so that they can be unioned.

One union is one Structured Streaming query, whatever the number of sources. A row of the common layout has: the number
of its source, its moment (event time, in microseconds or ticks), its weight, the file and block that order arrivals,
the text that could not be read, and the columns that queries use. Sources share wire columns of equal types.
"""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import IntegralType

from tailrace.catalog.file_samples import SAMPLED
from tailrace.catalog.sources import FRAME, Relation, Stream, beside_script, path_option
from tailrace.columnar.arrow_types import arrow_type
from tailrace.errors import RunError
from tailrace.logical.expressions import columns_of
from tailrace.logical.spark_sql import name_text, spark_type
from tailrace.operators.identity import source_id
from tailrace.spark.io.frames import move_to_session
from tailrace.spark.io.read_files import CHECKED, TAG, TYPED, UNREADABLE, FileLayout, FileSource
from tailrace.spark.io.stage_sql import BLOCK, FILE, LINE, nothing
from tailrace.spark.time.batch_size import Limits
from tailrace.staging.stages import StagedPlan, StageInput, StageOutput, is_signed
from tailrace.staging.wire import START, UNTIL, WEIGHT, WireFormat
from tailrace.types import is_integer

FILES = ("csv", "json", "parquet", "orc", "text", "avro", "xml")
SOURCE, MOMENT = "_source", "_moment"


@dataclass(frozen=True)
class SourceLayout:
    """The common layout of all sources' rows: the sources by number, and the columns of each that queries use.

    With `ordered`, rows also carry the file and block that order their arrival.
    """

    sources: tuple[Stream | Relation, ...]
    columns: tuple[tuple[int, ...], ...]
    ordered: bool
    named: bool = False  # Spark knows each source by a name, so that sources may join or leave on a restart
    ticking: bool = False  # `ticks` is part of the union: a row a second that only says that time goes on

    @staticmethod
    def of(plan: StagedPlan, whole: bool = False, ticks: bool = True) -> SourceLayout:
        """The layout for the columns that a plan reads or, with `whole`, for all columns of its sources.

        A continuous run needs `whole`: its plan may change while Structured Streaming goes on. `ticks` allows the tick
        rows, which are added if time goes on for a source without rows.
        """
        sources = tuple(plan.sources)
        if whole:
            columns = tuple(tuple(range(len(source.schema))) for source in sources)
            named = all(source.format != FRAME for source in sources)
            return SourceLayout(sources, columns, True, named, ticks and any(map(goes_by_the_clock, sources)))
        used = tuple(tuple(sorted(used_columns(plan.feeds, source.name))) for source in sources)
        return SourceLayout(sources, used, plan.needs_arrival_order)

    @cached_property
    def wire(self) -> WireFormat:
        return WireFormat.of(
            [
                [arrow_type(source.schema[column].type) for column in columns]
                for source, columns in zip(self.sources, self.columns, strict=True)
            ]
        )

    @property
    def has_weights(self) -> bool:
        return any(map(is_signed, self.sources))

    @property
    def has_checked_formats(self) -> bool:
        return any((source.format or "").lower() in CHECKED for source in self.sources)

    @property
    def has_heartbeats(self) -> bool:
        """Whether some rows are no elements: heartbeats or ticks."""
        return self.ticking or any(source.heartbeat for source in self.sources)

    @property
    def sound(self) -> list[str]:
        """The conditions, beside having a moment, for a row that can be read: a valid weight and no malformed text."""
        signs, texts = [f"{WEIGHT} IS NOT NULL"], [f"{UNREADABLE} IS NULL"]
        return [*(signs if self.has_weights else ()), *(texts if self.has_checked_formats else ())]

    @property
    def readable(self) -> str:
        """The condition for rows that are elements and can be read."""
        return f"({' AND '.join([*self.of_elements, f'{MOMENT} IS NOT NULL', *self.sound])})"

    @property
    def unreadable(self) -> str:
        """The condition for rows that should be elements but cannot be read."""
        return f"({' AND '.join([*self.of_elements, f'NOT {self.readable}'])})"

    @property
    def of_elements(self) -> list[str]:
        """The condition for rows that are elements and not heartbeats or ticks; none if all rows are elements."""
        return [f"{SOURCE} >= 0"] if self.has_heartbeats else []

    def texts(self, known: Mapping[str, str]) -> list[str]:
        """The select list for rows of this layout; `known` has the SQL of some columns, others get a default."""
        others = {WEIGHT: "1L", UNREADABLE: "CAST(NULL AS STRING)"}
        others |= {FILE: "CAST(NULL AS STRING)", BLOCK: "CAST(NULL AS BIGINT)"}
        others |= {f"w{slot}": nothing(type) for slot, type in enumerate(self.wire.types)}
        wanted = [SOURCE, MOMENT, *([WEIGHT] if self.has_weights else ())]
        wanted += [FILE] if self.ordered or self.has_checked_formats else []
        wanted += [BLOCK] if self.ordered else []
        wanted += [UNREADABLE] if self.has_checked_formats else []
        wanted += [f"w{slot}" for slot in range(len(self.wire.types))]
        return [f"{known.get(name, others.get(name))} AS {name}" for name in wanted]

    def slots(self, number: int) -> dict[int, int]:
        """The wire column of each column of a source that queries use."""
        return dict(zip(self.columns[number], self.wire.places[number], strict=True))

    def table_with_instants(self, view: str, instant: str, which: str, ordered: bool) -> str:
        """A subquery over a view of this layout: the rows that meet the condition `which`, with their instants.

        `instant` is the SQL of a row's instant; a row lasts until the next one. With `ordered`, the columns that order
        arrivals are kept.
        """
        wanted = [
            f"{instant} AS {START}",
            f"{instant} + 1L AS {UNTIL}",
            WEIGHT if self.has_weights else f"1L AS {WEIGHT}",
        ]
        wanted.append(SOURCE)
        if ordered:
            wanted += [FILE, BLOCK, f"monotonically_increasing_id() AS {LINE}"]
        wanted += [f"w{slot}" for slot in range(len(self.wire.types))]
        return f"(SELECT {', '.join(wanted)} FROM {view} WHERE {which})"


def used_columns(feeds: Sequence[StageInput], name: str) -> set[int]:
    found: set[int] = set()
    for feed in feeds:
        if isinstance(feed.origin, StageOutput) or feed.origin.name != name:
            continue
        found |= columns_of(*feed.predicates, *(feed.key or ()), *(feed.prefilter.key if feed.prefilter else ()))
        part = feed.preaggregation
        wanted = feed.columns
        if part:
            wanted = (*part.keys, *(e for each in part.sums for e in (each.argument, each.condition) if e))
        found |= columns_of(*wanted)
    return found


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


def goes_by_the_clock(source: Stream | Relation) -> bool:
    """Whether a source's watermark advances with the clock: it is stamped at arrival or has IDLE AFTER."""
    return source.idle is not None or (isinstance(source, Stream) and source.timestamp is None)


def ticks(spark: SparkSession, shape: SourceLayout) -> DataFrame:
    """A streaming DataFrame with one row a second that belongs to no source, so that there is a batch every second."""
    reader = spark.readStream.format("rate").option("rowsPerSecond", 1)
    rows = (reader.name("_tailrace_ticks") if shape.named else reader).load()
    return rows.selectExpr(*shape.texts({SOURCE: str(beats(len(shape.sources))), MOMENT: "CAST(NULL AS BIGINT)"}))


def beats(number: int) -> int:
    """The source number of rows that are heartbeats of source `number`; negative, unlike those of elements."""
    return -1 - number


def source_number_sql(source: Stream | Relation, number: int, in_ticks: bool, has: Collection[str]) -> str:
    """The SQL for a row's source number: `number` for an element, `beats(number)` for a heartbeat.

    A row that cannot be read is no heartbeat.
    """
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


def frame_of_source(spark: SparkSession, source: Stream | Relation, frames: Mapping[str, DataFrame]) -> DataFrame:
    """The user's DataFrame of a source, moved to our session."""
    frame = frames.get(source.name.lower())
    if frame is None:
        raise RunError(f"{source.name} has no DataFrame", hint="engine.stream(…) and engine.relation(…) take one")
    return move_to_session(frame, spark)


def spark_name(source: Stream | Relation) -> str:
    """The name under which Spark's offsets record how far a source was read.

    It includes a hash of the declaration, so that another source under the same name starts from its beginning.
    """
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
