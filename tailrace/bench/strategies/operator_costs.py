"""Operator costs: nanoseconds for a tuple that enters a window and leaves it, by operator and strategy.

The physical plan runs in this process over full windows: one ten times as long as a batch, and one a fifth of a batch.
The planner chooses a strategy by these costs (`tailrace/staging/expiry_choice.py`).
"""

from __future__ import annotations

import time
from statistics import median

import numpy as np
import pyarrow as pa

from tailrace.bench.inputs.in_process import one_plan
from tailrace.bench.report.lines import BenchLine, Figure, Say
from tailrace.columnar.delta import Delta, elements
from tailrace.engine.pipeline import compile_script
from tailrace.errors import Source
from tailrace.operators.local_run import LocalRun
from tailrace.staging.expiry import PROBING, insert_expiry

STREAMS = "CREATE STREAM S (k INT, v INT) TIMESTAMP BY ts; CREATE STREAM R (k INT, v INT) TIMESTAMP BY ts;"
QUERIES = {
    "join": "SELECT ISTREAM(S.k, S.v, R.v) FROM S [RANGE {size}], R [RANGE {size}] WHERE S.k = R.k",
    "aggregate": "SELECT k, SUM(v) FROM S [RANGE {size}] GROUP BY k",
    "counts": "SELECT DISTINCT k FROM S [RANGE {size}]",
    "changes": "SELECT k, v FROM S [RANGE {size}]",
}
LENGTHS = {"a long window": 10.0, "a short window": 0.2}  # in batches
STRATEGIES = (PROBING, "hybrid", "negative")
TICKS = 50


def cost(query: str, rows: int, length: float, batches: int) -> dict[str, float]:
    """Nanoseconds a tuple under each strategy: the median of the faster half of the batches. Strategies take turns."""
    size, keys = max(round(TICKS * length), 1), max(round(rows * length), 1000)
    plan = one_plan(compile_script(Source(f"{STREAMS} CREATE QUERY measured AS {query.format(size=size)};")))
    runs = {each: LocalRun(insert_expiry(plan, {"measured": each})) for each in STRATEGIES}
    took: dict[str, list[float]] = {each: [] for each in STRATEGIES}
    chance, full = np.random.default_rng(3), size // TICKS + 2
    for number in range(full + batches):
        given = {name: random_rows(number, rows, keys, chance) for name in ("S", "R")}
        for each, run in runs.items():
            begun = time.process_time()
            run.batch(given, (number + 1) * TICKS - 1)
            if number >= full:
                took[each].append(time.process_time() - begun)
    read = sum(source.name in ("S", "R") for source in plan.sources) * rows
    return {each: median(sorted(all_)[: max(len(all_) // 2, 1)]) / read * 1e9 for each, all_ in took.items()}


def random_rows(number: int, rows: int, keys: int, chance: np.random.Generator) -> Delta:
    instants = number * TICKS + np.arange(rows) * TICKS // rows
    columns = [chance.integers(0, many, rows).astype(np.int32) for many in (keys, 1000)]
    return elements(instants, [pa.array(column) for column in columns])


def measure(quick: bool, say: Say) -> list[BenchLine | Figure]:
    """Each operator over both windows; each strategy beside probing."""
    rows, batches = (1000, 2) if quick else (50_000, 8)
    found: list[BenchLine | Figure] = []
    for name, query in QUERIES.items():
        for window, length in LENGTHS.items():
            say(f"strategies: cost of {name}, {window}")
            costs = cost(query, rows, length, batches)
            for each, value in costs.items():
                line = f"cost, {name}, {window}, {each}"
                found.append(BenchLine(line, value, "ns/tuple", PROBING, costs[PROBING], value / costs[PROBING]))
    return found
