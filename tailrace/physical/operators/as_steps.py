"""As-steps: a relation as the steps of a sequence query see it: at each the relation of its instant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from tailrace.physical.delta import Delta, Span
from tailrace.physical.operator import Operator
from tailrace.physical.pace import Pace, first_place


@dataclass(frozen=True)
class AsSteps(Operator):
    scattered: ClassVar[bool] = True

    def pace(self, inputs: Sequence[Pace]) -> Pace:
        return replace(inputs[0], in_places=True)

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span) -> tuple[Delta, Any]:
        (rows,) = inputs
        return Delta(first_place(rows.start), first_place(rows.until), rows.weight, rows.columns), state
