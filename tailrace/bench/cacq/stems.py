"""Stems: joins of many queries that remember each stream once (CACQ §3.3.1), beside the same joins each on its own.

`state` measures what 455 three-way joins over 15 sensors remember, in bytes of state files. `functions` measures the
throughput of joins of stocks and articles whose queries call Python functions on stocks (CACQ Figure 13). Beside it
stands PullUp: one join for all queries, and the functions called on the joined rows. Both run in this process, through
the operators that workers run.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import pyarrow as pa

from tailrace.bench.inputs import in_process
from tailrace.bench.report.lines import BenchLine, Say
from tailrace.catalog.user_functions import NO_FUNCTIONS, UserFunctions
from tailrace.columnar.delta import Delta, elements
from tailrace.engine.pipeline import compile_script
from tailrace.errors import Source
from tailrace.operators.local_run import LocalRun
from tailrace.operators.operator import Operator
from tailrace.state.key_index import IntervalIndex, index_rows
from tailrace.state.state_files import StateFolder

READING = 128  # bytes, as in the paper
BATCHES = 6  # in the time of a window
MB = 1_000_000
STOCKS = "CREATE STREAM stocks (symbol INT, price INT) TIMESTAMP BY ts;"
ARTICLES = "CREATE STREAM articles (symbol INT, number INT) TIMESTAMP BY ts;"


def local_run(script: str, together: bool = True, functions: UserFunctions = NO_FUNCTIONS) -> LocalRun:
    """A run of a script's queries in this process: with `together` in families where possible, otherwise each alone."""
    session = compile_script(Source(script), functions=functions)
    return LocalRun(in_process.together(session) if together else in_process.one_plan(session))


# State ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class State:
    """How many bytes the state of some joins, or windows, takes."""

    kept: str
    number: int
    bytes: int

    def __str__(self) -> str:
        return f"{self.number} {self.kept}"


@dataclass(frozen=True)
class Sensors:
    """`count` sensors with a reading each second, joined by threes over windows of `window` seconds."""

    count: int = 15
    window: int = 3600

    def script(self, queries: int | None = None) -> str:
        """A query for each three of the sensors, or only the first `queries` of these."""
        streams = [f"CREATE STREAM {name} (place INT, reading STRING) TIMESTAMP BY ts;" for name in self.names]
        asked = [
            f"CREATE QUERY {a}_{b}_{c} AS SELECT ISTREAM({a}.reading AS reading) FROM "
            f"{', '.join(f'{name} [RANGE {self.window - 1}]' for name in (a, b, c))} "
            f"WHERE {a}.place = {b}.place AND {b}.place = {c}.place;"
            for a, b, c in list(combinations(self.names, 3))[:queries]
        ]
        return "\n".join([*streams, *asked])

    @property
    def names(self) -> list[str]:
        return [f"s{number}" for number in range(self.count)]

    def batches(self) -> Iterator[tuple[dict[str, Delta], int]]:
        """The readings of two windows.

        Within one, each place comes once, so that a tuple joins one tuple of another sensor.
        """
        chance = np.random.default_rng(5)
        step = self.window // BATCHES
        for first in range(0, 2 * self.window, step):
            instants = np.arange(first, first + step)
            places = pa.array(instants % self.window, pa.int32())
            values = pa.array([f"{each:0>{READING}}" for each in chance.integers(0, 1000, step)])
            yield {name: elements(instants, (places, values)) for name in self.names}, first + step - 1

    def windows(self) -> State:
        """The size of the windows on all streams, each indexed once as a join does it."""
        held = dict.fromkeys(self.names, IntervalIndex())
        for inputs, to in self.batches():
            for name, rows in inputs.items():
                lives = Delta(rows.start, rows.start + self.window, rows.weight, rows.columns)
                held[name] = held[name].forget(to).add(index_rows(lives, [(rows.columns[0], False)], rows.columns))
        return State("windows", self.count, size_of(held))

    def joins(self, queries: int | None = None, together: bool = True) -> State:
        """The size of what all joins, or the first `queries`, remember: in stems, or each alone."""
        run = local_run(self.script(queries), together)
        for inputs, to in self.batches():
            run.batch(inputs, to)
        kinds = [step.work.kind if isinstance(step.work, Operator) else "" for step in run.plan.steps]
        held = [state for kind, state in zip(kinds, run.state, strict=True) if kind in ("stem", "multi-join")]
        return State("joins in stems" if together else "joins alone", len(run.plan.outputs), size_of(held))


