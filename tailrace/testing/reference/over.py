"""Over: window functions by definition: each tuple's partition is sorted, and its frame is cut out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from functools import cmp_to_key
from typing import Any

from tailrace.logical.expressions import Expression, refer_to
from tailrace.logical.nodes import OrderKey
from tailrace.logical.over import NEIGHBOURS, PICKS, RANKS, Frame, Over, TopOfPartition, WindowFunction
from tailrace.testing.reference.aggregates import aggregate
from tailrace.testing.reference.relational import Bag, apply, by_order
from tailrace.testing.reference.values import Row, rank, value


def partitions(node: Over | TopOfPartition, rows: Bag) -> list[list[Row]]:
    """The tuples of each partition in the node's order; tuples that are equal in it go by all their values."""
    found: dict[Row, list[Row]] = {}
    for row in rows:
        key = tuple(rank(value(expression, row)) for expression in node.partition)
        found.setdefault(key, []).append(row)
    every = tuple(OrderKey(column) for column in refer_to(node.child.schema))

    def compare(one: Row, other: Row) -> int:
        return by_order((*node.order, *every), one, other)

    return [sorted(members, key=cmp_to_key(compare)) for members in found.values()]


@apply.register
def _(node: Over, rows: Bag) -> Bag:
    return [
        (*row, *(Place(node, members, place).value_of(function) for function in node.functions))
        for members in partitions(node, rows)
        for place, row in enumerate(members)
    ]


@apply.register
def _(node: TopOfPartition, rows: Bag) -> Bag:
    kept = []
    for members in partitions(node, rows):
        last = members[: node.limit][-1:]
        ties = [row for row in members[node.limit :] if node.ties and last and not by_order(node.order, row, last[0])]
        kept += members[: node.limit] + ties
    return kept


class Place:
    """A tuple among the sorted tuples of its partition."""

    def __init__(self, node: Over, members: Sequence[Row], place: int) -> None:
        self.order, self.members, self.place = node.order, members, place
        self.row = members[place]

    def value_of(self, function: WindowFunction) -> Any:
        name, arguments = function.call.function, function.call.arguments
        if name in RANKS:
            return RANK_VALUES[name](self, *(value(each, self.row) for each in arguments))
        if name in NEIGHBOURS:
            return self.neighbour(function)
        frame = [row for at, row in enumerate(self.members) if self.is_inside(function.frame, at)]
        if name not in PICKS:
            return aggregate(function.call, frame)
        found = [value(arguments[0], row) for row in frame]
        if function.ignores_nulls:
            found = [each for each in found if each is not None]
        if name == "nth_value":
            found = found[value(arguments[1], self.row) - 1 :]
        return None if not found else found[-1 if name == "last_value" else 0]

    def neighbour(self, function: WindowFunction) -> Any:
        argument, distance, *default = function.call.arguments
        steps = value(distance, self.row) * (1 if function.call.function == "lead" else -1)
        if not steps:
            return value(argument, self.row)
        beside = self.members[self.place + 1 :] if steps > 0 else self.members[: self.place][::-1]
        found = [value(argument, row) for row in beside]
        if function.ignores_nulls:
            found = [each for each in found if each is not None]
        return found[abs(steps) - 1] if abs(steps) <= len(found) else self.default(default)

    def default(self, given: Sequence[Expression]) -> Any:
        return value(given[0], self.row) if given else None

    def compare(self, at: int) -> int:
        """Where another tuple is in the order: below 0 before this one, 0 beside it, above 0 behind it."""
        return by_order(self.order, self.members[at], self.row)

    def count_before(self) -> int:
        return sum(self.compare(at) < 0 for at in range(len(self.members)))

    def groups_until(self, at: int) -> int:
        """How many groups of peers begin up to a tuple."""
        starts = [0, *(n for n in range(1, at + 1) if by_order(self.order, self.members[n - 1], self.members[n]))]
        return len(starts)

    def is_inside(self, frame: Frame, at: int) -> bool:
        """Whether the tuple at a place is in this tuple's frame."""
        return (frame.first is None or self.distance(frame, at, frame.first) >= 0) and (
            frame.last is None or self.distance(frame, at, frame.last) <= 0
        )

    def distance(self, frame: Frame, at: int, end: float) -> Any:
        """A number of the sign of the place of a tuple to the end of a frame."""
        if frame.unit == "rows":
            return at - self.place - end
        if frame.unit == "groups":
            return self.groups_until(at) - self.groups_until(self.place) - end
        if not end:
            return self.compare(at)
        (key,) = self.order
        mine, other = value(key.expression, self.row), value(key.expression, self.members[at])
        if mine is None or other is None:
            return self.compare(at)
        bound = shift_key(mine, -end if key.descending else end)
        sign = (rank(other) > rank(bound)) - (rank(other) < rank(bound))
        return -sign if key.descending else sign


def shift_key(key: Any, by: float) -> Any:
    """A sort key moved by a distance."""
    if isinstance(key, datetime):
        return key + timedelta(microseconds=int(by))
    return key + timedelta(days=int(by)) if isinstance(key, date) else key + by


def tile(place: Place, count: int) -> int:
    size, larger = divmod(len(place.members), count)
    sizes = [size + (number < larger) for number in range(count)]
    return next(number for number in range(1, count + 1) if place.place < sum(sizes[:number]))


RANK_VALUES: dict[str, Callable[..., Any]] = {
    "row_number": lambda place: place.place + 1,
    "rank": lambda place: place.count_before() + 1,
    "dense_rank": lambda place: place.groups_until(place.place),
    "ntile": tile,
    "percent_rank": lambda place: place.count_before() / max(len(place.members) - 1, 1),
    "cume_dist": lambda place: sum(place.compare(at) <= 0 for at in range(len(place.members))) / len(place.members),
}
