"""Linear road: the Linear Road demo: an hour of a made-up highway with a jam, and the answers of CQL §7 as text.

`run_demo` runs the scripts of the other demos too.
"""

from __future__ import annotations

import csv
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from tailrace.engine.pipeline import compile_script
from tailrace.engine.run_queries import run_once
from tailrace.errors import Source
from tailrace.logical.queries import QueryDefinition

SEGMENTS, MILE = 100, 5280
REPORT_EVERY = 30
JAM_FROM, JAM_TO, JAM_START, JAM_END = 42, 47, 900, 2400


def positions(vehicles: int, seconds: int = 3600, seed: int = 7) -> np.ndarray:
    """Reports (instant, vehicle, speed, position), in order of time: each car reports every 30 seconds."""
    chance = np.random.default_rng(seed)
    phase = chance.integers(0, REPORT_EVERY, vehicles)
    place = chance.uniform(0, SEGMENTS * MILE * 0.8, vehicles)
    wanted = chance.normal(62, 6, vehicles)
    reports = []
    for start in range(0, seconds, REPORT_EVERY):
        instant = start + phase
        segment = (place // MILE).astype(np.int64)
        jammed = (segment >= JAM_FROM) & (segment <= JAM_TO) & (instant >= JAM_START) & (instant < JAM_END)
        speed = np.maximum(np.where(jammed, chance.normal(22, 6, vehicles), wanted + chance.normal(0, 4, vehicles)), 3)
        place = place + speed * MILE / 3600 * REPORT_EVERY
        on_road = (place < SEGMENTS * MILE) & (instant < seconds)
        columns = (instant, np.arange(vehicles), speed.astype(np.int64), place.astype(np.int64))
        reports.append(np.stack(columns, axis=1)[on_road])
    rows = np.concatenate(reports)
    return rows[np.argsort(rows[:, 0], kind="stable")]


def write(file: Path, vehicles: int) -> int:
    """Write the reports as a csv file. Returns how many there are."""
    rows = positions(vehicles)
    with file.open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["ts", "vehicleId", "speed", "xPos"])
        writer.writerows(rows.tolist())
    return len(rows)


DEMOS = Path(__file__).parents[1] / "demos"
VEHICLES = 2000
SHADES = " ░▒▓█"
Rows = list[tuple[Any, ...]]
Written = TypeVar("Written")


def linear_road(vehicles: int = VEHICLES) -> str:
    """Run the six queries of CQL §7 over an hour of traffic.

    Show the tolls, and where and when the road was congested.
    """
    pass

    reports, answers, took = run_demo("linear-road.cql", lambda folder: write(folder / "PosSpeedStr.csv", vehicles))
    return "\n".join(
        [
            f"{reports:,} reports of {vehicles:,} cars in one hour; answered in {took:.1f} s, Spark's start included",
            "",
            tolls(answers["TollStr"]),
            "",
            congestion(answers["CongestedNow"]),
        ]
    )


def run_demo(script: str, write: Callable[[Path], Written]) -> tuple[Written, dict[str, Rows], float]:
    """Run a script of demos/ over files that `write` makes; returns its result, the answers by query, the seconds."""
    answers: dict[str, Rows] = defaultdict(list)

    def keep(query: QueryDefinition, columns: list[str], rows: Rows) -> None:
        answers[query.name] += rows

    with tempfile.TemporaryDirectory(prefix="tailrace-demo-") as folder:
        written = write(Path(folder))
        source = Source((DEMOS / script).read_text(encoding="utf-8"), script)
        begun = time.perf_counter()
        run_once(compile_script(source, folder), folder, None, "local[*]", keep)
        took = time.perf_counter() - begun
    return written, answers, took


def tolls(rows: Rows) -> str:
    """The number and the sum of all tolls, and the last five."""
    total = sum(toll for _, _, toll in rows)
    latest = [f"  {clock(at)}  car {car:>5}  {toll:>6,}" for at, car, toll in rows[-5:]]
    return "\n".join([f"TollStr: {len(rows):,} tolls, {total:,} in all; the last of them", *latest])


def congestion(changes: Sequence[tuple[Any, ...]], minutes: int = 60) -> str:
    """Draw the congestion, segments downwards, minutes across: the darker, the longer it lasted in that minute."""
    seconds: dict[int, list[int]] = defaultdict(lambda: [0] * minutes)
    since: dict[int, int] = {}
    for at, op, segment in sorted(changes, key=lambda change: (change[0], change[1])):
        if op == "+":
            since[segment] = at
        elif segment in since:
            fill(seconds[segment], since.pop(segment), at)
    for segment, at in since.items():
        fill(seconds[segment], at, minutes * 60)
    lines = ["CongestedSegRel over the hour: one line a segment, one sign a minute"]
    for segment in sorted(seconds):
        signs = "".join(SHADES[min(4, (held * 4 + 59) // 60)] for held in seconds[segment])
        lines.append(f"  {segment:>3} |{signs}|")
    lines.append("      0" + "".join(f"{minute:>10}" for minute in range(10, minutes + 1, 10)))
    return "\n".join(lines)


def fill(held: list[int], start: int, end: int) -> None:
    """Count the seconds from start to end in their minutes."""
    for minute in range(start // 60, min((end + 59) // 60, len(held))):
        held[minute] += max(0, min(end, minute * 60 + 60) - max(start, minute * 60))


def clock(second: int) -> str:
    return f"{second // 60:02}:{second % 60:02}"
