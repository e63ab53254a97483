"""File writers: write rows to a file, or to many files at once, in the format of a sink."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tailrace.state import disk
from tailrace.write.write_spec import WriteSpec

SLICE_BYTES = 32 << 20  # rows are turned into text in slices of this size: a text array holds less than 2 GB


class FileWriter(Protocol):
    """An open file that rows are added to."""

    def write(self, rows: pa.Table) -> None: ...

    def close(self) -> None: ...


class TextFile:
    """A file of lines of text."""

    def __init__(self, path: str, spec: WriteSpec) -> None:
        self.spec = spec
        self.file = disk.create(path)
        self.file.write(spec.header.encode())

    def write(self, rows: pa.Table) -> None:
        for lines in text_of(rows, self.spec):
            self.file.write(data_between(lines, 0, len(lines)))

    def close(self) -> None:
        self.file.close()


class ParquetFile:
    """A parquet file, to which each `write` adds a row group."""

    def __init__(self, path: str, spec: WriteSpec) -> None:
        self.file = disk.create_for_arrow(path)
        self.writer = pq.ParquetWriter(
            self.file,
            spec.schema,
            compression=spec.codec[0],
            store_schema=False,
            store_decimal_as_integer=True,
        )
        self.writer.add_key_value_metadata(dict(spec.metadata))

    def write(self, rows: pa.Table) -> None:
        self.writer.write_table(rows, max(1, len(rows)))

    def close(self) -> None:
        self.writer.close()
        self.file.close()


def open_file(path: str, spec: WriteSpec) -> FileWriter:
    """Create a file to write rows to."""
    return ParquetFile(path, spec) if spec.format == "parquet" else TextFile(path, spec)


def write_file(path: str, spec: WriteSpec, rows: pa.Table) -> None:
    """Write rows as a file."""
    writer = open_file(path, spec)
    try:
        if len(rows):
            writer.write(rows)
    finally:
        writer.close()


def write_parts(paths: Sequence[str], spec: WriteSpec, rows: pa.Table, ends: Sequence[int]) -> None:
    """Write parts of a table as files: each ends at one of the `ends`. The text of all rows is made at once."""
    starts = [0, *ends[:-1]]
    if spec.format == "parquet" or rows.nbytes > SLICE_BYTES:
        for path, start, end in zip(paths, starts, ends, strict=True):
            write_file(path, spec, rows.slice(start, end - start))
        return
    lines = next(text_of(rows, spec))
    head = spec.header.encode()
    for path, start, end in zip(paths, starts, ends, strict=True):
        disk.write(path, head + data_between(lines, start, end).tobytes())


def text_of(rows: pa.Table, spec: WriteSpec) -> Iterator[pa.Array]:
    """The lines of rows, a slice after the other."""
    count = max(1, int(len(rows) * SLICE_BYTES / max(rows.nbytes, 1)))
    for start in range(0, len(rows), count):
        (batch,) = rows.slice(start, count).combine_chunks().to_batches()
        yield spec.write_lines(batch)


def data_between(lines: pa.Array, start: int, end: int) -> Any:
    """The bytes of some lines, without a copy."""
    offsets = np.frombuffer(lines.buffers()[1], np.int32, len(lines) + 1, 4 * lines.offset)
    return memoryview(lines.buffers()[2])[int(offsets[start]) : int(offsets[end])]
