"""Select: keeps the rows whose predicate is true. σ(R)(τ) = σ(R(τ)), so intervals and weights stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import pyarrow.compute as pc

from tailrace.columnar.delta import Delta, Span
from tailrace.columnar.evaluate import evaluate
from tailrace.logical.expressions import Expression, conjuncts, inline
from tailrace.operators.names import Names, text_with
from tailrace.operators.operator import Operator, TaskContext
from tailrace.operators.pushdown import Pushdown


@dataclass(frozen=True)
class Select(Operator):
    kind: ClassVar[str] = "select"
    forgets: ClassVar[bool] = True
    may_drop_rows: ClassVar[bool] = True
    keeps_ends: ClassVar[bool] = True
    predicate: Expression
    row_local: ClassVar[bool] = True

    @property
    def computed_expressions(self) -> tuple[Expression, ...]:
        return (self.predicate,)

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        return text_with(inputs[0], self.predicate)

    def push_down(self, below: Pushdown) -> Pushdown:
        return replace(below, predicates=below.predicates + conjuncts(inline(self.predicate, below.columns)))

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        (delta,) = inputs
        truth = evaluate(self.predicate, delta.columns, len(delta))
        return delta.where(pc.fill_null(truth, False).to_numpy(zero_copy_only=False)), state
