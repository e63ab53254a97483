"""Run local: a physical plan over batches in this process. The same steps run inside Spark's workers.

Batches are given in order; each decides the instants up to its heartbeat.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from tailrace.physical.delta import Delta, concat, empty
from tailrace.physical.meter import Meter
from tailrace.physical.operators.reservoir import Reservoir
from tailrace.physical.operators.row_window import RowWindow
from tailrace.physical.operators.shepherd import Shepherd
from tailrace.physical.operators.upsert import Upsert
from tailrace.physical.plan import Input, PhysicalPlan, Port, Step

# These remember, but give something only when a row comes.
UNTIMED = (Reservoir, RowWindow, Shepherd, Upsert)


@dataclass
class LocalRun:
    """A plan, what its steps remember, and up to which instant everything is decided.

    `triggered`: a step that remembers learns of time by its own rows only (SW §2.3), so that it decides no instant
    later than that of its newest row, and none that a step below it has not decided. Then answers may come late.
    """

    plan: PhysicalPlan
    past: int = -1
    state: list[Any] = field(default_factory=list)
    idle: Container[int] = ()  # steps that do nothing here, as another shard has all their rows
    meter: Meter | None = None
    triggered: bool = False
    clocks: list[int] = field(default_factory=list)  # up to which instant each step has decided, where some are behind
    newest: list[int] = field(default_factory=list)  # the latest beginning of a row that has come to each step, then
    at: int = 0  # the step at work, or that failed

    def __post_init__(self) -> None:
        self.state = self.state or self.plan.start()

    def batch(self, inputs: Mapping[str, Delta], to: int) -> dict[str, Delta]:
        """What the queries answer for the instants up to `to`; `inputs` are the sources' new rows, all columns."""
        found = self.advance(inputs, {}, to)
        return {name: found[number] for name, number in self.plan.outputs.items()}

    def advance(self, inputs: Mapping[str, Delta], ports: Mapping[int, Delta], to: int) -> list[Delta]:
        """The rows of every step, given new rows of the sources and of a stage's ports."""
        found: list[Delta] = []
        before = self.clocks or [self.past] * len(self.plan.steps)
        self.newest = self.newest or list(before)
        self.clocks = [to] * len(self.plan.steps)
        for number, step in enumerate(self.plan.steps):
            self.at, work = number, step.work
            if isinstance(work, Input):
                found.append(picked(work, inputs.get(work.source.name)))
            elif isinstance(work, Port):
                found.append(ports.get(work.number) or empty(work.types))
                if self.meter is not None:
                    self.meter.note(number, len(found[-1]), len(found[-1]), 0.0)
            elif number in self.idle:
                found.append(empty(work.types))
            else:
                given = [found[below] for below in step.inputs]
                if self.triggered:
                    self.clocks[number] = self.told(number, step, given, to)
                span = self.plan.paces[number].span(before[number], self.clocks[number])
                begun = perf_counter()
                out, self.state[number] = work.apply(given, self.state[number], span)
                if self.meter is not None:
                    self.meter.note(number, sum(map(len, given)), len(out), perf_counter() - begun)
                found.append(out)
        self.past = to
        if not self.triggered:
            # Whoever was behind has caught up.
            self.clocks, self.newest = [], []
        return found

    def decided(self, number: int) -> int:
        """Up to which instant a step has decided."""
        return self.clocks[number] if self.clocks else self.past

    def told(self, number: int, step: Step, given: Sequence[Delta], to: int) -> int:
        """How far a step decides that learns of time by the rows it is given."""
        self.newest[number] = max([self.newest[number], *(int(rows.start.max()) for rows in given if len(rows))])
        known = min([to, *(self.clocks[below] for below in step.inputs)])
        is_timed = self.state[number] is not None and not isinstance(step.work, UNTIMED)
        return min(known, self.newest[number]) if is_timed else known


def picked(work: Input, rows: Delta | None) -> Delta:
    if rows is None:
        return empty(work.types)
    return rows.with_columns([rows.columns[index] for index in work.columns])


def run(plan: PhysicalPlan, batches: Iterable[tuple[Mapping[str, Delta], int]]) -> dict[str, Delta]:
    """All answers of a sequence of batches, each with its heartbeat."""
    local = LocalRun(plan)
    answers: dict[str, list[Delta]] = {name: [] for name in plan.outputs}
    for inputs, to in batches:
        for name, delta in local.batch(inputs, to).items():
            answers[name].append(delta)
    return {name: concat(parts, plan.types(plan.outputs[name])) for name, parts in answers.items()}
