"""Scan split: reads a split of a file, whatever its format."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pyarrow as pa

from tailrace.scan.arrow_files import scan_arrow
from tailrace.scan.parquet_files import scan_parquet
from tailrace.scan.scan_spec import NotScannable, ScanSpec
from tailrace.scan.splits import FileSplit
from tailrace.scan.support import why_not
from tailrace.scan.text.csv_blocks import scan_csv
from tailrace.scan.text.json_blocks import scan_json

READERS: dict[str, Callable[[FileSplit, ScanSpec], Iterator[pa.RecordBatch]]] = {
    "csv": scan_csv,
    "json": scan_json,
    "parquet": scan_parquet,
    "arrow": scan_arrow,
}


def scan(split: FileSplit, spec: ScanSpec) -> Iterator[pa.RecordBatch]:
    """The rows of a split in the order of the file, in batches of a few megabytes: the columns of `spec.schema`."""
    if reason := why_not(spec.format, spec.options, spec.columns):
        raise NotScannable(f"only Spark's reader reads this source: {reason}")
    return READERS[spec.format](split, spec)
