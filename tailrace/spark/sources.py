"""Sources: declared streams and relations as Spark DataFrames of one shape, so that all of them are one query.

Every source's rows become: which source, the instant (in microseconds, or ticks), the weight, what orders
arrivals, and the declared columns as a struct.
"""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from pathlib import Path

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from tailrace.catalog.sources import Relation, Stream
from tailrace.errors import RunError
from tailrace.types import is_integer

FILES = ("csv", "json", "parquet", "orc", "text", "avro", "xml")
ORDER = ("_file", "_block", "_line")


@dataclass(frozen=True)
class Arriving:
    """A source as Spark reads it: its rows, and whether its timestamps are numbers of ticks."""

    source: Stream | Relation
    frame: DataFrame
    in_ticks: bool


def location(source: Stream | Relation) -> str:
    """Where a source's files are; relative paths are relative to the script's folder."""
    path = next((value for key, value in source.options if key.lower() == "path"), "")
    if "://" in path or not source.folder or Path(path).is_absolute():
        return path
    return str(Path(source.folder) / path)


def arriving(spark: SparkSession, source: Stream | Relation, number: int) -> Arriving:
    """The source's rows in the common shape."""
    if source.format is None:
        raise RunError(f"{source.name} has no USING: nothing says where its rows come from")
    raw, in_ticks = read(spark, source)
    moment = F.lit(0).cast("bigint")
    if source.timestamp:
        stamp = raw[source.timestamp]
        moment = stamp.cast("bigint") if in_ticks else F.unix_micros(stamp.cast("timestamp"))
    weight: Column = F.lit(1)
    if isinstance(source, Relation) and source.op:
        weight = F.when(F.trim(raw[source.op]) == "-", -1).otherwise(1)
    columns = F.struct(*(raw[field.name].cast(str(field.type)).alias(field.name) for field in source.schema))
    order = [F.lit(None).cast("string"), F.lit(None).cast("bigint")]
    if source.format.lower() in FILES:
        order = [F.col("_metadata.file_path"), F.col("_metadata.file_block_start")]
    frame = raw.select(
        F.lit(number).alias("_source"),
        moment.alias("_moment"),
        weight.cast("bigint").alias("_weight"),
        *(column.alias(name) for column, name in zip(order, ORDER, strict=False)),
        columns.alias(f"s{number}"),
    )
    return Arriving(source, frame, in_ticks)


def read(spark: SparkSession, source: Stream | Relation) -> tuple[DataFrame, bool]:
    """The source's own columns, as a batch or streaming DataFrame; whether its timestamp counts ticks."""
    is_static = source.timestamp is None and isinstance(source, Relation)
    reader = spark.read if is_static else spark.readStream
    format = source.format or ""
    options = {key: value for key, value in source.options if key.lower() != "path"}
    path = location(source) or None
    schema = None
    in_ticks = declared_in_ticks(source)
    if format.lower() in FILES:
        schema, in_ticks = file_schema(spark, source, path or "", options, in_ticks)
        if format.lower() == "csv":
            options.setdefault("header", "true")
        if Path(path or "").is_file():
            # Structured Streaming follows folders: one file is its folder seen through a filter.
            options.setdefault("pathGlobFilter", Path(path or "").name)
            path = str(Path(path or "").parent)
    reader = reader.format(format).options(**options)
    if schema is not None:
        reader = reader.schema(schema)
    return (reader.load(path) if path else reader.load()), bool(in_ticks)


def declared_in_ticks(source: Stream | Relation) -> bool | None:
    """Whether a listed timestamp is a number; None when only the source knows."""
    if not source.timestamp:
        return True
    found = source.schema.find(source.timestamp)
    return is_integer(source.schema[found[0]].type) if found else None


def file_schema(
    spark: SparkSession, source: Stream | Relation, path: str, options: dict[str, str], in_ticks: bool | None
) -> tuple[str, bool]:
    """The columns of a file source in the file's own order: declared ones as declared, others as texts."""
    declared = {field.name.lower(): field for field in source.schema}
    wanted = [source.timestamp, source.op if isinstance(source, Relation) else None]
    extra = [name for name in wanted if name and name.lower() not in declared]
    sample = first_row(source, path, options)
    if sample is None:
        names = [field.name for field in source.schema] + extra
        sample = dict.fromkeys(names)
    else:
        names = list(sample)
        names += [f.name for f in source.schema if f.name.lower() not in {name.lower() for name in names}]
        names += [name for name in extra if name.lower() not in {known.lower() for known in names}]
    if in_ticks is None:
        in_ticks = looks_integer(
            next((v for k, v in sample.items() if k.lower() == (source.timestamp or "").lower()), None)
        )
    columns = []
    for name in names:
        field = declared.get(name.lower())
        stamp = source.timestamp is not None and name.lower() == source.timestamp.lower()
        other = ("BIGINT" if in_ticks else "TIMESTAMP") if stamp else "STRING"
        columns.append(f"`{field.name if field else name}` {field.type if field else other}")
    return ", ".join(columns), in_ticks


def looks_integer(value: object) -> bool:
    return isinstance(value, int) or (isinstance(value, str) and value.strip().lstrip("-").isdigit())


def first_row(source: Stream | Relation, path: str, options: dict[str, str]) -> dict[str, object] | None:
    """The first row of the first file, by column name; None where it cannot be seen from here."""
    place = Path(path.removeprefix("file://"))
    if place.is_dir():
        files = sorted(entry for entry in place.iterdir() if entry.is_file() and entry.name[0] not in "._")
        if not files:
            return None
        place = files[0]
    if not place.exists():
        raise RunError(f"{source.name}: there is no file {path}")
    format = (source.format or "").lower()
    with place.open(encoding=options.get("encoding", "utf-8"), newline="") as lines:
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
