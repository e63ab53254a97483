"""Union: the rows of all inputs (UNION ALL). An input of sign −1 counts negatively: so one relation is subtracted.

R(τ) = Σ sign · input(τ), exact where the negative inputs are contained in the positive ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tailrace.columnar.delta import Delta, Span, concat
from tailrace.operators.operator import Operator, TaskContext


@dataclass(frozen=True)
class Union(Operator):
    kind: ClassVar[str] = "union"
    forgets: ClassVar[bool] = True
    keeps_ends: ClassVar[bool] = True
    signs: tuple[int, ...]
    row_local: ClassVar[bool] = True

    def may_retract(self, inputs: Sequence[bool]) -> bool:
        return any(inputs) or min(self.signs) < 0

    def input_signs(self, inputs: int) -> tuple[int, ...]:
        return self.signs

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        signed = [delta if sign > 0 else delta.negate() for sign, delta in zip(self.signs, inputs, strict=True)]
        return concat(signed, self.types), state
