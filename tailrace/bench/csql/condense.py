"""Condense: what a frequency saves: jumping windows beside window identifiers and beside windows that slide (CSQL §10).

The last line runs on Spark. All others run in this process, through the operators that run in Spark's workers. Batches
of tuples come in order of time; what is measured is the processor's time from a batch's arrival to its answers. Both
ways get the same batches. A jumping window knows which tuples are its own and folds them in one go. With identifiers, a
tuple is copied to each of its windows and grouped by the windows' numbers.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from statistics import median

import numpy as np
import pyarrow as pa

from tailrace.bench.csql.window_ids import WindowIds
from tailrace.bench.inputs import data
from tailrace.bench.inputs.in_process import one_plan
from tailrace.bench.report.lines import BenchLine, Curve, Figure, Say
from tailrace.bench.spark.windows import Case, Inputs, warm_up
from tailrace.catalog.sources import Stream
from tailrace.columnar.delta import Delta, elements
from tailrace.engine.pipeline import compile_script
from tailrace.errors import Source
from tailrace.operators.aggregates.aggregation import Aggregation
from tailrace.operators.local_run import LocalRun
from tailrace.operators.plan import Input, PhysicalPlan
from tailrace.operators.relational.aggregate import Aggregate
from tailrace.operators.sequence.positions import AssignPositions
from tailrace.operators.streams.reorder import Reorder
from tailrace.schema import Schema
from tailrace.types import INT

STREAM = "CREATE STREAM S (g INT, v INT) TIMESTAMP BY ts;"
GROUPS, RATE, BATCH = 100, 100, 200_000  # groups, tuples a second, tuples a batch
FREQUENCIES = (100, 300, 1000, 3000, 10_000)
SHARES = (10, 30, 50, 100, 200)  # the window in percent of the frequency
SECONDS = (1, 3, 10)
IDS, SLIDING = "window identifiers", "sliding with every tuple"

Batches = list[tuple[dict[str, Delta], int]]


@dataclass(frozen=True)
class Answered:
    """The processor's seconds that a plan took over all tuples, and how many rows it answered."""

    seconds: float
    answers: int


def batches(tuples: int, seed: int = 5) -> Batches:
    """Make tuples in order of time, cut into batches. With each batch comes its watermark, its last instant."""
    chance = np.random.default_rng(seed)
    group, value = (chance.integers(0, most, tuples).astype(np.int32) for most in (GROUPS, 1000))
    instant = np.arange(tuples) // RATE
    found = []
    for low in range(0, tuples, BATCH):
        part = slice(low, low + BATCH)
        rows = elements(instant[part], (pa.array(group[part]), pa.array(value[part])))
        found.append(({"S": rows}, int(instant[part][-1])))
    return found


@cache
def plan_query(query: str) -> PhysicalPlan:
    """The physical plan of a query."""
    return one_plan(compile_script(Source(f"{STREAM} CREATE QUERY answers AS {query};", "condense.cql")))


def plan_jump_window(size: str, every: str, grouped: bool) -> PhysicalPlan:
    columns, by = ("g, ", " GROUP BY g") if grouped else ("", "")
    return plan_query(f"SELECT {columns}AVG(v) AS a FROM S [RANGE {size}, FREQUENCY {every}]{by}")


def by_ids(size: int, every: int, grouped: bool) -> PhysicalPlan:
    """The plan of the same average by window identifiers: the window's number is a column to group by."""
    source = Stream("S", Schema.of(("g", INT), ("v", INT)), timestamp="ts")
    types = (pa.int32(), pa.int32())
    plan = PhysicalPlan()
    rows = plan.add(Reorder(types), plan.add(Input(source, (0, 1), types)))
    placed = plan.add(AssignPositions((*types, pa.int64())), rows)
    copies = plan.add(WindowIds((*types, pa.int64(), pa.int64()), size, every), placed)
    average = Aggregation("avg", (1,), pa.float64())
    keys, kinds = ((3, 0), (pa.int64(), pa.int32())) if grouped else ((3,), (pa.int64(),))
    plan.outputs["answers"] = plan.add(Aggregate((*kinds, pa.float64()), keys, (average,), False), copies)
    return plan


def time_answers(plan: PhysicalPlan, given: Batches) -> Answered:
    run, answers = LocalRun(plan), 0
    begun = time.process_time()
    for rows, to in given:
        answers += int((run.batch(rows, to)["answers"].weight > 0).sum())
    return Answered(time.process_time() - begun, answers)


def compare_plans(plans: Sequence[PhysicalPlan], given: Batches, times: int) -> list[Answered]:
    """Time the plans in turns, after one turn to warm up; the median of each."""
    for plan in plans:
        time_answers(plan, given)
    turns = [[time_answers(plan, given) for plan in plans] for _ in range(times)]
    return [Answered(median(turn[way].seconds for turn in turns), turns[0][way].answers) for way in range(len(plans))]


