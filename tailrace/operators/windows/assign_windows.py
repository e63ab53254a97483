"""Assign windows: TUMBLE, HOP and CUMULATE: a row for each window that an element is in, with its start and its end.

The windows follow from the element's instant alone, so nothing is remembered. Where windows are to be finished, the row
holds at the instant of its window's end only, which is later than its element.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pyarrow as pa

from tailrace.columnar.delta import Delta, Span
from tailrace.errors import RunError
from tailrace.logical.time.window_tables import END, START, HopWindow, PaneWindow
from tailrace.operators.names import Names
from tailrace.operators.operator import KeyLink, Operator, TaskContext

if TYPE_CHECKING:
    from tailrace.columnar.delta import Indexes, Instants


@dataclass(frozen=True)
class AssignWindowsOp(Operator):
    """`tick` is the length of a tick in units of the window's columns."""

    kind: ClassVar[str] = "assign-windows"
    row_local: ClassVar[bool] = True
    may_drop_rows: ClassVar[bool] = True
    window: PaneWindow
    tick: int
    finished: bool

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        return tuple(KeyLink((index,), (index,)) for index in range(len(self.types) - 2))

    def column_origins(self, inputs: int) -> list[list[tuple[int, int]]]:
        return [*([(0, index)] for index in range(len(self.types) - 2)), [], []]

    def computed_names(self, inputs: Sequence[Names]) -> Mapping[int, str]:
        return window_names(self.types)

    def horizon(self, inputs: Sequence[int]) -> int | None:
        return max(inputs) + self.window.size + 2

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        return f"{self.window}{', when finished' if self.finished else ''}"

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        (delta,) = inputs
        rows, starts, ends = windows_of(self.window, delta.start + context.origin)
        found = delta if len(rows) == len(delta) and isinstance(self.window, HopWindow) else delta.take(rows)
        columns = (*found.columns, *window_columns(starts, ends, self.types, self.tick, context))
        if self.finished:
            over = ends - context.origin
            return Delta(over, over + 1, found.weight, columns), state
        return found.with_columns(columns), state


def windows_of(window: PaneWindow, ticks: Instants) -> tuple[Indexes, Instants, Instants]:
    """For elements at these ticks since 1970: the index of an element, and the start and the end of a window it is in.

    >>> [part.tolist() for part in windows_of(HopWindow(4, 2), np.array([5, 6]))]
    [[0, 0, 1, 1], [2, 4, 4, 6], [6, 8, 8, 10]]
    >>> from tailrace.logical.time.window_tables import CumulateWindow
    >>> [part.tolist() for part in windows_of(CumulateWindow(6, 2), np.array([3]))]
    [[0, 0], [0, 0], [4, 6]]
    """
    every = window.slide if isinstance(window, HopWindow) else window.size
    newest = (ticks - window.offset) // every * every + window.offset  # the start of the last window that has begun
    if isinstance(window, HopWindow):
        # Of the windows that have begun, these have not ended: the newest and some before it, the oldest first.
        count = np.maximum(-(-(window.size - (ticks - newest)) // window.slide), 0)
        rows, number = repeat_rows(count)
        starts = newest[rows] - (count[rows] - 1 - number) * window.slide
        return rows, starts, starts + window.size
    passed = (ticks - newest) // window.step
    rows, number = repeat_rows(window.size // window.step - passed)
    return rows, newest[rows], newest[rows] + (passed[rows] + 1 + number) * window.step


def repeat_rows(count: np.ndarray) -> tuple[Indexes, np.ndarray]:
    """Each index as often as `count` says, and which of its repetitions it is.

    >>> [part.tolist() for part in repeat_rows(np.array([2, 0, 1]))]
    [[0, 0, 2], [0, 1, 0]]
    """
    rows = np.repeat(np.arange(len(count)), count)
    return rows, np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)


def window_columns(
    starts: Instants, ends: Instants, types: Sequence[pa.DataType], tick: int, context: TaskContext
) -> tuple[pa.Array, pa.Array]:
    """The columns window_start and window_end, the last two of these types, of ticks since 1970."""
    has_timestamps = pa.types.is_timestamp(types[-1])
    if context.in_ticks is not None and context.in_ticks == has_timestamps:
        shown = "count ticks" if context.in_ticks else "are TIMESTAMPs"
        raise RunError(
            f"the query was planned for other timestamps: those of its sources {shown}",
            hint="list the timestamp's column in CREATE STREAM, with its type",
        )
    start, end = (pa.array(each * tick, pa.int64()).cast(types[-1]) for each in (starts, ends))
    return start, end


def window_names(types: Sequence[pa.DataType]) -> dict[int, str]:
    return {len(types) - 2: START, len(types) - 1: END}
