"""Payloads: rows for a shard of a stage, or for a sink, as one Arrow message: what tasks send each other through Spark.

Spark moves each message as one row with a BINARY column. So the cost of a shuffle follows the number of messages, a few
for each task and shard, and not the number of rows.

>>> batch = pa.RecordBatch.from_pydict({START: [3, 5], "w0": [1, 2]})
>>> payload = Payload.of(Target(0, 1), 2, Arrival("a.csv", 0, 7), [batch])
>>> payload.rows, payload.first, payload.last, payload.open()["w0"].to_pylist()
(2, 3, 5, [1, 2])
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from tailrace.staging.wire import START

SHARD, STAGE, PORT = "_shard", "_stage", "_port"
SCHEMA = pa.schema(
    [
        (SHARD, pa.int32()),
        (STAGE, pa.int32()),
        (PORT, pa.int32()),
        ("_file", pa.string()),
        ("_block", pa.int64()),
        ("_message", pa.int64()),
        ("_first", pa.int64()),
        ("_last", pa.int64()),
        ("_rows", pa.int64()),
        ("_payload", pa.binary()),
    ]
)
SUMMARY = -1  # the port of a message that is no rows: what a task tells all tasks of the next stage
RESULTS = -1  # the stage of a message that is for a sink; its port is the number of the output
FILES = -2  # the stage of a message that names files of an output, whose number is the port; the driver gets it
COMPRESSION = pa.ipc.IpcWriteOptions(compression="lz4")
# Rows are collected into messages of about this size: large ones cost less, and small ones need less memory.
MESSAGE_BYTES = 8 << 20


class Target(NamedTuple):
    """Where rows go: to an input of a stage, by its port, or to a sink (`RESULTS`), by the number of the output."""

    stage: int
    port: int


class Arrival(NamedTuple):
    """The place of a message in the order of arrival: by file, by block of the file, and by number in its task.

    Messages of rows that come from no file have no file name, and the number of their task as the block.
    """

    file: str
    block: int
    message: int


@dataclass(frozen=True)
class Payload:
    """A message: for whom it is, its place in the order of arrival, and its rows.

    `first` and `last` are the least and the greatest instant of its rows.
    """

    target: Target
    shard: int
    arrival: Arrival
    first: int
    last: int
    rows: int
    content: bytes | pa.Buffer

    @staticmethod
    def of(target: Target, shard: int, arrival: Arrival, batches: Sequence[pa.RecordBatch]) -> Payload:
        """Pack rows; the column START, if they have it, has their instants."""
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, batches[0].schema, options=COMPRESSION) as writer:
            for batch in batches:
                writer.write_batch(batch)
        bounds = [pc.min_max(batch[START]) for batch in batches if START in batch.schema.names]
        first = min((each["min"].as_py() for each in bounds), default=0)
        last = max((each["max"].as_py() for each in bounds), default=0)
        return Payload(target, shard, arrival, first, last, sum(map(len, batches)), sink.getvalue())

    @staticmethod
    def summary(stage: int, shard: int, task: int, content: bytes) -> Payload:
        """A message of a task to all tasks of a stage."""
        return Payload(Target(stage, SUMMARY), shard, Arrival("", task, 0), 0, 0, 0, content)

    @staticmethod
    def of_files(output: int, shard: int, task: int, content: bytes) -> Payload:
        """A message to the driver that names the files which a task wrote for an output."""
        return Payload(Target(FILES, output), shard, Arrival("", task, 0), 0, 0, 0, content)

    def open(self) -> pa.Table:
        """The rows; columns that are not compressed are not copied."""
        with pa.ipc.open_stream(self.content) as reader:
            return reader.read_all()

    def as_row(self) -> pa.RecordBatch:
        """The message as the row that Spark moves."""
        values = (self.shard, *self.target, *self.arrival, self.first, self.last, self.rows)
        heads = [pa.array([value], field.type) for value, field in zip(values, SCHEMA, strict=False)]
        buffer = self.content if isinstance(self.content, pa.Buffer) else pa.py_buffer(self.content)
        offsets = pa.py_buffer(pa.array([0, buffer.size], pa.int32()).buffers()[1])
        content = pa.Array.from_buffers(pa.binary(), 1, [None, offsets, buffer])
        return pa.RecordBatch.from_arrays([*heads, content], schema=SCHEMA)


def read_payloads(batches: Iterable[pa.RecordBatch]) -> Iterator[Payload]:
    """The messages in the rows that Spark hands over."""
    for batch in batches:
        heads = [column.to_pylist() for column in batch.columns[:-1]]
        for number, (shard, stage, port, *arrival, first, last, rows) in enumerate(zip(*heads, strict=True)):
            content: Any = batch.column(len(SCHEMA) - 1)[number].as_buffer()
            yield Payload(Target(stage, port), shard, Arrival(*arrival), first, last, rows, content)


class Packer:
    """Collects the rows for each target and shard, and packs them into messages of about MESSAGE_BYTES.

    `block` is that of all messages in the order of arrival (see Arrival).
    """

    def __init__(self, block: int, file: str = "") -> None:
        self.next = Arrival(file, block, 0)
        self.waiting: dict[tuple[Target, int], list[pa.RecordBatch]] = {}
        self.sizes: dict[tuple[Target, int], int] = {}

    def add(self, target: Target, shard: int, batch: pa.RecordBatch) -> Iterator[Payload]:
        """Take rows; yields a message if enough are waiting."""
        key = target, shard
        self.waiting.setdefault(key, []).append(batch)
        self.sizes[key] = self.sizes.get(key, 0) + batch.nbytes
        if self.sizes[key] >= MESSAGE_BYTES:
            yield self.pack(key)

    def pack(self, key: tuple[Target, int]) -> Payload:
        self.next = self.next._replace(message=self.next.message + 1)
        del self.sizes[key]
        return Payload.of(*key, self.next, self.waiting.pop(key))

    def rest(self) -> Iterator[Payload]:
        """The messages of all rows that still wait."""
        for key in list(self.waiting):
            yield self.pack(key)
