"""Stem: a stream's tuples by a key, remembered once for all joins of all queries that read them (CACQ §3.3.1).

A tuple is kept with its lineage: the members of families that want it, as grouped filters found when it came. A tuple
that no member wants is not kept. The current readers decide how long tuples are kept and which columns are stored. A
reader that later needs a column which was not stored sees only tuples that arrive after it joined.

A RowStem is a stem whose readers have row windows; a tuple stays until it has left the largest of them. Row windows
count the tuples of the whole stream, while a shard has only those of its keys. So RowNumber numbers the tuples before
they are sharded: a tuple is in a window of n rows until number + n comes. Every shard learns by a second, broadcast
input when each number came (ArrivalCounter). In the state of a RowStem numbers take the place of instants.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pyarrow as pa

from tailrace.columnar.delta import FOREVER, Delta, Span, elements
from tailrace.columnar.keys import hashes
from tailrace.operators.families.member_sets import StemReaders
from tailrace.operators.families.routing.eddy import Eddy
from tailrace.operators.families.routing.lineage_table import LineageTable, route_lineages
from tailrace.operators.families.routing.policies import POLICIES
from tailrace.operators.names import Names, list_columns
from tailrace.operators.operator import KeyLink, Operator, TaskContext
from tailrace.operators.windows.time_window import ENDLESS
from tailrace.state.resharding import Shard, ShardKey, shift_key
from tailrace.state.runs import Run, sorted_run
from tailrace.state.state_classes import register_state
from tailrace.state.tuple_index import TupleIndex, order_by_time

if TYPE_CHECKING:
    from tailrace.columnar.delta import Indexes, Instants


@dataclass(frozen=True, eq=False)
class ArrivalCounter:
    """When the tuples of a stream came in a batch, by number: so it tells when older tuples leave row windows.

    `before` tuples came before the batch, and then one at each of the `instants`, which do not fall.

    >>> clock = ArrivalCounter(10, np.array([3, 3, 8]))
    >>> clock.total, clock.count(np.array([2, 3, 9])).tolist(), clock.came(np.array([10, 11, 13])).tolist()
    (13, [10, 12, 13], [-1, 3, 8])
    """

    before: int
    instants: Instants

    @staticmethod
    def of(rows: Delta, before: int) -> ArrivalCounter:
        """The arrivals of a batch. The first column of `rows` has the numbers; without rows, `before` came so far."""
        numbers = rows.columns[0].to_numpy()
        return ArrivalCounter(int(numbers.min()) - 1 if len(rows) else before, rows.start[np.argsort(numbers)])

    @property
    def total(self) -> int:
        return self.before + len(self.instants)

    def count(self, instants: Instants) -> Indexes:
        """How many tuples have come when these instants are over; for earlier instants, how many before the batch."""
        return self.before + np.searchsorted(self.instants, instants, side="right")

    def came(self, numbers: Indexes) -> Instants:
        """At which instants the tuples of these numbers came: -1 if before the batch, FOREVER if after it."""
        known = np.concatenate([[-1], self.instants, [FOREVER]])
        return np.asarray(known[np.clip(numbers - self.before, 0, len(known) - 1)])


# How many columns of a run come before those of the stream: instant (or, for row windows, number), lineage.
OWN = 2


@dataclass(frozen=True)
class StemBatch(Delta):
    """The new tuples of a stem as a run, and the remembered ones, for the stem joins of the same stage."""

    new: Run
    old: tuple[Run, ...]
    clock: ArrivalCounter | None = None  # if readers have row windows


@dataclass(frozen=True)
class Stem(Operator):
    """`keys` are the columns of the key: some of the stream's `width` columns, or computed ones after them."""

    kind: ClassVar[str] = "stem"
    unit: ClassVar[str] = ""  # of the readers' windows, in plans
    name: str
    width: int
    keys: tuple[int, ...]
    flow: StemReaders = field(compare=False, repr=False)
    records_statistics: ClassVar[bool] = True
    needs_whole_key: ClassVar[bool] = True

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        return tuple(KeyLink((key,), (key,)) for key in self.keys)

    def initial_state(self) -> Any:
        return TupleIndex()

    def shard_columns(self, keys: Sequence[ShardKey]) -> tuple[ShardKey, ...]:
        return (shift_key(keys[0], OWN),)

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        reach = "for ever" if self.flow.reach >= ENDLESS else f"for {self.flow.reach}{self.unit}"
        return f"by {list_columns(self.keys, inputs[0])} {reach}, for {self.flow.describe(inputs[0])}"

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        new = self.route_rows(inputs[0], span, context)
        rows = elements(new.columns[0].to_numpy(), new.columns[OWN:])
        held = StemBatch(rows.start, rows.until, rows.weight, rows.columns, new, state.runs)
        return held, state.add(new, span.to + 1 - self.flow.reach)

    def route_rows(self, delta: Delta, span: Span, context: TaskContext) -> Run:
        """The tuples that any member wants, with their lineage; without those whose key is NULL, which join nothing."""
        for key in self.keys:
            if delta.columns[key].null_count:
                delta = delta.where(delta.columns[key].is_valid().to_numpy(zero_copy_only=False))
        eddy = Eddy(self.flow.blocks, POLICIES[self.flow.policy](), context.statistics_of(self.name), seed=abs(span.to))
        lineages = route_lineages(eddy, (*delta.columns[: self.width], pa.array(delta.start)), len(delta))
        context.record(self.name, eddy.statistics())
        wanted = np.flatnonzero(lineages.wanted_rows)
        delta, lineages = delta.take(wanted), lineages.take(wanted)
        return self.run(delta, lineages)

    def run(self, delta: Delta, lineages: LineageTable) -> Run:
        """Tuples and their lineage as they are remembered."""
        return self.run_by_key(delta, (pa.array(delta.start), lineages.encode(), *self.needed_columns(delta)))

    def run_by_key(self, delta: Delta, columns: Sequence[pa.Array]) -> Run:
        """A run of these columns of tuples, ordered by the hash of the key and then by the first column."""
        return order_by_time(sorted_run(hashes([delta.columns[key] for key in self.keys], len(delta)), columns))

    def needed_columns(self, delta: Delta) -> Iterator[pa.Array]:
        """The columns as they are stored: those that no reader needs are NULL."""
        unused = pa.nulls(len(delta))
        for place, column in enumerate(delta.columns):
            yield column if place in self.keys or place in self.flow.needs else unused


