"""Over: plan nodes of window functions, which give each tuple a value that depends on the tuples beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal as Word

from tailrace.catalog.sources import Stream
from tailrace.logical.expressions import Aggregation, Column, Expression, Literal
from tailrace.logical.nodes import (
    RELATIONAL,
    ApplyWindow,
    OrderKey,
    Project,
    Scan,
    Select,
    Unary,
    require_columns,
)
from tailrace.logical.plan import Plan, require
from tailrace.logical.windows import TimeWindow
from tailrace.schema import Field, Schema
from tailrace.stable_encoding import stable
from tailrace.types import is_integer, is_time

# What a window function reads: all tuples of the partition, tuples at a distance, tuples of its frame.
RANKS = ("row_number", "rank", "dense_rank", "ntile", "percent_rank", "cume_dist")
NEIGHBOURS = ("lag", "lead")
PICKS = ("first_value", "last_value", "nth_value")
# The functions whose value at a tuple does not depend on tuples behind it in the order.
BACKWARD = ("row_number", "rank", "dense_rank")


@stable("over/frame")
@dataclass(frozen=True)
class Frame:
    """The tuples around a tuple that a function reads, from `first` to `last`.

    Both are distances to the tuple: negative before it, positive behind it, 0 is the tuple itself (with RANGE and
    GROUPS its peers too), None is unbounded. They count tuples (ROWS), groups of peers (GROUPS), or are differences of
    the one sort key (RANGE), of times in microseconds or days.
    """

    unit: Word["rows", "range", "groups"] = "range"
    first: int | float | None = None
    last: int | float | None = 0

    @property
    def is_whole(self) -> bool:
        """Whether it is the whole partition."""
        return self.first is None and self.last is None

    @property
    def by_difference(self) -> bool:
        return self.unit == "range" and any(self.ends)

    @property
    def ends(self) -> tuple[int | float | None, int | float | None]:
        return self.first, self.last

    def __str__(self) -> str:
        return f"{self.unit.upper()} BETWEEN {end_text(self.first, 'PRECEDING')} AND {end_text(self.last, 'FOLLOWING')}"


def end_text(distance: int | float | None, unbounded: str) -> str:
    if distance is None:
        return f"UNBOUNDED {unbounded}"
    if not distance:
        return "CURRENT ROW"
    return f"{abs(distance)} {'PRECEDING' if distance < 0 else 'FOLLOWING'}"


WHOLE = Frame(last=None)


@stable("over/function")
@dataclass(frozen=True)
class WindowFunction:
    """A window function or aggregate and its frame; functions without a frame, such as RANK, have the default one."""

    call: Aggregation
    frame: Frame = WHOLE
    ignores_nulls: bool = False

    @property
    def is_aggregate(self) -> bool:
        return self.call.function not in (*RANKS, *NEIGHBOURS, *PICKS)

    @property
    def has_frame(self) -> bool:
        return self.call.function not in (*RANKS, *NEIGHBOURS)

    @property
    def needs_partition(self) -> bool:
        """Whether an aggregate is no formula over sums, so that it is computed over whole partitions only."""
        call = self.call
        counts_copies = call.distinct and call.function in ("count", "count_if", "sum", "avg", "mean")
        return (
            call.user is not None
            or call.function == "median"
            or counts_copies
            or (call.distinct and call.function.startswith(("std", "var")))
        )

    @property
    def is_append_only(self) -> bool:
        """Whether it is computed from running totals, or from rows that are near, where rows come in order."""
        name, frame = self.call.function, self.frame
        if self.looks_ahead or name == "lead" or (name == "lag" and self.ignores_nulls):
            return False
        if not self.has_frame:
            return True
        if frame.first is not None:
            return frame.unit != "groups"
        return frame.last == 0 and (self.is_aggregate or (name == "last_value" and not self.ignores_nulls))

    def map(self, change: Callable[[Expression], Expression]) -> WindowFunction:
        """The same function with `change` applied to its expressions."""
        return replace(self, call=self.call.map(change))

    @property
    def looks_ahead(self) -> bool:
        """Whether a tuple behind another one in the order can change the other one's value."""
        if self.call.function in BACKWARD:
            return False
        if self.call.function in NEIGHBOURS:
            distance = self.call.arguments[1]
            steps = distance.value if isinstance(distance, Literal) else 0
            return bool(steps > 0 if self.call.function == "lead" else steps < 0)
        return not self.has_frame or self.frame.last is None or self.frame.last > 0


