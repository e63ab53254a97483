"""Fuzz: random scripts through Spark for some minutes, on fresh seeds, against the definition.

One process takes the road of statements, three take whole runs, which wait for Spark most of the time; each prints what
it compared, and each failing script, shrunk, with the seed that draws it again:
`python -m tests.fuzz --seed N --road R --scripts 1`.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tailrace.testing.random_scripts.scripts import RandomScript, random_script
from tests.fuzz.check import WRITING, Checker, Problem
from tests.fuzz.file_sinks import draw_sinks, sink_texts
from tests.fuzz.sessions import open_sessions
from tests.fuzz.shrink import Shrinker

ROADS = ("statements", "files", "restarts", "live")
WHOLE_RUNS = 3  # processes that take the last three roads
APART = 200_000_000  # from the first seed of one process to that of the next
LARGE = (12, 20, 30, 30)  # queries in a script: its start and its batches cost more than its queries
PROGRESS = 60.0  # seconds from one line of progress to the next
SHOWN = 5  # failing scripts that are shrunk and shown


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=None, help="the first seed; without one, a fresh one")
    parser.add_argument("--road", choices=ROADS, action="append", help="without one: all, in four processes")
    parser.add_argument(
        "--scripts", type=int, default=None, help="how many scripts; without, as many as there is time for"
    )
    parser.add_argument("--size", type=int, default=None, help="how many queries a script has")
    parser.add_argument("--first", action="store_true", help="end with the first difference, as it was found")
    given = parser.parse_args()
    seed = random.SystemRandom().randrange(1_000_000_000) if given.seed is None else given.seed
    if given.road:
        return run(given.road, seed, given)
    return run_all(seed, given)


def run_all(seed: int, given: argparse.Namespace) -> int:
    """Four processes: one for statements, the others for whole runs."""
    common = [sys.executable, "-m", "tests.fuzz", f"--minutes={given.minutes}"]
    common += [] if given.scripts is None else [f"--scripts={given.scripts}"]
    common += [] if given.size is None else [f"--size={given.size}"]
    print(f"seeds from {seed:,}", flush=True)
    common += ["--first"] if given.first else []
    running = []
    for number in range(1 + WHOLE_RUNS):
        roads = [f"--road={road}" for road in (ROADS[1:] if number else ROADS[:1])]
        first = ["nice", "-n", "5"] if number else []  # whole runs give way to statements
        command = [*first, *common, *roads, f"--seed={seed + number * APART}"]
        running.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
    while given.first and all(process.poll() is None for process in running):
        time.sleep(0.5)
    if given.first and any(process.returncode for process in running):
        for process in running:
            process.terminate()
    said = [process.communicate()[0] for process in running]
    total: Counter[str] = Counter()
    for lines in said:
        for line in lines.splitlines():
            if line.startswith("= "):
                _, count, what = line.split(maxsplit=2)
                total[what] += int(count.replace(",", ""))
            else:
                print(line)
    for what, count in total.items():
        print(f"{count:9,} {what}")
    return max(process.returncode for process in running)


def run(roads: list[str], seed: int, given: argparse.Namespace) -> int:
    end = time.monotonic() + given.minutes * 60
    failed = 0
    with tempfile.TemporaryDirectory(dir=memory_folder()) as folder, open_sessions() as (spark, ours):
        checker = Checker(spark, ours, Path(folder) / "run")
        number, told = 0, time.monotonic()
        while time.monotonic() < end and (given.scripts is None or number < given.scripts):
            road = roads[number % len(roads)]
            script = random_script(seed + number, given.size or size_for(road, seed + number))
            problems = checker.check(script, road)
            number += 1
            if time.monotonic() - told > PROGRESS:
                told = time.monotonic()
                queries, left = checker.tally.counts["queries"], (end - told) / 60
                print(
                    f"{queries:,} queries by {', '.join(roads)}, {failed} scripts with differences; "
                    f"{left:.0f} minutes left",
                    file=sys.stderr,
                    flush=True,
                )
            if problems:
                failed += 1
                show(script, road, problems, checker, failed <= SHOWN and not given.first)
                if given.first:
                    break
        for line in checker.tally.lines():
            print(f"= {line.strip()}")
    print(f"= {failed} scripts with differences")
    return 1 if failed else 0


def size_for(road: str, seed: int) -> int | None:
    """How many queries a script has by a road; None where that is drawn: in every fourth script of statements."""
    return None if road == "statements" and seed % 4 == 0 else LARGE[seed // 4 % len(LARGE)]


def show(script: RandomScript, road: str, problems: list[Problem], checker: Checker, shrinks: bool) -> None:
    """Print a failing script and its data, made as small as time allows."""
    first = problems[0]
    print(f"\nseed {script.seed} by {road}: {len(problems)} problems; the first: {first.variant}", flush=True)

    def fails(smaller: RandomScript) -> bool:
        from tailrace.engine.pipeline import compile_script
        from tailrace.errors import Source, TailraceError

        try:
            compiled = compile_script(Source(smaller.text()))
        except TailraceError:
            return False
        try:
            found = checker.check_variant(smaller, first.variant, compiled)
        except TypeError:
            return False  # a simpler query may call a function with a type that the reference does not cast
        return any((each.query == "*") == (first.query == "*") for each in found)

    small = Shrinker(script, fails).run() if shrinks and first.variant.alone is None else script
    for source in small.sources:
        print(source.statement(source.name, small.in_ticks, None))
        for row in source.rows:
            print(f"--   {row}")
    for name, text in small.views.items():
        print(f"CREATE VIEW {name} AS {text};")
    sinks = sink_texts(draw_sinks(small)) if road in WRITING else {}
    for name, text in small.queries.items():
        print(f"CREATE QUERY {name}{f' INTO {sinks[name]}' if name in sinks else ''} AS {text};")
    for problem in problems[:3]:
        print(f"{problem.query}: {script.queries.get(problem.query, '')}")
        for line in problem.lines:
            print(f"    {line}")
    sys.stdout.flush()


def memory_folder() -> str | None:
    """Where files are held in memory, if there is such a place: a run writes and removes thousands of small ones."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


if __name__ == "__main__":
    sys.exit(main())
