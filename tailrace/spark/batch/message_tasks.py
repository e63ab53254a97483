"""Message tasks: the functions that Spark calls in its workers, over messages or over rows that become messages.

They live in an importable module, so that what a worker caches survives from task to task.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

import pyarrow as pa
from pyspark import RDD, TaskContext

from tailrace.exchange.payloads import SCHEMA, Packer, Payload, Target, read_payloads
from tailrace.spark.batch.source_task import FilesTask, RowsTask, split_by, write_results
from tailrace.spark.batch.stage_task import StageTask
from tailrace.spark.source_layout import BLOCK, FILE
from tailrace.staging.wire import PORT, SHARD, START, UNTIL, WEIGHT, WireFormat
from tailrace.write.result_files import FileSink, ResultFiles


def partition_number() -> int:
    context = TaskContext.get()
    return 0 if context is None else context.partitionId()


@dataclass(frozen=True)
class ShardTask:
    """Runs a stage over the messages for one shard, each of which has the shard's number.

    The number of the partition is no substitute: if a statement unites the stage's rows with others, Spark may run the
    stage inside a task of the union, which has another number. Without `has_messages`, time goes on without rows, and
    the partition's one row has the number.
    """

    label: str  # the name that Spark shows in its plans
    stage: StageTask
    has_messages: bool = True
    sinks: Mapping[int, Sequence[FileSink]] = field(default_factory=dict)  # those that tasks write, by output

    @property
    def __name__(self) -> str:
        return self.label

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        messages: Iterator[Payload] = iter(())
        if self.has_messages:
            messages = read_payloads(batches)
            first = next(messages)  # there always is one: see MarkShardsTask
            shard, messages = first.shard, chain([first], messages)
        else:
            shard = next(number for batch in batches for number in batch.column(0).to_pylist())
        run = self.stage.run
        return write_results(self.sinks, shard, lambda files: (each.as_row() for each in run(shard, messages, files)))


@dataclass(frozen=True)
class MarkShardsTask:
    """Sends an empty summary to each shard of the first stage, by the number in a row.

    Tasks that read sources and tasks of a stage send summaries to all shards of the next stage. If the first stage has
    only rows that statements read, nobody else tells its tasks which shard is theirs.
    """

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for shard in batch.column(0).to_pylist():
                yield Payload.summary(0, shard, shard, b"{}").as_row()


@dataclass(frozen=True)
class SmallBatchTask:
    """Runs all stages over all shards in one task, without a shuffle: for a small batch nothing is faster.

    With `rows`, it also reads the rows of the sources; else it gets messages.
    """

    label: str
    stages: Sequence[StageTask]
    shards: int
    rows: RowsTask | FilesTask | None = None
    sinks: Mapping[int, Sequence[FileSink]] = field(default_factory=dict)  # those that tasks write, by output

    @property
    def __name__(self) -> str:
        return self.label

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return write_results(self.sinks, 0, lambda files: self.run(batches, files))

    def run(self, batches: Iterator[pa.RecordBatch], files: ResultFiles) -> Iterator[pa.RecordBatch]:
        messages = list(read_payloads(batches if self.rows is None else self.rows.run(batches, files)))
        for stage in self.stages:
            mine: list[list[Payload]] = [[] for _ in range(self.shards)]
            others: list[Payload] = []
            for message in messages:
                (mine[message.shard] if message.target.stage == stage.number else others).append(message)
            messages = [*others, *(made for shard, part in enumerate(mine) for made in stage.run(shard, part, files))]
        for message in messages:
            yield message.as_row()


@dataclass(frozen=True)
class LoneTask:
    """Runs a small batch as a job of one task, without a statement: Spark would plan it for longer than the batch runs.

    Spark hands over the number of the task, and gets each message as bytes.
    """

    task: SmallBatchTask

    def __call__(self, numbers: Iterable[int]) -> Iterator[bytes]:
        batch = pa.RecordBatch.from_pydict({"id": list(numbers)})
        return (message.serialize().to_pybytes() for message in self.task(iter((batch,))))

    def collect(self, one_row: RDD[int]) -> Iterator[Payload]:
        """The messages that leave the task, which runs now; `one_row` has the number of the task."""
        found = one_row.mapPartitions(self).setName(self.task.label).collect()
        return read_payloads(pa.ipc.read_record_batch(pa.py_buffer(message), SCHEMA) for message in found)


@dataclass(frozen=True)
class PackTask:
    """Packs rows that a statement prepared for a stage into messages; with `ordered`, file by file."""

    stage: int
    wire: WireFormat
    ordered: bool

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        number = partition_number()
        packers: dict[tuple[str, int], Packer] = {}
        by = (SHARD, PORT, *((FILE, BLOCK) if self.ordered else ()))
        for batch in batches:
            for (shard, port, *place), rows in split_by(batch, by):
                file, block = place or (None, None)
                key = file or "", number if block is None else block
                packer = packers.setdefault(key, Packer(key[1], key[0]))
                for payload in packer.add(Target(self.stage, port or 0), shard, self.of_port(rows, port or 0)):
                    yield payload.as_row()
        for packer in packers.values():
            for payload in packer.rest():
                yield payload.as_row()

    def of_port(self, rows: pa.RecordBatch, port: int) -> pa.RecordBatch:
        """The columns of one port, in its order."""
        heads = [name for name in (START, UNTIL, WEIGHT) if name in rows.schema.names]
        slots = self.wire.places[port]
        columns = [*(rows[name] for name in heads), *(rows[f"w{slot}"] for slot in slots)]
        return pa.RecordBatch.from_arrays(columns, [*heads, *(f"w{place}" for place in range(len(slots)))])


@dataclass(frozen=True)
class UnpackTask:
    """Opens messages, so that Spark gets their rows one by one: for statements and sinks of Spark."""

    schema: pa.Schema

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for message in read_payloads(batches):
            yield from message.open().cast(self.schema).to_batches()
