"""Order statistics: the k-th smallest of a group's values, for many instants and groups at once; and MEDIAN.

A question asks for the k-th smallest value at one row of the timeline. All questions find the bits of their answers'
ranks together, from the highest bit to the lowest: a question for which at least k values have a zero in the bit goes
left with these values, any other goes right with the rest. That costs one pass over events and questions for each bit,
and only one sort, at the beginning. Values that no question can reach any more are dropped on the way.

MEDIAN is the middle one of the values other than NULL, or half way between the two middle ones; NULL if there are none.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from tailrace.columnar import segments
from tailrace.columnar.segments import heads
from tailrace.operators.aggregates.aggregation import null_where
from tailrace.operators.aggregates.group_state import Timeline


@dataclass(frozen=True)
class Events:
    """Changes of how often a group has a value: the row of the timeline, the value's rank, and the change."""

    row: np.ndarray
    rank: np.ndarray
    change: np.ndarray


@dataclass(frozen=True)
class Walk:
    """Events and questions on their way down a tree of bits: in order of tree node, and within a node of row.

    `question` is the number of a question, −1 for an event. `amount` is the change of an event, or the place that a
    question asks for; `rank` is the rank of an event, or the bits of a question's answer that are known so far. `begin`
    is the index at which the node of the event or question begins.
    """

    question: np.ndarray
    rank: np.ndarray
    amount: np.ndarray
    begin: np.ndarray

    def down(self, bit: int) -> Walk:
        """Go down by one bit: the answers get this bit, and each node is split in two, left before right."""
        asks = self.question >= 0
        right = (self.rank >> bit & 1).astype(bool)
        smaller = np.append(0, np.cumsum(np.where(asks | right, 0, self.amount)))
        smaller = smaller[1:] - smaller[self.begin]
        further = np.flatnonzero(asks & (self.amount >= smaller))
        amount, rank = self.amount.copy(), self.rank.copy()
        amount[further] -= smaller[further]
        rank[further] |= 1 << bit
        right[further] = True
        return Walk(self.question, rank, amount, self.begin).split_nodes(right)

    def split_nodes(self, right: np.ndarray) -> Walk:
        """Split each node in two, in the same order; a node without questions is dropped."""
        starts = heads(self.begin)
        stops = np.append(starts[1:], len(right))
        sizes = stops - starts
        lefts = np.append(0, np.cumsum(~right))
        before = lefts[:-1] - lefts[self.begin]
        split = np.repeat(starts + lefts[stops] - lefts[starts], sizes)
        place = np.where(right, split + np.arange(len(right)) - self.begin - before, self.begin + before)
        node = np.empty_like(place)
        node[place] = np.where(right, split, self.begin)
        asked = np.zeros(len(right) + 1, bool)
        asked[np.where(right, split, self.begin)[self.question >= 0]] = True
        kept = asked[node]
        order = np.empty_like(place)
        order[place] = np.arange(len(place))
        order, node = order[kept], node[kept]
        begin = np.repeat(heads(node), np.diff(np.append(heads(node), len(node))))
        return Walk(self.question[order], self.rank[order], self.amount[order], begin)


def select_ranks(events: Events, group: np.ndarray, rows: np.ndarray, places: np.ndarray) -> np.ndarray:
    """For each question the rank of the value at its place (0 is the smallest) among the values at its row.

    `rows` and `places` are those of the questions; `group` is the group of each row of the timeline.

    >>> events = Events(np.array([0, 0, 1, 2]), np.array([5, 3, 4, 3]), np.array([1, 2, 1, -2]))
    >>> select_ranks(events, np.zeros(3, int), np.array([0, 1, 2, 2]), np.array([2, 2, 0, 1])).tolist()
    [5, 4, 4, 5]
    """
    row = np.concatenate([events.row, rows])
    question = np.append(np.full(len(events.row), -1), np.arange(len(rows)))
    # Rows of the timeline are in order of group, so sorting by row sorts by group; events come before questions.
    order = np.argsort(2 * row + (question >= 0), kind="stable")
    rank = np.append(events.rank, np.zeros(len(rows), np.int64))[order]
    starts = heads(group[row[order]])
    begin = np.repeat(starts, np.diff(np.append(starts, len(order))))
    walk = Walk(question[order], rank, np.append(events.change, places)[order], begin)
    for bit in reversed(range(int(events.rank.max(initial=0)).bit_length())):
        walk = walk.down(bit)
    answers = np.zeros(len(rows), np.int64)
    asks = np.flatnonzero(walk.question >= 0)
    answers[walk.question[asks]] = walk.rank[asks]
    return answers


def result(function: str, events: Events, values: pa.Array, line: Timeline) -> pa.Array:
    """The median at each row of the timeline."""
    known = segments.running_sums(segments.sum_by_place(events.row, events.change, len(line)), line.heads)
    asked = np.flatnonzero(known > 0)
    count = known[asked]
    even = np.flatnonzero(count % 2 == 0)
    rows, places = np.append(asked, asked[even]), np.append((count - 1) // 2, count[even] // 2)
    ranks = select_ranks(events, line.group, rows, places)
    numbers = np.asarray(values.cast(pa.float64()).to_numpy(zero_copy_only=False))
    lower = numbers[ranks[: len(asked)]]
    upper = lower.copy()
    upper[even] = numbers[ranks[len(asked) :]]
    found = np.zeros(len(line))
    found[asked] = lower
    with np.errstate(invalid="ignore", over="ignore"):  # half way between two infinities is NaN, as in Spark
        half_way = lower + (upper - lower) * 0.5
    apart = np.flatnonzero(lower != upper)
    found[asked[apart]] = half_way[apart]
    return null_where(known <= 0, pa.array(found))
