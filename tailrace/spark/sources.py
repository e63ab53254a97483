"""Sources: declared streams and relations as Spark DataFrames of one shape, so that all of them are one query.

Every source's rows become: which source, the moment (in microseconds, or ticks), the weight, what orders arrivals,
what could not be read, and the columns that the queries use, in slots that sources share.
"""

from __future__ import annotations

import csv
import hashlib
import json
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.readwriter import DataStreamReader
from pyspark.sql.types import IntegralType

from tailrace.catalog.paths import beside_script, path_option
from tailrace.catalog.sources import FRAME, Relation, Stream
from tailrace.errors import RunError
from tailrace.logical.expressions import columns_of
from tailrace.logical.spark_text import name_text, spark_type
from tailrace.physical.arrow_types import arrow_type
from tailrace.physical.fingerprints import source_text
from tailrace.physical.stages import Emission, Feed, StagedPlan, is_signed
from tailrace.physical.store import is_remote, store_at
from tailrace.physical.wire import START, UNTIL, WEIGHT, Wire
from tailrace.spark.frames import moved
from tailrace.spark.intake import Intake
from tailrace.spark.pushdown import BLOCK, FILE, LINE, nothing
from tailrace.types import is_integer

FILES = ("csv", "json", "parquet", "orc", "text", "avro", "xml")
TYPED = ("parquet", "orc", "avro")  # formats whose files say of what types their columns are
CHECKED = ("csv", "json", "xml")  # formats in which a row may not be what it should be
SOURCE, MOMENT, UNREADABLE = "_source", "_moment", "_unreadable"


@dataclass(frozen=True)
class Shape:
    """The sources by number, the columns of each that queries use, and what else travels with rows."""

    sources: tuple[Stream | Relation, ...]
    columns: tuple[tuple[int, ...], ...]
    ordered: bool
    named: bool = False  # Spark knows the sources by name, so that some may join or leave
    ticking: bool = False  # beside the rows of sources there are ticks, which only say that time goes on

    @staticmethod
    def of(plan: StagedPlan, whole: bool = False, ticks: bool = True) -> Shape:
        """What a plan reads or, `whole`, what any plan over its sources may read, with `ticks` if need be."""
        sources = tuple(plan.sources)
        if whole:
            columns = tuple(tuple(range(len(source.schema))) for source in sources)
            named = all(source.format != FRAME for source in sources)
            return Shape(sources, columns, True, named, ticks and any(map(goes_by_the_clock, sources)))
        used = tuple(tuple(sorted(used_columns(plan.feeds, source.name))) for source in sources)
        return Shape(sources, used, plan.ordered)

    @cached_property
    def wire(self) -> Wire:
        return Wire.of(
            [
                [arrow_type(source.schema[column].type) for column in columns]
                for source, columns in zip(self.sources, self.columns, strict=True)
            ]
        )

    @property
    def signed(self) -> bool:
        return any(map(is_signed, self.sources))

    @property
    def checked(self) -> bool:
        return any((source.format or "").lower() in CHECKED for source in self.sources)

    @property
    def has_heartbeats(self) -> bool:
        """Whether there are rows that are no elements."""
        return self.ticking or any(source.heartbeat for source in self.sources)

    @property
    def sound(self) -> list[str]:
        """What must hold, beside a moment, of a row that takes part."""
        signs, texts = [f"{WEIGHT} IS NOT NULL"], [f"{UNREADABLE} IS NULL"]
        return [*(signs if self.signed else ()), *(texts if self.checked else ())]

    @property
    def readable(self) -> str:
        """Which rows are elements that take part."""
        return f"({' AND '.join([*self.of_elements, f'{MOMENT} IS NOT NULL', *self.sound])})"

    @property
    def unreadable(self) -> str:
        """Which rows should be elements, but cannot be read."""
        return f"({' AND '.join([*self.of_elements, f'NOT {self.readable}'])})"

    @property
    def of_elements(self) -> list[str]:
        """What holds of rows that are no heartbeats."""
        return [f"{SOURCE} >= 0"] if self.has_heartbeats else []

    def texts(self, known: Mapping[str, str]) -> list[str]:
        """The columns of rows in this shape, given how some are computed."""
        others = {WEIGHT: "1L", UNREADABLE: "CAST(NULL AS STRING)"}
        others |= {FILE: "CAST(NULL AS STRING)", BLOCK: "CAST(NULL AS BIGINT)"}
        others |= {f"w{slot}": nothing(type) for slot, type in enumerate(self.wire.types)}
        wanted = [SOURCE, MOMENT, *([WEIGHT] if self.signed else ())]
        wanted += [FILE] if self.ordered or self.checked else []
        wanted += [BLOCK] if self.ordered else []
        wanted += [UNREADABLE] if self.checked else []
        wanted += [f"w{slot}" for slot in range(len(self.wire.types))]
        return [f"{known.get(name, others.get(name))} AS {name}" for name in wanted]

    def slots(self, number: int) -> dict[int, int]:
        """Where a source's columns are."""
        return dict(zip(self.columns[number], self.wire.places[number], strict=True))

    def timed(self, view: str, instant: str, which: str, ordered: bool) -> str:
        """A table expression of a view's rows of this shape, those that `which` chooses, from their instants on."""
        wanted = [f"{instant} AS {START}", f"{instant} + 1L AS {UNTIL}", WEIGHT if self.signed else f"1L AS {WEIGHT}"]
        wanted.append(SOURCE)
        if ordered:
            wanted += [FILE, BLOCK, f"monotonically_increasing_id() AS {LINE}"]
        wanted += [f"w{slot}" for slot in range(len(self.wire.types))]
        return f"(SELECT {', '.join(wanted)} FROM {view} WHERE {which})"


