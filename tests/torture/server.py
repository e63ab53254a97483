"""Server: load and hostile requests for some minutes against a real `tailrace serve`, whose answers stay exact.

`python -m tests.torture.server --minutes 10 --seed 7` prints what was asked and seen; its status is 1 after a fault.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.torture.server_fuzz import run_fuzz
from tests.torture.server_load import run_load
from tests.torture.server_process import SCRIPT, ServerProcess, growing, server_process
from tests.torture.tally import Finding, Tally

ANSWERS = """
CREATE QUERY large_kept INTO json OPTIONS (path 'answers/large') AS SELECT k, v FROM Big;
CREATE QUERY counts_kept INTO json OPTIONS (path 'answers/counts')
AS SELECT k, COUNT(*) AS n FROM S [RANGE UNBOUNDED] GROUP BY k;
"""
PARTS = ("load", "fuzz")


def main() -> int:
    given = parser().parse_args()
    first = random.SystemRandom().randrange(1_000_000_000) if given.seed is None else given.seed
    end, number = time.monotonic() + 60 * given.minutes, first
    while number == first or time.monotonic() < end:
        if not run(number, given):
            return 1
        number += 1
    return 0


def try_server(first: int, end: float, folder: Path, tally: Tally) -> None:
    """Load servers and send them hostile requests, at least one, until the clock says `end`."""
    minutes = max(end - time.monotonic(), 60) / 60
    given = parser().parse_args(["--minutes", str(minutes), "--requests", str(int(min(10_000, 1_000 * minutes)))])
    number = first
    while number == first or time.monotonic() < end:
        what = Finding("loaded server", number, 0, "load and hostile requests")
        tally.count(what.kind)
        if not run(number, given):
            tally.add(what, "unreadable", "it is printed above what")
        number += 1


def parser() -> argparse.ArgumentParser:
    """The options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="about how long to go on")
    parser.add_argument("--seed", type=int, default=None, help="without one, a fresh one")
    parser.add_argument("--part", choices=PARTS, action="append", help="without one: all")
    parser.add_argument("--requests", type=int, default=10_000, help="of each round of the part fuzz")
    parser.add_argument("--idle", type=int, default=5000, help="idle connections of the part load")
    parser.add_argument("--readers", type=int, default=500, help="slow readers of the part load")
    return parser


def run(number: int, given: argparse.Namespace) -> bool:
    """One round on one server: each part, then the answers of queries that had nothing to do with it."""
    print(f"seed {number}", flush=True)
    works: dict[str, Callable[[ServerProcess], list[str]]] = {
        "load": lambda server: run_load(server, min(60.0, 15 * given.minutes), given.idle, given.readers),
        "fuzz": lambda server: run_fuzz(server, given.requests, number),
    }
    folder = tempfile.TemporaryDirectory(prefix="tailrace-torture-", ignore_cleanup_errors=True)
    with folder as box, server_process(Path(box), SCRIPT + ANSWERS) as server:
        try:
            for part in given.part or PARTS:
                with growing(server):
                    lines = works[part](server)
                print("\n".join(f"{part}: {line}" for line in lines), flush=True)
            print(f"answers: {check_answers(server)}", flush=True)
        except AssertionError as fault:
            said = "\n".join(line for line in server.said.splitlines() if not line.startswith("WARNING:"))
            print(f"FAULT (seed {number}): {fault}\n{said[-3000:]}", flush=True)
            return False
    return True


def check_answers(server: ServerProcess) -> str:
    """Compare what the queries of the script have written with what they should have; a line to print."""
    server.write()
    large = Counter((row["ts"], row["k"], row["v"]) for row in server.rows if row["v"] > 4)
    counts = Counter(row["k"] for row in server.rows if row["ts"] < server.rows[-1]["ts"])
    server.wait_for(lambda: len(rows_of_sink(server, "large")) >= large.total())
    assert Counter((row["_ts"], row["k"], row["v"]) for row in rows_of_sink(server, "large")) == large
    server.wait_for(lambda: current(rows_of_sink(server, "counts")) == counts)
    return f"{len(server.rows):,} rows, {large.total():,} and {len(rows_of_sink(server, 'counts')):,} results are exact"


def rows_of_sink(server: ServerProcess, name: str) -> list[dict[str, Any]]:
    files = (server.folder / "answers" / name).glob("*.json")
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def current(changes: list[dict[str, Any]]) -> Counter[int]:
    """The counts by key that a changelog leaves."""
    found: Counter[int] = Counter()
    for row in changes:
        found[row["k"]] += row["n"] if row["_op"] == "+" else -row["n"]
    return found


if __name__ == "__main__":
    sys.exit(main())