def measure(quick: bool, say: Say) -> list[BenchLine | Figure]:
    """Figures 3, 4 and 5 of CSQL, and the throughput of a jumping window beside one that slides."""
    tuples, times = (100_000, 1) if quick else (2_000_000, 5)
    frequencies, shares = ((1000,), (30, 100)) if quick else (FREQUENCIES, SHARES)
    given = batches(tuples)
    found: list[BenchLine | Figure] = []
    for grouped in (False, True):
        say(f"condense: {'with' if grouped else 'without'} GROUP BY, beside {IDS}")
        lines = {
            (every, share): beside_ids(given, every, share, grouped, times) for every in frequencies for share in shares
        }
        found += [ratios(lines, grouped), goal(lines[1000, 30], grouped)]
    say("condense: mixed jumping windows")
    seconds = SECONDS[:1] if quick else SECONDS
    found.append(measure_mixed_units(given, frequencies, seconds, times))
    say("condense: beside a sliding window")
    return [*found, beside_sliding(given, times), on_spark(quick, say)]


def beside_ids(given: Batches, every: int, share: int, grouped: bool, times: int) -> BenchLine:
    """A line: what a tuple costs in a jumping window, beside what it costs with window identifiers."""
    size = every * share // 100
    plans = [plan_jump_window(f"{size} TUPLES", f"{every} TUPLES", grouped), by_ids(size, every, grouped)]
    mine, ids = compare_plans(plans, given, times)
    name = f"AVG{' by group' if grouped else ''}, F {every:,}, W/F {share} %"
    cost = [1e9 * each.seconds / tuples_of(given) for each in (mine, ids)]
    return BenchLine(name, cost[0], "ns/tuple", IDS, cost[1], cost[0] / cost[1], answers(mine))


def goal(line: BenchLine, grouped: bool) -> BenchLine:
    most = 0.7 if grouped else 0.5
    return replace(line, goal=f"at most {most}", met=line.ratio <= most)


def ratios(lines: Mapping[tuple[int, int], BenchLine], grouped: bool) -> Figure:
    """The ratio of both costs over the frequency, with a curve for each size of the window in percent of it."""
    shares = list(dict.fromkeys(share for _, share in lines))
    curves = tuple(
        Curve(f"W/F {share} %", tuple((every, line.ratio) for (every, of), line in lines.items() if of == share))
        for share in shares
    )
    title = f"AVG {'with' if grouped else 'without'} GROUP BY: cost ratio of frequency and {IDS}"
    paper = "pushing down the frequency significantly outperforms the window identifier approach"
    return Figure("Figure 4" if grouped else "Figure 3", title, "F in tuples", "ratio", curves, paper, wide_x=True)


def measure_mixed_units(given: Batches, frequencies: Sequence[int], seconds: Sequence[int], times: int) -> Figure:
    """The cost of an answer when the frequency is in tuples and the range in time."""
    curves = []
    for size in seconds:
        points = []
        for every in frequencies:
            (mine,) = compare_plans([plan_jump_window(f"{size} SECONDS", f"{every} TUPLES", False)], given, times)
            points.append((float(every), 1e3 * mine.seconds / max(mine.answers, 1)))
        curves.append(Curve(f"W {size} s", tuple(points)))
    title, paper = "AVG over a mixed jumping window: cost of an answer", "cannot be handled by existing approaches"
    return Figure("Figure 5", title, "F in tuples", "ms", tuple(curves), paper, wide_x=True, wide_y=True)


def beside_sliding(given: Batches, times: int) -> BenchLine:
    plans = [plan_jump_window("300 TUPLES", f"{every} TUPLES", False) for every in (1000, 1)]
    mine, sliding = compare_plans(plans, given, times)
    rates = [tuples_of(given) / each.seconds for each in (mine, sliding)]
    return twice(BenchLine("F 1,000, W 300, in process", rates[0], "rows/s", SLIDING, rates[1], rates[0] / rates[1]))


def on_spark(quick: bool, say: Say) -> BenchLine:
    """The same two windows through Spark, over files of position reports, one file per micro-batch."""
    rows, files, times = (50_000, 3, 1) if quick else (2_000_000, 5, 3)
    query = "SELECT AVG(speed) AS speed FROM S [RANGE 300 TUPLES, FREQUENCY {} TUPLES]"
    cases = [Case(f"every {every}", query.format(every), "") for every in (1000, 1)]
    with tempfile.TemporaryDirectory(prefix="tailrace-bench-") as folder:
        small, large = Inputs(Path(folder) / "small", 10_000, 2), Inputs(Path(folder) / "large", rows, files)
        for inputs in (small, large):
            data.write(data.positions(inputs.rows), inputs.folder / "S", inputs.files)
        for case in cases:
            say(f"condense: on Spark, {case.line}, warming up")
            warm_up(Inputs.tailrace, case, small, large, False)
        say("condense: on Spark")
        turns = [[large.tailrace(case) for case in cases] for _ in range(times)]
    mine, sliding = (median(turn[way] for turn in turns) for way in range(2))
    return twice(BenchLine("F 1,000, W 300, on Spark", mine, "rows/s", SLIDING, sliding, mine / sliding))


def twice(line: BenchLine) -> BenchLine:
    return replace(line, goal="at least 2", met=line.ratio >= 2)


def tuples_of(given: Batches) -> int:
    return sum(len(rows["S"]) for rows, _ in given)


def answers(found: Answered) -> dict[str, float]:
    return {"answers": float(found.answers)}
