"""Scan files: reads the files of a source inside Spark's tasks, with Arrow, without Spark's own readers.

Structured Streaming only says which files are new. Which sources can be read so, `why_not` of the scan says; all others
take Spark's readers (read_files.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.catalog.formats import CHECKED
from tailrace.catalog.sources import Relation, Stream
from tailrace.columnar.evaluate import can_evaluate, evaluate
from tailrace.logical.expressions import Call, Column, Expression
from tailrace.scan.arrow_files import count_batches
from tailrace.scan.open_files import file_size
from tailrace.scan.parquet_files import count_row_groups
from tailrace.scan.scan_spec import Bound, ScanSpec
from tailrace.scan.scan_split import scan
from tailrace.scan.splits import FileSplit, split_file
from tailrace.scan.support import why_not, why_spark_reads
from tailrace.spark.io.read_files import FileSource
from tailrace.spark.source_layout import UNREADABLE
from tailrace.state.storage import is_remote
from tailrace.types import BIGINT, BOOLEAN, STRING, TIMESTAMP, Type

COUNTED = {"parquet": count_row_groups, "arrow": count_batches}  # formats that are cut by groups of rows, not by bytes
LEAST_BYTES = 4 << 20  # smaller files are not cut: a task costs more than to read so much
LOOKS = 16  # files elsewhere whose sizes are asked for at a time


@dataclass(frozen=True)
class SourceBlock:
    """Some rows of one source: their event times, and their columns by position.

    `moment` is NULL and `sound` is false for a row that cannot be read; `sound` is None if all rows have valid values.
    `heartbeats` are the event times of rows that are no elements. `weight` is None unless rows insert and delete.
    """

    number: int
    moment: pa.Array
    columns: Sequence[pa.Array | None]
    sound: pa.Array | None = None
    weight: pa.Array | None = None
    heartbeats: pa.Array | None = None


@dataclass(frozen=True)
class FileScan:
    """How a task reads files of one source: the columns to read, and those that are the event time, op and heartbeat.

    `used` has, by name, the positions of the source's columns that queries use; `width` is the number of all. Rows of a
    source without a timestamp get the moment `arrived_at`.
    """

    number: int
    spec: ScanSpec
    used: Mapping[str, int]
    width: int
    in_ticks: bool
    timestamp: str | None
    heartbeat: str | None
    op: str | None
    arrived_at: int = 0

    def blocks(self, split: FileSplit) -> Iterator[SourceBlock]:
        """The rows of a part of a file."""
        for batch in scan(split, self.spec):
            yield self.block_of(batch)

    def block_of(self, batch: pa.RecordBatch) -> SourceBlock:
        columns: list[pa.Array | None] = [None] * self.width
        for name, index in self.used.items():
            columns[index] = batch[name]
        moment, sound, weight = self.moments(batch), None, None
        if self.spec.corrupt and batch[self.spec.corrupt].null_count < len(batch):
            sound = batch[self.spec.corrupt].is_null()
        if self.op:
            weight = weights(batch[self.op])
            if weight.null_count:
                sound = weight.is_valid() if sound is None else pc.and_(sound, weight.is_valid())
        block = SourceBlock(self.number, moment, columns, sound, weight)
        return self.without_heartbeats(block, batch[self.heartbeat]) if self.heartbeat else block

    def moments(self, batch: pa.RecordBatch) -> pa.Array:
        """The event times of rows, in ticks or microseconds; NULL where there is none."""
        if self.timestamp is None:
            return pa.array(np.full(len(batch), self.arrived_at, np.int64))
        wanted = event_time(self.spec.types[self.timestamp.lower()], self.in_ticks)
        found = evaluate(wanted, [batch[self.timestamp]], len(batch))
        return found if self.in_ticks else found.cast(pa.int64())

    def without_heartbeats(self, block: SourceBlock, flags: pa.Array) -> SourceBlock:
        """The elements of a block, with the event times of its heartbeats aside; an unreadable row is no heartbeat."""
        is_beat = pc.and_(pc.fill_null(flags.cast(pa.bool_()), False), block.moment.is_valid())
        if block.sound is not None and self.spec.corrupt:
            is_beat = pc.and_(is_beat, block.sound)
        rest = pc.indices_nonzero(pc.invert(is_beat))

        def take(column: pa.Array | None) -> pa.Array | None:
            return None if column is None else column.take(rest)

        beats = block.moment.filter(is_beat)
        columns = [take(column) for column in block.columns]
        return SourceBlock(self.number, block.moment.take(rest), columns, take(block.sound), take(block.weight), beats)


def event_time(type: Type, in_ticks: bool) -> Expression:
    """The event time as an expression over the timestamp's column alone."""
    wanted = BIGINT if in_ticks else TIMESTAMP
    column = Column(0, type)
    return column if type == wanted else Call("cast", (column,), wanted)


