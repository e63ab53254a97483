"""State: the cost of a batch of 10,000 rows with a small window and with a large one, loading and saving included.

The physical plan runs in this process. The cost must follow the batch, not what the window holds.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import mean, median

import numpy as np
import pyarrow as pa

from tailrace.bench.inputs.in_process import one_plan
from tailrace.bench.report.lines import BenchLine, Say
from tailrace.columnar.delta import Delta, elements
from tailrace.engine.pipeline import PlanningSession, compile_script
from tailrace.errors import Source
from tailrace.operators.local_run import LocalRun
from tailrace.operators.plan import PhysicalPlan
from tailrace.state.state_files import StateFolder

BATCH, TURNS, A_TURN, WARM_UP = 10_000, 8, 5, 3
TICKS_A_BATCH = 10
GROUPS = 1000
STREAM = "CREATE STREAM {name} (k INT, v INT) TIMESTAMP BY ts;"


@dataclass(frozen=True)
class Case:
    """A query over windows of `{ticks}` instants, its streams, and whether keys are few or as many as the window holds.

    With as many keys as elements, a row joins about one other, however large the window is: the number of answers does
    not depend on the window.
    """

    line: str
    query: str
    streams: tuple[str, ...] = ("S",)
    few_keys: bool = False


CASES = [
    Case("join", "SELECT ISTREAM(L.k, L.v, R.v) FROM L [RANGE {ticks}], R [RANGE {ticks}] WHERE L.k = R.k", ("L", "R")),
    Case("aggregate", "SELECT k, AVG(v) FROM S [RANGE {ticks}] GROUP BY k", few_keys=True),
    Case("distinct", "SELECT DISTINCT k FROM S [RANGE {ticks}]"),
]


@dataclass
class FullWindows:
    """A case's plan with full windows: `held` elements in all, and `batch` rows in each batch."""

    case: Case
    held: int
    batch: int
    folder: str
    chance: np.random.Generator = field(default_factory=lambda: np.random.default_rng(3))
    tick: int = 0
    number: int = 0
    name: str = ""  # the state's name after the last batch

    def __post_init__(self) -> None:
        self.a_tick = max(self.batch // TICKS_A_BATCH // len(self.case.streams), 1)  # rows of each stream
        self.ticks = max(self.held // len(self.case.streams) // self.a_tick, 1)
        self.keys = GROUPS if self.case.few_keys else max(self.held // len(self.case.streams), 1)
        self.plan = self.plan_case()
        self.kept = StateFolder(self.folder)

    def plan_case(self) -> PhysicalPlan:
        return one_plan(self.compile_query())

    def compile_query(self) -> PlanningSession:
        created = [STREAM.format(name=name) for name in self.case.streams]
        # [RANGE T] holds the elements of T + 1 instants.
        query = f"CREATE QUERY measured AS {self.case.query.format(ticks=self.ticks - 1)};"
        return compile_script(Source("\n".join([*created, query]), f"{self.case.line}.cql"))

    def next_rows(self, ticks: int) -> tuple[dict[str, Delta], int]:
        """The rows of the next ticks, and the last of these ticks."""
        rows = ticks * self.a_tick
        instants = self.tick + np.arange(rows) // self.a_tick
        self.tick += ticks
        return {name: elements(instants, self.columns(rows)) for name in self.case.streams}, self.tick - 1

    def columns(self, rows: int) -> list[pa.Array]:
        drawn = (self.chance.integers(0, self.keys, rows), self.chance.integers(0, 1_000_000, rows))
        return [pa.array(column.astype(np.int32)) for column in drawn]

    def fill(self, at_once: int) -> None:
        """Fill the windows in large batches, then save the state."""
        run = LocalRun(self.plan)
        ahead = max(at_once // self.a_tick // len(self.case.streams), 1)
        while self.tick < self.ticks:
            run.batch(*self.next_rows(min(ahead, self.ticks - self.tick)))
        self.past = run.past
        self.name = self.kept.save(self.number, run.state)

    def time_batches(self, batches: int) -> Iterator[dict[str, float]]:
        """Seconds to load the state, to run a batch and to save the state, for each of the batches."""
        for _ in range(batches):
            rows, to = self.next_rows(max(self.batch // self.a_tick // len(self.case.streams), 1))
            moments = [time.perf_counter()]
            run = LocalRun(self.plan, self.past, self.kept.load(self.name) or [])
            moments.append(time.perf_counter())
            run.batch(rows, to)
            moments.append(time.perf_counter())
            self.name = self.kept.save(self.number + 1, run.state)
            moments.append(time.perf_counter())
            self.past, self.number = run.past, self.number + 1
            parts = np.diff(moments)
            yield dict(zip(("load", "batch", "save"), map(float, parts), strict=True))


def measure(quick: bool, say: Say) -> list[BenchLine]:
    """Join, aggregate and distinct, each with the small and with the large window."""
    small, large = (10_000, 100_000) if quick else (100_000, 10_000_000)
    return lines(small, large, BATCH, TURNS, say)


def lines(small: int, large: int, batch: int, turns: int, say: Say) -> list[BenchLine]:
    return measure_cases(CASES, FullWindows, (small, large), batch, turns, say)


def measure_cases(
    cases: Sequence[Case], make: type[FullWindows], sizes: tuple[int, int], batch: int, turns: int, say: Say
) -> list[BenchLine]:
    """The mean cost of a batch with the large window, beside that with the small one. The two take turns."""
    found = []
    small, large = sizes
    for case in cases:
        with tempfile.TemporaryDirectory(prefix="tailrace-bench-") as folder:
            standing = {held: make(case, held, batch, f"{folder}/{held}") for held in (small, large)}
            for held, each in standing.items():
                say(f"state: {case.line}, filling the window with {held:,} elements")
                each.fill(max(held // 20, batch))
                list(each.time_batches(WARM_UP))
            costs: dict[int, list[dict[str, float]]] = {small: [], large: []}
            for turn in range(turns):
                say(f"state: {case.line}, turn {turn + 1} of {turns}")
                for held, each in standing.items():
                    costs[held] += each.time_batches(A_TURN)
        beside = f"a window of {small:,} instead of {large:,}"
        found.append(line(case.line, beside, costs[small], costs[large]))
    return found


def line(name: str, beside: str, before: list[dict[str, float]], after: list[dict[str, float]]) -> BenchLine:
    wholes = [sum(cost.values()) for cost in after]
    value, other = mean(wholes), mean(sum(cost.values()) for cost in before)
    more = {"median": median(wholes), "max": max(wholes)}
    more |= {f"mean {part}": mean(cost[part] for cost in after) for part in ("load", "batch", "save")}
    return BenchLine(name, value, "s", beside, other, value / other, more)
