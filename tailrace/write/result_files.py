"""Result files: collects the rows that a task has for sinks, and writes them to files in the sinks' staging folders.

The driver hears the names of the files in messages. It moves only files that it hears of, so that files of a task that
failed, or that ran twice, are never seen. A name is unique to the attempt at a task.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.state import disk
from tailrace.write.file_writers import FileWriter, open_file, write_parts
from tailrace.write.write_spec import WriteSpec

# Rows wait until a sink has so many bytes of them, or until all sinks of a task have MOST_BYTES.
LARGE_BYTES, MOST_BYTES = 16 << 20, 64 << 20
MOST_OPEN = 16  # files that a task has open at a time
REPORTED = re.compile(r"^tailrace\.write\.result_files\.SinkWriteError: (output (\d+): .*)", re.MULTILINE)
Key = tuple[int, int]  # the number of an output, and of one of its sinks


class SinkWriteError(OSError):
    """Raised in a worker when the files of an output cannot be written; its text begins with the output's number."""

    def __init__(self, output: int, problem: OSError) -> None:
        super().__init__(f"output {output}: {problem}")
        self.errno = problem.errno

    @staticmethod
    def find_in(text: str) -> tuple[int, str] | None:
        """The output and what the disk said, from the text of Spark's exception; None if no sink was the cause.

        >>> SinkWriteError.find_in("…\\ntailrace.write.result_files.SinkWriteError: output 3: [Errno 28] No space…\\n…")
        (3, '[Errno 28] No space…')
        """
        found = REPORTED.search(text)
        return (int(found[2]), found[1].partition(": ")[2]) if found else None


@contextmanager
def name_output(key: Key) -> Iterator[None]:
    """Turn an OSError inside the block into a SinkWriteError that names the output."""
    try:
        yield
    except OSError as problem:
        raise SinkWriteError(key[0], problem) from problem


@dataclass(frozen=True)
class FileSink:
    """Files of one kind that tasks write for an output, into a staging folder.

    Rows of a family begin with the number of the member that they are for. Those of `members` are written, each
    member's to a file of its own. `members` is None if the output is one query's.
    """

    folder: str
    spec: WriteSpec
    members: tuple[int, ...] | None = None

    def shape(self, rows: pa.RecordBatch) -> pa.Table:
        """Rows with the names and types of the sink's columns, after the member's number if there is one."""
        schema = self.spec.schema
        if self.members is not None:
            schema = pa.schema([pa.field("", pa.int64()), *schema])
        return pa.Table.from_arrays(rows.columns, schema.names).cast(schema)


@dataclass(frozen=True)
class StagedFile:
    """A file in a staging folder: the sink of its output, by number, the member, its name and how many rows it has."""

    sink: int
    member: int | None
    name: str
    rows: int


def files_to_json(files: Sequence[StagedFile]) -> bytes:
    return json.dumps([[each.sink, each.member, each.name, each.rows] for each in files]).encode()


def files_from_json(content: bytes) -> list[StagedFile]:
    """Read back what `files_to_json` wrote.

    >>> files_from_json(files_to_json([StagedFile(0, None, "a.csv", 3)]))
    [StagedFile(sink=0, member=None, name='a.csv', rows=3)]
    """
    return [StagedFile(*each) for each in json.loads(content)]


@dataclass
class Waiting:
    """The rows of a sink that are not written yet."""

    batches: list[pa.RecordBatch] = field(default_factory=list)
    size: int = 0


