"""Rows of a soak: two streams that a seed decides to the last value, and a feeder that writes them as files in time.

Second t of the stream S has the same rows whenever and wherever it is asked for, so what is fed need not be kept.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

Columns = dict[str, np.ndarray]

SOURCES = ("S", "R")
VALUES = 1000
AFTER_ALL = 200  # seconds from the last row to the one that tells that no more come: longer than all windows
SPARED = 60  # seconds of rows that stay as files after they counted, though no batch may ask for them again


@dataclass(frozen=True)
class SoakRows:
    """What comes in each second: of S four fifths of `rows`, of R the rest.

    | column | what it is |
    |---|---|
    | `ts` | the second, or, of every tenth row, the one before |
    | `n` | the number of the row in its stream, so that no two are equal |
    | `k`, `v` | a key of `rows` / 5, and a value of 1,000 |
    | `j`, `d` | keys of ten times and twice as many as there are rows in a second: for a join, and for a distinct |
    """

    seed: int
    rows: int

    def count(self, source: str) -> int:
        """The rows of a source in each second."""
        return self.rows - self.rows // 5 if source == "S" else self.rows // 5

    @property
    def keys(self) -> int:
        return self.rows // 5

    def second(self, source: str, second: int) -> Columns:
        draw = np.random.default_rng([self.seed, SOURCES.index(source), second])
        count = self.count(source)
        return {
            "ts": np.maximum(0, second - (draw.random(count) < 0.1)).astype(np.int64),
            "n": second * count + np.arange(count, dtype=np.int64),
            **{
                name: draw.integers(0, most, count, dtype=np.int32)
                for name, most in (("k", self.keys), ("v", VALUES), ("j", 10 * self.rows), ("d", 2 * self.rows))
            },
        }

    def all(self, source: str, seconds: int) -> Columns:
        """All rows of so many seconds."""
        parts = [self.second(source, second) for second in range(seconds)]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def files(self, source: str, second: int) -> Iterator[pa.Table]:
        """The rows of a second in files of about 1,000 rows."""
        table = pa.table(self.second(source, second))
        parts = max(1, round(len(table) / 1000))
        ends = [len(table) * part // parts for part in range(parts + 1)]
        for begin, end in pairwise(ends):
            yield table.slice(begin, end - begin)

    def end(self, seconds: int) -> pa.Table:
        """One row that comes so late that all windows are empty by then, and that no query selects."""
        values = {"ts": seconds + AFTER_ALL, "n": -1, "k": -1, "v": -1, "j": -1, "d": -1}
        types = self.second("S", 0)
        return pa.table({name: np.array([value], types[name].dtype) for name, value in values.items()})


@dataclass
class Feeder:
    """A thread that writes the rows of each second when it comes, until it is told to end; then the row after all.

    A file is written under a hidden name and renamed. Its time of change is set, since Spark takes files in that order.
    """

    rows: SoakRows
    folder: Path
    seconds: int = 0  # that were written
    written: list[tuple[str, Path, int]] = field(default_factory=list)  # source, file, rows of it up to this file
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SOURCES, 0))
    over: threading.Event = field(default_factory=threading.Event)
    problem: Exception | None = None
    files: int = 0
    begun: float = 0.0
    first_change: float = 0.0
    most_behind: float = 0.0  # seconds

    def start(self) -> None:
        self.thread = threading.Thread(target=self.flow, daemon=True)
        self.begun, self.first_change = time.monotonic(), time.time()
        self.thread.start()

    def flow(self) -> None:
        try:
            while not self.over.is_set():
                self.write_second()
            for source in SOURCES:
                self.write(source, self.rows.end(self.seconds))
        except Exception as problem:
            self.problem = problem

    def write_second(self) -> None:
        """Write the files of a second over the course of it. R comes first, S is spread."""
        self.write("R", pa.concat_tables(self.rows.files("R", self.seconds)))
        tables = list(self.rows.files("S", self.seconds))
        for number, table in enumerate(tables):
            due = self.begun + self.seconds + number / len(tables)
            self.most_behind = max(self.most_behind, time.monotonic() - due)
            self.over.wait(max(0.0, due - time.monotonic()))
            self.write("S", table)
        self.seconds += 1
        self.over.wait(max(0.0, self.begun + self.seconds - time.monotonic()))

    def write(self, source: str, table: pa.Table) -> None:
        self.files += 1
        file = self.folder / source / f"{self.files:08}.parquet"
        aside = file.with_name(f".{file.name}")
        pq.write_table(table, aside)
        changed = self.first_change + self.files / 1000
        os.utime(aside, (changed, changed))
        aside.rename(file)
        self.counts[source] += len(table)
        self.written.append((source, file, self.counts[source]))

    def stop(self) -> None:
        """Have the second that is being written end, and write the row after all."""
        self.over.set()
        self.thread.join()
        if self.problem:
            raise self.problem

    def remove_taken(self, taken: dict[str, int]) -> None:
        """Remove files whose rows are in batches that count, but for those of the last minute.

        A killed run repeats the batch that does not count yet, and no other.
        """
        safe = {source: taken.get(source, 0) - SPARED * self.rows.count(source) for source in SOURCES}
        while self.written and self.written[0][2] <= safe[self.written[0][0]]:
            self.written.pop(0)[1].unlink()


def rows_taken(checkpoint: Path) -> dict[str, int]:
    """The rows of each source in all batches that count, by the newest record of a checkpoint."""
    while True:
        records = sorted((checkpoint / "batches").glob("[0-9]*.json"), key=lambda file: int(file.stem))
        if not records:
            return {}
        try:
            counts: dict[str, int] = json.loads(records[-1].read_text())["watermark"]["counts"]
        except FileNotFoundError:  # a newer one is there
            continue
        return counts


def batches_done(checkpoint: Path) -> int:
    """How many batches count."""
    return 1 + max((int(file.stem) for file in (checkpoint / "batches").glob("[0-9]*.json")), default=-1)
