"""Soak: a real `tailrace serve` for an hour, with kills, bad queries and a restore, whose answers are exact in the end.

`python -m tests.torture.soak --minutes 60` feeds 5,000 rows a second. In each three minutes it kills all processes of
the server, at a random moment, and starts the same command again; each minute it posts a bad query. At half time the
checkpoint of the killed server is copied away, and half a minute later put back. In the end the rows in all sinks are
compared with what must be there. The status is 1 if a row is lost, doubled or wrong, or if memory or the number of
files grew.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median

import httpx

from tailrace.bench.spark.memory import MEGABYTE, look_at
from tests.spark.run.bad_queries import take_place
from tests.torture.server_process import ServerProcess
from tests.torture.soak_answers import compare_sinks, script
from tests.torture.soak_bad_queries import BadQueries
from tests.torture.soak_report import Level, Samples, SoakReport
from tests.torture.soak_rows import SOURCES, Feeder, SoakRows, batches_done, rows_taken

SAMPLE = 5.0  # seconds between two looks at memory and files
SETTLE = 30.0  # seconds from an answering server until its memory counts; shorter if kills come often
STEP = 0.25
STARTS = 300.0  # seconds that a server may take until it answers
MOST_ENDS = 5  # times that a server may end by itself, each a fault, before the soak gives up
ENDS = 900.0  # seconds that it may take for the rows that are left when the feeder ends


@dataclass(frozen=True)
class Plan:
    """What is done when; all in seconds."""

    seconds: float
    rows: int
    kill_every: float
    bad_every: float
    restore_after: float  # from the copy of the checkpoint, at half time, until it is put back
    seed: int

    def kills(self) -> list[float]:
        """A random moment in each interval."""
        if not self.kill_every:
            return []
        chance = Random(f"kills {self.seed}")
        return [
            (number + chance.random()) * self.kill_every
            for number in range(max(1, int(self.seconds // self.kill_every)))
        ]


@dataclass
class Soak:
    """A soak in a folder, and what was seen of it."""

    plan: Plan
    folder: Path
    report: SoakReport
    memory: Samples = field(default_factory=list)  # megabytes
    files: Samples = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=lambda: {"kills": 0, "restores": 0})
    launched: float = 0.0
    answering: float | None = None  # since when
    start_times: list[float] = field(default_factory=list)
    copied: dict[str, int] | None = None  # rows of batches that count in the copy of the checkpoint
    behind: list[float] = field(default_factory=list)  # seconds whose rows are in no batch that counts

    def __post_init__(self) -> None:
        self.server = ServerProcess(self.folder / "inside", script(), more=("--folder", "."))
        for name in SOURCES:
            (self.server.folder / name).mkdir(exist_ok=True)
        take_place(self.server.folder)
        self.kept, self.copy = self.folder / "kept", self.folder / "copied away"
        self.feeder = Feeder(SoakRows(self.plan.seed, self.plan.rows), self.server.folder)
        self.bad = BadQueries(
            self.server,
            self.plan.bad_every,
            Random(f"bad {self.plan.seed}"),
            self.feeder.rows.count("S"),
            lambda: rows_taken(self.kept).get("S", 0),
        )

    def run(self) -> None:
        """Do all of it, and put down in the report what was seen. All processes are gone in the end."""
        try:
            self.launch()
            self.wait_until_answering()
            self.feeder.start()
            if self.plan.bad_every:
                self.bad.start()
            self.go_on()
            self.feeder.stop()
            self.finish()
        except (AssertionError, subprocess.TimeoutExpired) as fault:
            self.report.faults.append(f"{fault} {self.last_words()}")
        finally:
            self.feeder.over.set()
            self.bad.over.set()
            if self.server.process is not None and self.server.process.poll() is None:
                self.server.kill_tree()
        self.fill_report()

    # While rows come ---------------------------------------------------------------------------------------

    def go_on(self) -> None:
        """Kill, restore and look, until the time is over."""
        begun, sampled = time.monotonic(), 0.0
        kills = self.plan.kills()
        while (now := time.monotonic() - begun) < self.plan.seconds:
            self.look()
            if kills and now >= kills[0]:
                kills.pop(0)
                self.kill(f"at {now:.0f} s")
                self.launch()
            if self.plan.kill_every:
                self.restore_in_time(now)
            if time.monotonic() >= sampled + SAMPLE:
                sampled = time.monotonic()
                self.sample(now)
                self.check_status()
            time.sleep(STEP)
        if self.plan.kill_every:
            self.restore_in_time(now)

    def launch(self) -> None:
        self.launched, self.answering = time.monotonic(), None
        self.server.launch()

    def look(self) -> None:
        """See whether the server answers; start it again if it has ended by itself."""
        assert self.server.process is not None
        status = self.server.process.poll()
        if status is not None:
            self.report.faults.append(f"the server ended with status {status}: {self.last_words()}")
            assert len(self.report.faults) < MOST_ENDS, "the server ends again and again."
            self.server.kill_tree()
            self.launch()
        elif self.answering is None:
            if self.check_status():
                self.answering = time.monotonic()
                self.start_times.append(self.answering - self.launched)
            assert time.monotonic() < self.launched + STARTS, "a server does not come back."
        needs_older = self.copied is not None and not self.counts["restores"]
        self.feeder.remove_taken((self.copied or {}) if needs_older else rows_taken(self.kept))

    def check_status(self) -> bool:
        """Whether the server answers and runs. It need not answer in time; a run that failed ends the soak."""
        try:
            with self.server.client() as client:
                status = client.get("status", timeout=5).json()
        except (OSError, ValueError, httpx.HTTPError):
            return False
        assert status.get("problem") is None, f"the run has failed: {status['problem']}"
        return bool(status.get("running"))

    def wait_until_answering(self) -> None:
        while self.answering is None:
            self.look()
            time.sleep(STEP)

    def kill(self, when: str) -> None:
        words = "at work" if self.answering else "while it started"
        self.server.kill_tree()
        self.counts["kills"] += 1
        taken = ", ".join(f"{count:,} of {source}" for source, count in rows_taken(self.kept).items())
        print(f"killed {when}, {words}; rows in batches that count: {taken or 0}", flush=True)

    def restore_in_time(self, now: float) -> None:
        """At half time kill the server and copy its checkpoint away; later kill it again and put the copy back.

        That is once there are batches that the copy has not, or at the end.
        """
        half = self.plan.seconds / 2
        if self.copied is None and now >= half:
            self.kill(f"at {now:.0f} s, and its checkpoint copied away")
            shutil.copytree(self.kept, self.copy)
            self.copied = rows_taken(self.kept)
            self.launch()
        is_due = now >= half + self.plan.restore_after and batches_done(self.kept) > batches_done(self.copy)
        if self.copied is not None and not self.counts["restores"] and (is_due or now >= self.plan.seconds):
            self.kill(f"at {now:.0f} s, and its checkpoint put back")
            self.put_back()
            self.launch()

    def put_back(self) -> None:
        """Replace the checkpoint by the copy, as docs/how-to/operations.md says.

        Results of batches after the copy are removed from the sinks: their rows come again, maybe in other batches.
        Input files stay until now if the copy needs them. Statements that came since are forgotten.
        """
        last = batches_done(self.copy) - 1
        for file in (self.server.folder / "answers").glob("*/part-*"):
            if int(file.name.split("-")[1]) > last:
                file.unlink()
        shutil.rmtree(self.kept)
        self.copy.rename(self.kept)
        self.bad.forget_answers()
        self.counts["restores"] += 1

    def sample(self, now: float) -> None:
        taken = rows_taken(self.kept).get("S", 0)
        self.behind.append((self.feeder.counts["S"] - taken) / self.feeder.rows.count("S"))
        self.files.append((now, count_files(self.kept)))
        settle = min(SETTLE, self.plan.kill_every / 3 or SETTLE)
        if self.answering is not None and time.monotonic() > self.answering + settle:
            assert self.server.process is not None
            self.memory.append((now, sum(size for _, size in look_at(self.server.process.pid)) / MEGABYTE))

    # When no more rows come --------------------------------------------------------------------------------

    def finish(self) -> None:
        """Let the server take what is left, drop the bad queries, and stop it."""
        self.wait_until_answering()
        end = time.monotonic() + ENDS
        while (taken := rows_taken(self.kept)) != self.feeder.counts:
            assert time.monotonic() < end, f"rows are not taken: {taken} of {self.feeder.counts}."
            self.look()
            time.sleep(STEP)
        self.bad.stop()
        self.wait_until_answering()
        self.bad.drop_failed(all=True)
        status = self.server.stop()
        if status:
            self.report.faults.append(f"the server was stopped with status {status}: {self.last_words()}")

    def last_words(self, most: int | None = 2000) -> str:
        """What the servers have said last, all but Java's warnings."""
        said = self.server.said if (self.folder / "said.txt").exists() else ""
        return "\n".join(line for line in said.splitlines() if not line.startswith("WARNING:"))[-(most or len(said)) :]

    def fill_report(self) -> None:
        """Compare all sinks with what must be there, and put down all else."""
        report, said = self.report, self.last_words(None)
        report.rows = self.feeder.counts
        report.counts = {
            "batches": batches_done(self.kept),
            **self.counts,
            **{f"bad queries {what}": self.bad.counts[what] for what in ("refused", "accepted", "quarantined")},
            **{f"bad queries {what}": count for what, count in self.bad.counts.items() if what[0] == "n"},
        }
        report.figures = {
            "seconds until a server answered, at most": max(self.start_times, default=0.0),
            "seconds whose rows waited for a batch that counts, median": median(self.behind or [0.0]),
            "seconds whose rows waited for a batch that counts, at most": max(self.behind, default=0.0),
            "seconds that the feeder was behind, at most": self.feeder.most_behind,
            "files that killed servers left in the folder for scratch": count_files(self.folder / "scratch"),
        }
        report.faults += self.bad.faults
        for mark in ("Traceback", "\tat "):
            if mark in said:
                at = said.index(mark)
                report.faults.append(f"a stack trace: {said[max(0, at - 1500) : at + 1500]}")
        seconds = self.plan.seconds
        report.levels = [
            Level.of("memory in MB", self.memory, seconds),
            Level.of("files of the checkpoint", self.files, seconds),
        ]
        if self.feeder.seconds:
            self.feeder.thread.join()
            report.answers = compare_sinks(self.feeder.rows, self.feeder.seconds, self.server.folder / "answers")


