"""Positions: the order of a stream's elements in a sequence query. A position is an instant and a rank in that instant.

* AssignPositions gives each element its position. A batch has all elements of an instant or none, so nothing is
  remembered from batch to batch.
* RelationAtSteps shows a relation at positions: at each position the relation of its instant.
* AtPositions shows each tuple at one position only, which is the tuple's last column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from tailrace.columnar.delta import Delta, Span
from tailrace.columnar.keys import groups
from tailrace.columnar.segments import count_equal_before
from tailrace.operators.aggregates.ranks import sort_key
from tailrace.operators.names import Names, list_columns
from tailrace.operators.operator import KeyLink, Operator, TaskContext
from tailrace.operators.output_watermark import OutputWatermark, first_place, places_of


@dataclass(frozen=True)
class AssignPositions(Operator):
    """The position becomes the last column. Each value of the `key` has positions of its own.

    Elements of one instant are ordered by `order` (column, whether it descends, whether NULLs come first), and those
    that are equal in it by arrival.
    """

    kind: ClassVar[str] = "position"
    added_column: ClassVar[str] = "place"
    key: tuple[int, ...] = ()
    order: tuple[tuple[int, bool, bool], ...] = ()

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        return tuple(KeyLink((index,), (index,)) for index in self.key)

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        order = list_columns([column for column, *_ in self.order], inputs[0]) or "arrival"
        return f"by {', '.join(filter(None, [list_columns(self.key, inputs[0]), order]))}"

    def is_ordered_by(self, key: tuple[int, ...]) -> bool:
        return set(self.key) == set(key)

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        """The elements in order of their positions.

        >>> rows = Delta(np.array([3, 3, 5]), np.array([4, 4, 6]), np.array([1, 1, 1]), (pa.array([7, 2, 9]),))
        >>> assign = AssignPositions((pa.int64(), pa.int64()), order=((0, False, True),))
        >>> found, _ = assign.apply([rows], None, Span(0, 9), TaskContext.empty())
        >>> found.columns[0].to_pylist(), (found.columns[1].to_numpy() & 3).tolist()
        ([2, 7, 9], [0, 1, 0])
        """
        rows = inputs[0].in_time_order().one_per_copy()
        if self.order and len(rows) > 1:
            keys = [sort_key(rows.columns[index], *how) for index, *how in self.order]
            rows = rows.take(np.lexsort((*keys[::-1], rows.start)))
        places = places_of(rows.start, self.ranks(rows))
        return rows.with_columns((*rows.columns, pa.array(places, pa.int64()))), state

    def ranks(self, rows: Delta) -> np.ndarray:
        """The rank of each row among those of its instant and key."""
        if not self.key:
            return count_equal_before(rows.start)
        codes, _ = groups([rows.columns[index] for index in self.key], len(rows))
        order = np.lexsort((rows.start, codes))
        found = np.empty(len(rows), np.int64)
        found[order] = count_equal_before(rows.start[order], codes[order])
        return found


@dataclass(frozen=True)
class RelationAtSteps(Operator):
    kind: ClassVar[str] = "at-steps"
    row_local: ClassVar[bool] = True

    def pace(self, inputs: Sequence[OutputWatermark]) -> OutputWatermark:
        return replace(inputs[0], in_positions=True)

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        (rows,) = inputs
        return Delta(first_place(rows.start), first_place(rows.until), rows.weight, rows.columns), state


@dataclass(frozen=True)
class AtPositions(Operator):
    kind: ClassVar[str] = "at-positions"
    row_local: ClassVar[bool] = True

    def pace(self, inputs: Sequence[OutputWatermark]) -> OutputWatermark:
        return replace(inputs[0], in_positions=True)

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        (rows,) = inputs
        place = rows.columns[-1].to_numpy()
        return Delta(place, place + 1, rows.weight, rows.columns), state
