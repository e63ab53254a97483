"""Make inputs: the streams of the questions as csv and Parquet files.

Flink reads the files of a folder in an order of its own, two at a time, and drops rows that are later than its
watermark. So a stream is as many files as there are cores, which take turns at its rows: each file is in order of time
from the first minute to the last, and all are read at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq

from tailrace.bench.inputs import data
from tailrace.bench.peers.questions import WINDOW

CSV = pc.WriteOptions(include_header=False, quoting_style="none")
GROUP = 500_000  # rows of a row group, so that cores can share a file
STREAMS = {
    "S": lambda rows: data.positions(rows),
    "L": lambda rows: data.make_joining_stream(rows // 2, WINDOW, 0),
    "R": lambda rows: data.make_joining_stream(rows // 2, WINDOW, 1),
}


def make_inputs(folder: Path, rows: int, streams: Iterable[str], formats: Iterable[str], files: int = 2) -> None:
    """Write the streams below `folder/FORMAT/STREAM`."""
    chosen = list(formats)
    for stream in streams:
        table = STREAMS[stream](rows)
        for number in range(files):
            part = table.take(pa.array(np.arange(number, len(table), files)))
            for format in chosen:
                place = folder / format / stream
                place.mkdir(parents=True, exist_ok=True)
                write_part(part, place / f"part-{number}.{format}", format)


def write_part(part: pa.Table, file: Path, format: str) -> None:
    """Write a file; csv files have no header, since Flink would take it for a row."""
    if format == "csv":
        # Whole seconds without a time zone are written as `2024-01-01 10:00:00`, which both systems read.
        whole = part["ts"].cast(pa.timestamp("us")).cast(pa.timestamp("s"))
        pc.write_csv(part.set_column(0, "ts", whole), file, CSV)
    else:
        pq.write_table(part, file, row_group_size=GROUP)
