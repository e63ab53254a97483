"""Throughput: rows a second of many queries on Spark, beside plain Spark in its best form; and CACQ's comparisons.

Plain Spark's best form is a join with a table of the queries. Queries are drawn as in CACQ §3.2.8, and each counts the
rows it selects. PARTS has all measurements of the bench `cacq`.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from tailrace.bench.cacq import niagara, routing, sharing, stems
from tailrace.bench.cacq.random_predicates import FIELDS, SCHEMA, VALUES, bounds, random_queries, script
from tailrace.bench.inputs import data
from tailrace.bench.report.lines import BenchLine, Curve, Figure, Say
from tailrace.bench.spark.windows import MASTER, rate
from tailrace.engine.pipeline import compile_script
from tailrace.engine.run_queries import run_once
from tailrace.errors import Source
from tailrace.progress import Progress

MOST_STATE = 1.2  # goal: times what the streams' windows take, at most


@dataclass(frozen=True)
class Size:
    """A number of queries, and the number of rows that each system gets; the slower one gets fewer.

    The goals are `least` rows a second and `times` the rate of plain Spark.
    """

    queries: int
    rows: int
    plain_rows: int
    files: int = 5
    least: int = 0
    times: int = 0


SIZES = [Size(1_000, 2_000_000, 500_000, 5, 500_000, 8), Size(10_000, 1_000_000, 100_000, 5, 100_000, 15)]
QUICK = [Size(50, 10_000, 10_000, 2)]


def tailrace(size: Size, folder: Path, times: int) -> tuple[list[float], float]:
    """The rows a second of each run, and the seconds it took to register the queries."""
    begun = time.perf_counter()
    found = compile_script(Source(script(random_queries(size.queries)), "cacq.cql"), folder)
    registered = time.perf_counter() - begun
    rates = []
    for _ in range(times):
        ends: list[tuple[int, float]] = []

        def watch(progress: Progress, ends: list[tuple[int, float]] = ends) -> None:
            ends.append((progress.rows, time.perf_counter()))

        run_once(found, str(folder), None, MASTER, lambda query, names, rows: None, watch)
        rates.append(rate(ends, size.rows, f"{size.queries:,} queries"))
    return rates, registered


def plain(size: Size, folder: Path, times: int) -> list[float]:
    from tailrace.bench.inputs.plain_spark import run_plain_members

    rows = [bounds(query) for query in random_queries(size.queries)]
    found = []
    for number in range(times):
        ends = run_plain_members(str(folder / "S"), SCHEMA, rows, str(folder / f"plain-{number}"), MASTER)
        found.append(rate(ends, size.plain_rows, f"{size.queries:,} queries in plain Spark"))
    return found


def throughput(quick: bool, say: Say) -> list[BenchLine | Figure]:
    """The rows a second of both systems, for each number of queries."""
    found = []
    for size in QUICK if quick else SIZES:
        with tempfile.TemporaryDirectory(prefix="tailrace-bench-") as folder:
            ours, theirs = Path(folder) / "ours", Path(folder) / "plain"
            say(f"cacq: making {size.rows:,} rows")
            data.write(data.fields(size.rows, FIELDS, VALUES), ours / "S", size.files)
            data.write(data.fields(size.plain_rows, FIELDS, VALUES), theirs / "S", size.files)
            times = 1 if quick else 3
            say(f"cacq: {size.queries:,} queries, Tailrace")
            # The first run of each warms up.
            rates, registered = tailrace(size, ours, times + 1)
            say(f"cacq: {size.queries:,} queries, plain Spark")
            beside = median(plain(size, theirs, times + 1)[1:])
            found.append(line(size, median(rates[1:]), beside, registered))
    return [figure(found), *found]


def figure(lines: Sequence[BenchLine]) -> Figure:
    ours = Curve("Tailrace", tuple((place, each.value) for place, each in enumerate(lines)))
    theirs = Curve("plain Spark", tuple((place, each.beside_value) for place, each in enumerate(lines)))
    words = "has no such figure: its Fig. 6 goes to some fifty queries, in one process, beside itself."
    names = tuple(each.line for each in lines)
    title = "rows a second on Spark, end to end"
    return Figure("throughput", title, "", "rows/s", (ours, theirs), words, ticks=names, wide_y=True)


def line(size: Size, value: float, beside: float, registered: float) -> BenchLine:
    name, more = f"{size.queries:,} queries", {"seconds to register": registered}
    goal = f"at least {size.least:,} and {size.times} times as many" if size.least else ""
    met = value >= size.least and value >= size.times * beside
    return BenchLine(
        name, value, "rows/s", "Spark's join with a table of queries", beside, value / beside, more, goal=goal, met=met
    )


def measure_stem_state(quick: bool, say: Say) -> list[BenchLine | Figure]:
    """The state of three-way joins over sensors in stems, beside the streams' windows and beside joins each alone."""
    say("cacq: stems")
    sensors = stems.Sensors(6, 600) if quick else stems.Sensors()
    found = stems.state(sensors, (1, 5) if quick else (1, 15, 45))
    held, windows, *others = found
    names = tuple(str(each) for each in found)
    words = "§3.3.1: 6.9 MB in SteMs for any joins of 15 sensors, 101 MB in trees of joins for 455 three-way joins."
    ours = Curve("state", tuple((place, each.bytes / stems.MB) for place, each in enumerate(found)))
    bars = Figure("stems", "what three-way joins remember", "", "MB", (ours,), words, ticks=names)
    first = stems.compare_states(held, windows)
    first = replace(first, goal=f"at most {MOST_STATE} times", met=first.ratio <= MOST_STATE)
    return [bars, first, *(stems.compare_states(each, held) for each in others)]


PARTS: dict[str, Callable[[bool, Say], Sequence[BenchLine | Figure]]] = {
    "fig6": sharing.by_queries,
    "fig7": sharing.by_sources,
    "fig9": routing.measure_policies,
    "fig10": routing.measure_adapting,
    "fig12": niagara.by_queries,
    "fig13": niagara.by_articles,
    "stems": measure_stem_state,
    "throughput": throughput,
}


def measure(quick: bool, say: Say) -> list[BenchLine | Figure]:
    """All measurements of the bench `cacq`."""
    return [each for part in PARTS.values() for each in part(quick, say)]