def used_columns(feeds: Sequence[Feed], name: str) -> set[int]:
    found: set[int] = set()
    for feed in feeds:
        if isinstance(feed.origin, Emission) or feed.origin.name != name:
            continue
        found |= columns_of(*feed.predicates, *(feed.key or ()), *(feed.thinned.key if feed.thinned else ()))
        part = feed.partial
        wanted = feed.columns
        if part:
            wanted = (*part.keys, *(e for each in part.sums for e in (each.argument, each.condition) if e))
        found |= columns_of(*wanted)
    return found


@dataclass(frozen=True)
class Arriving:
    """A source as Spark reads it: its rows, and whether its timestamps are numbers of ticks."""

    frame: DataFrame
    in_ticks: bool


def arriving(
    spark: SparkSession, shape: Shape, number: int, frames: Mapping[str, DataFrame], intake: Intake | None = None
) -> Arriving:
    """A source's rows in the common shape; `frames` are the DataFrames of sources that are such, by name."""
    source = shape.sources[number]
    if source.format is None:
        raise RunError(f"{source.name} has no USING: nothing says where its rows come from")
    raw, in_ticks = given(spark, source, frames) if source.format == FRAME else read(spark, source, shape.named, intake)
    known = {
        SOURCE: numbered(source, number, in_ticks, raw.columns),
        MOMENT: moment(source, in_ticks, raw.isStreaming),
    }
    if isinstance(source, Relation) and source.op:
        known[WEIGHT] = weight(source.op)
    if source.format.lower() in FILES:
        known |= {FILE: "_metadata.file_path", BLOCK: "_metadata.file_block_start"}
    if UNREADABLE in raw.columns:
        known[UNREADABLE] = UNREADABLE
    for column, slot in shape.slots(number).items():
        field = source.schema[column]
        known[f"w{slot}"] = f"CAST({name_text(field.name)} AS {spark_type(field.type)})"
    return Arriving(raw.selectExpr(*shape.texts(known)), in_ticks)


def goes_by_the_clock(source: Stream | Relation) -> bool:
    """Whether time goes on for a source though nothing arrives."""
    return source.idle is not None or (isinstance(source, Stream) and source.timestamp is None)


def ticks(spark: SparkSession, shape: Shape) -> DataFrame:
    """A row each second, of no source."""
    reader = spark.readStream.format("rate").option("rowsPerSecond", 1)
    rows = (reader.name("_tailrace_ticks") if shape.named else reader).load()
    return rows.selectExpr(*shape.texts({SOURCE: str(beats(len(shape.sources))), MOMENT: "CAST(NULL AS BIGINT)"}))


