"""Source task: measures rows of sources in a worker, drops late ones, and prepares the others for stages and sinks.

Every task tells all tasks of the first stage what it measured, so that all of them know the watermark of the batch
before they decide anything. The driver hears the same from the tasks' reports.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.keys import groups
from tailrace.exchange.payloads import Packer, Payload
from tailrace.exchange.prepare_input import OriginRows
from tailrace.fault_injection import fault
from tailrace.scan.splits import FileSplit
from tailrace.spark.batch.stage_task import Reader, send_rows
from tailrace.spark.batch.task_reports import TaskReport
from tailrace.spark.io.scan_files import FileScan, SourceBlock
from tailrace.spark.source_layout import FILE, MOMENT, SOURCE, UNREADABLE, beats
from tailrace.spark.time.decision import combine_values, no_measures
from tailrace.spark.time.event_clock import EventClock
from tailrace.staging.wire import WEIGHT
from tailrace.write.result_files import FileSink, ResultFiles, files_to_json

FIRST_FILES = 1 << 20  # tasks that read files are numbered from here on, apart from those over Spark's rows


@dataclass
class BatchMeasures:
    """What a task measures of its rows, by the names that WatermarkTracker gives the measures of a batch."""

    values: dict[str, Any] = field(default_factory=dict)

    def add(self, name: str, value: int | None) -> None:
        self.values[name] = combine_values(name, self.values.get(name), value)


@dataclass(frozen=True)
class SourceTask:
    """Takes blocks of rows and sends them to where they are needed.

    `feeds` has, by source, what is prepared of its rows and where that goes. Rows up to the instant `late_until` are
    late. `audience` is the number of shards of the first stage that hear what was measured. `sinks` are those that
    tasks write, by the number of the output. To prepare a block for a reader may take `step_time` seconds.
    """

    feeds: Mapping[int, Sequence[Reader]]
    clock: EventClock
    late_until: int
    numbers: tuple[int, ...]
    audience: int
    report: Callable[[TaskReport], None]
    counts_files: bool = False
    sinks: Mapping[int, Sequence[FileSink]] = field(default_factory=dict)
    step_time: float | None = None

    def run(
        self, blocks: Iterable[tuple[Packer, SourceBlock]], task: int, files: ResultFiles, begun: int | None = None
    ) -> Iterator[pa.RecordBatch]:
        """Send all rows of some blocks, then the summary; a block goes out by its packer.

        Rows of results that go to files are added to `files`. `begun` is how many files of sources begin in these
        blocks; without it, each file that has rows here counts.
        """
        measures = BatchMeasures(no_measures(self.numbers))
        packers: dict[int, Packer] = {}
        for packer, block in blocks:
            packers[id(packer)] = packer
            for payload in self.take(block, packer, files, measures, task):
                yield payload.as_row()
        for packer in packers.values():
            for payload in packer.rest():
                yield payload.as_row()
        if self.counts_files:
            seen = len({packer.next.file for packer in packers.values()})
            measures.add("files", seen if begun is None else begun)
        content = json.dumps(measures.values).encode()
        for shard in range(self.audience):
            yield Payload.summary(0, shard, task, content).as_row()
        self.report(TaskReport(-1, task, measures=measures.values))

    def take(
        self, block: SourceBlock, packer: Packer, files: ResultFiles, measures: BatchMeasures, task: int
    ) -> Iterator[Payload]:
        """Measure a block and prepare its rows for all that read them."""
        rows = self.measure(block, measures)
        if len(rows) and self.feeds:
            rows = self.without_late(rows)
            yield from send_rows(self.feeds.get(block.number, ()), rows, packer, files, task, self.step_time)

    def measure(self, block: SourceBlock, measures: BatchMeasures) -> OriginRows:
        """Count the rows of a block; returns those that can be read, with their event times."""
        number, moment = block.number, block.moment
        if block.heartbeats is not None:
            measures.add(f"promised{number}", pc.max(block.heartbeats).as_py())
        measures.add("rows", len(moment))
        rows = OriginRows(moment, block.columns, None, block.weight)
        good = moment.is_valid() if moment.null_count else None
        if block.sound is not None:
            good = block.sound if good is None else pc.and_(good, block.sound)
        if good is not None:
            rows = rows.filter(good)
        if not len(rows):
            return rows
        measures.add(f"timed{number}", len(rows))
        bounds = pc.min_max(rows.start)
        measures.add(f"first{number}", bounds["min"].as_py())
        measures.add(f"last{number}", bounds["max"].as_py())
        return rows

    def without_late(self, rows: OriginRows) -> OriginRows:
        """The rows that are not late, with their instants for their event times."""
        rows = OriginRows(self.instants(rows.start), rows.columns, None, rows.weight)
        return rows.filter(pc.greater(rows.start, self.late_until))

    def instants(self, moments: pa.Array) -> pa.Array:
        if self.clock.in_ticks:
            return moments
        return pa.array((moments.to_numpy() - np.int64(self.clock.origin or 0)) // np.int64(self.clock.tick))


def write_results(
    sinks: Mapping[int, Sequence[FileSink]], shard: int, run: Callable[[ResultFiles], Iterable[pa.RecordBatch]]
) -> Iterator[pa.RecordBatch]:
    """Run a task that adds rows of results to files; after its messages come those that name the files."""
    with ResultFiles(sinks) as files:
        yield from run(files)
        for output, written in files.finish():
            fault("staged")
            yield Payload.of_files(output, shard, shard, files_to_json(written)).as_row()


@dataclass(frozen=True)
class FilesTask:
    """A source task over files: the task of number n reads `shares[n]`, each part of a file by the scan of its source.

    It also measures what it reads if it sends nothing: `clock` of the task may then have no origin.
    """

    task: SourceTask
    scans: Mapping[int, FileScan]
    shares: Sequence[Sequence[tuple[int, FileSplit]]]

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return write_results(self.task.sinks, 0, lambda files: self.run(batches, files))

    def run(self, batches: Iterator[pa.RecordBatch], files: ResultFiles) -> Iterator[pa.RecordBatch]:
        numbers = [int(number) for batch in batches for number in batch.column(0).to_pylist()]
        shares = [part for number in numbers for part in self.shares[number]]
        begun = sum(split.start == 0 for _, split in shares)
        return self.task.run(self.blocks(shares), FIRST_FILES + (numbers[0] if numbers else 0), files, begun)

    def blocks(self, shares: Sequence[tuple[int, FileSplit]]) -> Iterator[tuple[Packer, SourceBlock]]:
        for number, split in shares:
            packer = Packer(split.start, split.path)
            for block in self.scans[number].blocks(split):
                yield packer, block


@dataclass(frozen=True)
class RowsTask:
    """A source task over rows that Spark read, in the common layout of all sources.

    `slots` has, by source, the layout's column of each column that is used; `widths` the number of all its columns.
    """

    task: SourceTask
    slots: Mapping[int, Mapping[int, int]]
    widths: Mapping[int, int]

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return write_results(self.task.sinks, 0, lambda files: self.run(batches, files))

    def run(self, batches: Iterator[pa.RecordBatch], files: ResultFiles) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext

        context = TaskContext.get()
        number = 0 if context is None else context.partitionId()
        return self.task.run(self.blocks(batches, number), number, files)

    def blocks(self, batches: Iterator[pa.RecordBatch], number: int) -> Iterator[tuple[Packer, SourceBlock]]:
        """The rows of each source, file by file if the layout has files."""
        packers: dict[tuple[str, int], Packer] = {}
        for batch in batches:
            for (source, file, block), rows in split_by(batch, (SOURCE, FILE, "_block")):
                key = file or "", number if block is None else block
                packer = packers.setdefault(key, Packer(key[1], key[0]))
                yield packer, self.block_of(source, rows)

    def block_of(self, source: int, rows: pa.RecordBatch) -> SourceBlock:
        names = rows.schema.names
        if source < 0:
            number, nothing = beats(source), rows.slice(0, 0)
            columns = self.columns(number, nothing)
            return SourceBlock(number, nothing[MOMENT], columns, heartbeats=rows[MOMENT])
        sound, weight = None, rows[WEIGHT] if WEIGHT in names else None
        if UNREADABLE in names and rows[UNREADABLE].null_count < len(rows):
            sound = rows[UNREADABLE].is_null()
        if weight is not None and weight.null_count:
            sound = weight.is_valid() if sound is None else pc.and_(sound, weight.is_valid())
        return SourceBlock(source, rows[MOMENT], self.columns(source, rows), sound, weight)

    def columns(self, source: int, rows: pa.RecordBatch) -> list[pa.Array | None]:
        found: list[pa.Array | None] = [None] * self.widths.get(source, 0)
        for column, slot in self.slots.get(source, {}).items():
            found[column] = rows[f"w{slot}"]
        return found


def split_by(batch: pa.RecordBatch, names: Sequence[str]) -> Iterator[tuple[tuple[Any, ...], pa.RecordBatch]]:
    """The rows of each distinct tuple of some columns, in order; a column that is not there is None.

    >>> batch = pa.RecordBatch.from_pydict({"a": [1, 1, 2], "b": [5, 6, 7]})
    >>> [(key, rows["b"].to_pylist()) for key, rows in split_by(batch, ("a", "c"))]
    [((1, None), [5, 6]), ((2, None), [7])]
    """
    if not len(batch):
        return
    there = [name for name in names if name in batch.schema.names]
    codes, first = groups([batch[name] for name in there], len(batch))
    for number, row in enumerate(first.tolist()):
        key = tuple(batch[name][row].as_py() if name in there else None for name in names)
        yield key, batch if len(first) == 1 else batch.take(pa.array(np.flatnonzero(codes == number)))
