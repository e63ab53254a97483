"""Aggregate: GROUP BY: one tuple for each group, with the group's key and its aggregates.

At every instant the output holds, once, each key that the input holds then, with the aggregates of the tuples
that have this key. Without a key there is one group, which exists from the first instant on even over no tuples.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from tailrace.columnar import segments
from tailrace.columnar.delta import FOREVER, Delta, Span, empty
from tailrace.operators.aggregates import extremes as extreme
from tailrace.operators.aggregates import user
from tailrace.operators.aggregates.aggregation import Aggregation, Quantity, describe_results, parts, taking_part
from tailrace.operators.aggregates.distinct_intervals import DistinctIntervals
from tailrace.operators.aggregates.exact_sums import Sums
from tailrace.operators.aggregates.formulas import ALGEBRAIC, HOLISTIC, INDIFFERENT
from tailrace.operators.aggregates.group_state import (
    GroupBatch,
    GroupLayout,
    GroupRows,
    GroupState,
    TouchedGroups,
    find_touched_groups,
)
from tailrace.operators.aggregates.order_statistics import Events
from tailrace.operators.aggregates.value_counts import ValueCounts
from tailrace.operators.names import Names, by_columns
from tailrace.operators.operator import KeyLink, Operator, TaskContext
from tailrace.operators.pushdown import Pushdown
from tailrace.operators.relational.counts import Distinct, drop_empty_intervals
from tailrace.operators.relational.pre_aggregation import PreAggregation, pre_aggregate
from tailrace.state.group_ids import ActiveMembers
from tailrace.state.resharding import Shard, ShardKey, find_in_table, merge_states
from tailrace.state.state_classes import register_state

# Which tuples an aggregate takes: its argument columns, which must be known; DISTINCT or not; the column of FILTER.
ArgumentSet = tuple[tuple[int, ...], bool, int | None]


@register_state("aggregate")
@dataclass(frozen=True)
class AggregateState:
    """The sums and counts of groups, the tuples of each DISTINCT, and the values of aggregates that do not add up."""

    ledger: GroupState = field(default_factory=GroupState)
    distinct: tuple[GroupState | DistinctIntervals, ...] = ()
    values: tuple[ValueCounts, ...] = ()

    def split(self, key: ShardKey, shard: Shard) -> AggregateState:
        ledger = self.ledger.split(key, shard)
        distinct = tuple(each.of_groups(ledger.table.group_ids) for each in self.distinct)
        return AggregateState(ledger, distinct, tuple(each.of_groups(ledger.table.group_ids) for each in self.values))

    @classmethod
    def merge(cls, parts: Sequence[AggregateState]) -> AggregateState:
        return cls(*merge_states([(part.ledger, part.distinct, part.values) for part in parts]))


@dataclass(frozen=True)
class Aggregate(Operator):
    """`keys` are columns of the input."""

    kind: ClassVar[str] = "aggregate"
    forgets: ClassVar[bool] = True
    cost_group: ClassVar[str] = "aggregate"
    keys: tuple[int, ...]
    aggregations: tuple[Aggregation, ...]
    retracts: bool = True  # False: no input row ever has a negative weight, so MIN and MAX remember less
    rows: int | None = None  # after a pre-aggregation: how many tuples a row stands for
    roster: ActiveMembers | None = field(
        default=None, compare=False, repr=False
    )  # of a family: its members, whose numbers are the first key

    @cached_property
    def effective_aggregations(self) -> tuple[Aggregation, ...]:
        """The aggregations, without DISTINCT where it changes nothing, as in MIN(DISTINCT x)."""
        return tuple(replace(of, distinct=of.distinct and of.function not in INDIFFERENT) for of in self.aggregations)

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """The sums and counts to keep, each once. The first counts tuples: a group exists while it has some."""
        found = {Quantity("tuples", counts=self.rows): None}
        for of in self.effective_aggregations:
            if of.function in ALGEBRAIC:
                found |= dict.fromkeys(ALGEBRAIC[of.function].quantities(of))
        return tuple(found)

    @cached_property
    def distinct(self) -> tuple[ArgumentSet, ...]:
        return tuple(dict.fromkeys(argument_set_of(of) for of in self.effective_aggregations if of.distinct))

    @cached_property
    def monotonic_extremes(self) -> tuple[Aggregation, ...]:
        """MIN and MAX over tuples that are never retracted: a value is forgotten once a better one outlives it."""
        return tuple(of for of in self.effective_aggregations if of.function in ("min", "max") and not self.retracts)

    @cached_property
    def values(self) -> tuple[ArgumentSet, ...]:
        """The argument sets whose values are kept one by one: of aggregates that are no formula over sums (MEDIAN)."""
        return tuple(
            dict.fromkeys(
                argument_set_of(of)
                for of in self.effective_aggregations
                if of.user or (of.function in HOLISTIC and of not in self.monotonic_extremes)
            )
        )

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        return tuple(KeyLink((key,), (place,)) for place, key in enumerate(self.keys))

    @cached_property
    def users(self) -> tuple[Aggregation, ...]:
        """The aggregates from Python, each once."""
        return tuple(dict.fromkeys(of for of in self.effective_aggregations if of.user))

    def initial_state(self) -> AggregateState:
        distinct = GroupState if self.retracts else DistinctIntervals
        return AggregateState(
            GroupState(), tuple(distinct() for _ in self.distinct), tuple(ValueCounts() for _ in self.values)
        )

    def state_key(self) -> tuple[object, ...]:
        # What DISTINCT remembers of tuples that are never retracted was counts before it was ends.
        return (*super().state_key(), *(["ends"] if self.distinct and not self.retracts else []))

    def shard_columns(self, keys: Sequence[ShardKey]) -> tuple[ShardKey, ...]:
        return (find_in_table(keys[0], self.keys),)

    def may_retract(self, inputs: Sequence[bool]) -> bool:
        return True

    def column_origins(self, inputs: int) -> list[list[tuple[int, int]]]:
        return [*([(0, key)] for key in self.keys), *([] for _ in self.aggregations)]

    def computed_names(self, inputs: Sequence[Names]) -> Mapping[int, str]:
        texts = [of.describe(inputs[0], self.rows is not None) for of in self.aggregations]
        return dict(enumerate(texts, len(self.keys)))

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        return f"{describe_results(self.computed_names(inputs), output)}{by_columns(self.keys, inputs[0])}".strip()

    def pre_aggregate(self, below: Pushdown) -> PreAggregation | None:
        return pre_aggregate(self, below)

    @property
    def needs_ends(self) -> bool:
        return bool(self.monotonic_extremes or (self.distinct and not self.retracts))

    def apply(
        self, inputs: Sequence[Delta], state: AggregateState, span: Span, context: TaskContext
    ) -> tuple[Delta, Any]:
        delta = drop_empty_intervals(inputs[0])
        if self.roster:
            delta = self.roster.rows(delta, self.keys[0])
        fold, columns, alive, state = self.fold(delta, state, span)
        return (fold.versions(columns, alive) if fold else empty(self.types)), state

    def fold(
        self, delta: Delta, state: AggregateState, span: Span
    ) -> tuple[AggregateBatch | None, list[pa.Array], np.ndarray, AggregateState]:
        """Each aggregate at each row of the timeline of a batch, whether the group exists there, and the new state.

        There is no AggregateBatch if no group changes.
        """
        layout = GroupLayout(
            tuple(delta.columns[key].type for key in self.keys),
            tuple(quantity.is_exact for quantity in self.quantities),
            (*(extreme.stairs_type(of.type) for of in self.monotonic_extremes), *(of.type for of in self.users)),
            always=not self.keys,
        )
        state = self.present(state, span)
        touched = find_touched_groups(state.ledger, layout, delta, [delta.columns[key] for key in self.keys], span)
        if touched is None:
            return None, [], np.empty(0, bool), state
        kept = [self.keep_distinct(*each, touched) for each in zip(self.distinct, state.distinct, strict=True)]
        distinct = tuple(after for _, after in kept)
        page, rows = touched.lay_out([(each, touched.groups_of(each.columns[0])) for each, _ in kept])
        fold = AggregateBatch(self, page, delta.columns)
        for which, located, (each, _) in zip(self.distinct, rows, kept, strict=True):
            fold.known[which] = Tuples(located, dict(zip(which[0], each.columns[1:], strict=True)))
        sums = [fold.sum_quantity(number) for number in range(len(self.quantities))]
        totals = [page.running_totals(number, each) for number, each in enumerate(sums)]
        values = tuple(fold.keep_values(which, kept) for which, kept in zip(self.values, state.values, strict=True))
        alive = fold.alive(totals[0][0])
        notes = [fold.keep_stairs(number) for number in range(len(self.monotonic_extremes))]
        notes += [fold.keep_user(number, alive) for number in range(len(self.users))]
        columns = [fold.result(of, totals) for of in self.effective_aggregations]
        return fold, columns, alive, AggregateState(page.commit(sums, totals, notes), distinct, values)

    def keep_distinct(
        self, which: ArgumentSet, kept: GroupState | DistinctIntervals, touched: TouchedGroups
    ) -> tuple[Delta, GroupState | DistinctIntervals]:
        """DISTINCT: let one of the tuples take part that are equal in group and arguments, and return its new state.

        The rows have the id of the group as their first column, and then the arguments.
        """
        arguments, _, filter = which
        delta = touched.delta
        group_ids = pa.array(touched.slots.view(np.int64)[touched.rows])
        rows = delta.with_columns([group_ids, *(delta.columns[index] for index in arguments)])
        mask = taking_part(delta.columns, arguments, filter)
        rows = rows if mask is None else rows.where(mask)
        if isinstance(kept, DistinctIntervals):
            return kept.add(rows, touched.span)
        return Distinct(rows.types).apply([rows], kept, touched.span, TaskContext.empty())

    def present(self, state: AggregateState, span: Span) -> AggregateState:
        """The state without the groups of members that have left the family, but for groups that will still change."""
        ledger, slots = state.ledger.of(self.roster, span.after)
        distinct = tuple(each.without(slots, span.after) for each in state.distinct)
        values = tuple(replace(each, bag=each.bag.without(slots)) for each in state.values)
        return AggregateState(ledger, distinct, values)


def argument_set_of(of: Aggregation | Quantity) -> ArgumentSet:
    return of.arguments, of.distinct, of.filter


@dataclass(frozen=True)
class Tuples:
    """The rows that take part in an aggregate, and columns of the input by number; `mask` picks the same rows there."""

    rows: GroupRows
    columns: Mapping[int, pa.Array]
    mask: np.ndarray | None = None

    def column(self, index: int) -> pa.Array:
        return self.columns[index] if self.mask is None else self.columns[index].filter(pa.array(self.mask))


class AggregateBatch:
    """One batch of an Aggregate: finds the tuples of each argument set, updates the state, computes the results."""

    def __init__(self, spec: Aggregate, page: GroupBatch, columns: Sequence[pa.Array]) -> None:
        self.spec = spec
        self.page = page
        self.columns = columns
        self.known: dict[ArgumentSet, Tuples] = {}
        self.events: dict[ArgumentSet, tuple[Events, pa.Array]] = {}
        self.best: dict[Aggregation, pa.Array] = {}

    def tuples(self, which: ArgumentSet) -> Tuples:
        if which not in self.known:
            arguments, _, filter = which
            mask = taking_part(self.columns, arguments, filter)
            self.known[which] = Tuples(self.page.rows.where(mask), dict(enumerate(self.columns)), mask)
        return self.known[which]

    def keep_values(self, which: ArgumentSet, kept: ValueCounts) -> ValueCounts:
        tuples = self.tuples(which)
        column = user.pack_arguments([tuples.column(index) for index in which[0]])
        events, values, kept = kept.turn(self.page, tuples.rows, column)
        self.events[which] = events, values
        return kept

    def keep_stairs(self, number: int) -> pa.Array:
        of = self.spec.monotonic_extremes[number]
        tuples, note = self.tuples(argument_set_of(of)), self.page.groups.notes[number]
        column = tuples.column(of.arguments[0])
        self.best[of], note = extreme.stairs(of.function, note, self.page, tuples.rows, column)
        return note

    def keep_user(self, number: int, alive: np.ndarray) -> pa.Array:
        of = self.spec.users[number]
        assert of.user is not None
        events, values = self.events[argument_set_of(of)]
        note = self.page.groups.notes[len(self.spec.monotonic_extremes) + number]
        line, count = self.page.timeline, len(of.arguments)
        self.best[of], note = user.result(of.user, count, events, values, line, alive, note)
        return note

    def sum_quantity(self, number: int) -> Sums:
        quantity = self.spec.quantities[number]
        tuples = self.tuples(argument_set_of(quantity))
        column = None if quantity.column is None else tuples.column(quantity.column)
        return self.page.sum_by_cell(number, tuples.rows, parts(quantity, column, len(tuples.rows.start)))

    def result(self, of: Aggregation, totals: Sequence[Sums]) -> pa.Array:
        """The value of an aggregate at each row of the timeline, that is whenever its group changes."""
        if of in self.best:
            return self.best[of]
        if of.function in HOLISTIC:
            return HOLISTIC[of.function](of.function, *self.events[argument_set_of(of)], self.page.timeline)
        family = ALGEBRAIC[of.function]
        mine = [totals[self.spec.quantities.index(quantity)] for quantity in family.quantities(of)]
        types = [self.columns[index].type for index in of.arguments[:1]]
        return family.result(of, mine, sum(type.scale for type in types if pa.types.is_decimal(type)))

    def alive(self, tuples: np.ndarray) -> np.ndarray:
        """Whether the group exists at each row of the timeline, given how many tuples it has there."""
        if not self.page.layout.always:
            return tuples > 0
        alive = np.ones(len(self.page.timeline), bool)
        alive[self.page.timeline.heads] = not self.page.begins
        return alive

    def versions(self, columns: Sequence[pa.Array], alive: np.ndarray) -> Delta:
        """A row for each new version of a group's tuple, and one that retracts the version from before the batch."""
        line, groups = self.page.timeline, self.page.groups
        at = np.flatnonzero(segments.differs_from_previous(columns, alive, line.heads))
        group, instant = line.group[at], line.instant[at]
        until = segments.until_next(instant, group, FOREVER)
        new = np.flatnonzero(alive[at])
        first = segments.heads(group)
        first = first[alive[line.head[group[first]]]]
        old = line.head[group[first]]
        rows = pa.array(np.concatenate([at[new], old]))
        owners = pa.array(np.concatenate([group[new], group[first]]))
        return Delta(
            np.concatenate([instant[new], instant[first]]),
            np.concatenate([until[new], np.full(len(first), FOREVER)]),
            np.repeat(np.array([1, -1]), [len(new), len(first)]),
            (*(key.take(owners) for key in groups.keys), *(column.take(rows) for column in columns)),
        )
