"""Soak: a continuous run of ten minutes, with its memory, files, batch times and delays over time.

Memory, files and batch times must stay what they were once the window was full.
"""

from __future__ import annotations

import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import pyarrow.compute as pc
import pyarrow.parquet as pq

from tailrace.bench.inputs.feed import FED, LAST, FileFeed, delays, micros, quantile
from tailrace.bench.report.lines import BenchLine, Say
from tailrace.bench.spark.memory import MEGABYTE, PROGRAM, look_at
from tailrace.errors import RunError

ROWS, EVERY, KEYS = 1000, 0.2, 1000  # 5,000 rows a second
LOOK, SAMPLE = 0.5, 5.0  # seconds between two looks at answers, and at memory and files
PATIENCE = 120.0  # seconds for the first answer
KEPT = 30_000_000  # microseconds for which input files stay after they were answered
SCRIPT = f"""
SET tick = '1 millisecond';
CREATE STREAM S ({FED}) USING parquet OPTIONS (path 'fed') TIMESTAMP BY ts HEARTBEAT BY {LAST.name};
CREATE QUERY measured INTO parquet OPTIONS (path 'answers') AS
SELECT ISTREAM(k, AVG(v) AS mean, MAX(at) AS newest) FROM S [RANGE 60 SECONDS] GROUP BY k;
"""

Course = list[tuple[float, float]]


