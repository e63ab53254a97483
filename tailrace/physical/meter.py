"""Meter: what the steps of a plan did in a batch. It stands around operators, which know nothing of it.

>>> meter = Meter()
>>> meter.note(0, 3, 2, 0.5)
>>> meter.note(0, 4, 1, 0.25)
>>> meter.read([(4, 32)])
{0: Measured(rows_in=7, rows_out=3, seconds=0.75, remembered=4, bytes=32)}
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

from tailrace.outcome import Measured
from tailrace.physical.delta import Delta
from tailrace.physical.synopses.runs import Run

NOTHING = Measured()


@dataclass
class Meter:
    """By step, rows in and out and seconds; a batch may come in portions."""

    steps: dict[int, Measured] = field(default_factory=dict)

    def note(self, step: int, rows_in: int, rows_out: int, seconds: float) -> None:
        self.steps[step] = self.steps.get(step, NOTHING) + Measured(rows_in, rows_out, seconds)

    def read(self, sizes: Sequence[tuple[int, int]]) -> dict[int, Measured]:
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
