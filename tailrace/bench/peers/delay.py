"""Delay: from a row's arrival to the first answer that holds it, at 1,000 rows a second, in both systems.

A file of 100 rows, one for each of 100 keys, comes every 0.1 seconds. Both systems count rows and give the newest
moment for each key over the last minute, by the clock, and print their rows. The time of an answer is the time at
which its line is read from the pipe.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc

from tailrace.bench.inputs.feed import FileFeed, micros, quantile
from tailrace.bench.peers.flink_environment import FlinkEnvironment
from tailrace.bench.peers.make_inputs import CSV
from tailrace.bench.peers.processes import TIMED, MeasuredProcess, Take, run_process
from tailrace.bench.peers.run_flink import READY
from tailrace.bench.spark.latency import EVERY, PATIENCE, ROWS, WatchedRun

COLUMNS = ("k", "n", "newest")
ANSWER = re.compile(r"\+(?:I|U)\[(\d+), (\d+), (\d+)\]")
FED = "at BIGINT, k INT, v INT"
SCRIPT = f"""
SET tick = '1 millisecond';
CREATE STREAM S ({FED}) USING csv OPTIONS (path 'fed', header 'false');
CREATE QUERY measured AS SELECT ISTREAM(k, COUNT(*) AS n, MAX(at) AS newest) FROM S [RANGE 60 SECONDS] GROUP BY k;
"""
WINDOW = "OVER (PARTITION BY k ORDER BY now RANGE BETWEEN INTERVAL '60' SECOND PRECEDING AND CURRENT ROW)"
INSERT = f"INSERT INTO answer SELECT k, COUNT(*) {WINDOW}, MAX(`at`) {WINDOW} FROM S"
STARTING = 120.0  # seconds until the first answer, at most


class CsvFeed(FileFeed):
    """A feed of csv files without header or heartbeat rows. It waits for `begin`, until when its folder is empty."""

    def __enter__(self) -> CsvFeed:
        self.folder.mkdir(parents=True)
        return self

    def write(self, number: int) -> int:
        at = micros()
        rows = np.arange(number * self.rows, (number + 1) * self.rows)
        table = pa.table({"at": np.full(self.rows, at), "k": rows % self.keys, "v": rows * 7919 % 1000})
        aside = self.folder / f".{at}.csv"  # both systems pass over names that begin with a dot
        pc.write_csv(table, aside, CSV)
        aside.rename(self.folder / f"{at}.csv")
        return at


@dataclass(frozen=True)
class Delay:
    """The delays of a run in seconds, and its largest memory in bytes."""

    median: float
    p99: float
    memory: int


Start = Callable[[Path, Take, threading.Event, float], MeasuredProcess]


def start_tailrace(master: str) -> Start:
    def start(folder: Path, take: Take, stop: threading.Event, most: float) -> MeasuredProcess:
        step = {"name": TIMED, "script": SCRIPT, "folder": str(folder), "most": most, "columns": COLUMNS}
        command = [sys.executable, "-m", "tailrace.bench.peers.run_tailrace"]
        task = {"master": master, "steps": [step]}
        return run_process("Tailrace", command, task, folder, most + STARTING, take=take, stop=stop)

    return start


def start_flink(flink: FlinkEnvironment, settings: dict[str, str], interval: str) -> Start:
    """`interval`: how often Flink looks for new files; there is no default."""

    def start(folder: Path, take: Take, stop: threading.Event, most: float) -> MeasuredProcess:
        source = f"'connector' = 'filesystem', 'path' = '{folder / 'fed'}', 'format' = 'csv'"
        columns = FED.replace("at ", "`at` ")
        tables = [
            f"CREATE TABLE S ({columns}, now AS PROCTIME()) WITH ({source}, 'source.monitor-interval' = '{interval}')",
            "CREATE TABLE answer (k INT, n BIGINT, newest BIGINT) WITH ('connector' = 'print')",
        ]
        task = {
            "settings": settings,
            "steps": [{"name": TIMED, "tables": tables, "inserts": [INSERT], "most": most}],
        }
        return run_process(
            "Flink",
            flink.command(),
            task,
            folder,
            most + STARTING,
            flink.variables(),
            take=take,
            stop=stop,
        )

    return start


def note_answers(watched: WatchedRun, feed: CsvFeed) -> Take:
    """Takes the lines of a system: begins the feed once the system is ready, then notes the answers."""

    def take(line: str) -> None:
        if line.strip() == READY:
            feed.begin()
        elif found := parse_answer(line):
            watched.take([found])

    return take


def parse_answer(line: str) -> tuple[int, int] | None:
    """Key and newest moment of an answer; Flink's lines begin with the number of a task.

    >>> parse_answer("2> +I[7, 12, 1700000000000000]"), parse_answer("INFO [] - started")
    ((7, 1700000000000000), None)
    """
    found = ANSWER.search(line)
    return (int(found[1]), int(found[3])) if found else None


def measure_delay(start: Start, folder: Path, warm_up: float, seconds: float) -> Delay:
    """Feed a system until it has been measured for `seconds`, `warm_up` seconds after its first answer."""
    watched = WatchedRun(warm_up, seconds, threading.Event())
    with CsvFeed(folder / "fed", ROWS, EVERY, keys=ROWS) as feed:
        done = start(folder, note_answers(watched, feed), watched.stop, warm_up + seconds + PATIENCE)
    waited = watched.delays(feed.sent)
    return Delay(quantile(waited, 0.5), quantile(waited, 0.99), done.peak.all)
