"""Tables: how the arriving rows of a declared relation become its history (semantics B.7).

* InsertOnlyTable: a row of a static or growing relation stays for ever.
* SignedTable: rows are insertions and deletions (`OP BY`); the sign is the row's weight.
* Upsert: in a relation with a KEY a newer row replaces the older row of its key. Of several rows of one key at one
  instant the last to arrive counts; a row that equals the one it replaces changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from tailrace.columnar.delta import Delta, Span, concat
from tailrace.columnar.keys import groups, same
from tailrace.operators.names import Names, list_columns
from tailrace.operators.operator import KeyLink, Operator, TaskContext
from tailrace.operators.pushdown import Pushdown
from tailrace.state.group_ids import find_group_ids
from tailrace.state.key_index import KeyTable
from tailrace.state.resharding import ShardKey, find_in_table


@dataclass(frozen=True)
class InsertOnlyTable(Operator):
    """Rows that stay from their instant on."""

    kind: ClassVar[str] = "insert-only-table"
    label: ClassVar[str] = "relation"
    row_local: ClassVar[bool] = True

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        return "of rows that stay"

    def push_down(self, below: Pushdown) -> Pushdown:
        return below.with_window(self)

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        return inputs[0].forever(), state


@dataclass(frozen=True)
class SignedTable(InsertOnlyTable):
    """Rows that insert or delete one copy, as their weight says."""

    kind: ClassVar[str] = "signed-table"

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        return "of + and - rows"

    def may_retract(self, inputs: Sequence[bool]) -> bool:
        return True


@dataclass(frozen=True)
class Upsert(Operator):
    kind: ClassVar[str] = "upsert"
    reacts_to_time: ClassVar[bool] = False
    label: ClassVar[str] = "relation"
    key: tuple[int, ...]

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        return tuple(KeyLink((index,), (index,)) for index in self.key)

    def initial_state(self) -> KeyTable:
        return KeyTable()

    def shard_columns(self, keys: Sequence[ShardKey]) -> tuple[ShardKey, ...]:
        return (find_in_table(keys[0], self.key),)

    @cached_property
    def key_first(self) -> tuple[int, ...]:
        """The columns in the order in which they are remembered: those of the key first."""
        return *self.key, *(index for index in range(len(self.types)) if index not in self.key)

    @cached_property
    def table_types(self) -> tuple[pa.DataType, ...]:
        """The columns of the table: the instant of the newest row of a key, the key, and the rest of the row."""
        return pa.int64(), *(self.types[index] for index in self.key_first)

    def may_retract(self, inputs: Sequence[bool]) -> bool:
        return True

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        return f"of the newest row for each {list_columns(self.key, inputs[0])}"

    def apply(self, inputs: Sequence[Delta], state: KeyTable, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        new = inputs[0]
        if not len(new):
            return new, state
        rows, codes = last_of_instant(new, self.key)
        first = np.append(True, codes[1:] != codes[:-1])
        last = np.append(codes[1:] != codes[:-1], True)
        keys = [rows.columns[index].filter(pa.array(first)) for index in self.key]
        slots, place = find_group_ids(state, self.table_types, keys, int(first.sum()))
        there, (_, *found) = place >= 0, state.read(place, self.table_types)
        old = tuple(found[self.key_first.index(index)] for index in range(len(self.types)))
        # Each row beside the one it replaces: the row before it, or the remembered row of its key.
        remembered = Delta(rows.start[first], rows.until[first], rows.weight[first], old)
        before = concat([remembered, rows], self.types)
        previous = np.arange(len(rows)) - 1 + len(remembered)
        previous[first] = np.arange(len(remembered))
        known = np.ones(len(rows), bool)
        known[first] = there
        replaced = before.take(previous).columns
        equal = known & same(replaced, rows.columns)
        came = replace(rows, weight=np.ones(len(rows), np.int64)).forever()
        gone = came.with_columns(replaced).negate().where(known & ~equal)
        newest = rows.where(last)
        columns = (pa.array(newest.start), *(newest.columns[index] for index in self.key_first))
        return concat([came.where(~equal), gone], self.types), state.put(slots, columns)


def last_of_instant(rows: Delta, key: Sequence[int]) -> tuple[Delta, np.ndarray]:
    """The last row of each key and instant, ordered by key and instant, and for each row the number of its key."""
    codes, _ = groups([rows.columns[index] for index in key], len(rows))
    order = np.lexsort((rows.start, codes))
    rows, codes = rows.take(order), codes[order]
    counts = np.append((codes[1:] != codes[:-1]) | (rows.start[1:] != rows.start[:-1]), True)
    return rows.where(counts), codes[counts]
