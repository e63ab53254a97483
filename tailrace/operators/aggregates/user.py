"""User: aggregates that were registered from Python (add, remove, result), replayed over the changes of each group.

State has a group's values, never a user's object: each batch makes the objects anew from the values, and only where a
result is needed. State also has each group's last result, because a result that was sent must be retracted to the last
digit, even if adding the values in another order gives other digits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from tailrace.catalog.user_functions import UserAggregate
from tailrace.columnar import segments
from tailrace.columnar.functions.python_calls import Misfit, as_column, as_values, failure_error, format_value
from tailrace.errors import RunError
from tailrace.operators.aggregates.group_state import Timeline
from tailrace.operators.aggregates.order_statistics import Events

UNKNOWN = object()


def pack_arguments(columns: Sequence[pa.Array]) -> pa.Array:
    """The arguments of an aggregate as one column: a column of structs if there are several."""
    if len(columns) == 1:
        return columns[0]
    return pa.StructArray.from_arrays(list(columns), names=[str(number) for number in range(len(columns))])


def unpack_arguments(values: pa.Array, count: int) -> list[tuple[Any, ...]]:
    """The arguments from their one column, as a tuple for each value."""
    found = as_values(values)
    return [(value,) for value in found] if count == 1 else [tuple(value.values()) for value in found]


@dataclass
class Group:
    """How often a group has each value, by the value's rank; and the user's object (`fold`) while it is up to date."""

    user: UserAggregate
    arguments: Sequence[tuple[Any, ...]]
    counts: dict[int, int] = field(default_factory=dict)
    fold: Any = None

    def change(self, ranks: Sequence[int], changes: Sequence[int]) -> None:
        """Apply changes of the values, and let the user's object add values before it removes any.

        The object is dropped if the group is empty, or if values go and the user's class has no `remove`.
        """
        goes = min(changes, default=0) < 0
        for rank, change in zip(ranks, changes, strict=True):
            left = self.counts.get(rank, 0) + change
            if left:
                self.counts[rank] = left
            else:
                del self.counts[rank]
        if self.fold is None or not self.counts or (goes and not self.user.removes):
            self.fold = None
            return
        for method, sign in (("add", 1), ("remove", -1)):
            for rank, change in zip(ranks, changes, strict=True):
                self.tell(method, rank, change * sign)

    def tell(self, method: str, rank: int, times: int) -> None:
        values = self.arguments[rank]
        try:
            for _ in range(times):
                getattr(self.fold, method)(*values)
        except Exception as problem:
            raise failure_error(f"{self.user.name}.{method}", values, problem) from None

    def result(self) -> Any:
        try:
            if self.fold is None:
                self.fold = self.user.cls()
                for rank, count in self.counts.items():
                    self.tell("add", rank, count)
            return self.fold.result()
        except RunError:
            raise
        except Exception as problem:
            raise failure_error(f"{self.user.name}.result", (), problem) from None


def result(
    user: UserAggregate, count: int, events: Events, values: pa.Array, line: Timeline, alive: np.ndarray, note: pa.Array
) -> tuple[pa.Array, pa.Array]:
    """The aggregate at each row of the timeline at which its group is alive, and the last result of each group.

    `count` is the number of arguments; `note` has the last result of each group before the batch.
    """
    arguments = unpack_arguments(values, count)
    rows, ranks, changes = cancel_changes(events, len(values))
    first = np.searchsorted(rows, np.arange(len(line) + 1)).tolist()
    rank, change, living = ranks.tolist(), changes.tolist(), alive.tolist()
    before = as_values(note)
    found: list[Any] = [None] * len(line)
    stops = segments.tails(line.heads, len(line)) + 1
    for head, stop, number in zip(line.heads.tolist(), stops.tolist(), line.groups.tolist(), strict=True):
        group = Group(user, arguments)
        group.change(rank[first[head] : first[head + 1]], change[first[head] : first[head + 1]])
        last = before[number] if living[head] else UNKNOWN
        found[head] = before[number]
        for row in range(head + 1, stop):
            low, high = first[row], first[row + 1]
            if low < high:
                group.change(rank[low:high], change[low:high])
                last = UNKNOWN
            if living[row]:
                last = group.result() if last is UNKNOWN else last
                found[row] = last
    column = column_of_results(user, found)
    place = np.arange(len(note))
    place[line.groups] = len(note) + stops - 1
    return column, pa.concat_arrays([note, column]).take(pa.array(place))


def cancel_changes(events: Events, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sum the changes of each row and rank, and drop sums of 0; gives rows, ranks and changes."""
    pairs, of = np.unique(events.row * max(count, 1) + events.rank, return_inverse=True)
    change = segments.sum_by_place(of, events.change, len(pairs))
    kept = np.flatnonzero(change)
    row, rank = np.divmod(pairs[kept], max(count, 1))
    return row, rank, change[kept]


def column_of_results(user: UserAggregate, found: Sequence[Any]) -> pa.Array:
    try:
        return as_column(found, user.returns)
    except Misfit as misfit:
        raise RunError(
            f"{user.name}.result() gave {format_value(found[misfit.place])}, which is no {user.returns}"
        ) from None
