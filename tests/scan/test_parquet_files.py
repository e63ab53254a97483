"""Parquet files: splits, stored types, and row groups that are left out."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from tailrace.scan.arrow_files import count_batches
from tailrace.scan.parquet_files import count_row_groups, row_groups
from tailrace.scan.scan_spec import Bound, NotScannable, ScanSpec
from tailrace.scan.scan_split import scan
from tailrace.scan.splits import split_file
from tailrace.types import BIGINT, DATE, DOUBLE, INT, STRING, TIMESTAMP, Type

TABLE = pa.table(
    {
        "TS": pa.array(range(10), pa.int32()),
        "name": pa.array([None if n % 3 == 0 else f"n{n}" for n in range(10)]).dictionary_encode(),
        "day": pa.array([date(2024, 3, 1 + n) for n in range(10)]),
        "at": pa.array([datetime(2024, 3, 1 + n, tzinfo=UTC) for n in range(10)], pa.timestamp("ms", tz="UTC")),
        "v": pa.array([float("nan"), *range(9)], pa.float32()),
    }
)
COLUMNS = (("ts", BIGINT), ("name", STRING), ("far", INT), ("day", DATE), ("at", TIMESTAMP), ("v", DOUBLE))


def write(path: Path, table: pa.Table = TABLE) -> str:
    if path.suffix == ".parquet":
        parquet.write_table(table, path, row_group_size=3)
    else:
        feather.write_feather(table, path, chunksize=3)
    return str(path)


def values_of(path: str, size: int, target: int, *wanted: str, **more: Any) -> list[tuple[Any, ...]]:
    spec = ScanSpec(path.rpartition(".")[2], (), COLUMNS, wanted, **more)
    batches = [batch for split in split_file(path, size, target) for batch in scan(split, spec)]
    assert all(batch.schema == spec.schema for batch in batches)
    return [tuple(row.values()) for batch in batches for row in batch.to_pylist()]


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
@pytest.mark.parametrize("target", [1, 2, 3, 100])
def test_splits(tmp_path: Path, ending: str, target: int) -> None:
    path = write(tmp_path / f"a.{ending}")
    size = (count_row_groups if ending == "parquet" else count_batches)(path)
    assert size == 4
    expected = [(value["TS"], value["name"], None) for value in TABLE.to_pylist()]
    assert values_of(path, size, target, "ts", "name", "far") == expected
    assert values_of(path, size, target, "far") == [(None,)] * 10
    times = [(value["at"], value["day"]) for value in TABLE.to_pylist()]
    assert values_of(path, size, target, "at", "day") == times


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
@pytest.mark.parametrize(
    ("stored", "declared"),
    [(pa.int64(), INT), (pa.string(), BIGINT), (pa.timestamp("ns"), TIMESTAMP), (pa.int32(), STRING)],
)
def test_types_that_only_spark_converts(tmp_path: Path, ending: str, stored: pa.DataType, declared: Type) -> None:
    path = write(tmp_path / f"a.{ending}", pa.table({"c": pa.nulls(2, stored)}))
    spec = ScanSpec(ending, (), (("c", declared),), ("c",))
    with pytest.raises(NotScannable, match="column c"):
        [*scan(split_file(path, 1, 1)[0], spec)]


@pytest.mark.parametrize(
    ("bound", "groups"),
    [
        (Bound("ts", "<", 3), [0]),
        (Bound("ts", "<=", 3), [0, 1]),
        (Bound("TS", "=", 4), [1]),
        (Bound("ts", ">=", 8), [2, 3]),
        (Bound("ts", ">", 8), [3]),
        (Bound("day", "<", date(2024, 3, 4)), [0]),
        (Bound("at", ">", datetime(2024, 3, 9, tzinfo=UTC)), [3]),
        (Bound("v", ">", 100), [0, 1, 2, 3]),
        (Bound("name", "=", 1), [0, 1, 2, 3]),
        (Bound("other", "=", 1), [0, 1, 2, 3]),
    ],
)
def test_row_groups_that_may_satisfy_a_bound(tmp_path: Path, bound: Bound, groups: list[int]) -> None:
    path = write(tmp_path / "a.parquet")
    assert row_groups(parquet.read_metadata(path), [bound]) == groups
    whole = values_of(path, 4, 2, "ts", "name")
    found = values_of(path, 4, 2, "ts", "name", bounds=(bound,), always=("ts",))
    assert found == [(ts, name if ts // 3 in groups else None) for ts, name in whole]
