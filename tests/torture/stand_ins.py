"""Stand-ins: a Spark session and its frames of messages, as far as a run over files asks them, all in this process."""

from __future__ import annotations

import re
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.errors import PySparkException

from tailrace.exchange.payloads import PORT, SCHEMA, STAGE
from tailrace.spark import source_layout
from tailrace.spark.batch import batch_job, run_batch, services
from tailrace.spark.io import sinks
from tailrace.spark.io.bind_files import FileBinding
from tailrace.spark.io.input_faults import ListedFiles
from tailrace.spark.io.rejected_rows import RejectedRows
from tailrace.spark.io.sink_files import SparkFacts
from tailrace.spark.io.sources import spark_name
from tailrace.spark.run import checkpoint_lock, continuous, run_once
from tailrace.spark.time.steady_clock import SteadyClock
from tailrace.state import state_files, sync_files
from tests.torture.stream_model import StreamModel

DAY = 86_400  # seconds


def run_task(function: Callable[[Any], Iterator[Any]], given: Any) -> list[Any]:
    """What a task returns; what it raises comes to the driver as Spark brings it, as a text."""
    try:
        return list(function(given))
    except Exception:
        text = f"An exception was thrown from the Python worker:\n{traceback.format_exc()}"
        raise PySparkException(text) from None


@dataclass(frozen=True)
class MessageRows:
    """Messages in parts, each of which a task takes, with the methods of a DataFrame that a batch calls."""

    parts: tuple[pa.Table, ...]
    isStreaming: bool = True

    def union(self, other: MessageRows) -> MessageRows:
        return MessageRows((*self.parts, *other.parts))

    def coalesce(self, count: int) -> MessageRows:
        return MessageRows((pa.concat_tables(self.parts),))

    repartition = coalesce

    def repartitionById(self, count: int, column: str) -> MessageRows:
        rows = pa.concat_tables(self.parts)
        return MessageRows(tuple(rows.filter(pc.equal(rows[column], shard)) for shard in range(count)))

    def where(self, condition: str) -> MessageRows:
        """The messages that name files, or that are for one of some ports, as BatchJob asks for them."""
        found = re.fullmatch(rf"{STAGE} = (-?\d+) OR {STAGE} = (-?\d+) AND {PORT} IN \(([-\d, ]+)\)", condition)
        assert found, condition
        files, results, ports = int(found[1]), int(found[2]), [int(port) for port in found[3].split(",")]

        def is_wanted(part: pa.Table) -> pa.Array:
            asked = pc.and_(pc.equal(part[STAGE], results), pc.is_in(part[PORT], pa.array(ports, pa.int32())))
            return pc.or_(pc.equal(part[STAGE], files), asked)

        return MessageRows(tuple(part.filter(is_wanted(part)) for part in self.parts))

    def mapInArrow(self, function: Any, schema: Any) -> MessageRows:
        made = []
        for part in self.parts:
            batches = part.to_batches() or [pa.RecordBatch.from_pylist([], schema=part.schema)]
            made.append(pa.Table.from_batches(run_task(function, iter(batches)), SCHEMA))
        return MessageRows(tuple(made))

    def toArrow(self) -> pa.Table:
        return pa.concat_tables(self.parts)

    @property
    def write(self) -> Any:
        """A writer to nowhere: the tasks are run when they are asked for."""
        writer = SimpleNamespace(save=lambda: None)
        writer.format = writer.mode = lambda _: writer
        return writer


@dataclass(frozen=True)
class LocalRows:
    """What a task gets or returns, with the methods of an RDD of one part that a batch calls."""

    rows: list[Any]

    def mapPartitions(self, function: Callable[[Iterator[Any]], Iterator[Any]]) -> LocalRows:
        return LocalRows(run_task(function, iter(self.rows)))

    def setName(self, name: str) -> LocalRows:
        return self

    def collect(self) -> list[Any]:
        return self.rows


@dataclass
class LocalContext:
    """A SparkContext that knows how many cores there are, and brings the reports of tasks to the driver."""

    defaultParallelism: int = 2
    master: str = "local"

    def accumulator(self, zero: list[Any], how: Any) -> Any:
        reports = SimpleNamespace(value=zero)
        reports.add = lambda more: reports.value.extend(more)
        return reports

    def parallelize(self, rows: list[Any], parts: int) -> LocalRows:
        return LocalRows(rows)

    def setJobDescription(self, text: str) -> None: ...

    def setLocalProperty(self, name: str, value: Any) -> None: ...

    def getLocalProperty(self, name: str) -> None: ...


