"""Torture: crashes, failing disks, damaged files, moved clocks and a loaded server, on fresh seeds for some minutes.

In the end a table says how often each was tried, and how often something was lost.

`python -m tests.torture --minutes N [--seed S] [--part crashes …]`: the same seed does the same again.
"""

from __future__ import annotations

import argparse
import logging
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tailrace.deep_stack import on_deep_stack
from tests.torture.crash_points import try_crash_points
from tests.torture.damaged_files import try_damages
from tests.torture.damaged_state import try_damaged_state
from tests.torture.disk_faults import try_disk_faults
from tests.torture.kills import try_kills
from tests.torture.moved_clock import try_moved_clock
from tests.torture.server import try_server
from tests.torture.tally import Tally

APART = 1_000_000  # from the first seed of one process to that of the next
ALL = 1_000  # processes: as many as are asked for


@dataclass(frozen=True)
class Part:
    """A part of torture: what it does from a seed on until a time, its share of the time, and its processes at most."""

    run: Callable[[int, float, Path, Tally], None]
    share: float
    processes: int = ALL


PARTS = {
    "crashes": Part(try_crash_points, 0.35),
    "disks": Part(try_disk_faults, 0.15),
    "clock": Part(try_moved_clock, 0.05),
    "state": Part(try_damaged_state, 0.05),
    "damage": Part(try_damages, 0.1, 1),
    "kills": Part(try_kills, 0.2, 1),
    "server": Part(try_server, 0.1, 1),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=None, help="the first seed; without one, a fresh one")
    parser.add_argument("--part", choices=PARTS, action="append", help="without one: all")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    seed = random.SystemRandom().randrange(1_000_000_000) if given.seed is None else given.seed
    print(f"seed {seed}", flush=True)
    parts = given.part or list(PARTS)
    shares = sum(PARTS[part].share for part in parts)
    total = Tally()
    with ProcessPoolExecutor(given.processes) as pool:
        for part in parts:
            seconds = given.minutes * 60 * PARTS[part].share / shares
            seeds = [seed + number * APART for number in range(min(given.processes, PARTS[part].processes))]
            for tally in pool.map(run_part, [part] * len(seeds), seeds, [seconds] * len(seeds)):
                total += tally
    print(total.table())
    for what, count in total.counts.items():
        print(f"{count:9,} {what}")
    print(*total.shown, sep="\n")
    return 1 if total.has_faults else 0


def run_part(part: str, seed: int, seconds: float) -> Tally:
    """What a part finds in some seconds."""
    logging.getLogger("tailrace").setLevel(logging.CRITICAL)
    tally = Tally()
    with tempfile.TemporaryDirectory(dir=memory_folder(), prefix="tailrace-torture-") as folder:
        on_deep_stack(lambda: PARTS[part].run(seed, time.monotonic() + seconds, Path(folder), tally))
    return tally


def memory_folder() -> str | None:
    """Where files are held in memory, if there is such a place: what a disk does is simulated above it."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


if __name__ == "__main__":
    sys.exit(main())
