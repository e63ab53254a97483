"""The first tuples of each partition: at every instant those that the order has first."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from tailrace.columnar.delta import FOREVER, Span, parse
from tailrace.operators.operator import TaskContext
from tailrace.operators.over.top_of_partition import TopOfPartition
from tests.operators.bags import Bag, Rows, check, heartbeats, intervals
from tests.operators.over.window_queries import problems_of, top_query

TYPES = (pa.int64(), pa.int64(), pa.string())
ROWS = st.tuples(st.sampled_from([None, 1, 2]), st.sampled_from([None, 1, 2, 3]), st.sampled_from([None, "a", "b"]))


def rank(value: Any) -> tuple[bool, Any]:
    return value is not None, value if value is not None else 0


@settings(max_examples=200, deadline=None)
@given(
    rows=intervals(ROWS, most=14),
    beats=heartbeats(),
    partition=st.sampled_from([(), (0,)]),
    limit=st.integers(1, 3),
    ties=st.booleans(),
    grows=st.booleans(),
)
def test_every_instant_is_as_defined(
    rows: Rows, beats: list[int], partition: tuple[int, ...], limit: int, ties: bool, grows: bool
) -> None:
    if grows:
        rows = [replace(row, until=FOREVER) for row in rows if row.weight > 0]

    def first(bag: Bag) -> Bag:
        kept: Bag = Counter()
        for key in {tuple(row[index] for index in partition) for row in bag}:
            own = [row for row in bag.elements() if tuple(row[index] for index in partition) == key]
            own.sort(key=lambda row: (rank(row[1]), rank(row[0]), (row[2] is not None, row[2] or "")))
            last = own[:limit][-1]
            kept.update(own[:limit])
            kept.update(row for row in own[limit:] if ties and row[1] == last[1])
        return kept

    check(TopOfPartition(TYPES, partition, ((1, False, True),), limit, ties, grows), [rows], TYPES, beats, first)


def test_where_no_tuple_leaves_others_are_forgotten() -> None:
    work = TopOfPartition(TYPES, (0,), ((1, True, False),), 2, grows=True)
    rows = parse("\n".join(f"+ {n % 3} {n} a @{n // 10}.." for n in range(60)), TYPES)
    found, state = work.apply([rows], work.initial_state(), Span(-1, 9), TaskContext.empty())
    assert len(found)
    assert sum(sum(run.columns[-1].to_pylist()) for run in state.bag.runs) == 6


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 2**32))
def test_bounds_on_ranks_are_as_defined(seed: int) -> None:
    chance = Random(seed)
    text = top_query(chance)
    assert problems_of(text, chance) == [], text