@dataclass
class LocalSession:
    """A SparkSession whose tasks run in this process."""

    sparkContext: LocalContext = field(default_factory=LocalContext)
    conf: Any = field(default_factory=lambda: SimpleNamespace(set=lambda *_: None, unset=lambda *_: None))

    def range(self, first: int, end: int, step: int, parts: int) -> MessageRows:
        return MessageRows(tuple(pa.table({"id": [number]}) for number in range(first, end, step)))


def in_order(sync: Callable[[Any], None], paths: list[Any]) -> None:
    for path in paths:
        sync(path)


@dataclass
class MovingClock:
    """A clock of the machine that somebody sets forward and back, by up to a month; with another that nobody sets."""

    chance: Random
    real: Callable[[], int] = time.time_ns
    passed: Callable[[], int] = time.monotonic_ns
    offset: int = 0  # seconds
    waited: int = 0  # seconds that calls to a slow disk took
    moves: bool = True

    def time_ns(self) -> int:
        if self.moves and self.chance.random() < 0.2:
            self.offset = self.chance.choice((0, -30 * DAY, -DAY, -60, 60, DAY, 30 * DAY))
        return self.real() + (self.offset + self.waited) * 1_000_000_000

    def time(self) -> float:
        return self.time_ns() / 1_000_000_000

    def monotonic_ns(self) -> int:
        return self.passed() + self.waited * 1_000_000_000

    def monotonic(self) -> float:
        return self.monotonic_ns() / 1_000_000_000

    def sleep(self, seconds: float) -> None:
        self.waited += int(seconds) + 1

    def let_pass(self) -> None:
        self.waited += self.chance.choice((0, 0, 1, 5))

    def steady(self) -> SteadyClock:
        """The clock of a run, by these two."""
        return SteadyClock(self.time_ns, self.monotonic_ns)


@contextmanager
def nothing(*_: Any) -> Iterator[None]:
    yield


@contextmanager
def in_this_process(model: StreamModel, home: Path, shuffles: bool, clock: MovingClock) -> Iterator[None]:
    """Run all of a run but Spark inside the block; with `shuffles`, a task for each shard, else one for a batch."""

    def files_of(binding: FileBinding, spark: Any) -> dict[int, ListedFiles]:
        named = {number: spark_name(files.source) for number, (files, _) in binding.planned.items()}
        return {number: ListedFiles(model.current[name]) for number, name in named.items() if model.current.get(name)}

    model.now, model.let_time_pass = clock.time_ns, clock.let_pass
    with ExitStack() as stack:
        for what in (
            patch.object(continuous, "start_stream", model.start),
            patch.object(services, "open_source", lambda *_: MessageRows(())),
            patch.object(services, "small_batches", nothing),
            patch.object(sinks, "begin", lambda *_: None),
            patch.object(RejectedRows, "remove_earlier", lambda *_: None),
            patch.object(FileBinding, "list_files", files_of),
            patch.object(FileBinding, "batch_time", lambda *_: model.batch_time),
            patch.object(source_layout, "goes_by_the_clock", lambda source: False),  # Spark makes the rows of ticks
            patch.object(run_once, "SteadyClock", clock.steady),
            patch.object(checkpoint_lock, "time", clock),
            patch.object(SparkFacts, "of", lambda spark: SparkFacts(17, "4.3.0", None, str(home))),
            patch.object(batch_job, "F", SimpleNamespace(col=lambda name: name)),
            patch.object(run_batch, "raise_moments", lambda rows, floors: rows),  # Spark has no rows of these files
            patch.object(run_batch, "SMALL_BYTES", -1 if shuffles else 1 << 30),
            patch.object(sync_files, "_call_for_each", in_order),
            patch.object(time, "time_ns", clock.time_ns),
            patch.object(time, "time", clock.time),
        ):
            stack.enter_context(what)
        yield


def forget_all() -> None:
    """What a process knows of files is gone when it ends."""
    state_files._mapped.clear()
    state_files._digests.clear()
    state_files._places.clear()
    sync_files._durable.clear()
