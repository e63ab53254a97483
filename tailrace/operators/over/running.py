"""Running: window functions over rows that come in the window's order and never leave: each row is emitted once.

A row's values are fixed when it comes. Functions of all rows up to it are running totals, as an aggregate keeps them:
one line of sums for each partition. Other functions reach back over a few rows, or over rows of a length of the sort
key; only such rows are remembered. Rows of one instant are decided together, so peers always come together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from tailrace.columnar import segments
from tailrace.columnar.delta import FOREVER, Delta, Span, empty
from tailrace.columnar.keys import hashes
from tailrace.logical.over import RANKS, Frame
from tailrace.operators.aggregates.aggregation import Aggregation
from tailrace.operators.names import Names, disambiguate
from tailrace.operators.operator import KeyLink, Operator, TaskContext
from tailrace.operators.over.over import Order, PartitionState, TouchedPartitions, load, sorted_text
from tailrace.operators.over.sorted_rows import SortedRows, SortKeyColumn
from tailrace.operators.over.window_functions import WindowCall
from tailrace.operators.relational.aggregate import Aggregate, AggregateState
from tailrace.operators.relational.counts import drop_empty_intervals
from tailrace.operators.relational.top_k import changes
from tailrace.state.resharding import Shard, ShardKey, find_in_table
from tailrace.state.state_classes import register_state
from tailrace.state.timers import TimerQueue


@register_state("row-count")
@dataclass(frozen=True)
class RowCount:
    """How many rows a shard has had, or more: in totals a row's number stands for its instant."""

    rows: int = 0

    def split(self, key: ShardKey, shard: Shard) -> RowCount:
        return self

    @classmethod
    def merge(cls, parts: Sequence[RowCount]) -> RowCount:
        return cls(max(part.rows for part in parts))


