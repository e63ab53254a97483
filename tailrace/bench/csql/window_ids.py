"""Window ids: copies each tuple to all windows it is in, with the window's number as one more column.

This is how Li et al. evaluate windows (CSQL §10): the operators above group by the number as by any other column. It is
compared with the jump-window, which copies nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from tailrace.columnar.delta import Delta, Span, concat, empty
from tailrace.operators.operator import KeyLink, Operator, TaskContext
from tailrace.operators.output_watermark import OutputWatermark
from tailrace.state.key_index import pairs_in_ranges


@dataclass(frozen=True)
class WindowIds(Operator):
    """Window w holds the last `size` of the first w·`every` elements.

    The last input column is the element's position.
    """

    kind: ClassVar[str] = "window-ids"
    size: int
    every: int

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        return ()

    def initial_state(self) -> tuple[int, Delta]:
        """How many elements there were, and the copies for windows that are not complete."""
        return 0, empty(self.types)

    def pace(self, inputs: Sequence[OutputWatermark]) -> OutputWatermark:
        return OutputWatermark(inputs[0].slots, in_positions=True)

    def apply(
        self, inputs: Sequence[Delta], state: tuple[int, Delta], span: Span, context: TaskContext
    ) -> tuple[Delta, Any]:
        (rows,) = inputs
        before, held = state
        total = before + len(rows)
        number = np.arange(before + 1, total + 1)
        # An element is in the windows that end with it or with one of the next `size` - 1 elements.
        pairs = pairs_in_ranges(-(-number // self.every), (number + self.size - 1) // self.every + 1)
        copies = rows.take(pairs.probe)
        made = concat([held, copies.with_columns((*copies.columns, pa.array(pairs.row)))], self.types)
        window = made.columns[-1].to_numpy()
        over = window * self.every <= total
        done = made.where(over)
        if not len(done):
            return empty(self.types), (total, made)
        last = rows.columns[-1].to_numpy()[window[over] * self.every - before - 1]
        return Delta(last, last + 1, done.weight, done.columns), (total, made.where(~over))
