"""The first tuples of each partition: at every instant those that the order has first."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from tailrace.operators.over.top_of_partition import TopOfPartition
from tests.operators.bags import Bag, Rows, check, heartbeats, intervals
from tests.operators.over.window_queries import problems_of, top_query

TYPES = (pa.int64(), pa.int64(), pa.string())
ROWS = st.tuples(st.sampled_from([None, 1, 2]), st.sampled_from([None, 1, 2, 3]), st.sampled_from([None, "a", "b"]))


def rank(value: Any) -> tuple[bool, Any]:
    return value is not None, value if value is not None else 0


@settings(max_examples=200, deadline=None)
@given(intervals(ROWS, most=14), heartbeats(), st.sampled_from([(), (0,)]), st.integers(1, 3), st.booleans())
def test_every_instant_is_as_defined(
    rows: Rows, beats: list[int], partition: tuple[int, ...], limit: int, ties: bool
) -> None:
    def first(bag: Bag) -> Bag:
        kept: Bag = Counter()
        for key in {tuple(row[index] for index in partition) for row in bag}:
            own = [row for row in bag.elements() if tuple(row[index] for index in partition) == key]
            own.sort(key=lambda row: (rank(row[1]), rank(row[0]), (row[2] is not None, row[2] or "")))
            last = own[:limit][-1]
            kept.update(own[:limit])
            kept.update(row for row in own[limit:] if ties and row[1] == last[1])
        return kept

    check(TopOfPartition(TYPES, partition, ((1, False, True),), limit, ties), [rows], TYPES, beats, first)


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 2**32))
def test_bounds_on_ranks_are_as_defined(seed: int) -> None:
    chance = Random(seed)
    text = top_query(chance)
    assert problems_of(text, chance) == [], text
