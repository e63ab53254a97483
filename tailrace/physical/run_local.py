"""Run local: a physical plan over batches in this process. The same steps run inside Spark's workers.

Batches are given in order; each decides the instants up to its heartbeat.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tailrace.physical.delta import Delta, Span, concat
from tailrace.physical.plan import Input, PhysicalPlan


@dataclass
class LocalRun:
    """A plan, what its steps remember, and up to which instant everything is decided."""

    plan: PhysicalPlan
    past: int = -1
    state: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.state = self.state or self.plan.start()

    def batch(self, inputs: Mapping[str, Delta], to: int) -> dict[str, Delta]:
        """What the queries answer for the instants up to `to`; `inputs` are the sources' new rows, all columns."""
        span = Span(self.past, to)
        found: list[Delta] = []
        for number, step in enumerate(self.plan.steps):
            if isinstance(step.work, Input):
                rows = inputs.get(step.work.source.name)
                found.append(
                    concat([], step.work.types)
                    if rows is None
                    else rows.with_columns([rows.columns[index] for index in step.work.columns])
                )
            else:
                given = [found[below] for below in step.inputs]
                out, self.state[number] = step.work.apply(given, self.state[number], span)
                found.append(out)
        self.past = to
        return {name: found[number] for name, number in self.plan.outputs.items()}


def run(plan: PhysicalPlan, batches: Iterable[tuple[Mapping[str, Delta], int]]) -> dict[str, Delta]:
    """All answers of a sequence of batches, each with its heartbeat."""
    local = LocalRun(plan)
    answers: dict[str, list[Delta]] = {name: [] for name in plan.outputs}
    for inputs, to in batches:
        for name, delta in local.batch(inputs, to).items():
            answers[name].append(delta)
    return {name: concat(parts, plan.types(plan.outputs[name])) for name, parts in answers.items()}
