"""Run local: a physical plan over batches in this process. The same steps run inside Spark's workers.

Batches are given in order; each decides the instants up to its heartbeat.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from tailrace.physical.delta import Delta, concat, empty
from tailrace.physical.meter import Meter
from tailrace.physical.plan import Input, PhysicalPlan, Port


@dataclass
class LocalRun:
    """A plan, what its steps remember, and up to which instant everything is decided."""

    plan: PhysicalPlan
    past: int = -1
    state: list[Any] = field(default_factory=list)
    idle: Container[int] = ()  # steps that do nothing here, as another shard has all their rows
    meter: Meter | None = None

    def __post_init__(self) -> None:
        self.state = self.state or self.plan.start()

    def batch(self, inputs: Mapping[str, Delta], to: int) -> dict[str, Delta]:
        """What the queries answer for the instants up to `to`; `inputs` are the sources' new rows, all columns."""
        found = self.advance(inputs, {}, to)
        return {name: found[number] for name, number in self.plan.outputs.items()}

    def advance(self, inputs: Mapping[str, Delta], ports: Mapping[int, Delta], to: int) -> list[Delta]:
        """The rows of every step, given new rows of the sources and of a stage's ports."""
        found: list[Delta] = []
        for number, step in enumerate(self.plan.steps):
            work = step.work
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
                span = self.plan.paces[number].span(self.past, to)
                begun = perf_counter()
                out, self.state[number] = work.apply(given, self.state[number], span)
                if self.meter is not None:
                    self.meter.note(number, sum(map(len, given)), len(out), perf_counter() - begun)
                found.append(out)
        self.past = to
        return found


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
