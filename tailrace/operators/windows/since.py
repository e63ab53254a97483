"""Since: hides what was before an instant: a row that ended by then is dropped, one that lasts longer begins there.

A query that is registered while others run sees the data from its start on, and this operator cuts them there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from tailrace.columnar.delta import Delta, Span
from tailrace.operators.operator import Operator, TaskContext
from tailrace.operators.pushdown import Pushdown


@dataclass(frozen=True)
class Since(Operator):
    kind: ClassVar[str] = "since"
    forgets: ClassVar[bool] = True
    may_drop_rows: ClassVar[bool] = True
    keeps_ends: ClassVar[bool] = True
    first: int

    row_local: ClassVar[bool] = True

    @property
    def start(self) -> int:
        return self.first

    def with_start(self, first: int) -> Since:
        return replace(self, first=first)

    def is_identity(self, with_starts: bool) -> bool:
        return not (with_starts and self.first)

    def push_down(self, below: Pushdown) -> Pushdown | None:
        return replace(below, first=self.first) if below.is_of_elements else None

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        """The rows, cut at the instant `first`.

        >>> import pyarrow as pa
        >>> rows = Delta(np.array([1, 1, 7]), np.array([2, 9, 8]), np.array([1, 1, 1]), (pa.array("abc"),))
        >>> found, _ = Since((pa.string(),), 5).apply([rows], None, Span(0, 9), TaskContext.empty())
        >>> found.start.tolist(), found.until.tolist()
        ([5, 7], [9, 8])
        """
        (delta,) = inputs
        if not len(delta) or delta.start.min() >= self.first:
            return delta, state
        rows = delta.where(delta.until > self.first)
        return Delta(np.maximum(rows.start, self.first), rows.until, rows.weight, rows.columns), state
