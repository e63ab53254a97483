"""Strategies: what each strategy costs on SW's queries: delays by the event clock, and rows a second on Spark.

Figures 8 to 11 are delays in milliseconds, T_release − T_create of each answer, beside those of time probing on the
same events; Figure 12 is the time to answer 40,000 tuples. On Spark each strategy is compared with probing too.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean

import pyarrow as pa
import pyarrow.parquet as pq

from tailrace.bench.inputs.data import write
from tailrace.bench.report.lines import BenchLine, Curve, Figure, Say
from tailrace.bench.spark import windows
from tailrace.bench.strategies import operator_costs
from tailrace.bench.strategies.retail import Q3, Q4, SALES, SECOND, WINDOW, WORKLOAD, Case, arrivals, favourites, q1, q2
from tailrace.bench.strategies.simulated_clock import INPUT, Simulation
from tailrace.engine.pipeline import compile_script
from tailrace.engine.run_queries import run_once
from tailrace.errors import Source
from tailrace.progress import Progress

PROBING, AUTO = "probing", "auto"
ALL = (PROBING, "hybrid", "negative", INPUT)
NO_JOIN = (PROBING, "negative", INPUT)
RATE = 10.0
FAST, TUPLES, MARKS, A_BATCH = 2056.0, 40_000, 4, 200
MASTER = "local[*]"
ROWS, FILES, TIMES = 600_000, 6, 3


def strategies_of(case: Case) -> Sequence[str]:
    """The strategies to compare. Without a join, hybrid would be the same as negative."""
    return NO_JOIN if case.name == "Q1" else ALL


Delays = dict[str, tuple[float, float]]  # by strategy the mean and the greatest, in milliseconds


def delays(what: str, case: Case, rate: float, events: int, say: Say) -> Delays:
    say(f"strategies: {what}")
    seconds = WINDOW / SECOND + max(2 * events / rate, 10.0)
    seen = Simulation(case, strategies_of(case), rate, seconds).play(events)
    return {
        strategy: (float(each.sum() / max(len(each), 1)), float(each.max(initial=0.0)))
        for strategy, each in seen.items()
    }


def delay_figure(
    name: str, title: str, x: str, found: Mapping[float, Delays], paper: str, ticks: Sequence[str] = ()
) -> Figure:
    """A figure of mean delays, with a curve for each strategy."""
    curves = [
        Curve(strategy, tuple((at, each[strategy][0]) for at, each in found.items() if strategy in each))
        for strategy in ALL
    ]
    return Figure(name, title, x, "ms", tuple(curves), f"SW §6, {paper}", tuple(ticks), wide_y=True)


def lines_of(what: str, found: Delays, goals: Mapping[str, tuple[float, float]] | None = None) -> list[BenchLine]:
    """A line for each strategy beside probing.

    A goal is the least or the greatest ratio that is allowed; 0 is no limit.
    """
    base = found[PROBING][0]
    lines = []
    for strategy, (mean, most) in found.items():
        ratio = mean / base
        low, high = (goals or {}).get(strategy, (0.0, 0.0))
        goal = f"≥ {low:g}" if low else f"≤ {high:g}" if high else ""
        met = low <= ratio and (not high or ratio <= high)
        lines.append(
            BenchLine(f"{what}, {strategy}", mean, "ms", PROBING, base, ratio, {"max": most}, goal=goal, met=met)
        )
    return lines


def fig8(quick: bool, say: Say) -> list[BenchLine | Figure]:
    found = {case.name: delays(f"figure 8, {case.name}", case, RATE, events_of(quick), say) for case in WORKLOAD}
    means = {
        strategy: (
            fmean(each[strategy][0] for each in found.values() if strategy in each),
            max(each[strategy][1] for each in found.values() if strategy in each),
        )
        for strategy in ALL
    }
    figure = delay_figure(
        "fig8",
        "Output delay at 10 tuples a second a stream",
        "query",
        {float(at): each for at, each in enumerate(found.values())},
        "Figure 8: input-triggered 850 ms on average and 4,800 ms at most, the others more than ten times less, "
        "probing least, then hybrid, then negative",
        tuple(found),
    )
    goals = {INPUT: (10.0, 0.0)}
    lines = [line for name, each in found.items() for line in lines_of(f"fig8, {name}", each, goals)]
    return [figure, *lines, *lines_of("fig8, all queries", means, goals)]


def fig9(quick: bool, say: Say) -> list[BenchLine | Figure]:
    rates = (5.0, 40.0) if quick else (5.0, 10.0, 40.0)
    found: list[BenchLine | Figure] = []
    for case in (Q3, Q4):
        seen = {rate: delays(f"figure 9, {case.name}", case, rate, events_of(quick), say) for rate in rates}
        paper = "Figure 9: all come nearer to each other with the rate; input-triggered stays worst, in Q3 above all"
        found.append(delay_figure(f"fig9 {case.name}", f"Output delay of {case.name}", "tuples/s", seen, paper))
    return found


def fig10(quick: bool, say: Say) -> list[BenchLine | Figure]:
    depths = (2, 3) if quick else (2, 3, 4, 5)
    seen = {float(n): delays(f"figure 10, {n} streams", q2(n), RATE, events_of(quick), say) for n in depths}
    paper = "Figure 10: hybrid as probing to depth four, negative worse, input-triggered worst"
    found: list[BenchLine | Figure] = [delay_figure("fig10", "Output delay of Q2", "joined streams", seen, paper)]
    for depth, each in seen.items():
        goals = {"hybrid": (0.0, 1.2), "negative": (each["hybrid"][0] / each[PROBING][0], 0.0)} if depth < 5 else {}
        found += lines_of(f"fig10, {depth:g} streams", each, goals)
    return found


def fig11(quick: bool, say: Say) -> list[BenchLine | Figure]:
    parts = (0.1, 1.0) if quick else (0.1, 0.25, 0.5, 1.0)
    seen = {part: delays(f"figure 11, {part:g}", q1(part), RATE, events_of(quick), say) for part in parts}
    paper = "Figure 11: the more tuples pass the filter, the less input-triggered waits; at 1 all are alike"
    return [delay_figure("fig11", "Output delay of Q1", "selectivity", seen, paper)]


def fig12(quick: bool, say: Say) -> list[BenchLine | Figure]:
    """The seconds of work until a number of tuples is answered."""
    wanted = TUPLES // 40 if quick else TUPLES
    found: list[BenchLine | Figure] = []
    for case, paper in (
        (q1(), "input-triggered least, then probing, then negative"),
        (Q4, "negative worst, others alike"),
    ):
        say(f"strategies: figure 12, {case.name}")
        # Enough input for all: at least a tenth of the tuples change an answer.
        seconds = WINDOW / SECOND + max(wanted * 10 / FAST, 5.0)
        seen = Simulation(case, strategies_of(case), FAST, seconds).rush(A_BATCH, wanted, MARKS)
        curves = [
            Curve(strategy, tuple((wanted * (at + 1) / MARKS, each) for at, each in enumerate(marks)))
            for strategy, marks in seen.items()
        ]
        title = f"Work until tuples of {case.name} are answered"
        found.append(Figure(f"fig12 {case.name}", title, "tuples", "s", tuple(curves), f"SW §6.4, Figure 12: {paper}"))
        base = seen[PROBING][-1]
        for strategy, marks in seen.items():
            line = f"fig12, {case.name}, {strategy}"
            found.append(BenchLine(line, marks[-1], "s", PROBING, base, marks[-1] / base))
    return found


def events_of(quick: bool) -> int:
    return 150 if quick else 600


# On Spark --------------------------------------------------------------------------------------------------


def write_case_files(case: Case, folder: Path, rows: int, files: int) -> None:
    """Write a case's rows as Parquet files; a batch reads one file of each stream."""
    each = rows // len(case.streams)
    for name, delta in arrivals(case, FAST, each / FAST).items():
        columns = dict(zip((part.split()[0] for part in SALES.split(", ")), delta.columns, strict=True))
        write(pa.table({"ts": pa.array(delta.start), **columns}), folder / name, files)
    for name, delta in favourites(case).items():
        (folder / name).mkdir(parents=True)
        key = "ItemID" if name == "FavoriteItems" else "StoreID"
        pq.write_table(pa.table({key: delta.columns[0]}), folder / name / "0.parquet")


