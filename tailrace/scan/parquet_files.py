"""Parquet files: reads the wanted columns of row groups, and fewer of groups that hold no wanted row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import date, datetime
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from tailrace.scan.open_files import open_file
from tailrace.scan.scan_spec import Bound, NotScannable, ScanSpec
from tailrace.scan.splits import FileSplit
from tailrace.scan.stored_columns import bind_stored, cast_batch
from tailrace.state.storage import is_remote
from tailrace.types import is_time

ROWS = 1 << 16  # of a batch
# What Spark writes into files whose old dates may be of the Julian calendar, which it converts.
LEGACY = (b"org.apache.spark.legacyDateTime", b"org.apache.spark.legacyINT96")
FIRST_GREGORIAN = 3  # the first version of Spark whose dates are of one calendar
VERSION = b"org.apache.spark.version"


def count_row_groups(path: str) -> int:
    """The number of row groups of a file, to be cut by `split_file`."""
    with closing(open_file(path)) as opened:
        return int(parquet.read_metadata(opened).num_row_groups)


def scan_parquet(split: FileSplit, spec: ScanSpec) -> Iterator[pa.RecordBatch]:
    """The rows of a split of a parquet file."""
    with closing(open_file(split.path)) as opened:
        # Elsewhere each read is a request: the columns of a row group are then asked for together.
        file = parquet.ParquetFile(opened, pre_buffer=is_remote(split.path))
        places = bind_stored(file.schema_arrow, spec)
        check_calendar(file.metadata, spec)
        names = {name: file.schema_arrow.field(place).name for name, place in places.items() if place is not None}
        check_timestamps(file, set(names.values()))
        needed = set(row_groups(file.metadata, spec.bounds))
        for group in range(split.start, min(split.end, file.num_row_groups)):
            chosen = {name: stored for name, stored in names.items() if group in needed or name in spec.always}
            yield from read_group(file, group, chosen, spec)


def read_group(file: Any, group: int, names: Mapping[str, str], spec: ScanSpec) -> Iterator[pa.RecordBatch]:
    """The rows of a row group; columns that are not in `names`, which has the file's name of each, are NULL."""
    if not names:
        yield cast_batch(dict.fromkeys(spec.wanted), file.metadata.row_group(group).num_rows, spec)
        return
    for batch in file.iter_batches(ROWS, [group], [*names.values()], use_threads=False):
        found = {name: batch.column(names[name]) if name in names else None for name in spec.wanted}
        yield cast_batch(found, batch.num_rows, spec)


def check_calendar(metadata: Any, spec: ScanSpec) -> None:
    """Refuse times that Spark converts from the Julian calendar: in files of old versions of Spark."""
    if not any(is_time(spec.types[name.lower()]) for name in spec.wanted):
        return
    said = metadata.metadata or {}
    version = said.get(VERSION, b"3").split(b".")[0]
    if any(mark in said for mark in LEGACY) or not version.isdigit() or int(version) < FIRST_GREGORIAN:
        raise NotScannable("a file has dates in the calendar of an old version of Spark")


def check_timestamps(file: Any, names: set[str]) -> None:
    """Refuse timestamps of 96 bits, which Spark converts by rules of its own."""
    for place in range(len(file.schema)):
        column = file.schema.column(place)
        if column.name in names and column.physical_type == "INT96":
            raise NotScannable(f"a file has timestamps of 96 bits in column {column.name}")


# Row groups ----------------------------------------------------------------------------------------------


def row_groups(metadata: Any, bounds: Sequence[Bound]) -> list[int]:
    """The row groups of a file that may hold a row which satisfies all bounds, by the least and largest values."""
    columns = {metadata.schema.column(place).path.lower(): place for place in range(metadata.num_columns)}
    known = [(columns[bound.column.lower()], bound) for bound in bounds if bound.column.lower() in columns]
    return [
        number
        for number in range(metadata.num_row_groups)
        if all(may_satisfy(metadata.row_group(number).column(place).statistics, bound) for place, bound in known)
    ]


def may_satisfy(statistics: Any, bound: Bound) -> bool:
    """Whether a value between the least and the largest may satisfy a comparison; True if that is not known.

    Only integers, dates and timestamps are looked at: statistics leave out NaN and may cut texts short.
    """
    if statistics is None or not statistics.has_min_max:
        return True
    least, largest = statistics.min, statistics.max
    if not (is_comparable(least, bound.value) and is_comparable(largest, bound.value)):
        return True
    found: dict[str, bool] = {
        "<": least < bound.value,
        "<=": least <= bound.value,
        "=": least <= bound.value <= largest,
        ">=": largest >= bound.value,
        ">": largest > bound.value,
    }
    return found[bound.comparison]


def is_comparable(stored: object, value: object) -> bool:
    """Whether a stored value and a constant are of one kind."""
    if isinstance(stored, datetime) and isinstance(value, datetime):
        return (stored.tzinfo is None) == (value.tzinfo is None)
    return type(stored) is type(value) and isinstance(value, int | date) and not isinstance(value, bool | datetime)
