"""Upsert: a keyed relation's rows to its history: a newer row replaces the older of its key (READINGS B.7).

Of several rows of one key at one instant the last to arrive counts; an equal row changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tailrace.physical.delta import FOREVER, Delta, Span, concat
from tailrace.physical.keys import groups, hashes, same
from tailrace.physical.operator import Operator
from tailrace.physical.synopses.index import Table


@dataclass(frozen=True)
class Upsert(Operator):
    key: tuple[int, ...]

    def start(self) -> Table:
        return Table()

    def apply(self, inputs: Sequence[Delta], state: Table, span: Span) -> tuple[Delta, Any]:
        new = inputs[0]
        if not len(new):
            return new, state
        codes, _ = groups([new.columns[index] for index in self.key], len(new))
        order = np.lexsort((new.start, codes))
        rows, codes = new.take(order), codes[order]
        later_key = np.append(codes[1:] != codes[:-1], True)
        counts = later_key | np.append(rows.start[1:] != rows.start[:-1], True)
        rows, codes = rows.where(counts), codes[counts]
        numbers = hashes([rows.columns[index] for index in self.key], len(rows))
        first = np.append(True, codes[1:] != codes[:-1])
        there, old = state.find(numbers[first], self.types)
        before = concat([Delta(rows.start[first], rows.until[first], rows.weight[first], old), rows], self.types)
        previous = np.arange(len(rows)) - 1 + int(first.sum())
        previous[first] = np.arange(int(first.sum()))
        known = np.ones(len(rows), bool)
        known[first] = there
        equal = known & same([column.take(previous) for column in before.columns], rows.columns)
        changed = rows.where(~equal)
        last_of_key = np.append(codes[1:] != codes[:-1], True)
        replaced = before.take(previous[known & ~equal])
        gone = Delta(rows.start[known & ~equal], replaced.until, -np.ones(len(replaced), np.int64), replaced.columns)
        forever = lambda delta: np.full(len(delta), FOREVER, np.int64)  # noqa: E731
        came = Delta(changed.start, forever(changed), np.ones(len(changed), np.int64), changed.columns)
        gone = Delta(gone.start, forever(gone), gone.weight, gone.columns)
        newest = rows.where(last_of_key)
        return concat([came, gone], self.types), state.put(numbers[last_of_key], newest.columns)
