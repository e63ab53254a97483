"""Line: a stream's tuples one after the other, each with its number, by which windows of rows are measured.

Row windows of all sizes agree on who came before whom: a tuple is in one of n rows until number + n comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tailrace.physical.delta import Delta, Span
from tailrace.physical.operator import Link, Operator
from tailrace.physical.operators.row_window import one_by_one


@dataclass(frozen=True)
class Line(Operator):
    """The number, from 1 on, is the last column; what is remembered is how many there were."""

    def links(self, inputs: int) -> tuple[Link, ...]:
        return ()

    def start(self) -> int:
        return 0

    def apply(self, inputs: Sequence[Delta], state: int, span: Span) -> tuple[Delta, Any]:
        """The tuples in order of time and arrival.

        >>> rows = Delta(np.array([5, 3]), np.array([6, 4]), np.array([1, 2]), (pa.array(["b", "a"]),))
        >>> found, count = Line((pa.string(), pa.int64())).apply([rows], 7, Span(2, 5))
        >>> found.columns[0].to_pylist(), found.columns[1].to_pylist(), count
        (['a', 'a', 'b'], [8, 9, 10], 10)
        """
        rows = one_by_one(inputs[0])
        numbers = np.arange(state + 1, state + 1 + len(rows))
        return rows.with_columns((*rows.columns, pa.array(numbers, pa.int64()))), state + len(rows)
