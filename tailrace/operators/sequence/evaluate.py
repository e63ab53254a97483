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
from tailrace.operators.operator import Link, Operator
from tailrace.operators.output_watermark import BITS, IN_PLACES, Pace
from tailrace.operators.streams.changelog import net
from tailrace.operators.streams.rstream import alive
from tailrace.state.key_index import spread
from tailrace.state.runs import bisect


@dataclass(frozen=True)
class Evaluate(Operator):
    """Inputs are the relation and the evaluations, whose columns are the key's and no others; an evaluation sees the
    rows that have its key in the columns `key`. The last column tells at which place a row was evaluated."""

    called: ClassVar[str] = "append"
    key: tuple[int, ...]
    makes_stream: ClassVar[bool] = True

    def links(self, inputs: int) -> tuple[Link, ...]:
        return tuple(Link((column, place), (column,)) for place, column in enumerate(self.key))

    def start(self) -> tuple[Delta, Delta]:
        """Rows that a later step may see, and steps that are not decided yet."""
        return empty(self.types[:-1]), empty(tuple(self.types[column] for column in self.key))

    def takes_back(self, inputs: Sequence[bool]) -> bool:
        return False

    def pace(self, inputs: Sequence[Pace]) -> Pace:
        return Pace(Pace.together(inputs).slots)

    def apply(self, inputs: Sequence[Delta], state: tuple[Delta, Delta], span: Span) -> tuple[Delta, Any]:
        known, waiting = state
        span = IN_PLACES.span(span.after, span.to)
        rows = concat([known, inputs[0]], self.types[:-1])
        steps = concat([waiting, inputs[1]], waiting.types)
        now = steps.where(steps.start <= span.to)
        after = alive(rows, span), steps.where(steps.start > span.to)
        if not len(now) or not len(rows):
            return empty(self.types), after
        row, place = self.met(rows, now)
        seen = rows.take(row)
        found = net(Delta(place, place + 1, seen.weight, seen.columns))
        columns = (*found.columns, pa.array(found.start))
        out = elements(found.start >> BITS, columns)
        return Delta(out.start, out.until, found.weight, columns), after

    def met(self, rows: Delta, steps: Delta) -> tuple[np.ndarray, np.ndarray]:
        """The rows that steps see, and the places of those steps."""
        mine = [rows.columns[column] for column in self.key]
        both = [pa.concat_arrays([one, other]) for one, other in zip(mine, steps.columns, strict=True)]
        codes, _ = groups(both, len(rows) + len(steps))
        of_row, of_step = codes[: len(rows)], codes[len(rows) :]
        order = np.lexsort((steps.start, of_step))
        place, of_step = steps.start[order], of_step[order]
        low, high = (np.searchsorted(of_step, of_row, side) for side in ("left", "right"))
        first = bisect(place, low, high, rows.start)
        pairs = spread(first, bisect(place, first, high, rows.until))
        return pairs.probe, place[pairs.row]


@dataclass(frozen=True)
class Evaluations(Operator):
    """The columns `kept` of the window's, the last of which is the place. What comes may be taken back, but never as it
    comes, so that rows of negative weight are none."""

    called: ClassVar[str] = "evaluations"

    kept: tuple[int, ...]

    def links(self, inputs: int) -> tuple[Link, ...]:
        return tuple(Link((column,), (place,)) for place, column in enumerate(self.kept))

    def takes_back(self, inputs: Sequence[bool]) -> bool:
        return False

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span) -> tuple[Delta, Any]:
        (rows,) = inputs
        begun = rows.where((rows.start == rows.columns[-1].to_numpy()) & (rows.weight > 0))
        return elements(begun.start, tuple(begun.columns[column] for column in self.kept)), state