def count_files(folder: Path) -> float:
    """The files below a folder; folders may go meanwhile."""
    return float(sum(len(files) for _, _, files in os.walk(folder)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="for how long rows come")
    parser.add_argument("--rows", type=int, default=5000, help="in each second")
    parser.add_argument("--kill-every", type=float, default=180.0, help="seconds; 0 for no kills, and no restore")
    parser.add_argument("--bad-every", type=float, default=60.0, help="seconds; 0 for no bad queries")
    parser.add_argument(
        "--restore-after",
        type=float,
        default=30.0,
        help="seconds, or more, from the checkpoint's copy until it is put back",
    )
    parser.add_argument("--seed", type=int, default=None, help="without one, a fresh one")
    parser.add_argument("--json", type=Path, help="a file for all figures")
    parser.add_argument("--plot", type=Path, help="a PNG file of memory and files over time")
    given = parser.parse_args()
    seed = random.SystemRandom().randrange(1_000_000_000) if given.seed is None else given.seed
    print(f"seed {seed}", flush=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that all processes of the server are ended
    plan = Plan(60 * given.minutes, given.rows, given.kill_every, given.bad_every, given.restore_after, seed)
    report = SoakReport(seed, plan.seconds)
    with tempfile.TemporaryDirectory(prefix="tailrace-soak-", ignore_cleanup_errors=True) as folder:
        Soak(plan, Path(folder), report).run()
    print(report.table(), flush=True)
    if given.json:
        given.json.write_text(report.as_json(), encoding="utf-8")
    if given.plot:
        report.plot(given.plot)
    return 0 if report.is_good else 1


if __name__ == "__main__":
    sys.exit(main())
