"""Merge steps: merges a step of a newer query into the equal step of an older query, once both have equal state.

Two queries that start at different times may have a step that computes the same. At first the older step has more in
its state. Once all rows that came between the two starts have left the windows, the states are equal and one step is
enough. The newer query's steps above it then read the older step's rows. They keep their own state, under the names it
was stored with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from tailrace.catalog.sources import Stream
from tailrace.operators.identity import state_names
from tailrace.operators.operator import Operator
from tailrace.operators.plan import Input, PhysicalPlan, Step
from tailrace.operators.windows.since import Since
from tailrace.staging.sharding import Pins


@dataclass(frozen=True)
class MergedPlan:
    """The plan after merging, and the names of its steps."""

    plan: PhysicalPlan
    names: list[str]
    begins: Mapping[str, int]  # by merged step: the start of the older step it was merged into
    due: int | None  # the next instant from which a step can be merged


def merge_steps(plan: PhysicalPlan, pins: Pins, past: int, begins: Mapping[str, int]) -> MergedPlan:
    """The plan with equal steps merged: those in `begins`, which were merged before, and those that can be by now.

    `past` is the last decided instant. A step is merged only if both steps are sharded in the same way (`pins`).
    """
    building = StepMerger(plan, dict(begins))
    found = list(possible(building))
    building.begins.update(
        {name: first for name, other, first, when in found if when <= past and is_spread_alike(pins, name, other)}
    )
    due = [when for _, _, _, when in found if when > past]
    if not building.begins:
        return MergedPlan(plan, state_names(plan), {}, min(due, default=None))
    for query, number in plan.outputs.items():
        building.result.outputs[query] = building.step(number)
    building.result.begins.update(plan.begins)
    given = {name: first for name, first in building.begins.items() if name in building.gone}
    return MergedPlan(building.result, building.names, given, min(due, default=None))


def possible(building: StepMerger) -> Iterator[tuple[str, str, int, int]]:
    """The steps that can be merged: each one's name, the older step's name and start, and from which instant on."""
    plan, firsts = building.plan, building.firsts
    alike, there = state_names(plan, with_starts=False), [building.there(number) for number in range(len(firsts))]
    earliest: dict[str, tuple[int, str]] = {}
    for kind, began in zip(alike, there, strict=True):
        earliest[kind] = min(began, earliest.get(kind, began))
    for number, reached in enumerate(reach(plan)):
        (first, name), (other_first, other) = there[number], earliest[alike[number]]
        if reached is not None and other_first < first:
            yield name, other, other_first, first + reached


def is_spread_alike(pins: Pins, name: str, other: str) -> bool:
    """Whether two steps already run in stages, and their rows are sharded in the same way."""
    return name in pins and other in pins and pins[name].sharding == pins[other].sharding


def reach(plan: PhysicalPlan) -> list[int | None]:
    """For each step the number of instants for which a row can matter to its state; None if there is no bound."""
    found: list[int | None] = []
    for step in plan.steps:
        below = [found[number] for number in step.inputs]
        known = [each for each in below if each is not None]
        work = step.work
        if isinstance(work, Input):
            found.append(0 if isinstance(work.source, Stream) else None)
        elif len(known) < len(below) or not known or not isinstance(work, Operator):
            found.append(None)
        else:
            found.append(work.horizon(known))
    return found


def with_start(plan: PhysicalPlan, first: int) -> PhysicalPlan:
    """The plan with `first` as the start in all its Since steps."""
    works = [step.work.with_start(first) if isinstance(step.work, Operator) else step.work for step in plan.steps]
    return replace(plan, steps=[replace(step, work=work) for step, work in zip(plan.steps, works, strict=True)])


@dataclass
class StepMerger:
    """Builds the merged plan: its steps so far (`result`), their names, and the names of merged steps (`gone`)."""

    plan: PhysicalPlan
    begins: dict[str, int]
    result: PhysicalPlan = field(default_factory=PhysicalPlan)
    names: list[str] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)
    known: dict[str, int] = field(default_factory=dict)
    named: dict[int | None, list[str]] = field(default_factory=dict)

    @cached_property
    def firsts(self) -> list[int]:
        """For each step the instant from which it sees the rows below it: the latest start of a Since step there."""
        found: list[int] = []
        for step in self.plan.steps:
            own = step.work.start if isinstance(step.work, Operator) else 0
            found.append(max([own, *(found[below] for below in step.inputs)]))
        return found

    def there(self, number: int) -> tuple[int, str]:
        """The start and the name of the step that runs for step `number`: itself, or the one it was merged into."""
        first, name = self.firsts[number], self.name(number, None)
        while name in self.begins:
            first = self.begins[name]
            name = self.name(number, first)
        return first, name

    def step(self, number: int, first: int | None = None) -> int:
        """The step of the merged plan for step `number`, which sees rows from `first` on; None: from its own start."""
        name = self.name(number, first)
        if name in self.begins:
            self.gone.add(name)
            return self.step(number, self.begins[name])
        if name not in self.known:
            step = self.plan.steps[number]
            work = step.work
            if first is not None and isinstance(work, Operator):
                work = work.with_start(first)
                if work.is_identity(with_starts=True):
                    return self.step(step.inputs[0], first)
            inputs = tuple(self.input_of(below, first) for below in step.inputs)
            self.known[name] = self.append_step(Step(work, inputs), name)
        return self.known[name]

    def input_of(self, number: int, first: int | None) -> int:
        """The step whose rows a reader of `number` gets.

        If `number` was merged into an older equal step, a Since operator cuts the older step's rows at this query's
        start.
        """
        found, name = self.step(number, first), self.name(number, first)
        if name not in self.begins:
            return found
        name += "-seen"
        if name not in self.known:
            since = self.firsts[number] if first is None else first
            self.known[name] = self.append_step(Step(Since(self.result.types(found), since), (found,)), name)
        return self.known[name]

    def append_step(self, step: Step, name: str) -> int:
        self.names.append(name)
        return self.result.append(step)

    def name(self, number: int, first: int | None) -> str:
        """The name of step `number` if it sees the rows below it from `first` on; None means its own start."""
        if first not in self.named:
            self.named[first] = state_names(self.plan if first is None else with_start(self.plan, first))
        return self.named[first][number]
