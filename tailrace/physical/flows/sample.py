"""Sample: a few rows of a batch that visit every filter, which shows what each would remove after any others.

What a filter removes depends on those before it: a row leaves once the queries that want it have nothing more to ask.
So what was learned of a filter at one place says little about another place, and the rows of a sample say it for all.

>>> one, two = 0b01, 0b11  # only the first query asks for filter 0, both ask for filter 1
>>> passed = np.array([[[0b10], [0b11]], [[0b00], [0b00]]], np.uint64)
>>> Sample(passed, (one, two), 0, two, np.ones(2)).order
[1, 0]
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tailrace.physical.flows.lineage import Indexes, Mask, Words, wanted, words_of
from tailrace.physical.flows.policies import Numbers

ROWS = 128
CLEARED = 0.01  # a row that one query less wants, in rows that leave: it decides where no row would leave yet


@dataclass(frozen=True, eq=False)
class Sample:
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
        words = self.passed.shape[2]
        rows, lineage = np.arange(self.passed.shape[1]), self.passed[0] | words_of(self.everyone, words)
        while left and len(rows):
            scores, chosen = -1.0, (left[0], rows, lineage)
            for place in left:
                after = lineage & self.passed[place, rows]
                kept = self.going_on(after, [other for other in left if other != place])
                removed = 1 - np.count_nonzero(kept) / len(rows)
                cleared = 1 - bits(after) / max(bits(lineage), 1)
                score = (removed + CLEARED * cleared) / self.seconds[place]
                if score > scores:
                    scores, chosen = score, (place, rows[kept], after[kept])
            place, rows, lineage = chosen
            found.append(place)
            left.remove(place)
        return [*found, *left]

    def going_on(self, lineage: Words, left: list[int]) -> Mask:
        """The rows that somebody wants who has something more to ask."""
        pending = self.late
        for place in left:
            pending |= self.members[place]
        return wanted(lineage & words_of(pending, lineage.shape[1]))


def bits(lineage: Words) -> int:
    return int(np.bitwise_count(lineage).sum())


def places(first: int, last: int) -> Indexes:
    """Of so many rows those that are looked at: some, evenly spread."""
    return np.unique(np.linspace(first, last - 1, min(ROWS, last - first)).astype(np.int64))
