"""Project: computes columns. π(R)(τ) = π(R(τ)) with duplicates, so intervals and weights stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from tailrace.columnar.delta import Delta, Span
from tailrace.columnar.evaluate import evaluate
from tailrace.logical.expressions import Column, Expression, inline
from tailrace.operators.names import Names, column_definitions, is_everything
from tailrace.operators.operator import KeyLink, Operator, TaskContext
from tailrace.operators.pushdown import Pushdown


@dataclass(frozen=True)
class Project(Operator):
    kind: ClassVar[str] = "project"
    forgets: ClassVar[bool] = True
    keeps_ends: ClassVar[bool] = True
    expressions: tuple[Expression, ...]
    row_local: ClassVar[bool] = True
    is_listed: ClassVar[bool] = False

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        kept = [(e.index, place) for place, e in enumerate(self.expressions) if isinstance(e, Column)]
        return tuple(KeyLink((index,), (place,)) for index, place in kept)

    @property
    def computed_expressions(self) -> tuple[Expression, ...]:
        return self.expressions

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        return ", ".join(column_definitions(self.expressions, output, inputs[0])) or "none"

    def column_origins(self, inputs: int) -> list[list[tuple[int, int]]]:
        return [[(0, e.index)] if isinstance(e, Column) else [] for e in self.expressions]

    def is_passthrough(self, inputs: Sequence[Names]) -> bool:
        return is_everything(self.expressions, len(inputs[0]))

    def push_down(self, below: Pushdown) -> Pushdown:
        return replace(below, columns=tuple(inline(each, below.columns) for each in self.expressions))

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        (delta,) = inputs
        return delta.with_columns([evaluate(e, delta.columns, len(delta)) for e in self.expressions]), state
