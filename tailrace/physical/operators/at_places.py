"""At-places: tuples as steps, each there at the place in its last column and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from tailrace.physical.delta import Delta, Span
from tailrace.physical.operator import Operator
from tailrace.physical.pace import Pace


@dataclass(frozen=True)
class AtPlaces(Operator):
    scattered: ClassVar[bool] = True

    def pace(self, inputs: Sequence[Pace]) -> Pace:
        return replace(inputs[0], in_places=True)

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span) -> tuple[Delta, Any]:
        (rows,) = inputs
        place = rows.columns[-1].to_numpy()
        return Delta(place, place + 1, rows.weight, rows.columns), state
