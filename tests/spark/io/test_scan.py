"""The Arrow scan gives the rows of Spark's readers, over nasty files of every format that takes it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pyarrow import parquet
from pyspark.sql import SparkSession

from tailrace.catalog.sources import Relation
from tailrace.logical.text.spark_sql import name_text
from tailrace.scan.parquet_files import count_row_groups
from tailrace.scan.scan_spec import NotScannable, ScanSpec
from tailrace.scan.scan_split import scan
from tailrace.scan.splits import split_file
from tailrace.schema import Schema
from tailrace.spark.io.read_files import FileSource
from tailrace.spark.source_layout import UNREADABLE
from tailrace.types import Type
from tests.conftest import SEED, Examples
from tests.scan.nasty_files import TYPES, csv_file, json_file, stored_table

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("as_the_engine_runs")]

FILES = 300  # of a world, read by one job of Spark
MOST_REFUSED = 30  # of them, which the scan may leave to Spark
PARQUET_FILES = 40
Rows = list[tuple[Any, ...]]


# Many small files in one job: few tasks, and no job that lists them.
SETTINGS = {
    "spark.sql.files.openCostInBytes": "1000",
    "spark.sql.sources.parallelPartitionDiscovery.threshold": "1000",
}


@pytest.fixture(autouse=True)
def many_files_a_task(spark: SparkSession) -> Iterator[None]:
    for key, value in SETTINGS.items():
        spark.conf.set(key, value)
    yield
    for key in SETTINGS:
        spark.conf.unset(key)


def rows_of(table: pa.Table) -> Rows:
    """The rows of a table as values that can be compared: times as numbers, and NaN equal to NaN."""
    columns = []
    for column in table.columns:
        if pa.types.is_timestamp(column.type):
            column = column.cast(pa.int64())
        elif pa.types.is_date(column.type):
            column = column.cast(pa.int32())
        elif pa.types.is_string(column.type):
            column = column.cast(pa.binary())  # which need not be UTF-8
        values = column.to_pylist()
        columns.append([repr(value) for value in values] if pa.types.is_floating(column.type) else values)
    return list(zip(*columns, strict=True))


def spark_rows(spark: SparkSession, folder: Path, spec: ScanSpec) -> dict[str, Rows]:
    """The rows of each file of a folder, by Spark's reader, as the engine calls it.

    Files that have no wanted column are left out: Spark refuses to read them for their malformed rows alone.
    """
    source = Relation("S", Schema.of(*spec.columns), spec.format, (*spec.options, ("path", str(folder))))
    files = FileSource(spark, source)
    found: dict[str, Rows] = {}
    for layout, some in files.by_layout(files.files, True).items():
        frame = files.read(some, layout)
        has = {name.lower() for name in frame.columns}
        if not has & {name.lower() for name in spec.wanted}:
            continue
        found |= {Path(file).name: [] for file in some}
        wanted = [name_text(name) if name.lower() in has else "NULL" for name in spec.wanted]
        types = [str(spec.types[name.lower()]) for name in spec.wanted]
        texts = [f"CAST({text} AS {type}) AS c{n}" for n, (text, type) in enumerate(zip(wanted, types, strict=True))]
        table = frame.selectExpr(*texts, *([spec.corrupt] if spec.corrupt else ()), "_metadata.file_path").toArrow()
        paths = table.column("file_path").to_pylist()
        for path, row in zip(paths, rows_of(table.drop_columns("file_path")), strict=True):
            found.setdefault(Path(unquote(urlsplit(path).path)).name, []).append(row)
    return found


def scanned_rows(file: Path, spec: ScanSpec, target: int) -> Rows:
    size = count_row_groups(str(file)) if spec.format == "parquet" else file.stat().st_size
    splits = split_file(str(file), size, target)
    batches = [batch for split in splits for batch in scan(split, spec)]
    return rows_of(pa.Table.from_batches(batches, spec.schema))


def compare(spark: SparkSession, folder: Path, spec: ScanSpec, draw: random.Random) -> int:
    """Compare every file of a folder; a failure shows the first file that differs. Returns the number of rows."""
    expected = spark_rows(spark, folder, spec)
    count = refused = 0
    for file in sorted(file for file in folder.iterdir() if file.name in expected):
        wanted = expected[file.name]
        try:
            found = scanned_rows(file, spec, draw.choice((7, 40, 10**9, 10**9)))
        except NotScannable:
            refused += 1
            continue
        count += len(wanted)
        assert found == wanted, f"{file.read_bytes()!r}\n{spec}\n" + difference(found, wanted)
    assert refused < MOST_REFUSED
    return count


def difference(found: Rows, wanted: Rows) -> str:
    """The first row that differs."""
    pairs = zip([*found, *[None] * len(wanted)], [*wanted, *[None] * len(found)], strict=False)
    return next((f"scanned {one}\nSpark   {other}" for one, other in pairs if one != other), "")


def random_spec(
    draw: random.Random, format: str, options: Sequence[tuple[str, str]], types: Sequence[Type]
) -> ScanSpec:
    columns = tuple((f"c{number}", draw.choice(types)) for number in range(draw.choice((1, 2, 3, 4, 6))))
    wanted = [name for name, _ in columns if draw.random() < 0.7] or [columns[-1][0]]
    return ScanSpec(format, tuple(options), columns, tuple(wanted), UNREADABLE if draw.random() < 0.8 else None)


def write_files(folder: Path, contents: Sequence[bytes], ending: str) -> None:
    folder.mkdir()
    for number, content in enumerate(contents):
        (folder / f"{number:04}.{ending}").write_bytes(content)


def draw_worlds(number: int) -> settings:
    """Settings for this many worlds, and four times as many if they are drawn afresh."""
    return settings(
        max_examples=number * (4 if SEED else 1),
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )


@draw_worlds(5)
@given(seed=st.integers(0, 2**32))
def test_csv(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory, examples: Examples, seed: int) -> None:
    draw = random.Random(seed)
    separator = draw.choice((",", ",", ";", "\t", "|", " "))
    has_header = draw.random() < 0.6
    options = [("header", str(has_header).lower())] if not has_header or draw.random() < 0.5 else []
    options += [(draw.choice(("sep", "delimiter")), separator)] if separator != "," else []
    options += [("nullValue", draw.choice(("NA", "null", "0", " ")))] if draw.random() < 0.4 else []
    spec = random_spec(draw, "csv", options, TYPES)
    folder = tmp_path_factory.mktemp("csv") / "files"
    names, types = zip(*spec.columns, strict=True)
    write_files(folder, [csv_file(draw, names, types, separator, has_header) for _ in range(FILES)], "csv")
    examples("rows of csv files", compare(spark, folder, spec, draw))
    examples("csv files", FILES)


@draw_worlds(4)
@given(seed=st.integers(0, 2**32))
def test_json(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory, examples: Examples, seed: int) -> None:
    draw = random.Random(seed)
    spec = random_spec(draw, "json", [], TYPES)
    folder = tmp_path_factory.mktemp("json") / "files"
    write_files(folder, [json_file(draw, spec.columns) for _ in range(FILES)], "json")
    examples("rows of json files", compare(spark, folder, spec, draw))
    examples("json files", FILES)


@draw_worlds(5)
@given(seed=st.integers(0, 2**32))
def test_parquet(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory, examples: Examples, seed: int) -> None:
    """Stored types are those declared, or narrower ones; columns may be missing, or in another order."""
    draw = random.Random(seed)
    spec = replace(random_spec(draw, "parquet", [], TYPES), corrupt=None)
    folder = tmp_path_factory.mktemp("parquet") / "files"
    folder.mkdir()
    for number in range(PARQUET_FILES):
        table = stored_table(draw, spec.columns)
        groups = {"row_group_size": draw.choice((1, 3, 100))}
        version = {"version": draw.choice(("1.0", "2.4", "2.6")), "use_dictionary": draw.random() < 0.5}
        parquet.write_table(table, folder / f"{number:04}.parquet", **groups, **version)
    examples("rows of parquet files", compare(spark, folder, spec, draw))
    examples("parquet files", PARQUET_FILES)