@dataclass
class Soak:
    """A run in the folder, and what was seen of it. All times are in microseconds."""

    folder: Path
    process: subprocess.Popen[bytes]
    feed: FileFeed
    memory: list[tuple[int, float]] = field(default_factory=list)  # megabytes of all processes
    python: list[tuple[int, float]] = field(default_factory=list)  # of those that are Python
    files: list[tuple[int, float]] = field(default_factory=list)  # below the checkpoint
    answered: list[tuple[int, int]] = field(default_factory=list)  # when, and the moment of the newest rows
    batches: dict[int, tuple[int, float]] = field(default_factory=dict)  # by number: when it ended, its seconds

    def go_on(self, seconds: float, every: float, say: Say) -> None:
        """Watch the run until `seconds` after its first answer; sample memory and files each `every` seconds."""
        begun, sampled = micros(), 0.0
        while not self.answered or micros() < self.answered[0][0] + seconds * 1_000_000:
            if self.process.poll() is not None:
                raise RunError(f"the run ended with status {self.process.returncode}: {self.last_words()}")
            if not self.answered and micros() > begun + PATIENCE * 1_000_000:
                raise RunError(f"the run gave no answer in {PATIENCE:.0f} s: {self.last_words()}")
            self.look()
            if time.monotonic() >= sampled + every and self.answered:
                sampled = time.monotonic()
                self.sample()
                say(f"soak: {(micros() - self.answered[0][0]) / 1_000_000:.0f} of {seconds:.0f} s")
            time.sleep(LOOK)

    def sample(self) -> None:
        now, held = micros(), look_at(self.process.pid)
        self.memory.append((now, sum(size for _, size in held) / MEGABYTE))
        self.python.append((now, sum(size for name, size in held if name.startswith("python")) / MEGABYTE))
        found = sum(not entry.is_dir() for entry in (self.folder / "checkpoint").rglob("*"))
        self.files.append((now, float(found)))

    def look(self) -> None:
        """Read the answers and batches since the last look; then remove the answers, and inputs answered long ago."""
        for file in sorted((self.folder / "answers").glob("part-*")):
            newest = pc.max(pq.read_table(file, columns=["newest"])["newest"]).as_py()
            if newest is not None:
                # The last change of the file is its move into place, so its ctime is when the answer came.
                self.answered.append((file.stat().st_ctime_ns // 1000, newest))
            file.unlink()
        for file in (self.folder / "fed").glob("[0-9]*"):
            if self.answered and int(file.stem) < self.answered[-1][1] - KEPT:
                file.unlink()
        logs = self.folder / "checkpoint" / "offsets"
        for file in (logs / "commits").glob("[0-9]*"):
            begun = logs / "offsets" / file.name
            if file.name.isdigit() and int(file.name) not in self.batches and begun.exists():
                ended = file.stat().st_mtime_ns // 1000
                self.batches[int(file.name)] = (ended, ended / 1_000_000 - begun.stat().st_mtime)

    def last_words(self) -> str:
        words = (self.folder / "said").read_text(errors="replace").strip().splitlines()
        return " | ".join(words[-3:])

    def course(self, values: list[tuple[int, float]]) -> Course:
        """The values with their times in seconds since the first answer."""
        return [((when - self.answered[0][0]) / 1_000_000, value) for when, value in values]

    def delays_over_time(self) -> Course:
        """The delay of each input file's rows, with the time at which they were answered."""
        waited = delays(self.feed.sent, self.answered)
        return self.course([(at + round(delay * 1_000_000), delay) for at, delay in waited.items()])


def measure(quick: bool, say: Say) -> list[BenchLine]:
    """Run for ten minutes. In the second the window is full; the later ones are compared with it."""
    return lines(20.0, 5.0, say) if quick else lines(600.0, 60.0, say)


def lines(seconds: float, minute: float, say: Say) -> list[BenchLine]:
    """Run for `seconds`.

    `minute` is the length of what counts as a minute, so that quick runs may have shorter ones.
    """
    if not Path("/proc/self/stat").exists():
        raise RunError("this measurement reads /proc, which is not there", hint="run it on Linux")
    with tempfile.TemporaryDirectory(prefix="tailrace-bench-", ignore_cleanup_errors=True) as place:
        soak = run_soak(Path(place), seconds, min(SAMPLE, minute / 4), say)
    found = [
        growth_line("memory", soak.course(soak.memory), "MB", minute),
        growth_line("memory of Python", soak.course(soak.python), "MB", minute),
        growth_line("files of the checkpoint", soak.course(soak.files), "files", minute),
    ]
    for name, course in {
        "batch time": soak.course(sorted(soak.batches.values())),
        "output delay": soak.delays_over_time(),
    }.items():
        found.append(slowdown_line(name, course, seconds, minute))
    return found


def run_soak(folder: Path, seconds: float, every: float, say: Say) -> Soak:
    """Start a run, watch it and end it."""
    script = folder / "soak.cql"
    script.write_text(SCRIPT, encoding="utf-8")
    command = [*PROGRAM, "run", str(script), "--checkpoint", str(folder / "checkpoint")]
    with FileFeed(folder / "fed", ROWS, EVERY, KEYS) as feed, (folder / "said").open("wb") as said:
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=said)
        try:
            soak = Soak(folder, process, feed)
            soak.go_on(seconds, every, say)
            process.terminate()
            process.wait(PATIENCE)
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
    return soak


def within(course: Course, begin: float, end: float) -> list[float]:
    found = [value for when, value in course if begin <= when < end]
    if not found:
        raise RunError(f"nothing was seen between second {begin:.0f} and second {end:.0f}")
    return found


def growth_line(name: str, course: Course, unit: str, minute: float) -> BenchLine:
    """The maximum after the second minute, beside the median of the second minute."""
    usual, most = median(within(course, minute, 2 * minute)), max(within(course, 2 * minute, float("inf")))
    return BenchLine(name, most, unit, "the median of minute 2", usual, most / usual, course=tuple(course))


def slowdown_line(name: str, course: Course, seconds: float, minute: float) -> BenchLine:
    """The median of the last minute, beside the median of the second minute."""
    usual, last = median(within(course, minute, 2 * minute)), within(course, seconds - minute, float("inf"))
    more = {"p99": quantile(within(course, minute, float("inf")), 0.99)}
    return BenchLine(
        name, median(last), "s", "the median of minute 2", usual, median(last) / usual, more, tuple(course)
    )
