"""Evaluation points: the result of a sequence query at each of its evaluations, one after the other (semantics A.7).

EmitAtSteps is Rstream over the evaluations in place of all instants; between evaluations nothing is done.

EvaluationPoints finds the evaluations in the output of the jumping window. The element at which a window is evaluated
enters the window as it comes: so it is the row that begins at the element's own position.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from tailrace.columnar.delta import Delta, Span, concat, elements, empty
from tailrace.columnar.keys import groups
from tailrace.operators.names import Names, by_columns
from tailrace.operators.operator import KeyLink, Operator, TaskContext
from tailrace.operators.output_watermark import BITS, IN_PLACES, OutputWatermark
from tailrace.operators.streams.changelog import cancel_pairs
from tailrace.operators.streams.rstream import alive
from tailrace.state.key_index import pairs_in_ranges
from tailrace.state.resharding import ShardKey
from tailrace.state.runs import bisect


@dataclass(frozen=True)
class EmitAtSteps(Operator):
    """The inputs are the relation and the evaluations, which have the columns of the key and no others.

    An evaluation sees the rows that hold at its position and have its key in the columns `key`. The last output column
    is the position of the evaluation.
    """

    kind: ClassVar[str] = "emit-at-steps"
    label: ClassVar[str] = "append"
    added_column: ClassVar[str] = "place"
    key: tuple[int, ...]
    makes_stream: ClassVar[bool] = True

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        return tuple(KeyLink((column, place), (column,)) for place, column in enumerate(self.key))

    def initial_state(self) -> tuple[Delta, Delta]:
        """The rows that a later evaluation may see, and the evaluations that are beyond the watermark."""
        return empty(self.types[:-1]), empty(tuple(self.types[column] for column in self.key))

    def shard_columns(self, keys: Sequence[ShardKey]) -> tuple[ShardKey, ...]:
        return tuple(keys)

    def may_retract(self, inputs: Sequence[bool]) -> bool:
        return False

    def pace(self, inputs: Sequence[OutputWatermark]) -> OutputWatermark:
        return OutputWatermark(OutputWatermark.together(inputs).slots)

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        return f"each step's result{by_columns(self.key, inputs[0])}"

    def apply(
        self, inputs: Sequence[Delta], state: tuple[Delta, Delta], span: Span, context: TaskContext
    ) -> tuple[Delta, Any]:
        known, waiting = state
        span = IN_PLACES.span(span.after, span.to)
        rows = concat([known, inputs[0]], self.types[:-1])
        steps = concat([waiting, inputs[1]], waiting.types)
        now = steps.where(steps.start <= span.to)
        after = alive(rows, span.to + 1), steps.where(steps.start > span.to)
        if not len(now) or not len(rows):
            return empty(self.types), after
        row, place = self.match_steps(rows, now)
        seen = rows.take(row)
        found = cancel_pairs(Delta(place, place + 1, seen.weight, seen.columns))
        columns = (*found.columns, pa.array(found.start))
        out = elements(found.start >> BITS, columns)
        return Delta(out.start, out.until, found.weight, columns), after

    def match_steps(self, rows: Delta, steps: Delta) -> tuple[np.ndarray, np.ndarray]:
        """Each row with each evaluation that sees it: the numbers of the rows, the positions of the evaluations."""
        mine = [rows.columns[column] for column in self.key]
        both = [pa.concat_arrays([one, other]) for one, other in zip(mine, steps.columns, strict=True)]
        codes, _ = groups(both, len(rows) + len(steps))
        of_row, of_step = codes[: len(rows)], codes[len(rows) :]
        order = np.lexsort((steps.start, of_step))
        place, of_step = steps.start[order], of_step[order]
        low, high = (np.searchsorted(of_step, of_row, side) for side in ("left", "right"))
        first = bisect(place, low, high, rows.start)
        pairs = pairs_in_ranges(first, bisect(place, first, high, rows.until))
        return pairs.probe, place[pairs.row]


@dataclass(frozen=True)
class EvaluationPoints(Operator):
    """The output has the columns `kept` of the window; the window's last column is the position.

    A window may retract an element, but never at the element's own position: so no negative row is an evaluation.
    """

    kind: ClassVar[str] = "evaluation-points"
    kept: tuple[int, ...]

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        return tuple(KeyLink((column,), (place,)) for place, column in enumerate(self.kept))

    def may_retract(self, inputs: Sequence[bool]) -> bool:
        return False

    def column_origins(self, inputs: int) -> list[list[tuple[int, int]]]:
        return [[(0, column)] for column in self.kept]

    @property
    def is_single(self) -> bool:
        return True

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        (rows,) = inputs
        begun = rows.where((rows.start == rows.columns[-1].to_numpy()) & (rows.weight > 0))
        return elements(begun.start, tuple(begun.columns[column] for column in self.kept)), state
