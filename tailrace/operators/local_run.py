"""Meter: what the steps of a plan did in a batch. It stands around operators, which know nothing of it.

>>> meter = MetricsRecorder()
>>> meter.record(0, 3, 2, 0.5)
>>> meter.record(0, 4, 1, 0.25)
>>> meter.read([(4, 32)])
{0: OperatorMetrics(rows_in=7, rows_out=3, seconds=0.75, remembered=4, bytes=32)}

Run local: a physical plan over batches in this process. The same steps run inside Spark's workers.

Batches are given in order; each decides the instants up to its heartbeat.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from time import perf_counter
from typing import Any

from tailrace.columnar.delta import Delta, concat, empty
from tailrace.operators.plan import Input, InputPort, PhysicalPlan, Step
from tailrace.operators.streams.reorder import Reorder
from tailrace.operators.streams.tables import Upsert
from tailrace.operators.windows.row_window import RowWindow
from tailrace.operators.windows.sampling import Reservoir
from tailrace.progress import OperatorMetrics
from tailrace.state.runs import Run

NOTHING = OperatorMetrics()


@dataclass
class MetricsRecorder:
    """By step, rows in and out and seconds; a batch may come in portions."""

    steps: dict[int, OperatorMetrics] = field(default_factory=dict)

    def record(self, step: int, rows_in: int, rows_out: int, seconds: float) -> None:
        self.steps[step] = self.steps.get(step, NOTHING) + OperatorMetrics(rows_in, rows_out, seconds)

    def read(self, sizes: Sequence[tuple[int, int]]) -> dict[int, OperatorMetrics]:
        """What was noted, with the rows and bytes that each step remembers."""
        return {
            step: replace(found, remembered=sizes[step][0], bytes=sizes[step][1]) for step, found in self.steps.items()
        }


def size_of(state: Any) -> tuple[int, int]:
    """The rows and bytes of a state; one that is shared is counted once."""
    parts = {id(part): part for part in leaves(state)}.values()
    columns = [(part.order,) if isinstance(part, Run) else (part.start, part.until, part.weight) for part in parts]
    size = sum(array.nbytes for arrays in columns for array in arrays)
    return sum(map(len, parts)), size + sum(column.nbytes for part in parts for column in part.columns)


def leaves(state: Any) -> Iterator[Run | Delta]:
    """The runs and deltas of which a state is made."""
    if isinstance(state, (Run, Delta)):
        yield state
    elif isinstance(state, dict):
        for each in state.values():
            yield from leaves(each)
    elif isinstance(state, (list, tuple)):
        for each in state:
            yield from leaves(each)
    elif is_dataclass(state):
        for part in fields(state):
            yield from leaves(getattr(state, part.name))


# These remember, but give something only when a row comes.
UNTIMED = (Reservoir, RowWindow, Reorder, Upsert)


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
    meter: MetricsRecorder | None = None
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
                found.append(select_input_columns(work, inputs.get(work.source.name)))
            elif isinstance(work, InputPort):
                found.append(ports.get(work.number) or empty(work.types))
                if self.meter is not None:
                    self.meter.record(number, len(found[-1]), len(found[-1]), 0.0)
            elif number in self.idle:
                found.append(empty(work.types))
            else:
                given = [found[below] for below in step.inputs]
                if self.triggered:
                    self.clocks[number] = self.decide_by_rows(number, step, given, to)
                span = self.plan.paces[number].span(before[number], self.clocks[number])
                begun = perf_counter()
                out, self.state[number] = work.apply(given, self.state[number], span)
                if self.meter is not None:
                    self.meter.record(number, sum(map(len, given)), len(out), perf_counter() - begun)
                found.append(out)
        self.past = to
        if not self.triggered:
            # Whoever was behind has caught up.
            self.clocks, self.newest = [], []
        return found

    def decided_until(self, number: int) -> int:
        """Up to which instant a step has decided."""
        return self.clocks[number] if self.clocks else self.past

    def decide_by_rows(self, number: int, step: Step, given: Sequence[Delta], to: int) -> int:
        """How far a step decides that learns of time by the rows it is given."""
        self.newest[number] = max([self.newest[number], *(int(rows.start.max()) for rows in given if len(rows))])
        known = min([to, *(self.clocks[below] for below in step.inputs)])
        is_timed = self.state[number] is not None and not isinstance(step.work, UNTIMED)
        return min(known, self.newest[number]) if is_timed else known


def select_input_columns(work: Input, rows: Delta | None) -> Delta:
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
