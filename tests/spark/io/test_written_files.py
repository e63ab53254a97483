"""Files that tasks write are those of Spark's writers: text to the byte, and parquet as both readers read it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pyspark.sql import DataFrame, SparkSession

from tailrace.columnar.arrow_types import type_of
from tailrace.scan.parquet_files import count_row_groups
from tailrace.scan.scan_spec import ScanSpec
from tailrace.scan.scan_split import scan
from tailrace.scan.splits import split_file
from tailrace.scan.text.text_values import is_readable
from tailrace.spark.io.sink_files import SparkFacts
from tailrace.types import BINARY
from tailrace.write.file_writers import write_file
from tailrace.write.sink_support import why_not_written
from tests.conftest import SEED, Examples
from tests.write.nasty_values import FLAT, NESTED, draw_table

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("as_the_engine_runs")]

ROWS = 400  # of a world
PER_WORLD = 6  # columns
CSV_OPTIONS = (
    {},
    {"header": "true"},
    {"sep": ";"},
    {"delimiter": "|", "header": "TRUE"},
    {"sep": "\\t"},
    {"nullValue": "NULL"},
)
JSON_OPTIONS: tuple[dict[str, str], ...] = ({}, {"ignoreNullFields": "false"}, {"ignoreNullFields": "true"})
PARQUET_OPTIONS: tuple[dict[str, str], ...] = ({}, {"compression": "zstd"}, {"compression": "none"})
worlds = settings(
    phases=[Phase.explicit, Phase.generate],
    max_examples=8,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def by_spark(frame: DataFrame, folder: Path, format: str, options: dict[str, str]) -> Path:
    """The one file in which Spark writes a table."""
    frame.coalesce(1).write.format(format).options(**options).mode("overwrite").save(str(folder))
    (file,) = folder.glob("part-*")
    return file


def by_tasks(spark: SparkSession, table: pa.Table, file: Path, format: str, options: dict[str, str]) -> None:
    columns = [(field.name, type_of(field.type)) for field in table.schema]
    assert why_not_written(format, options.items(), columns) is None
    spec = SparkFacts.of(spark).spec(format, tuple(options.items()), table.schema)
    write_file(str(file), spec, table)


def difference(found: bytes, wanted: bytes) -> str:
    """The first place where two texts differ."""
    place = next((at for at, (one, other) in enumerate(zip(found, wanted, strict=False)) if one != other), -1)
    return f"{found[max(0, place - 60) : place + 60]!r}\n{wanted[max(0, place - 60) : place + 60]!r}"


def compare_texts(spark: SparkSession, folder: Path, table: pa.Table, format: str, options: dict[str, str]) -> None:
    wanted = by_spark(spark.createDataFrame(table), folder / "spark", format, options).read_bytes()
    by_tasks(spark, table, folder / "ours", format, options)
    found = (folder / "ours").read_bytes()
    assert found == wanted, f"{table.schema}\n{options}\n{difference(found, wanted)}"


@worlds
@given(seed=st.integers(0, 2**32))
def test_csv(spark: SparkSession, tmp_path: Path, examples: Examples, seed: int) -> None:
    draw = random.Random(f"{SEED}{seed}")
    table = draw_table(draw, draw.sample(FLAT, PER_WORLD), ROWS)
    compare_texts(spark, tmp_path, table, "csv", draw.choice(CSV_OPTIONS))
    examples("rows of csv files, written as Spark does", ROWS)


@worlds
@given(seed=st.integers(0, 2**32))
def test_json(spark: SparkSession, tmp_path: Path, examples: Examples, seed: int) -> None:
    draw = random.Random(f"{SEED}{seed}")
    table = draw_table(draw, draw.sample((*FLAT, *NESTED), PER_WORLD), ROWS)
    compare_texts(spark, tmp_path, table, "json", draw.choice(JSON_OPTIONS))
    examples("rows of json files, written as Spark does", ROWS)


def rows_of(table: pa.Table) -> list[tuple[Any, ...]]:
    """Rows as texts that can be compared: times as numbers, and NaN equal to NaN."""
    columns = []
    for column in table.columns:
        if pa.types.is_timestamp(column.type):
            column = column.cast(pa.int64())
        elif pa.types.is_date(column.type):
            column = column.cast(pa.int32())
        columns.append([repr(value) for value in column.to_pylist()])
    return list(zip(*columns, strict=True))


def scan_rows(file: Path, schema: pa.Schema) -> list[tuple[Any, ...]]:
    columns = tuple((field.name, type_of(field.type)) for field in schema)
    spec = ScanSpec("parquet", (), columns, tuple(schema.names))
    splits = split_file(str(file), count_row_groups(str(file)), 10**9)
    return rows_of(pa.Table.from_batches([batch for split in splits for batch in scan(split, spec)], spec.schema))


@worlds
@given(seed=st.integers(0, 2**32))
def test_parquet(spark: SparkSession, tmp_path: Path, examples: Examples, seed: int) -> None:
    draw = random.Random(f"{SEED}{seed}")
    options = draw.choice(PARQUET_OPTIONS)
    # Python's dates end with the year 9999, so values inside others are drawn from those that it can show.
    table = draw_table(draw, draw.sample((*FLAT, BINARY, *NESTED[:5], NESTED[7]), PER_WORLD), ROWS)
    file = by_spark(spark.createDataFrame(table), tmp_path / "spark", "parquet", options)
    ours = tmp_path / f"ours{file.name.partition('-c000')[2]}"
    by_tasks(spark, table, ours, "parquet", options)
    wanted, found = spark.read.parquet(str(file)), spark.read.parquet(str(ours))
    assert found.schema == wanted.schema
    assert rows_of(found.toArrow()) == rows_of(wanted.toArrow())
    assert pq.read_schema(ours).metadata == pq.read_schema(file).metadata
    flat = pa.schema([field for field in table.schema if is_readable(type_of(field.type))])
    assert scan_rows(ours, flat) == rows_of(wanted.toArrow().select(flat.names))
    examples("rows of parquet files, read as Spark's", ROWS)
