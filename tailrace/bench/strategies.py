"""Strategies: what each costs on SW's queries, by the event clock, and in rows a second on Spark.

Figures 8 to 11 are delays in milliseconds, T_release − T_create of each answer, beside those of time probing on the
same events; Figure 12 is the time to answer 40,000 tuples. On Spark each strategy stands beside probing too.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from tailrace.bench import operator_costs
from tailrace.bench.data import write
from tailrace.bench.event_clock import INPUT, Simulation
from tailrace.bench.lines import Line, Say
from tailrace.bench.retail import Q3, Q4, SALES, SECOND, WINDOW, WORKLOAD, Case, arrivals, favourites, q1, q2
from tailrace.engine.compile import compile_script
from tailrace.engine.run import run_once
from tailrace.errors import Source
from tailrace.outcome import Progress

PROBING = "probing"
ALL = (PROBING, "hybrid", "negative", INPUT)
NO_JOIN = (PROBING, "negative", INPUT)
RATE = 10.0
PAPER_MEAN, PAPER_MAX = 850.0, 4800.0  # of input-triggered, over all queries (SW §6.1)
FAST, TUPLES, MARKS, A_BATCH = 2056.0, 40_000, 4, 50
MASTER = "local[*]"
ROWS, FILES = 400_000, 4


def strategies_of(case: Case) -> Sequence[str]:
    """Hybrid is negative where there is no join."""
    return NO_JOIN if case.name == "Q1" else ALL


def delays(figure: str, case: Case, rate: float, events: int, say: Say) -> list[Line]:
    """The mean and the greatest delay under each strategy, beside the mean of probing."""
    say(f"strategies: {figure}")
    seconds = WINDOW / SECOND + max(2 * events / rate, 10.0)
    seen = Simulation(case, strategies_of(case), rate, seconds).play(events)
    base = float(seen[PROBING].mean())
    found = []
    for strategy, each in seen.items():
        more = {"max": float(each.max(initial=0.0)), "answers": float(len(each))}
        if figure.startswith("figure 8") and strategy == INPUT:
            more |= {"the paper's mean": PAPER_MEAN, "the paper's max": PAPER_MAX}
        mean = float(each.sum() / max(len(each), 1))
        found.append(Line(f"{figure}, {strategy}", mean, "ms", PROBING, base, mean / base, more))
    return found


def summed_up(figure: str, lines: Sequence[Line]) -> list[Line]:
    """The mean of the means and the greatest delay over all queries of a figure, under each strategy."""
    mine = {each: [line for line in lines if line.line.endswith(f", {each}")] for each in ALL}
    means = {each: sum(line.value for line in found) / len(found) for each, found in mine.items()}
    return [
        Line(
            f"{figure}, all queries, {each}",
            mean,
            "ms",
            PROBING,
            means[PROBING],
            mean / means[PROBING],
            {"max": max(line.more["max"] for line in mine[each])},
        )
        for each, mean in means.items()
    ]


def rush(case: Case, wanted: int, say: Say) -> list[Line]:
    """The seconds of work until so many tuples are answered."""
    say(f"strategies: figure 12, {case.name}")
    # Enough for all: a tenth of the tuples at least change an answer.
    seconds = WINDOW / SECOND + max(wanted * 10 / FAST, 5.0)
    seen = Simulation(case, strategies_of(case), FAST, seconds).rush(A_BATCH, wanted, MARKS)
    base = seen[PROBING][-1]
    found = []
    for strategy, marks in seen.items():
        more = {f"at {wanted * (place + 1) // MARKS:,}": each for place, each in enumerate(marks[:-1])}
        line = f"figure 12, {case.name}, {strategy}"
        found.append(Line(line, marks[-1], "s", PROBING, base, marks[-1] / base, more))
    return found


# On Spark --------------------------------------------------------------------------------------------------


def written(case: Case, folder: Path, rows: int, files: int) -> None:
    """A case's rows as Parquet files, one of each stream a batch."""
    each = rows // len(case.streams)
    for name, delta in arrivals(case, FAST, each / FAST).items():
        columns = dict(zip((part.split()[0] for part in SALES.split(", ")), delta.columns, strict=True))
        write(pa.table({"ts": pa.array(delta.start), **columns}), folder / name, files)
    for name, delta in favourites(case).items():
        (folder / name).mkdir(parents=True)
        key = "ItemID" if name == "FavoriteItems" else "StoreID"
        pq.write_table(pa.table({key: delta.columns[0]}), folder / name / "0.parquet")


def rate_on_spark(case: Case, strategy: str, folder: Path) -> float:
    """Rows a second after the first batch."""
    using = "USING parquet OPTIONS (path '{name}', maxFilesPerTrigger '1')"
    found = compile_script(Source(case.script(using, "INTO noop", strategy), f"{case.name}.cql"), folder)
    ends: list[tuple[int, float]] = []

    def watch(progress: Progress) -> None:
        ends.append((progress.rows, time.perf_counter()))

    run_once(found, str(folder), None, MASTER, lambda query, names, rows: None, watch)
    (first, begun), (last, ended) = ends[0], ends[-1]
    return (last - first) / (ended - begun)


def on_spark(case: Case, rows: int, files: int, times: int, say: Say) -> list[Line]:
    """Each strategy that is right, and the one that is chosen, taking turns; the best of each."""
    chosen = [strategy for strategy in (*strategies_of(case), "auto") if strategy != INPUT]
    rates: dict[str, list[float]] = {strategy: [] for strategy in chosen}
    with tempfile.TemporaryDirectory(prefix="tailrace-bench-") as folder:
        written(case, Path(folder), rows, files)
        for turn in range(times + 1):
            for strategy in chosen:
                say(f"strategies: {case.name} on Spark, {strategy}, run {turn} of {times}")
                rates[strategy].append(rate_on_spark(case, strategy, Path(folder)))
    # The first turn warms up.
    best = {strategy: max(found[1:] or found) for strategy, found in rates.items()}
    fixed = max(rate for strategy, rate in best.items() if strategy != "auto")
    found = []
    for strategy, rate in best.items():
        beside, other = ("the best of them", fixed) if strategy == "auto" else (PROBING, best[PROBING])
        found.append(Line(f"Spark, {case.name}, {strategy}", rate, "rows/s", beside, other, rate / other))
    return found


def measure(quick: bool, say: Say) -> list[Line]:
    """All figures, then the same queries on Spark."""
    events = 150 if quick else 600
    found: list[Line] = []
    for case in WORKLOAD:
        found += delays(f"figure 8, {case.name}", case, RATE, events, say)
    found += summed_up("figure 8", found)
    for rate in (5.0, 40.0) if quick else (5.0, 20.0, 40.0):
        for case in (Q3, Q4):
            found += delays(f"figure 9, {case.name}, {rate:g} tuples/s", case, rate, events, say)
    for streams in (3,) if quick else (3, 4, 5):
        found += delays(f"figure 10, {streams} streams", q2(streams), RATE, events, say)
    for selectivity in (0.1, 1.0) if quick else (0.1, 0.5, 1.0):
        found += delays(f"figure 11, selectivity {selectivity:g}", q1(selectivity), RATE, events, say)
    for case in (q1(), Q4):
        found += rush(case, TUPLES // 40 if quick else TUPLES, say)
    found += operator_costs.measure(quick, say)
    for case in WORKLOAD[:1] if quick else WORKLOAD:
        found += on_spark(case, 20_000 if quick else ROWS, 2 if quick else FILES, 0 if quick else 2, say)
    return found