def weights(signs: pa.Array) -> pa.Array:
    """1 for `+`, -1 for `-`, NULL for anything else; blanks around do not count."""
    text = pc.utf8_trim(signs, " ")
    is_plus, is_minus = pc.fill_null(pc.equal(text, "+"), False), pc.fill_null(pc.equal(text, "-"), False)
    return pc.if_else(is_plus, 1, pc.if_else(is_minus, -1, pa.scalar(None, pa.int64())))


@dataclass(frozen=True)
class FileParts:
    """The files of a batch that tasks read: how each source is read, and parts of files, each with its source."""

    scans: Mapping[int, FileScan]
    splits: Sequence[tuple[int, FileSplit]]

    @property
    def size(self) -> int:
        """The bytes of all files that are cut by bytes; files that are cut by groups count as large."""
        by_bytes = all(self.scans[number].spec.format not in COUNTED for number, _ in self.splits)
        return sum(split.end - split.start for _, split in self.splits) if by_bytes else 1 << 40


# On the driver --------------------------------------------------------------------------------------------


def columns_of_files(files: FileSource, in_ticks: bool) -> tuple[tuple[str, Type], ...]:
    """The columns that a source's declaration says its files have, with their types."""
    declared = [(field.name, field.type) for field in files.source.schema]
    known = {"BOOLEAN": BOOLEAN, "": BIGINT if in_ticks else TIMESTAMP}
    others = [(name, known.get(type)) for name, type in files.undeclared_columns.items()]
    return (*declared, *((name, type) for name, type in others if type is not None))


def why_not_scanned(source: Stream | Relation, files: FileSource) -> str | None:
    """Why a source takes Spark's reader, in words for EXPLAIN; None if tasks read its files with Arrow."""
    if reason := why_spark_reads(source):
        return reason
    columns = columns_of_files(files, True)
    if source.timestamp:
        types = {name.lower(): type for name, type in columns}
        if not can_evaluate(event_time(types[source.timestamp.lower()], True)):
            return f"{source.timestamp} is no timestamp that Arrow reads"
    if files.partition_names(files.files):
        return "some columns are in the names of folders"
    return why_not(files.format, source.options, columns)


def file_scan(
    number: int,
    source: Stream | Relation,
    files: FileSource,
    used: Sequence[int],
    in_ticks: bool,
    arrived_at: int = 0,
    bounds: tuple[Bound, ...] = (),
) -> FileScan:
    """How tasks read a source of which these columns are used; `bounds` hold for all rows that are used."""
    op = source.op if isinstance(source, Relation) else None
    names = {source.schema[index].name: index for index in used}
    besides = [name for name in (source.timestamp, source.heartbeat, op) if name]
    wanted = dict.fromkeys([*names, *besides])
    columns = list(columns_of_files(files, in_ticks))
    if op and op.lower() not in {name.lower() for name, _ in columns}:
        columns.append((op, STRING))
    corrupt = UNREADABLE if files.format in CHECKED else None
    spec = ScanSpec(files.format, source.options, tuple(columns), tuple(wanted), corrupt, bounds, tuple(besides))
    return FileScan(
        number, spec, names, len(source.schema), in_ticks, source.timestamp, source.heartbeat, op, arrived_at
    )


def cut_files(format: str, paths: Sequence[str], tasks: int) -> list[FileSplit]:
    """Cut files so that this many tasks have about equal work."""
    count = COUNTED.get(format)
    sizes = look_at(paths, count or file_size)
    target = 1 if count else max(LEAST_BYTES, -(-sum(sizes) // max(tasks, 1)))
    return [split for path, size in zip(paths, sizes, strict=True) for split in split_file(path, size, target)]


def look_at(paths: Sequence[str], look: Callable[[str], int]) -> list[int]:
    """What `look` says of each file; files elsewhere are looked at side by side, since each look waits for answers."""
    if not any(is_remote(path) for path in paths):
        return [look(path) for path in paths]
    with ThreadPoolExecutor(LOOKS) as pool:
        return list(pool.map(look, paths))


def share_out(splits: Sequence[tuple[int, FileSplit]], tasks: int) -> list[list[tuple[int, FileSplit]]]:
    """The splits of each task: neighbours stay together, and all tasks get about as many bytes."""
    total = sum(split.end - split.start for _, split in splits)
    found: list[list[tuple[int, FileSplit]]] = [[] for _ in range(min(tasks, len(splits)))]
    done = 0
    for number, split in splits:
        found[min(len(found) - 1, done * len(found) // max(total, 1))].append((number, split))
        done += split.end - split.start
    return [part for part in found if part]
