"""Evaluations: the steps of a sequence query, given its jumping window: the elements with which one is evaluated.

Such an element enters the window as it comes, so it is known by its place: its time begins there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tailrace.physical.delta import Delta, Span, elements
from tailrace.physical.operator import Link, Operator


@dataclass(frozen=True)
class Evaluations(Operator):
    """The columns `kept` of the window's, the last of which is the place. What comes may be taken back, but never as it
    comes, so that rows of negative weight are none."""

    kept: tuple[int, ...]

    def links(self, inputs: int) -> tuple[Link, ...]:
        return tuple(Link((column,), (place,)) for place, column in enumerate(self.kept))

    def takes_back(self, inputs: Sequence[bool]) -> bool:
        return False

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span) -> tuple[Delta, Any]:
        (rows,) = inputs
        begun = rows.where((rows.start == rows.columns[-1].to_numpy()) & (rows.weight > 0))
        return elements(begun.start, tuple(begun.columns[column] for column in self.kept)), state
