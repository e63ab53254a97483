"""Registering: how fast queries are registered, also while many others run, and how much memory very many need.

The queries are those of the bench `cacq`.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from tailrace.analysis.program import analyse
from tailrace.bench.cacq import random_predicates
from tailrace.bench.inputs import data
from tailrace.bench.report.lines import BenchLine, Say
from tailrace.bench.spark.memory import MEGABYTE, PROGRAM, peak_of
from tailrace.engine.engine import Engine
from tailrace.engine.pipeline import PlanningSession, compile_script, query_set
from tailrace.errors import RunError, Source
from tailrace.language.script import parse_script

FEW = 1_000  # queries that are registered one by one, to compare with
TIMES = 9
PATIENCE = 120.0  # seconds


def measure(quick: bool, say: Say) -> list[BenchLine]:
    """Many queries at once, one more while many run, and a run of many."""
    many, standing, rows = (2_000, 200, 20_000) if quick else (100_000, 10_000, 200_000)
    return [measure_registering(many, say), one_more(standing, say), measure_memory(many, rows, say)]


def seconds(action: Callable[[], object]) -> float:
    begun = time.perf_counter()
    action()
    return time.perf_counter() - begun


# Many at once -----------------------------------------------------------------------------------------------


def plan_all(session: PlanningSession) -> None:
    """Do everything that must be done before the first row can come."""
    query_set(session).versions.preview(None, -1)


def measure_registering(many: int, say: Say) -> BenchLine:
    """Queries that one script registers in a second, beside queries that are each parsed and analysed on their own."""
    say(f"registering: {many:,} queries")
    script = Source(random_predicates.script(random_predicates.random_queries(many)))
    whole = seconds(lambda: plan_all(compile_script(script)))
    say(f"registering: {FEW:,} queries, each by itself")
    few = Source(random_predicates.script(random_predicates.random_queries(FEW)))
    alone = seconds(lambda: plan_all(PlanningSession(analyse(parse_script(few)))))
    value, beside = many / whole, FEW / alone
    more = {"seconds": whole}
    return BenchLine(f"{many:,} registered", value, "queries/s", "each read by itself", beside, value / beside, more)


# One more while many run ------------------------------------------------------------------------------------


def one_more(standing: int, say: Say) -> BenchLine:
    """Milliseconds that `Engine.query` takes while `standing` queries run, beside the same while ten run."""
    (value, until), (beside, _) = (measure_one_more(count, say) for count in (standing, 10))
    more = {"seconds until it answers": until}
    return BenchLine(f"one more of {standing:,}", value, "ms", "one more of 10", beside, value / beside, more)


def measure_one_more(standing: int, say: Say) -> tuple[float, float]:
    """Milliseconds to register one more query, and seconds until its first answer; medians."""
    with tempfile.TemporaryDirectory(prefix="tailrace-bench-") as folder:
        engine = Engine(folder=folder, keep=0)
        queries = random_predicates.random_queries(standing + TIMES)
        (Path(folder) / "S").mkdir()
        say(f"registering: one more while {standing:,} stand")
        engine.execute(random_predicates.script(queries[:standing]))
        engine.start()
        try:
            took, until = [], []
            for turn, query in enumerate(queries[standing:]):
                answered = threading.Event()
                text = f"SELECT COUNT(*) AS n FROM S WHERE {random_predicates.where(query)}"
                begun = time.perf_counter()
                more = engine.query(text, f"more{turn}")
                took.append(time.perf_counter() - begun)
                more.subscribe(setting(answered))
                put(Path(folder), turn)
                if not answered.wait(PATIENCE):
                    raise RunError("a query that was registered gave no answer")
                until.append(time.perf_counter() - begun)
        finally:
            engine.stop()
    return median(took) * 1000, median(until)


def setting(event: threading.Event) -> Callable[[object], None]:
    """A subscriber that sets the event when rows come."""
    return lambda rows: event.set()


def put(folder: Path, number: int) -> None:
    """Add a file to the stream's folder: it is written elsewhere and then moved."""
    data.write(data.fields(1_000, random_predicates.FIELDS, random_predicates.VALUES), folder / f"aside-{number}", 1)
    (made,) = (folder / f"aside-{number}").iterdir()
    made.rename(folder / "S" / f"{number}.parquet")


# A run of many ----------------------------------------------------------------------------------------------


def measure_memory(many: int, rows: int, say: Say) -> BenchLine:
    """The most memory of a run with `many` queries, all its processes together, beside a run with few."""
    peaks, took = {}, {}
    for count in (FEW, many):
        with tempfile.TemporaryDirectory(prefix="tailrace-bench-") as folder:
            place = Path(folder)
            say(f"registering: {count:,} queries over {rows:,} rows")
            data.write(data.fields(rows, random_predicates.FIELDS, random_predicates.VALUES), place / "S", 4)
            (place / "many.cql").write_text(
                random_predicates.script(random_predicates.random_queries(count)), encoding="utf-8"
            )
            begun = time.perf_counter()
            peaks[count] = peak_of([*PROGRAM, "run", "many.cql", "--once"], place)
            took[count] = time.perf_counter() - begun
    value, beside = peaks[many].all / MEGABYTE, peaks[FEW].all / MEGABYTE
    more = {"Python": peaks[many].python / MEGABYTE, "seconds": took[many]}
    return BenchLine(f"{many:,} run", value, "MB", f"{FEW:,} queries", beside, value / beside, more)
