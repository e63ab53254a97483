"""Kills: real runs, killed at a fault point or at a random moment and started again, for each kind of sink."""

from __future__ import annotations

import shutil
import signal
import time
from itertools import count
from pathlib import Path
from random import Random

from tailrace import fault_injection as faults
from tests.spark.run.crashes import Run, kill, made
from tests.torture.tally import Finding, Tally

SINKS = ("json", "csv", "parquet", "json by Spark", "snapshot")
BY_SPARK = ("json by Spark", "snapshot")
AT_RANDOM = "at a random moment"
# All pairs in turn; in each sink a random moment too. Tasks come to "staged" only where they write the files.
TURNS = [
    (sink, point)
    for point in (*faults.POINTS, AT_RANDOM)
    for sink in SINKS
    if not (point == "staged" and sink in BY_SPARK)
]


class EndedByItselfError(Exception):
    """A run ended that nobody had killed."""


def kill_at(run: Run, point: str, chance: Random) -> str | None:
    """Start a run and kill it; says where. None if it was done before it came to the point."""
    if point != AT_RANDOM:
        fault = f"{point}:{chance.randrange(1, 4)}"
        process = run.start(fault)
        if run.until_done(process):
            return None
        if process.returncode != -signal.SIGKILL:
            raise EndedByItselfError(f"status {process.returncode} on the way to {fault}: {run.said()}")
        return fault
    process, moment = run.start(), chance.uniform(3, 25)
    time.sleep(moment)
    if process.poll() is not None:
        raise EndedByItselfError(f"status {process.returncode} within {moment:.1f} seconds: {run.said()}")
    kill(process)
    return f"after {moment:.1f} seconds"


def try_kill(run: Run, sink: str, point: str, seed: int, tally: Tally) -> bool:
    """Kill a run once or twice, then let it end; whether it is worth comparing what it left."""
    chance, done = Random(f"kills {seed}"), list[str]()
    what = Finding(f"killed process, {sink}", seed, 0, f"at {point}")
    try:
        for each in (point, *([AT_RANDOM] if chance.random() < 0.3 else ())):
            where = kill_at(run, each, chance)
            if where is None:
                tally.counts["fault points that were not reached"] += 1
                return False
            done.append(where)
        tally.count(what.kind)
        tally.counts[f"killed at {point}"] += 1
        if not run.until_done(run.start()):
            tally.add(what, "unreadable", f"{', then '.join(done)}: {run.said()}")
    except (AssertionError, EndedByItselfError) as problem:
        tally.add(what, "unreadable", str(problem))
    return True


def try_kills(first: int, end: float, folder: Path, tally: Tally) -> None:
    """Kill runs at one point after the other, for each sink, and compare what is in their sinks, until `end`."""
    expected = {}
    for seed in count(first):
        if time.monotonic() > end:
            return
        sink, point = TURNS[seed % len(TURNS)]
        if sink not in expected:
            whole = made(folder / f"whole-{SINKS.index(sink)}", sink)  # late rows name their folder
            assert whole.until_done(whole.start()), whole.said()
            expected[sink] = whole.answers()
        run = made(folder / "run", sink)
        if try_kill(run, sink, point, seed, tally):
            what, found = Finding(f"killed process, {sink}", seed, 0, f"at {point}"), run.answers()
            for name, rows in expected[sink].items():
                for kind, others in (("lost", rows - found[name]), ("doubled", found[name] - rows)):
                    if others:
                        tally.add(what, kind, f"{name}: {others.total()} rows, such as {next(iter(others))}")
        shutil.rmtree(run.folder)
