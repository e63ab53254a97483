"""Simulated clock: runs operators event by event on a simulated clock, to see how late answers are (SW §2.2).

Tuples arrive when the simulation says. An answer is due at its own instant, T_create. It is released when the operators
have finished the event that made it, and all events before. Each event takes as much simulated time as the operators
really took of the processor. So a delay is what operators cost and what they wait for, without Spark's batches.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from tailrace.bench.inputs.in_process import one_plan
from tailrace.bench.strategies.retail import SECOND, WINDOW, Case, arrivals, favourites
from tailrace.columnar.delta import Delta
from tailrace.engine.pipeline import compile_script
from tailrace.errors import Source
from tailrace.operators.local_run import LocalRun
from tailrace.operators.plan import PhysicalPlan
from tailrace.staging.expiry import insert_expiry

INPUT = "input"


def plan_case(case: Case, strategy: str) -> PhysicalPlan:
    """The case's physical plan, with expire operators where the strategy has them."""
    plan = one_plan(compile_script(Source(case.script(), f"{case.name}.cql")))
    return insert_expiry(plan, {"measured": strategy}) if strategy in ("negative", "hybrid") else plan


@dataclass
class Server:
    """The operators under one strategy: when they are free again, and the delays of their answers in milliseconds."""

    strategy: str
    run: LocalRun
    free: float = 0.0
    busy: float = 0.0
    delays: list[np.ndarray] = field(default_factory=list)

    def take(self, rows: Mapping[str, Delta], instant: int) -> int:
        """Run one event. Returns how many tuples were answered."""
        begun = time.process_time()
        out = self.run.batch(rows, instant)["measured"]
        took = (time.process_time() - begun) * SECOND
        self.busy += took
        self.free = max(self.free, instant) + took
        self.delays.append(self.free - out.start)
        return int((out.weight > 0).sum())


class Simulation:
    """A case under several strategies. They take turns at each event, so that the machine is equally fast for all."""

    def __init__(self, case: Case, strategies: Sequence[str], rate: float, seconds: float) -> None:
        self.rows = arrivals(case, rate, seconds)
        self.servers = [Server(each, LocalRun(plan_case(case, each), triggered=each == INPUT)) for each in strategies]
        self.tables = favourites(case)

    def between(self, after: int, to: int) -> dict[str, Delta]:
        """The rows that arrive after the instant `after`, up to `to`."""
        found = {}
        for name, rows in self.rows.items():
            low, high = np.searchsorted(rows.start, [after, to], "right").tolist()
            if high > low:
                found[name] = slice_rows(rows, low, high)
        return found

    def fill(self) -> None:
        """Run until the windows are full, a second at a time, without measuring."""
        for to in range(SECOND, WINDOW + 1, SECOND):
            rows = self.between(to - SECOND if to > SECOND else -1, to)
            for server in self.servers:
                server.run.batch({**rows, **self.tables} if to == SECOND else rows, to)

    def events(self) -> np.ndarray:
        """The instants after the windows are full at which tuples arrive or leave their windows."""
        starts = np.concatenate([rows.start for rows in self.rows.values()])
        both = np.unique(np.concatenate([starts, starts + WINDOW + 1]))
        return np.asarray(both[(both > WINDOW) & (both <= starts.max())])

    def play(self, events: int) -> dict[str, np.ndarray]:
        """Run `events` events. Returns the delays of the answers under each strategy."""
        self.fill()
        past = WINDOW
        with no_garbage():
            for instant in self.events()[:events].tolist():
                rows = self.between(past, instant)
                past = instant
                for server in self.servers:
                    # Under `input`, operators run only when rows arrive.
                    if rows or server.strategy != INPUT:
                        server.take(rows, instant)
        return {server.strategy: np.concatenate(server.delays) for server in self.servers}

    def rush(self, a_batch: int, wanted: int, marks: int) -> dict[str, list[float]]:
        """Run batches of `a_batch` milliseconds until `wanted` tuples are answered.

        Returns for each strategy the seconds of work after each of `marks` equal parts of the answers.
        """
        self.fill()
        found: dict[str, list[float]] = {server.strategy: [] for server in self.servers}
        answered = dict.fromkeys(found, 0)
        last = max(int(rows.start[-1]) for rows in self.rows.values())
        with no_garbage():
            for to in range(WINDOW + a_batch, last, a_batch):
                rows = self.between(to - a_batch, to)
                for server in self.servers:
                    mine = found[server.strategy]
                    if len(mine) < marks:
                        answered[server.strategy] += server.take(rows, to)
                        while len(mine) < marks and answered[server.strategy] * marks >= wanted * (len(mine) + 1):
                            mine.append(server.busy / SECOND)
        return found


def slice_rows(rows: Delta, low: int, high: int) -> Delta:
    columns = tuple(column.slice(low, high - low) for column in rows.columns)
    return Delta(rows.start[low:high], rows.until[low:high], rows.weight[low:high], columns)


@contextmanager
def no_garbage() -> Iterator[None]:
    """Keep the garbage collector off while something is measured."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
