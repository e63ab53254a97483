"""Project: computes columns. π(R)(τ) = π(R(τ)) with duplicates, so intervals and weights stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tailrace.logical.expressions import Expression
from tailrace.physical.delta import Delta, Span
from tailrace.physical.expressions import evaluate
from tailrace.physical.operator import Operator


@dataclass(frozen=True)
class Project(Operator):
    expressions: tuple[Expression, ...]

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span) -> tuple[Delta, Any]:
        (delta,) = inputs
        return delta.with_columns([evaluate(e, delta.columns, len(delta)) for e in self.expressions]), state
