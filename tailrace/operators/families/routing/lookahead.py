"""Sample: a few rows of a batch that visit every filter, which shows what each would remove after any others.

What a filter removes depends on those before it: a row leaves once the queries that want it have nothing more to ask.
So what was learned of a filter at one place says little about another place, and the rows of a sample say it for all.

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
DEPTH = 8  # filters after which the order of the others hardly matters any more
CLEARED = 0.01  # a row that one query less wants, in rows that leave: it decides where no row would leave yet


@dataclass(frozen=True, eq=False)
class Lookahead:
    """`passed` is filters × rows × words: who still wants a row after one filter; `members` who asks for each filter.

    `late` have conditions that wait for all filters. `seconds` is what each filter spends on a row.
    """

    passed: Words
    members: tuple[int, ...]
    late: int
    everyone: int
    seconds: Numbers

    @cached_property
    def order(self) -> list[int]:
        """Always next is the filter that removes the most rows in a second, of those that are left."""
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
        """After the filter at this place, the rows that somebody wants who asks for another one that is left."""
        pending = reduce(or_, (self.members[other] for other in left if other != place), self.late)
        return any_member_wants(lineage & words_of(pending, lineage.shape[1]))


def bits(lineage: Words) -> int:
    return int(np.bitwise_count(lineage).sum())


def places(first: int, last: int) -> Indexes:
    """Of so many rows those that are looked at: some, evenly spread."""
    return np.unique(np.linspace(first, last - 1, min(ROWS, last - first)).astype(np.int64))