@stable("plan/over")
@dataclass(frozen=True, eq=False)
class Over(Unary):
    """The tuples with a column more for each function, which is computed over the tuple's partition in an order.

    Tuples that the order does not tell apart go by all their values.
    """

    partition: tuple[Expression, ...]
    order: tuple[OrderKey, ...]
    functions: tuple[WindowFunction, ...]
    names: tuple[str, ...] = field(compare=False)

    def check(self) -> None:
        require(self.child.kind in RELATIONAL, "window functions over a stream")
        require(len(self.names) == len(self.functions), "a name for each window function")
        read = [part for function in self.functions for part in function.call.expressions]
        require_columns(self.child.schema, *self.partition, *(key.expression for key in self.order), *read)

    def map(self, change: Callable[[Expression], Expression]) -> Over:
        """The same node with `change` applied to its expressions."""
        return replace(
            self,
            partition=tuple(map(change, self.partition)),
            order=tuple(replace(key, expression=change(key.expression)) for key in self.order),
            functions=tuple(function.map(change) for function in self.functions),
        )

    @cached_property
    def schema(self) -> Schema:
        added = (Field(name, each.call.of) for name, each in zip(self.names, self.functions, strict=True))
        return Schema((*self.child.schema, *added))


@stable("plan/top-of-partition")
@dataclass(frozen=True, eq=False)
class TopOfPartition(Unary):
    """The first `limit` tuples of each partition in an order; with `ties` also those that equal the last one in it."""

    partition: tuple[Expression, ...]
    order: tuple[OrderKey, ...]
    limit: int
    ties: bool = False

    def check(self) -> None:
        require(self.child.kind in RELATIONAL, "an order on a stream")
        require_columns(self.child.schema, *self.partition, *(key.expression for key in self.order))

    def map(self, change: Callable[[Expression], Expression]) -> TopOfPartition:
        """The same node with `change` applied to its expressions."""
        return replace(
            self,
            partition=tuple(map(change, self.partition)),
            order=tuple(replace(key, expression=change(key.expression)) for key in self.order),
        )


def is_running(plan: Over) -> bool:
    """Whether each tuple's values are fixed at the instant at which it comes, and no tuple leaves.

    That is so if tuples come in the window's order, by their event time, and no function looks ahead. Peers come
    together, since they have the same event time.
    """
    if any(function.looks_ahead for function in plan.functions) or not plan.order:
        return False
    key = plan.order[0]
    return isinstance(key.expression, Column) and not key.descending and is_event_time(plan.child, key.expression.index)


def is_event_time(plan: Plan, column: int) -> bool:
    """Whether a column has the event time at which each tuple enters the relation or stream, for ever."""
    match plan:
        case Scan(source, columns):
            place = column if columns is None else columns[column]
            grows = isinstance(source, Stream) or source.only_grows
            field_ = source.schema[place]
            is_time_column = source.timestamp is not None and field_.name.lower() == source.timestamp.lower()
            plain = source.event_time is None and (is_integer(field_.type) or is_time(field_.type))
            return grows and is_time_column and plain
        case ApplyWindow(child, TimeWindow() as window):
            return window.is_unbounded and is_event_time(child, column)
        case Select(child):
            return is_event_time(child, column)
        case Project(child, expressions):
            value = expressions[column]
            return isinstance(value, Column) and is_event_time(child, value.index)
        case Over(child):
            return is_running(plan) and column < len(child.schema) and is_event_time(child, column)
    return False