@dataclass(frozen=True)
class RunningOver(Operator):
    """`partition` are columns; the first key of `order` is the event time, ascending."""

    kind: ClassVar[str] = "running-over"
    forgets: ClassVar[bool] = True
    label: ClassVar[str] = "running over"
    partition: tuple[int, ...]
    order: Order
    functions: tuple[WindowCall, ...]

    @property
    def width(self) -> int:
        return len(self.types) - len(self.functions)

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        return tuple(KeyLink((index,), (index,)) for index in self.partition)

    def initial_state(self) -> tuple[PartitionState, AggregateState, RowCount]:
        return PartitionState(), self.totals.initial_state(), RowCount()

    def shard_columns(self, keys: Sequence[ShardKey]) -> tuple[ShardKey, ...]:
        return keys[0], find_in_table(keys[0], self.partition), keys[0]

    def column_origins(self, inputs: int) -> list[list[tuple[int, int]]]:
        return [*([(0, index)] for index in range(self.width)), *([] for _ in self.functions)]

    def computed_names(self, inputs: Sequence[Names]) -> Mapping[int, str]:
        names = disambiguate(inputs[0])
        return dict(enumerate((each.describe(names) for each in self.functions), self.width))

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        functions = ", ".join(each.describe(disambiguate(inputs[0])) for each in self.functions)
        return functions + sorted_text(self.partition, self.order, inputs[0])

    # Totals -------------------------------------------------------------------------------------------

    def total_of(self, function: WindowCall) -> Aggregation | None:
        """The aggregate over all rows up to one, from which a function is computed; None if it does not need that.

        The column behind those of the input says whether a row is the first of its peers.
        """
        match function.call.function:
            case "row_number" | "rank":
                return Aggregation("count", (), pa.int64())
            case "dense_rank":
                return Aggregation("count", (), pa.int64(), filter=self.width)
        is_total = function.frame.first is None and function.is_aggregate
        return function.call if is_total else None

    @cached_property
    def totals(self) -> Aggregate:
        wanted = (self.total_of(function) for function in self.functions)
        return Aggregate((), self.partition, tuple(dict.fromkeys(of for of in wanted if of)), retracts=False)

    def add_totals(
        self, rows: SortedRows, new: np.ndarray, state: AggregateState, before: int
    ) -> tuple[dict[Aggregation, pa.Array], AggregateState]:
        """Each total at each new row, in their order, and the new state. `before` rows have come before."""
        if not self.totals.aggregations:
            return {}, state
        taken = pa.array(rows.source[new])
        first = pa.array((rows.peers_begin == rows.row)[new])
        numbers = before + np.arange(1, len(new) + 1)
        columns = (*(column.take(taken) for column in rows.columns), first)
        delta = Delta(numbers, np.full(len(new), FOREVER), np.ones(len(new), np.int64), columns)
        fold, found, _, state = self.totals.fold(delta, state, Span(before, before + len(new)))
        assert fold is not None
        at = pa.array(fold.page.timeline.of_cell[fold.page.rows.begin])
        return {of: each.take(at) for of, each in zip(self.totals.aggregations, found, strict=True)}, state

    # Work ---------------------------------------------------------------------------------------------

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        near, totals, seen = state
        now, calendar = changes(drop_empty_intervals(inputs[0]), near.calendar, span)
        if now is None:
            return empty(self.types), (PartitionState(near.bag, calendar), totals, seen)
        loaded, _ = load(self.partition, self.order, now, near)
        count = loaded.count + segments.sum_by_place(loaded.who, loaded.amount, len(loaded))
        source = np.repeat(np.arange(len(loaded)), count)
        starts = segments.heads(loaded.partition[source])
        rows = SortedRows(source, starts, loaded.columns, loaded.peer, self.sort_key_column(loaded))
        new = np.flatnonzero(loaded.count[source] == 0)
        found, totals = self.add_totals(rows, new, totals, seen.rows)
        place = np.zeros(len(rows), np.int64)
        place[new] = np.arange(len(new))
        values = [self.values(function, rows, new, place, found) for function in self.functions]
        instant = np.zeros(len(loaded), np.int64)
        instant[loaded.who] = loaded.when
        taken = pa.array(source[new])
        columns = (*(column.take(taken) for column in loaded.columns), *values)
        out = Delta(instant[source[new]], np.full(len(new), FOREVER), np.ones(len(new), np.int64), columns)
        near = self.remember(loaded, rows, near, calendar)
        return out, (near, totals, RowCount(seen.rows + len(new)))

    def values(
        self,
        function: WindowCall,
        rows: SortedRows,
        new: np.ndarray,
        place: np.ndarray,
        totals: Mapping[Aggregation, pa.Array],
    ) -> pa.Array:
        """A function's value at each new row; `place` is the number of a row among the new ones."""
        total = self.total_of(function)
        if total is None:
            return function.values(rows).take(pa.array(new))
        if function.call.function == "rank":
            behind = (rows.row - rows.peers_begin)[new]
            return pa.array(totals[total].to_numpy() - behind).cast(function.call.type)
        if function.call.function in RANKS or function.frame.unit == "rows":
            return totals[total].cast(function.call.type)
        return totals[total].take(pa.array(place[rows.peers_end[new] - 1]))

    def sort_key_column(self, loaded: TouchedPartitions) -> SortKeyColumn | None:
        index, descending, nulls_first = self.order[0]
        by_difference = any(function.frame.by_difference for function in self.functions)
        return SortKeyColumn(loaded.columns[index], descending, nulls_first) if by_difference else None

    def remember(
        self, loaded: TouchedPartitions, rows: SortedRows, near: PartitionState, calendar: TimerQueue
    ) -> PartitionState:
        """The rows that functions may reach from later rows."""
        first = rows.end
        for function in self.functions:
            if self.total_of(function) is None:
                first = np.minimum(first, reach(function, rows))
        kept = segments.sum_by_place(rows.source, (rows.row >= first).astype(np.int64), len(loaded))
        changed = np.flatnonzero(kept != loaded.count)
        if not len(changed):
            return PartitionState(near.bag, calendar)
        columns = [column.take(pa.array(changed)) for column in loaded.columns]
        number = hashes([columns[index] for index in self.partition], len(changed))
        amounts = pa.array((kept - loaded.count)[changed])
        return PartitionState(near.bag.add(number, (*columns, amounts)), calendar)


def reach(function: WindowCall, rows: SortedRows) -> np.ndarray:
    """For each row the first row of its partition that the function may read at a row that comes later."""
    if function.call.function == "lag":
        return rows.end - function.constant
    if function.frame.first is None:
        return rows.end
    if function.frame.unit == "rows":
        return rows.end + int(function.frame.first)
    low, _ = rows.frame(Frame("range", function.frame.first, 0))
    return low[rows.end - 1]
