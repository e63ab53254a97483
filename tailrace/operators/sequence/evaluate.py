"""Evaluate: the whole relation at each step of a sequence query, one step after the other (semantics A.7).

It is R-stream over the steps at which a query is evaluated, in place of all instants. Nothing is done between them.

Evaluations: the steps of a sequence query, given its jumping window: the elements with which one is evaluated.

Such an element enters the window as it comes, so it is known by its place: its time begins there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from tailrace.columnar.delta import Delta, Span, concat, elements, empty
from tailrace.columnar.keys import groups
from tailrace.operators.operator import KeyLink, Operator
from tailrace.operators.output_watermark import BITS, IN_PLACES, OutputWatermark
from tailrace.operators.streams.changelog import cancel_pairs
from tailrace.operators.streams.rstream import alive
from tailrace.state.key_index import pairs_in_ranges
from tailrace.state.runs import bisect


@dataclass(frozen=True)
class EmitAtSteps(Operator):
    """Inputs are the relation and the evaluations, whose columns are the key's and no others; an evaluation sees the
    rows that have its key in the columns `key`. The last column tells at which place a row was evaluated."""

    label: ClassVar[str] = "append"
    key: tuple[int, ...]
    makes_stream: ClassVar[bool] = True

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        return tuple(KeyLink((column, place), (column,)) for place, column in enumerate(self.key))

    def initial_state(self) -> tuple[Delta, Delta]:
        """Rows that a later step may see, and steps that are not decided yet."""
        return empty(self.types[:-1]), empty(tuple(self.types[column] for column in self.key))

    def may_retract(self, inputs: Sequence[bool]) -> bool:
        return False

    def pace(self, inputs: Sequence[OutputWatermark]) -> OutputWatermark:
        return OutputWatermark(OutputWatermark.together(inputs).slots)

    def apply(self, inputs: Sequence[Delta], state: tuple[Delta, Delta], span: Span) -> tuple[Delta, Any]:
        known, waiting = state
        span = IN_PLACES.span(span.after, span.to)
        rows = concat([known, inputs[0]], self.types[:-1])
        steps = concat([waiting, inputs[1]], waiting.types)
        now = steps.where(steps.start <= span.to)
        after = alive(rows, span), steps.where(steps.start > span.to)
        if not len(now) or not len(rows):
            return empty(self.types), after
        row, place = self.match_steps(rows, now)
        seen = rows.take(row)
        found = cancel_pairs(Delta(place, place + 1, seen.weight, seen.columns))
        columns = (*found.columns, pa.array(found.start))
        out = elements(found.start >> BITS, columns)
        return Delta(out.start, out.until, found.weight, columns), after

    def match_steps(self, rows: Delta, steps: Delta) -> tuple[np.ndarray, np.ndarray]:
        """The rows that steps see, and the places of those steps."""
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
    """The columns `kept` of the window's, the last of which is the place. What comes may be taken back, but never as it
    comes, so that rows of negative weight are none."""

    label: ClassVar[str] = "evaluations"

    kept: tuple[int, ...]

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        return tuple(KeyLink((column,), (place,)) for place, column in enumerate(self.kept))

    def may_retract(self, inputs: Sequence[bool]) -> bool:
        return False

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span) -> tuple[Delta, Any]:
        (rows,) = inputs
        begun = rows.where((rows.start == rows.columns[-1].to_numpy()) & (rows.weight > 0))
        return elements(begun.start, tuple(begun.columns[column] for column in self.kept)), state
