"""Plan: a physical plan: numbered steps, each after the steps that feed it; a step that several read is there once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from tailrace.catalog.sources import Relation, Stream
from tailrace.columnar.arrow_types import type_of
from tailrace.logical.expressions import Column, Expression
from tailrace.operators.operator import Operator
from tailrace.operators.output_watermark import WITH_WATERMARK, OutputWatermark


@dataclass(frozen=True, order=True)
class StartPoint:
    """When a query started: its first batch, and the first instant of which it sees data."""

    batch: int = 0
    instant: int = 0


@dataclass(frozen=True)
class Input:
    """Some columns of a source's rows as they arrive; a static relation arrives whole in batch `read_in_batch`."""

    source: Stream | Relation
    columns: tuple[int, ...]
    types: tuple[pa.DataType, ...]
    read_in_batch: int = 0


@dataclass(frozen=True)
class InputPort:
    """The rows that come into a stage by its stage input of this number."""

    number: int
    types: tuple[pa.DataType, ...]
    pace: OutputWatermark = WITH_WATERMARK


@dataclass(frozen=True)
class Step:
    """An operator (or an input) and the numbers of the steps that feed it."""

    work: Operator | Input | InputPort
    inputs: tuple[int, ...] = ()


@dataclass
class PhysicalPlan:
    """Steps in running order, and which step each query's result comes from."""

    steps: list[Step] = field(default_factory=list)
    outputs: dict[str, int] = field(default_factory=dict)
    begins: dict[str, StartPoint] = field(default_factory=dict)
    takes_back: list[bool] = field(default_factory=list)  # whether a step's rows may have negative weights
    paces: list[OutputWatermark] = field(default_factory=list)  # up to where the output of each step is final

    def find(self, port: int) -> int:
        """The step that is the input port of this number."""
        works = [step.work for step in self.steps]
        return next(number for number, work in enumerate(works) if isinstance(work, InputPort) and work.number == port)

    def add(self, work: Operator | Input | InputPort, *inputs: int) -> int:
        """Add a step and return its number; the same work on the same inputs is one step."""
        step = Step(work, inputs)
        for number, known in enumerate(self.steps):
            if known == step:
                return number
        return self.append(step)

    def append(self, step: Step) -> int:
        """Add a step, even if there is an equal one, and return its number."""
        self.steps.append(step)
        given = [self.takes_back[number] for number in step.inputs]
        self.takes_back.append(isinstance(step.work, Operator) and step.work.may_retract(given))
        self.paces.append(self._pace(step))
        return len(self.steps) - 1

    def _pace(self, step: Step) -> OutputWatermark:
        if isinstance(step.work, Operator):
            return step.work.pace([self.paces[number] for number in step.inputs])
        return step.work.pace if isinstance(step.work, InputPort) else WITH_WATERMARK

    def operator(self, number: int) -> Operator:
        """The operator of a step that is no input."""
        work = self.steps[number].work
        assert isinstance(work, Operator)
        return work

    @property
    def operators(self) -> list[Operator]:
        return [step.work for step in self.steps if isinstance(step.work, Operator)]

    def types(self, number: int) -> tuple[pa.DataType, ...]:
        return self.steps[number].work.types

    def columns(self, number: int) -> tuple[Expression, ...]:
        """The output columns of a step, as expressions that refer to them."""
        return tuple(Column(index, type_of(type)) for index, type in enumerate(self.types(number)))

    def start(self) -> list[Any]:
        """The state of each step before the first batch."""
        return [step.work.initial_state() if isinstance(step.work, Operator) else None for step in self.steps]

    @property
    def sources(self) -> list[Stream | Relation]:
        found: dict[str, Stream | Relation] = {}
        for step in self.steps:
            if isinstance(step.work, Input):
                found[step.work.source.name] = step.work.source
        return list(found.values())