class ResultFiles:
    """The files that one attempt at a task writes; `sinks` are those of each output, by its number.

    If the block ends with an exception, the files are removed.
    """

    def __init__(self, sinks: Mapping[int, Sequence[FileSink]]) -> None:
        self.sinks = sinks
        self.token = uuid4().hex
        self.waiting: dict[Key, Waiting] = {}
        self.size = 0  # of all rows that wait, in bytes
        self.open: dict[Key, tuple[StagedFile, FileWriter]] = {}
        self.written: dict[int, list[StagedFile]] = {}
        self.paths: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self.discard()

    def take(self, output: int, rows: pa.RecordBatch) -> pa.RecordBatch | None:
        """Take rows of an output; returns those that no file gets, if there are any."""
        sinks = self.sinks.get(output, ())
        for number, sink in enumerate(sinks):
            mine = rows
            if sink.members is not None:
                is_mine = pc.is_in(rows.column(0), value_set=pa.array(sink.members, pa.int64()))
                mine, rows = rows.filter(is_mine), rows.filter(pc.invert(is_mine))
            if len(mine):
                self.add((output, number), mine)
            if sink.members is None or not len(rows):
                return None
        return rows

    def add(self, key: Key, rows: pa.RecordBatch) -> None:
        waiting = self.waiting.setdefault(key, Waiting())
        waiting.batches.append(rows)
        waiting.size += rows.nbytes
        self.size += rows.nbytes
        if waiting.size >= LARGE_BYTES:
            self.write(key)
        elif self.size >= MOST_BYTES:
            self.write(max(self.waiting, key=lambda key: self.waiting[key].size))

    def finish(self) -> Iterator[tuple[int, list[StagedFile]]]:
        """Write all rows that wait; yields the files of each output."""
        for key in list(self.waiting):
            self.write(key)
            self.close(key)
        for key in list(self.open):
            self.close(key)
        yield from self.written.items()

    def write(self, key: Key) -> None:
        """Write the rows of a sink that wait: to its open file, or those of each member to a file of its own."""
        sink, waiting = self.sink_of(key), self.waiting.pop(key)
        self.size -= waiting.size
        table = pa.concat_tables([sink.shape(batch) for batch in waiting.batches])
        if sink.members is not None:
            with name_output(key):
                self.write_members(key, sink, table)
            return
        while key not in self.open and len(self.open) >= MOST_OPEN:
            self.close(next(iter(self.open)))
        with name_output(key):
            if key not in self.open:
                file = self.name_file(key, None, 0)
                self.open[key] = file, open_file(self.path_of(key, file), sink.spec)
            file, writer = self.open[key]
            writer.write(table)
        self.open[key] = StagedFile(file.sink, None, file.name, file.rows + len(table)), writer

    def write_members(self, key: Key, sink: FileSink, table: pa.Table) -> None:
        numbers = table.column(0).to_numpy()
        order = np.argsort(numbers, kind="stable")
        rows = table.select(range(1, table.num_columns)).take(pa.array(order)).combine_chunks()
        members, starts = np.unique(numbers[order], return_index=True)
        ends = [*starts[1:].tolist(), len(numbers)]
        counts = np.diff([*starts.tolist(), len(numbers)]).tolist()
        files = [self.name_file(key, *each) for each in zip(members.tolist(), counts, strict=True)]
        write_parts([self.path_of(key, file) for file in files], sink.spec, rows, ends)
        self.written.setdefault(key[0], []).extend(files)

    def close(self, key: Key) -> None:
        if key in self.open:
            file, writer = self.open.pop(key)
            with name_output(key):
                writer.close()
            self.written.setdefault(key[0], []).append(file)

    def sink_of(self, key: Key) -> FileSink:
        output, number = key
        return self.sinks[output][number]

    def name_file(self, key: Key, member: int | None, rows: int) -> StagedFile:
        """A file that no other attempt at a task writes."""
        ending = self.sink_of(key).spec.ending
        name = f"{self.token}-{len(self.paths)}.{ending}"
        file = StagedFile(key[1], member, name, rows)
        self.paths.append(self.path_of(key, file))
        return file

    def path_of(self, key: Key, file: StagedFile) -> str:
        return os.path.join(self.sink_of(key).folder, file.name)

    def discard(self) -> None:
        """Remove all files of this attempt, as far as that is possible."""
        for _, writer in self.open.values():
            try:
                writer.close()
            except OSError:
                continue  # the disk is full, which the task has said already
        for path in self.paths:
            disk.remove(path)
