"""Profile batches: runs the lines of bench-peers batch by batch, and a small batch, and breaks a steady one down.

A line runs over csv files, one in each batch, in a process of its own for all lines; the small batches, 100 rows every
0.1 seconds, have another. With the folder of another checkout in the variable CHECKOUT, that Tailrace is measured: only
coarsely, since nothing in it is wrapped.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from tailrace.bench.inputs.data import START
from tailrace.bench.peers.delay import SCRIPT, CsvFeed
from tailrace.bench.peers.make_inputs import STREAMS, write_part
from tailrace.bench.peers.questions import QUESTIONS, make_script
from tailrace.bench.profile import timed_daemon
from tailrace.bench.profile.batch_parts import DriverBatch, Measured
from tailrace.bench.profile.event_log import LOGGING, StreamBatch, read_event_log
from tailrace.bench.report.breakdown import Breakdown
from tailrace.bench.report.lines import Say
from tailrace.bench.spark.latency import EVERY, PATIENCE, ROWS
from tailrace.errors import RunError

LINES = ("filter", "tumbling", "sliding-average", "window-join", "sliding-distinct", "latest-per-vehicle")
SMALL = "small batch"
OF_SMALL = "small-batch"  # the name of that line as a part of the bench
CHECKOUT = "CHECKOUT"
PROGRAM = Path(__file__).with_name("run_batches.py")
LAST_WORDS = 5  # lines of a failed process that are shown
MOST = 3600.0  # seconds for a process


@dataclass(frozen=True)
class ProfileSize:
    """How much is measured: rows and files, the seconds for which a line warms up, and those of small batches."""

    rows: int
    files: int
    warm_up: float
    seconds: float


FULL = ProfileSize(8_000_000, 8, 20.0, 20.0)
QUICK = ProfileSize(200_000, 4, 1.0, 5.0)


@dataclass(frozen=True)
class ProfiledRun:
    """A process that runs scripts, with a folder for everything that it writes and is read."""

    folder: Path
    checkout: str | None

    def run(self, steps: Sequence[dict[str, Any]]) -> dict[str, Breakdown]:
        """Run the steps in a new process; returns the breakdown of each, by its name."""
        folder = self.folder
        for name in ("log", "times"):
            (folder / name).mkdir(parents=True)
        task = {
            "spark": {**LOGGING, "spark.eventLog.dir": str(folder / "log"), **self.wrapping},
            "steps": steps,
            "parts": None if self.checkout else str(folder / "driver"),
            "report": str(folder / "report"),
        }
        (folder / "task").write_text(json.dumps(task), encoding="utf-8")
        self.start()
        moments = json.loads((folder / "report").read_text(encoding="utf-8"))
        found = self.read()
        return {
            name: found.break_down(name, drop_first(found.log.batches_between(*ends), name))
            for name, ends in moments.items()
        }

    @property
    def wrapping(self) -> dict[str, str]:
        return {} if self.checkout else {"spark.python.daemon.module": timed_daemon.__name__}

    def start(self) -> None:
        """Run the process to its end; a RunError with its last words if it fails."""
        root = self.checkout or str(PROGRAM.parents[3])
        env = {**os.environ, "PYTHONPATH": root, timed_daemon.FOLDER: str(self.folder / "times")}
        said = self.folder / "said"
        with said.open("wb") as out:
            command = [sys.executable, str(PROGRAM), str(self.folder / "task")]
            # Workers are started with `-m`, which looks for modules in the working folder before PYTHONPATH.
            done = subprocess.run(command, cwd=self.folder, env=env, stdout=out, stderr=out, timeout=MOST, check=False)
        if done.returncode:
            last = said.read_text(encoding="utf-8", errors="replace").splitlines()[-LAST_WORDS:]
            raise RunError("the process that is profiled failed: " + "\n".join(last))

    def read(self) -> Measured:
        """Everything that the process wrote."""
        (log,) = (self.folder / "log").iterdir()
        with log.open(encoding="utf-8") as lines:
            events = read_event_log(lines)
        driver = self.folder / "driver"
        batches = [DriverBatch(**line) for line in read_lines([driver] if driver.exists() else [])]
        return Measured(events, batches, sum_by_task(read_lines((self.folder / "times").glob("*.tasks"))))


def read_lines(files: Iterable[Path]) -> list[dict[str, Any]]:
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def sum_by_task(lines: Iterable[dict[str, Any]]) -> dict[int, dict[str, float]]:
    """The seconds of each task's parts; several workers may work for one task.

    >>> sum_by_task([{"task": 7, "seconds": {"scan": 1.0}}, {"task": 7, "seconds": {"scan": 0.5}}])
    {7: {'scan': 1.5}}
    """
    found: dict[int, dict[str, float]] = {}
    for line in lines:
        parts = found.setdefault(line["task"], {})
        for name, seconds in line["seconds"].items():
            parts[name] = parts.get(name, 0.0) + seconds
    return found


def drop_first(batches: Sequence[StreamBatch], name: str) -> Sequence[StreamBatch]:
    """The batches of a run that count: all but the first, which finds out what is there."""
    if len(batches) < 2:
        raise RunError(f"{name}: only {len(batches)} batches were seen")
    return batches[1:]


def make_files(folder: Path, size: ProfileSize, streams: Iterable[str]) -> None:
    """Write each stream in order of time into csv files, one for each batch."""
    for stream in streams:
        table, place = STREAMS[stream](size.rows), folder / stream
        place.mkdir(parents=True)
        edges = [len(table) * number // size.files for number in range(size.files + 1)]
        for number, (begin, end) in enumerate(pairwise(edges)):
            file = place / f"part-{number:03}.csv"
            write_part(table.slice(begin, end - begin), file, "csv")
            # Spark takes files by age, so their ages are a second apart.
            os.utime(file, (START + number, START + number))


def profile_lines(names: Sequence[str], size: ProfileSize, folder: Path, checkout: str | None) -> list[Breakdown]:
    """Break down a steady batch of each of these lines of bench-peers."""
    inputs = folder / "inputs"
    make_files(inputs, size, sorted({stream for name in names for stream in QUESTIONS[name].streams}))
    steps = [
        {
            "name": name,
            "script": make_script(QUESTIONS[name], "csv", files=1),
            "folder": str(inputs),
            "warm_up": size.warm_up,
        }
        for name in names
    ]
    return list(ProfiledRun(folder / "lines", checkout).run(steps).values())


def profile_small(size: ProfileSize, folder: Path, checkout: str | None) -> list[Breakdown]:
    """Break down a batch of the few rows that come every 0.1 seconds."""
    place = folder / SMALL.replace(" ", "-")
    place.mkdir()
    step = {"name": SMALL, "script": SCRIPT, "folder": str(place), "warm_up": size.warm_up, "seconds": size.seconds}
    with CsvFeed(place / "fed", ROWS, EVERY, keys=ROWS) as feed:
        feed.begin()
        return list(ProfiledRun(place / "run", checkout).run([{**step, "most": PATIENCE}]).values())


def measure_lines(lines: Sequence[str], quick: bool, say: Say) -> list[Breakdown]:
    """Measure some lines, by the names that they have as parts of this bench."""
    size, checkout = QUICK if quick else FULL, os.environ.get(CHECKOUT)
    checkout = str(Path(checkout).resolve()) if checkout else None
    names = [name for name in lines if name != OF_SMALL]
    found: list[Breakdown] = []
    with tempfile.TemporaryDirectory(prefix="tailrace-bench-") as folder:
        if names:
            say(f"profile: {', '.join(names)}, over {size.rows:,} rows in {size.files} batches")
            found += profile_lines(names, size, Path(folder), checkout)
        if OF_SMALL in lines:
            say(f"profile: {SMALL}, {size.warm_up + size.seconds:.0f} s")
            found += profile_small(size, Path(folder), checkout)
    return found


def measure(quick: bool, say: Say) -> list[Breakdown]:
    """All lines; in full, each over eight batches of 1,000,000 rows."""
    return measure_lines((*LINES, OF_SMALL), quick, say)


PARTS = {name: partial(measure_lines, (name,)) for name in (*LINES, OF_SMALL)}
