"""Cluster: rows a second with two executors beside one, on a standalone cluster of this machine, each with one core.

More executors do not reduce the driver's work for a batch, so the driver's share of the time is reported too.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from pyspark.sql import SparkSession

from tailrace.bench.inputs import data
from tailrace.bench.inputs.standalone import HOST, cluster
from tailrace.bench.report.lines import BenchLine, Say
from tailrace.engine.pipeline import compile_script
from tailrace.engine.run_queries import run_once
from tailrace.errors import RunError, Source
from tailrace.progress import Progress

LISTENING = 10_000  # milliseconds to wait until Spark's listeners have heard of all tasks that ended
ROWS, QUICK_ROWS, FILES, FILTERS = 6_000_000, 100_000, 8, 1000
# Java compiles for about this many batches, on cores that the executors need.
WARM, WARM_ROWS, QUICK_WARM = 120, 40_000, 2
RUNS = 2
GOAL = 1.5
STREAMS = {"S": data.POSITIONS, "T": data.POSITIONS, "L": data.PAIRED, "R": data.PAIRED}


@dataclass(frozen=True)
class Case:
    """A line: its queries, and the streams that they read."""

    line: str
    queries: tuple[str, ...]
    streams: tuple[str, ...] = ("S",)

    def script(self, scratch: Path) -> str:
        created = [
            f"CREATE STREAM {name} ({STREAMS[name]}) "
            f"USING parquet OPTIONS (path '{name}', maxFilesPerTrigger '1') TIMESTAMP BY ts;"
            for name in self.streams
        ]
        queries = [f"CREATE QUERY q{number} INTO noop AS {text};" for number, text in enumerate(self.queries)]
        settings = [f"SET scratch = 'file://{scratch}';", "SET spark.ui.liveUpdate.period = '0';"]
        return "\n".join([*settings, *created, *queries])


def filters(count: int) -> tuple[str, ...]:
    """Queries that differ only in their constants."""
    chance = Random(5)
    text = "SELECT COUNT(*) AS n FROM T [RANGE 60 SECONDS] WHERE speed < {speed} AND xpos > {xpos} AND dir = {dir}"
    return tuple(
        text.format(speed=chance.randrange(100), xpos=chance.randrange(528_000), dir=chance.randrange(2))
        for _ in range(count)
    )


CASES = [
    Case("grouped window", ("SELECT vehicle, COUNT(DISTINCT seg) AS n FROM S [RANGE 5 MINUTES] GROUP BY vehicle",)),
    Case(
        "window join",
        ("SELECT ISTREAM(L.k, L.v AS l, R.v AS r) FROM L [RANGE 60 SECONDS], R [RANGE 60 SECONDS] WHERE L.k = R.k",),
        ("L", "R"),
    ),
    Case("1,000 filters", filters(FILTERS), ("T",)),
]


@dataclass(frozen=True)
class Moment:
    """The end of a batch: rows read so far, the clock, and the seconds that tasks have taken so far."""

    rows: int
    clock: float
    worked: float


def run(case: Case, folder: Path, master: str) -> list[Moment]:
    """Run a case. Returns the ends of all batches."""
    found: list[Moment] = []

    def watch(progress: Progress) -> None:
        found.append(Moment(progress.rows, time.perf_counter(), task_seconds()))

    compiled = compile_script(Source(case.script(folder / "scratch"), f"{case.line}.cql"), folder)
    run_once(compiled, str(folder), None, master, lambda query, names, rows: None, watch)
    return found


def task_seconds() -> float:
    """The seconds that tasks have taken so far, summed over all executors of the active session.

    The figure is as old as Spark's status store, which is updated at once if `spark.ui.liveUpdate.period` is 0.
    """
    java: Any = SparkSession.active().sparkContext._jsc
    java.sc().listenerBus().waitUntilEmpty(LISTENING)
    known = java.sc().statusStore().executorList(False)
    executors = (known.apply(place) for place in range(known.size()))
    # The driver is in the list too. It runs no tasks, and its duration is the time since it started.
    return float(sum(each.totalDuration() for each in executors if each.id() != "driver") / 1000)


def steady(moments: Sequence[Moment], executors: int) -> tuple[float, float]:
    """Rows a second after the first batch, and the part of the executors' time in which no task ran."""
    first, last = moments[0], moments[-1]
    if first is last:
        raise RunError("all rows came in one batch")
    seconds = last.clock - first.clock
    return (last.rows - first.rows) / seconds, 1 - (last.worked - first.worked) / (seconds * executors)


def write(rows: int, folder: Path, files: int) -> None:
    """Write the streams. A case that takes less time for a row gets more rows, so that all runs take about as long."""
    data.write(data.positions(rows), folder / "S", files)
    data.write(data.positions(3 * rows), folder / "T", files)
    data.write(data.make_joining_stream(2 * rows, 60, 0), folder / "L", files)
    data.write(data.make_joining_stream(2 * rows, 60, 1), folder / "R", files)


def measure(quick: bool, say: Say) -> list[BenchLine]:
    """Each case with one executor and with two."""
    found: dict[tuple[str, int], tuple[float, float]] = {}
    with tempfile.TemporaryDirectory(prefix="tailrace-bench-") as name:
        folder = Path(name)
        warm = QUICK_WARM if quick else WARM
        write(WARM_ROWS * warm, folder / "warm", warm)
        write(QUICK_ROWS if quick else ROWS, folder, FILES)
        for executors in (1, 2):
            with cluster(folder / f"cluster-{executors}", [HOST] * executors, pinned=True) as made:
                found |= measure_cluster(executors, made.url, folder, say)
    return [line(case, found[case.line, 1], found[case.line, 2]) for case in CASES]


def measure_cluster(executors: int, master: str, folder: Path, say: Say) -> dict[tuple[str, int], tuple[float, float]]:
    found = {}
    try:
        for case in CASES:
            which = f"{case.line}, {executors} executor{'s' * (executors > 1)}"
            say(f"{which}: warming up")
            run(case, folder / "warm", master)
            say(f"{which}: measuring")
            found[case.line, executors] = max(steady(run(case, folder, master), executors) for _ in range(RUNS))
    finally:
        if session := SparkSession.getActiveSession():
            session.stop()
    return found


def line(case: Case, one: tuple[float, float], two: tuple[float, float]) -> BenchLine:
    ratio = two[0] / one[0]
    more = {"driver's share, one": round(one[1], 3), "driver's share, two": round(two[1], 3)}
    goal = f"at least {GOAL}"
    return BenchLine(case.line, two[0], "rows/s", "one executor", one[0], ratio, more, goal=goal, met=ratio >= GOAL)
