"""Lookahead: a few rows of a batch visit every filter, which shows what each filter would remove after any others.

What a filter removes depends on those before it: a row leaves once the members that want it have no filter to come. So
the statistics of a filter at one place in the order say little about another place; rows that visit all filters tell it
for every place.

>>> one, two = 0b01, 0b11  # only the first query asks for filter 0, both ask for filter 1
>>> passed = np.array([[[0b10], [0b11]], [[0b00], [0b00]]], np.uint64)
>>> Lookahead(passed, (one, two), 0, two, np.ones(2)).order
[1, 0]
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_

import numpy as np

from tailrace.operators.families.routing.lineage import Indexes, Mask, Words, any_member_wants, words_of
from tailrace.operators.families.routing.policies import Numbers

ROWS = 128
DEPTH = 8  # after this many filters the order of the others hardly matters
CLEARED = 0.01  # the weight of lineage bits that are cleared, beside rows removed: it decides where none are yet


@dataclass(frozen=True, eq=False)
class Lookahead:
    """What filters would do with some of the next rows."""

    passed: Words  # filters × rows × words: the members that still want a row after that filter alone
    members: tuple[int, ...]  # that ask for each filter
    late: int  # members with conditions that wait for all filters
    everyone: int
    seconds: Numbers  # that each filter spends on a row

    @cached_property
    def order(self) -> list[int]:
        """The order: always next is that one of the filters left that removes the most rows in a second."""
        left, found = list(range(len(self.members))), list[int]()
        words = words_of(self.everyone, self.passed.shape[2])
        rows, lineage = np.arange(self.passed.shape[1]), np.broadcast_to(words, self.passed.shape[1:])
        while left and len(rows) and len(found) < DEPTH:
            scores = []
            for place in left:
                after = lineage & self.passed[place, rows]
                removed = 1 - np.count_nonzero(self.going_on(after, place, left)) / len(rows)
                cleared = 1 - bits(after) / max(bits(lineage), 1)
                scores.append((removed + CLEARED * cleared) / self.seconds[place])
            # The others stay in the order of what they would remove now.
            left = [left[at] for at in np.argsort(-np.array(scores), kind="stable")]
            lineage = lineage & self.passed[left[0], rows]
            kept = self.going_on(lineage, left[0], left)
            rows, lineage = rows[kept], lineage[kept]
            found.append(left.pop(0))
        return [*found, *left]

    def going_on(self, lineage: Words, place: int, left: list[int]) -> Mask:
        """Which rows go on after the filter `place`: those wanted by a member that asks for another filter left."""
        pending = reduce(or_, (self.members[other] for other in left if other != place), self.late)
        return any_member_wants(lineage & words_of(pending, lineage.shape[1]))


def bits(lineage: Words) -> int:
    return int(np.bitwise_count(lineage).sum())


def places(first: int, last: int) -> Indexes:
    """Which of the rows first … last−1 are looked at: at most ROWS, evenly spread."""
    return np.unique(np.linspace(first, last - 1, min(ROWS, last - first)).astype(np.int64))
