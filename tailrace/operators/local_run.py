"""Local run: runs a physical plan over batches in this process. Spark's workers run the same loop, once per shard.

Batches come in order. Each batch makes the results final for all instants up to its watermark.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from time import perf_counter
from typing import Any

from tailrace.columnar.delta import Delta, Span, empty
from tailrace.operators.operator import Operator, TaskContext
from tailrace.operators.plan import Input, InputPort, PhysicalPlan, Step
from tailrace.progress import OperatorMetrics
from tailrace.state.runs import Run
from tailrace.time_limit import time_limit

NOTHING = OperatorMetrics()


@dataclass
class MetricsRecorder:
    """Counts rows in, rows out and seconds of each step. It wraps operators, which know nothing of it.

    A batch may be run in portions: what a step does in each of them is added up.

    >>> meter = MetricsRecorder()
    >>> meter.record(0, 3, 2, 0.5)
    >>> meter.record(0, 4, 1, 0.25)
    >>> meter.read([(4, 32)])
    {0: OperatorMetrics(rows_in=7, rows_out=3, seconds=0.75, state_rows=4, state_bytes=32)}
    """

    steps: dict[int, OperatorMetrics] = field(default_factory=dict)

    def record(self, step: int, rows_in: int, rows_out: int, seconds: float) -> None:
        self.steps[step] = self.steps.get(step, NOTHING) + OperatorMetrics(rows_in, rows_out, seconds)

    def read(self, sizes: Sequence[tuple[int, int]]) -> dict[int, OperatorMetrics]:
        """The metrics of each step; `sizes` has the rows and bytes of each step's state."""
        return {
            step: replace(found, state_rows=sizes[step][0], state_bytes=sizes[step][1])
            for step, found in self.steps.items()
        }


def size_of(state: Any) -> tuple[int, int]:
    """The rows and bytes of a state. A run or delta that occurs several times in the state is counted once."""
    parts = {id(part): part for part in leaves(state)}.values()
    columns = [(part.order,) if isinstance(part, Run) else (part.start, part.until, part.weight) for part in parts]
    size = sum(array.nbytes for arrays in columns for array in arrays)
    return sum(map(len, parts)), size + sum(column.nbytes for part in parts for column in part.columns)


def leaves(state: Any) -> Iterator[Run | Delta]:
    """All runs and deltas in a state, which may be a dataclass, a dict or a list of such."""
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


@dataclass
class LocalRun:
    """A plan that is being run: the state of each step, and the instant up to which all results are final (`past`).

    `triggered` is the strategy `input` (SW §2.3): a step with state learns of time by its own rows only. So it decides
    no instant later than the start of its newest row, and none that a step below it has not decided. Results may then
    come later than the watermark would allow.
    """

    plan: PhysicalPlan
    past: int = -1
    state: list[Any] = field(default_factory=list)
    idle: Container[int] = ()  # steps that are skipped here: another shard has all their rows
    meter: MetricsRecorder | None = None
    triggered: bool = False
    clocks: list[int] = field(default_factory=list)  # how far each step has decided; empty: all are at `past`
    newest: list[int] = field(default_factory=list)  # with `triggered`: the latest start of each step's input rows
    context: TaskContext = field(default_factory=TaskContext.empty)
    step_time: float | None = None  # seconds that a step may take over what it gets at once; None: any
    at: int = 0  # the number of the step that is running, or that failed
    given: Sequence[Delta] = ()  # its input
    span: Span = field(init=False)  # the instants that it decides

    def __post_init__(self) -> None:
        self.state = self.state or self.plan.start()

    def batch(self, inputs: Mapping[str, Delta], to: int) -> dict[str, Delta]:
        """Run a batch of rows by source, and return each query's new rows, final up to instant `to`."""
        found = self.advance(inputs, {}, to)
        return {name: found[number] for name, number in self.plan.outputs.items()}

    def advance(self, inputs: Mapping[str, Delta], ports: Mapping[int, Delta], to: int) -> list[Delta]:
        """Run every step once and return the rows of each, by number.

        New rows come from sources, by name, and from a stage's input ports, by number. Results become final up to `to`.
        """
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
                given = self.given = [found[below] for below in step.inputs]
                if self.triggered:
                    self.clocks[number] = self.decide_by_rows(number, step, given, to)
                span = self.span = self.plan.paces[number].span(before[number], self.clocks[number])
                begun = perf_counter()
                with time_limit(self.step_time):
                    out, self.state[number] = work.apply(given, self.state[number], span, self.context)
                if self.meter is not None:
                    self.meter.record(number, sum(map(len, given)), len(out), perf_counter() - begun)
                found.append(out)
        self.past, self.given = to, ()
        if not self.triggered:
            # Steps that earlier batches with `triggered` left behind have caught up.
            self.clocks, self.newest = [], []
        return found

    def decide_by_rows(self, number: int, step: Step, given: Sequence[Delta], to: int) -> int:
        """The instant up to which a step decides if it learns of time by its own rows only (`triggered`)."""
        self.newest[number] = max([self.newest[number], *(int(rows.start.max()) for rows in given if len(rows))])
        known = min([to, *(self.clocks[below] for below in step.inputs)])
        is_timed = self.state[number] is not None and isinstance(step.work, Operator) and step.work.reacts_to_time
        return min(known, self.newest[number]) if is_timed else known


def select_input_columns(work: Input, rows: Delta | None) -> Delta:
    if rows is None:
        return empty(work.types)
    return rows.with_columns([rows.columns[index] for index in work.columns])
