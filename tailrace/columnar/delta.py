"""Delta: a batch of changes to a relation, the one thing that flows between operators.

A row says: this tuple is in the relation `weight` times from instant `start` up to, not including, `until`.
What leaves a window at a known time is one row; what leaves at an unknown time is a row for ever, and later
a row of negative weight for ever. At τ the relation holds the sum of the weights of the rows that cover τ.
A stream's element at τ is a row of that one instant, which is what [NOW] makes of it.

>>> delta = parse("+ 1 4 @3..7\\n- 2 5 @6..", (pa.int32(), pa.int32()))
>>> print(delta)
+ 1 4 @3..7
- 2 5 @6..
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from tailrace.columnar.sorting import stable_order

if TYPE_CHECKING:
    Instants = np.ndarray[tuple[int], np.dtype[np.int64]]
    Indexes = np.ndarray[tuple[int], np.dtype[np.int64]]
    Mask = np.ndarray[tuple[int], np.dtype[np.bool_]]

FOREVER = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Span:
    """The instants a batch decides: after `after`, up to and including `to`."""

    after: int
    to: int


@dataclass(frozen=True)
class Delta:
    """A batch of changes, a row each, as columns of the same length."""

    start: Instants
    until: Instants
    weight: Instants
    columns: tuple[pa.Array, ...]

    def __len__(self) -> int:
        return len(self.start)

    def take(self, indexes: Indexes) -> Delta:
        taken = pa.array(indexes)
        return Delta(
            self.start[indexes],
            self.until[indexes],
            self.weight[indexes],
            tuple(column.take(taken) for column in self.columns),
        )

    def where(self, mask: Mask) -> Delta:
        """The rows for which the mask is true."""
        return self if mask.all() else self.take(np.flatnonzero(mask))

    def with_columns(self, columns: Sequence[pa.Array]) -> Delta:
        return replace(self, columns=tuple(columns))

    def negate(self) -> Delta:
        return replace(self, weight=-self.weight)

    def forever(self) -> Delta:
        """The same rows without an end."""
        return replace(self, until=np.full(len(self), FOREVER, np.int64))

    def in_time_order(self) -> Delta:
        """The rows in order of their starts; rows of one start stay in their order."""
        in_order = (self.start[1:] >= self.start[:-1]).all()
        return self if in_order else self.take(stable_order(self.start))

    def one_per_copy(self) -> Delta:
        """A row of weight 1 or -1 for each copy of a tuple."""
        size = np.abs(self.weight)
        if (size == 1).all():
            return self
        copies = self.take(np.repeat(np.arange(len(self)), size))
        return replace(copies, weight=np.sign(copies.weight))

    def as_changes(self) -> Delta:
        """The rows as a sink gets them: one for each copy of a tuple; at each instant deletions come first."""
        rows = self
        if len(rows) and (rows.weight < 0).any():
            rows = rows.take(np.lexsort((rows.weight > 0, rows.start)))
        return rows.one_per_copy()

    @property
    def types(self) -> tuple[pa.DataType, ...]:
        return tuple(column.type for column in self.columns)

    def __str__(self) -> str:
        lines = []
        for index in range(len(self)):
            weight = int(self.weight[index])
            sign = ("+" if weight > 0 else "-") + (str(abs(weight)) if abs(weight) != 1 else "")
            values = " ".join(str(column[index].as_py()) for column in self.columns)
            end = "" if self.until[index] == FOREVER else str(self.until[index])
            lines.append(f"{sign} {values} @{self.start[index]}..{end}")
        return "\n".join(lines)


def empty(types: Sequence[pa.DataType]) -> Delta:
    nothing = np.empty(0, np.int64)
    return Delta(nothing, nothing, nothing, tuple(pa.array([], type) for type in types))


def concat(deltas: Sequence[Delta], types: Sequence[pa.DataType]) -> Delta:
    """The rows of all deltas, in order."""
    full = [delta for delta in deltas if len(delta)]
    if not full:
        return empty(types)
    if len(full) == 1:
        return full[0]
    columns = zip(*(delta.columns for delta in full), strict=True)
    return Delta(
        np.concatenate([delta.start for delta in full]),
        np.concatenate([delta.until for delta in full]),
        np.concatenate([delta.weight for delta in full]),
        tuple(pa.concat_arrays(list(column)) for column in columns),
    )


def elements(instants: Sequence[int] | Instants, columns: Sequence[pa.Array]) -> Delta:
    """A stream's elements: each holds at its own instant."""
    start = np.asarray(instants, np.int64)
    return Delta(start, start + 1, np.ones(len(start), np.int64), tuple(columns))


def parse(text: str, types: Sequence[pa.DataType]) -> Delta:
    """Read a delta from its text form; each value is read as its column's type, `None` is NULL."""
    starts, untils, weights, rows = [], [], [], []
    for line in filter(None, (line.strip() for line in text.split("\n"))):
        sign, *values, when = line.split(" ")
        start, _, until = when.removeprefix("@").partition("..")
        starts.append(int(start))
        untils.append(int(until) if until else FOREVER)
        weights.append(int(sign[0] + (sign[1:] or "1")))
        rows.append(values)
    columns = []
    for index, type in enumerate(types):
        raw = pa.array([None if row[index] == "None" else row[index] for row in rows], pa.string())
        columns.append(raw.cast(type))
    times = [np.array(numbers, np.int64) for numbers in (starts, untils, weights)]
    return Delta(times[0], times[1], times[2], tuple(columns))