def rate_on_spark(case: Case, strategy: str, folder: Path) -> float:
    """Rows a second on Spark, after the first batch."""
    using = "USING parquet OPTIONS (path '{name}', maxFilesPerTrigger '1')"
    found = compile_script(Source(case.script(using, "INTO noop", strategy), f"{case.name}.cql"), folder)
    ends: list[tuple[int, float]] = []

    def watch(progress: Progress) -> None:
        ends.append((progress.rows, time.perf_counter()))

    run_once(found, str(folder), None, MASTER, lambda query, names, rows: None, watch)
    (first, begun), (last, ended) = ends[0], ends[-1]
    return (last - first) / (ended - begun)


def turns(what: str, chosen: Sequence[str], times: int, rate: Callable[[str], float], say: Say) -> list[BenchLine]:
    """Run each strategy, and the planner's choice, in turns. The first turn warms up; of the others the best counts."""
    rates: dict[str, list[float]] = {strategy: [] for strategy in (*chosen, AUTO)}
    for turn in range(times + 1):
        for strategy, found in rates.items():
            say(f"strategies: {what}, {strategy}, run {turn} of {times}")
            found.append(rate(strategy))
    best = {strategy: max(found[1:] or found) for strategy, found in rates.items()}
    fixed = max(best[strategy] for strategy in chosen)
    lines = []
    for strategy, value in best.items():
        beside, other = ("the best of them", fixed) if strategy == AUTO else (PROBING, best[PROBING])
        goal = "≥ 0.9" if strategy == AUTO else ""
        met = value >= 0.9 * other
        lines.append(
            BenchLine(f"{what}, {strategy}", value, "rows/s", beside, other, value / other, goal=goal, met=met)
        )
    return lines


