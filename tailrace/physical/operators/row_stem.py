"""Row stem: a stem whose readers have windows of rows; a tuple stays until it is out of the largest of them.

A tuple comes with its number in the whole stream, of which a shard has only the tuples of its keys; every shard learns
from the second input when which number came. Numbers take the place of instants in what is remembered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pyarrow as pa

from tailrace.physical.delta import Delta, Span, elements
from tailrace.physical.flows.lineages import Lineages
from tailrace.physical.operators.stem import OWN, Held, Stem
from tailrace.physical.synopses.clock import Clock
from tailrace.physical.synopses.memory import Memory
from tailrace.physical.synopses.runs import Run


@dataclass(frozen=True)
class Lined:
    """The tuples that have not left the largest window, and how many the stream has had."""

    memory: Memory = field(default_factory=Memory)
    total: int = 0


@dataclass(frozen=True)
class RowStem(Stem):
    """After the stream's `width` columns comes the number; in what is remembered the instant is there instead."""

    called: ClassVar[str] = "stem"
    copied: ClassVar[int] = 1

    def start(self) -> Lined:
        return Lined()

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span) -> tuple[Delta, Any]:
        clock = Clock.of(inputs[1], state.total)
        new = self.gathered(inputs[0], span)
        rows = elements(new.columns[OWN + self.width].to_numpy(), new.columns[OWN:])
        held = Held(rows.start, rows.until, rows.weight, rows.columns, new, state.memory.runs, clock)
        return held, Lined(state.memory.add(new, clock.total + 1 - self.flow.reach), clock.total)

    def run(self, delta: Delta, lineages: Lineages) -> Run:
        columns = list(self.kept(delta))
        columns[self.width] = pa.array(delta.start)
        return self.ordered(delta, (delta.columns[self.width], lineages.written(), *columns))
