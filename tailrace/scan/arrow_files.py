"""Arrow files: reads the wanted columns of record batches of Arrow IPC files, also called Feather files of version 2.

Spark has no reader for them. Columns are found by name without regard to case. A column that a file does not have is
NULL. A stored type may be narrower than the declared one, as in parquet files; any other type is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pyarrow as pa
from pyarrow import ipc

from tailrace.scan.open_files import open_file
from tailrace.scan.scan_spec import ScanSpec
from tailrace.scan.splits import FileSplit
from tailrace.scan.stored_columns import bind_stored, cast_batch


def count_batches(path: str) -> int:
    """The number of record batches of a file, to be cut by `split_file`."""
    with closing(open_file(path)) as opened:
        return int(ipc.open_file(opened).num_record_batches)


def scan_arrow(split: FileSplit, spec: ScanSpec) -> Iterator[pa.RecordBatch]:
    """The rows of a split of an Arrow file."""
    with closing(open_file(split.path)) as opened:
        schema = ipc.open_file(opened).schema
        places = bind_stored(schema, spec)
        read = sorted(place for place in places.values() if place is not None) or [0]
        # Fields that are not included are not read from the file.
        options = ipc.IpcReadOptions(included_fields=read[: len(schema)], use_threads=False)
        file = ipc.open_file(opened, options=options)
        for number in range(split.start, min(split.end, file.num_record_batches)):
            batch = file.get_batch(number)
            found = {name: None if place is None else batch.column(read.index(place)) for name, place in places.items()}
            yield cast_batch(found, batch.num_rows, spec)