def spark(quick: bool, say: Say) -> list[BenchLine | Figure]:
    """Q1 to Q5 on Spark, under each strategy."""
    cases = WORKLOAD[:1] if quick else WORKLOAD
    rows, files, times = (20_000, 2, 0) if quick else (ROWS, FILES, TIMES)
    found: list[BenchLine | Figure] = []
    for case in cases:
        chosen = [strategy for strategy in strategies_of(case) if strategy != INPUT]
        with tempfile.TemporaryDirectory(prefix="tailrace-bench-") as folder:
            write_case_files(case, Path(folder), rows, files)
            rate = partial(rate_on_spark, case, folder=Path(folder))
            found += turns(f"Spark, {case.name}", chosen, times, rate, say)
    return found


def of_windows(quick: bool, say: Say) -> list[BenchLine | Figure]:
    """The lines of the bench `windows` in which tuples leave by time, under each strategy."""
    cases = [case for case in windows.CASES if "RANGE" in case.query]
    rows, times = (20_000, 0) if quick else (windows.ROWS, TIMES)
    found: list[BenchLine | Figure] = []
    with tempfile.TemporaryDirectory(prefix="tailrace-bench-") as folder:
        inputs = windows.Inputs(Path(folder), rows)
        inputs.generate()
        for case in cases[:1] if quick else cases:
            # Without a join, hybrid would be the same as negative.
            chosen = (PROBING, "hybrid", "negative") if len(case.streams) > 1 else (PROBING, "negative")
            found += turns(f"windows, {case.line}", chosen, times, partial(inputs.tailrace, case), say)
    return found


PARTS: dict[str, Callable[[bool, Say], Sequence[BenchLine | Figure]]] = {
    "fig8": fig8,
    "fig9": fig9,
    "fig10": fig10,
    "fig11": fig11,
    "fig12": fig12,
    "costs": operator_costs.measure,
    "spark": spark,
    "windows": of_windows,
}


def measure(quick: bool, say: Say) -> list[BenchLine | Figure]:
    """All figures, then what the planner's choice of a strategy is worth on Spark."""
    return [each for part in PARTS.values() for each in part(quick, say)]
