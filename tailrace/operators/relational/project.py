"""Project: computes columns. π(R)(τ) = π(R(τ)) with duplicates, so intervals and weights stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tailrace.columnar.delta import Delta, Span
from tailrace.columnar.evaluate import evaluate
from tailrace.logical.expressions import Column, Expression
from tailrace.operators.operator import KeyLink, Operator, TaskContext


@dataclass(frozen=True)
class Project(Operator):
    kind: ClassVar[str] = "project"
    forgets: ClassVar[bool] = True
    expressions: tuple[Expression, ...]
    row_local: ClassVar[bool] = True

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        kept = [(e.index, place) for place, e in enumerate(self.expressions) if isinstance(e, Column)]
        return tuple(KeyLink((index,), (place,)) for index, place in kept)

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        (delta,) = inputs
        return delta.with_columns([evaluate(e, delta.columns, len(delta)) for e in self.expressions]), state
