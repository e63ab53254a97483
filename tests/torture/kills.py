"""Kills: real runs, killed at a random moment or at a fault point and started again, for each kind of sink."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from random import Random

from tailrace import fault_injection as faults
from tests.spark.run.crashes import Run, kill, made
from tests.torture.tally import Finding, Tally

SINKS = ("json", "csv", "parquet", "json by Spark")


def kill_once(run: Run, chance: Random) -> str:
    """Start a run and kill it: at a random moment, or when it comes to a fault point; says which."""
    if chance.random() < 0.5:
        fault = f"{chance.choice(faults.POINTS)}:{chance.randrange(1, 6)}"
        run.until_done(run.start(fault))
        return fault
    process, moment = run.start(), chance.uniform(3, 25)
    time.sleep(moment)
    if process.poll() is None:
        kill(process)
    return f"after {moment:.1f} seconds"


def try_kills(first: int, end: float, folder: Path, tally: Tally) -> None:
    """Kill runs once or twice, let them end, and compare what is in their sinks, until the clock says `end`."""
    expected = {}
    for seed, sink in ((seed, SINKS[seed % len(SINKS)]) for seed in range(first, first + 1_000_000)):
        if time.monotonic() > end:
            return
        if sink not in expected:
            whole = made(folder / f"whole {sink}", sink)
            whole.until_done(whole.start())
            expected[sink] = whole.answers()
        chance, run = Random(f"kills {seed}"), made(folder / "run", sink)
        words = ", then ".join(kill_once(run, chance) for _ in range(chance.choice((1, 1, 2))))
        what = Finding(f"killed process, {sink}", seed, 0, words)
        tally.count(what.kind)
        try:
            if not run.until_done(run.start()):
                tally.add(what, "unreadable", run.said())
        except AssertionError as problem:
            tally.add(what, "unreadable", str(problem))
        found = run.answers()
        for name, rows in expected[sink].items():
            for kind, others in (("lost", rows - found[name]), ("doubled", found[name] - rows)):
                if others:
                    tally.add(what, kind, f"{name}: {others.total()} rows, such as {next(iter(others))}")
        shutil.rmtree(run.folder)