@register_state("row-stem")
@dataclass(frozen=True)
class RowStemState:
    """The tuples that have not left the largest window, and how many tuples the stream has had."""

    memory: TupleIndex = field(default_factory=TupleIndex)
    total: int = 0

    def split(self, key: ShardKey, shard: Shard) -> RowStemState:
        return RowStemState(self.memory.split(key, shard), self.total)

    @classmethod
    def merge(cls, parts: Sequence[RowStemState]) -> RowStemState:
        """Every part counts the whole stream."""
        return cls(TupleIndex.merge([part.memory for part in parts]), parts[0].total)


@dataclass(frozen=True)
class RowStem(Stem):
    """The input has a tuple's number after the stream's `width` columns; the state has its instant there instead."""

    kind: ClassVar[str] = "row-stem"
    label: ClassVar[str] = "stem"
    unit: ClassVar[str] = " rows"
    broadcast_inputs: ClassVar[int] = 1

    def initial_state(self) -> RowStemState:
        return RowStemState()

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        clock = ArrivalCounter.of(inputs[1], state.total)
        new = self.route_rows(inputs[0], span, context)
        rows = elements(new.columns[OWN + self.width].to_numpy(), new.columns[OWN:])
        held = StemBatch(rows.start, rows.until, rows.weight, rows.columns, new, state.memory.runs, clock)
        return held, RowStemState(state.memory.add(new, clock.total + 1 - self.flow.reach), clock.total)

    def run(self, delta: Delta, lineages: LineageTable) -> Run:
        columns = list(self.needed_columns(delta))
        columns[self.width] = pa.array(delta.start)
        return self.run_by_key(delta, (delta.columns[self.width], lineages.encode(), *columns))


@dataclass(frozen=True)
class RowNumber(Operator):
    """Numbers a stream's tuples from 1 on; the number becomes the last column. The state is how many there were."""

    kind: ClassVar[str] = "row-number"
    added_column: ClassVar[str] = "number"

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        return ()

    def initial_state(self) -> int:
        return 0

    def apply(self, inputs: Sequence[Delta], state: int, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        """The tuples in order of time and arrival.

        >>> rows = Delta(np.array([5, 3]), np.array([6, 4]), np.array([1, 2]), (pa.array(["b", "a"]),))
        >>> found, count = RowNumber((pa.string(), pa.int64())).apply([rows], 7, Span(2, 5), TaskContext.empty())
        >>> found.columns[0].to_pylist(), found.columns[1].to_pylist(), count
        (['a', 'a', 'b'], [8, 9, 10], 10)
        """
        rows = inputs[0].in_time_order().one_per_copy()
        numbers = np.arange(state + 1, state + 1 + len(rows))
        return rows.with_columns((*rows.columns, pa.array(numbers, pa.int64()))), state + len(rows)
