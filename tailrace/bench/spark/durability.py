"""Durability: what it costs that all a batch wrote is synced before it counts, beside `SET durability = 'none'`.

A delay is measured as in `latency`, rows a second as in `windows`, but with a checkpoint and into files of Parquet.
Runs with and without syncing take turns in one process.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tailrace.bench.inputs.feed import quantile
from tailrace.bench.report.lines import BenchLine, Say
from tailrace.bench.spark import latency, windows
from tailrace.engine.pipeline import compile_script
from tailrace.engine.run_queries import stand
from tailrace.errors import Source
from tailrace.progress import Progress

BATCHES = 10
DURABILITIES = ("full", "none")
LINES = ("filter", "sliding average", "window join")
CASES = [case for case in windows.CASES if case.line in LINES]
DELAYS = [case for case in latency.CASES if case.pace == "0 seconds"]


@dataclass
class CheckpointedRuns:
    """Runs over generated files, each with a checkpoint and sinks of its own below `folder`."""

    inputs: windows.Inputs
    folder: Path
    runs: int = 0

    def rate(self, case: windows.Case, durability: str) -> float:
        """Rows a second, into files of Parquet."""
        self.runs += 1
        place = self.folder / f"run-{self.runs}"
        script = self.inputs.script(case, f"INTO parquet OPTIONS (path '{place}/out')")
        settings = f"SET durability = '{durability}';\n"
        found = compile_script(Source(settings + script, "durability.cql"), self.inputs.folder)
        rows = self.inputs.read_by(case)
        ends: list[tuple[int, float]] = []
        stops: list[threading.Event] = []

        def watch(progress: Progress) -> None:
            ends.append((progress.rows, time.perf_counter()))
            if progress.rows == rows:
                stops[0].set()

        def show(query: object, names: list[str], rows: list[tuple[object, ...]]) -> None: ...

        kept = str(place / "kept")
        stand(found, str(self.inputs.folder), kept, "0 seconds", stops.append, windows.MASTER, show, watch)
        return windows.rate(ends, rows, case.line)


def compare(line: str, unit: str, take_turn: Callable[[str], float], turns: int) -> BenchLine:
    """The median of so many turns with syncing, beside that without."""
    found: dict[str, list[float]] = {durability: [] for durability in DURABILITIES}
    for _ in range(turns):
        for durability in DURABILITIES:
            found[durability].append(take_turn(durability))
    full, none = (median(found[durability]) for durability in DURABILITIES)
    return BenchLine(line, full, unit, "durability 'none'", none, full / none)


def delay_line(case: latency.Case, place: Path, warm_up: float, seconds: float) -> BenchLine:
    """The delay with and without syncing, one after the other; p99 stands beside it."""
    waited = {}
    for durability in DURABILITIES:

        def run(case: latency.Case, folder: Path, watched: latency.WatchedRun, kind: str = durability) -> None:
            latency.tailrace(case, folder, watched, f"SET durability = '{kind}';\n")

        waited[durability] = latency.measure_delays(run, case, place / f"{case.line} {durability}", warm_up, seconds)
    full, none = (quantile(waited[durability], 0.5) for durability in DURABILITIES)
    most, least = (quantile(waited[durability], 0.99) for durability in DURABILITIES)
    more = {"p99": most, "p99 with 'none'": least, "p99 ratio": most / least}
    return BenchLine(f"delay, {case.line}", full, "s", "durability 'none'", none, full / none, more)


def measure(quick: bool, say: Say) -> list[BenchLine]:
    """All lines: delays over 60 seconds after 15 that warm up, rates as the median of three turns after two."""
    rows, turns, warm_up, seconds = (50_000, 1, 3.0, 3.0) if quick else (windows.ROWS, 3, 15.0, 60.0)
    found = []
    with tempfile.TemporaryDirectory(prefix="tailrace-bench-") as place:
        inputs = windows.Inputs(Path(place) / "inputs", rows, BATCHES)
        inputs.generate()
        runs = CheckpointedRuns(inputs, Path(place))
        for case in CASES:
            say(f"durability: {case.line}")
            for _ in range(0 if quick else 2):
                runs.rate(case, "none")
            found.append(compare(case.line, "rows/s", lambda kind, case=case: runs.rate(case, kind), turns))  # type: ignore[misc]
        for each in DELAYS[:1] if quick else DELAYS:
            say(f"durability: delay, {each.line}")
            found.append(delay_line(each, Path(place), warm_up, seconds))
    return found