def size_of(state: object) -> int:
    """How many bytes the files of a state have."""
    with tempfile.TemporaryDirectory() as folder:
        StateFolder(folder).save(0, state)
        return sum(file.stat().st_size for file in Path(folder).iterdir())


def state(sensors: Sensors, alone: Sequence[int] = (1, 15, 45)) -> list[State]:
    """The sizes of all joins in stems, of the streams' windows, and of as many joins alone as `alone` says."""
    return [sensors.joins(), sensors.windows(), *(sensors.joins(count, together=False) for count in alone)]


# Functions ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Speed:
    """Quotes a second, with `articles` articles about each: in stems, and with the functions called after the join."""

    articles: int
    stems: float
    pull_up: float


@dataclass(frozen=True)
class Busy:
    """A user's function: true for prices above `above`. It is busy for 10 to 500 µs, as in the paper."""

    above: int

    def __call__(self, price: int) -> bool:
        until = time.perf_counter() + (10 + (price * 7919 + self.above * 104_729) % 491) * 1e-6
        while time.perf_counter() < until:
            pass
        return price > self.above


def function_script(queries: int) -> str:
    """A script: each query wants the quotes for which its function is true, with all articles about them."""
    asked = [
        f"CREATE QUERY q{number} AS SELECT RSTREAM(s.price AS price, a.number AS number) FROM stocks [NOW] AS s, "
        f"articles [RANGE UNBOUNDED] AS a WHERE s.symbol = a.symbol AND likes{number}(s.price);"
        for number in range(queries)
    ]
    return "\n".join([STOCKS, ARTICLES, *asked])


def functions(
    articles: Sequence[int] = (1, 10, 100), queries: int = 100, quotes: Mapping[str, int] | None = None
) -> list[Speed]:
    """The speed of both ways for each number of articles; `quotes` says how many quotes each way gets."""
    given = {"stems": 100, "pull up": 10} | dict(quotes or {})
    known = NO_FUNCTIONS
    for number in range(queries):
        known = known.function(f"likes{number}", Busy(number * 100 // queries), "BOOLEAN", ["INT"])
    script = function_script(queries)
    return [
        Speed(
            count,
            quotes_a_second(local_run(script, True, known), count, given["stems"]),
            quotes_a_second(local_run(script, False, known), count, given["pull up"]),
        )
        for count in articles
    ]


def quotes_a_second(run: LocalRun, articles: int, quotes: int) -> float:
    """How many quotes a run takes in a second once the articles are there."""
    symbols = np.repeat(np.arange(quotes), articles)
    numbers = pa.array(np.arange(len(symbols)), pa.int32())
    run.batch({"articles": elements(symbols * 0, (pa.array(symbols, pa.int32()), numbers))}, 0)
    prices = np.random.default_rng(5).integers(1, 101, quotes)
    rows = elements(np.full(quotes, 1), (pa.array(np.arange(quotes), pa.int32()), pa.array(prices, pa.int32())))
    begun = time.perf_counter()
    run.batch({"stocks": rows}, 1)
    return quotes / (time.perf_counter() - begun)


def compare_states(one: State, other: State) -> BenchLine:
    return BenchLine(str(one), one.bytes / MB, "MB", str(other), other.bytes / MB, one.bytes / other.bytes)


def measure(quick: bool, say: Say) -> list[BenchLine]:
    """State in stems beside the windows and beside joins alone; functions called before the join, beside after it."""
    say("stems: state")
    sensors = Sensors(6, 600) if quick else Sensors()
    held, windows, *others = state(sensors, (1, 5) if quick else (1, 15, 45))
    found = [compare_states(held, windows), *(compare_states(each, held) for each in others)]
    say("stems: functions")
    for speed in functions((1, 10), 5, {"stems": 5, "pull up": 2}) if quick else functions():
        ratio = speed.stems / speed.pull_up
        line = f"functions, {speed.articles} articles"
        found.append(BenchLine(line, speed.stems, "quotes/s", "PullUp", speed.pull_up, ratio))
    return found