def beats(number: int) -> int:
    """The number under which a source's heartbeats travel, apart from its elements."""
    return -1 - number


def numbered(source: Stream | Relation, number: int, in_ticks: bool, columns: Sequence[str]) -> str:
    """Of which source a row is an element or a heartbeat; a row that cannot be read promises nothing."""
    if source.heartbeat is None:
        return str(number)
    is_beat = [f"CAST({name_text(source.heartbeat)} AS BOOLEAN)", f"{moment(source, in_ticks)} IS NOT NULL"]
    is_beat += [f"{UNREADABLE} IS NULL"] if UNREADABLE in columns else []
    return f"IF({' AND '.join(is_beat)}, {beats(number)}, {number})"


def weight(op: str) -> str:
    """What a row's sign makes of it; NULL for what is no sign."""
    return f"CASE trim({name_text(op)}) WHEN '+' THEN 1L WHEN '-' THEN -1L END"


def moment(source: Stream | Relation, in_ticks: bool, is_streaming: bool = True) -> str:
    """When a row is: its timestamp, the clock at arrival, or the first instant."""
    if source.timestamp:
        stamp = name_text(source.timestamp)
        return f"CAST({stamp} AS BIGINT)" if in_ticks else f"unix_micros(CAST({stamp} AS TIMESTAMP))"
    if isinstance(source, Relation):
        return "0L"
    # Spark stops its clock for a batch of a stream; for other DataFrames each look at them is later than the last.
    return "unix_micros(current_timestamp())" if is_streaming else f"{time.time_ns() // 1000}L"


def given(spark: SparkSession, source: Stream | Relation, frames: Mapping[str, DataFrame]) -> tuple[DataFrame, bool]:
    """The DataFrame that a source is; whether its timestamp counts ticks."""
    frame = frames.get(source.name.lower())
    if frame is None:
        raise RunError(f"{source.name} has no DataFrame", hint="engine.stream(…) and engine.relation(…) take one")
    wanted = (source.timestamp or "").lower()
    stamps = [field.dataType for field in frame.schema if field.name.lower() == wanted]
    return moved(frame, spark), any(isinstance(stamp, IntegralType) for stamp in stamps)


def spark_name(source: Stream | Relation) -> str:
    """The name under which Spark remembers how far a source was read: another source under its name is not it."""
    letters = re.sub(r"[^a-z0-9]", "_", source.name.lower())
    return f"{letters}_{hashlib.blake2b(source_text(source).encode(), digest_size=4).hexdigest()}"


def read(
    spark: SparkSession, source: Stream | Relation, named: bool = False, intake: Intake | None = None
) -> tuple[DataFrame, bool]:
    """The source's own columns, as a batch or streaming DataFrame; whether its timestamp counts ticks."""
    is_static = source.timestamp is None and isinstance(source, Relation)
    reader = spark.read if is_static else spark.readStream
    format = source.format or ""
    options = {key: value for key, value in source.options if key.lower() != "path"}
    path = beside_script(path_option(source.options), source.folder)
    schema = None
    in_ticks = declared_in_ticks(source)
    if format.lower() in FILES:
        schema, in_ticks = file_schema(spark, source, path or "", options, in_ticks)
        if format.lower() == "csv":
            options.setdefault("header", "true")
        if format.lower() in CHECKED:
            options.setdefault("columnNameOfCorruptRecord", UNREADABLE)
            schema += f", {options['columnNameOfCorruptRecord']} STRING"
        if Path(path or "").is_file():
            # Structured Streaming follows folders: one file is its folder seen through a filter.
            options.setdefault("pathGlobFilter", Path(path or "").name)
            path = str(Path(path or "").parent)
    reader = reader.format(format).options(**options)
    if isinstance(reader, DataStreamReader):
        if intake is not None:
            reader = reader.options(**intake.options(format.lower(), {key.lower() for key in options}))
        if named:
            reader = reader.name(spark_name(source))
    if schema is not None:
        reader = reader.schema(schema)
    return (reader.load(path) if path else reader.load()), bool(in_ticks)


