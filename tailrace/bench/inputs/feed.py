"""Feed: writes files at a steady pace, whose rows have their moment of arrival; and how long rows wait for answers."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

SCHEMA = pa.schema([("at", pa.int64()), ("ts", pa.timestamp("us", tz="UTC")), ("k", pa.int32()), ("v", pa.int32())])
FED = "at BIGINT, ts TIMESTAMP, k INT, v INT"
LAST = pa.field("last", pa.bool_())


def micros() -> int:
    """The clock, in microseconds."""
    return time.time_ns() // 1000


@dataclass
class FileFeed:
    """A thread that puts a file of `rows` rows into a folder each `every` seconds, until the `with` block ends.

    `at` and `ts` are the moment at which the file was made, as a number and as a timestamp. The file is written under a
    hidden name and renamed. Its last row has no key: it is a heartbeat, whose `last` says that no more rows of that
    moment follow. Keys go round, so that each comes as often as any other.
    """

    folder: Path
    rows: int
    every: float
    keys: int
    sent: list[int] = field(default_factory=list)  # the moments of the files written so far
    left: threading.Event = field(default_factory=threading.Event)
    problem: Exception | None = None
    thread: threading.Thread | None = None

    def __enter__(self) -> FileFeed:
        self.folder.mkdir(parents=True)
        self.begin()
        return self

    def begin(self) -> None:
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.left.set()
        self.wait_for_end()
        if self.problem and error is None:
            raise self.problem

    def wait_for_end(self) -> None:
        if self.thread:
            self.thread.join()

    def run(self) -> None:
        begun, number = time.monotonic(), 0
        try:
            while not self.left.is_set():
                self.sent.append(self.write(number))
                number += 1
                # Counted from the start, not from the last file, so that the time for writing does not slow the pace.
                self.left.wait(max(0.0, begun + number * self.every - time.monotonic()))
        except Exception as problem:
            self.problem = problem

    def write(self, number: int) -> int:
        """Write one more file. Returns its moment."""
        at = micros()
        rows = np.arange(number * self.rows, (number + 1) * self.rows)
        keys, values = rows % self.keys, rows * 7919 % 1000
        columns = [pa.array([*map(int, each), None], pa.int32()) for each in (keys, values)]
        moments = pa.array([at] * (self.rows + 1), pa.int64())
        table = pa.table([moments, moments.cast(SCHEMA.field("ts").type), *columns], schema=SCHEMA)
        table = table.append_column(LAST, pa.array([False] * self.rows + [True]))
        aside = self.folder / f".{at}.parquet"  # Spark does not see names that begin with a dot
        pq.write_table(table, aside)
        aside.rename(self.folder / f"{at}.parquet")
        return at


def delays(sent: Sequence[int], answered: Iterable[tuple[int, int]]) -> dict[int, float]:
    """For each moment at which rows were sent, the seconds until the first answer that holds them.

    `answered` has, in the order of the answers, when each came and the moment of its newest rows.

    >>> delays([1_000_000, 2_000_000, 3_000_000, 4_000_000], [(2_500_000, 2_000_000), (3_500_000, 3_000_000)])
    {1000000: 1.5, 2000000: 0.5, 3000000: 0.5}
    """
    found: dict[int, float] = {}
    waiting = iter(sorted(sent))
    next_one = next(waiting, None)
    for came, newest in answered:
        while next_one is not None and next_one <= newest:
            found[next_one] = (came - next_one) / 1_000_000
            next_one = next(waiting, None)
    return found


def quantile(values: Iterable[float], part: float) -> float:
    """The value below which this part of the values lies.

    >>> quantile([3.0, 1.0, 2.0], 0.5)
    2.0
    """
    return float(np.quantile(np.fromiter(values, float), part))