def declared_in_ticks(source: Stream | Relation) -> bool | None:
    """Whether a listed timestamp is a number; None when only the source knows."""
    if not source.timestamp:
        return isinstance(source, Relation)
    found = source.schema.find(source.timestamp)
    return is_integer(source.schema[found[0]].type) if found else None


def file_schema(
    spark: SparkSession, source: Stream | Relation, path: str, options: dict[str, str], in_ticks: bool | None
) -> tuple[str, bool]:
    """The columns of a file source in the file's own order: declared ones as declared, most others as texts."""
    declared = {field.name.lower(): field for field in source.schema}
    wanted = [source.timestamp, source.heartbeat, source.op if isinstance(source, Relation) else None]
    extra = [name for name in wanted if name and name.lower() not in declared]
    sample = first_row(spark, source, path, options)
    if sample is None:
        names = [field.name for field in source.schema] + extra
        sample = dict.fromkeys(names)
    else:
        names = list(sample)
        names += [f.name for f in source.schema if f.name.lower() not in {name.lower() for name in names}]
        names += [name for name in extra if name.lower() not in {known.lower() for known in names}]
    if in_ticks is None and source.format and source.format.lower() in TYPED:
        in_ticks = stored_as_integer(spark, source, path, options)
    if in_ticks is None:
        in_ticks = looks_integer(
            next((v for k, v in sample.items() if k.lower() == (source.timestamp or "").lower()), None)
        )
    types = {source.timestamp: "BIGINT" if in_ticks else "TIMESTAMP", source.heartbeat: "BOOLEAN"}
    unlisted = {name.lower(): type for name, type in types.items() if name}
    columns = []
    for name in names:
        field = declared.get(name.lower())
        type = field.type if field else unlisted.get(name.lower(), "STRING")
        columns.append(f"`{field.name if field else name}` {type}")
    return ", ".join(columns), in_ticks


def stored_as_integer(
    spark: SparkSession, source: Stream | Relation, path: str, options: dict[str, str]
) -> bool | None:
    """Whether files that know their types have a whole number as the timestamp."""
    wanted = (source.timestamp or "").lower()
    stored = spark.read.format(source.format or "").options(**options).load(path).schema
    return next((isinstance(field.dataType, IntegralType) for field in stored if field.name.lower() == wanted), None)


def looks_integer(value: object) -> bool:
    return isinstance(value, int) or (isinstance(value, str) and value.strip().lstrip("-").isdigit())


def first_row(
    spark: SparkSession, source: Stream | Relation, path: str, options: dict[str, str]
) -> dict[str, object] | None:
    """The first row of the first file, by column name; None where there is none or it has no names."""
    format = (source.format or "").lower()
    if is_remote(path):
        # Whichever file Spark begins with will do.
        rows = spark.read.text(path).head(2) if format in ("csv", "json") else []
        return row_of([row["value"] for row in rows], format, options)
    place = Path(store_at(path).address)
    if place.is_dir():
        files = sorted(entry for entry in place.iterdir() if entry.is_file() and entry.name[0] not in "._")
        if not files:
            return None
        place = files[0]
    if not place.exists():
        raise RunError(f"{source.name}: there is no file {path}")
    with place.open(encoding=options.get("encoding", "utf-8"), newline="") as lines:
        return row_of(lines, format, options)


def row_of(lines: Iterable[str], format: str, options: dict[str, str]) -> dict[str, object] | None:
    """The first row of these lines.

    >>> row_of(["a;b", "1;x"], "csv", {"sep": ";"})
    {'a': '1', 'b': 'x'}
    """
    if format == "csv" and options.get("header", "true").lower() == "true":
        rows = csv.reader(lines, delimiter=options.get("sep", options.get("delimiter", ",")))
        header = next(rows, None)
        values = next(rows, None) or []
        return dict(zip(header, [*values, *[None] * len(header)], strict=False)) if header else None
    if format == "json":
        line = next((line for line in lines if line.strip()), None)
        row = json.loads(line) if line else None
        return row if isinstance(row, dict) else None
    return None
