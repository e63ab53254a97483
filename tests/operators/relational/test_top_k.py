"""Top-k: the first tuples in an order at every instant, ties broken by the whole tuple."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tailrace.columnar.delta import Span, parse
from tailrace.operators.operator import TaskContext
from tailrace.operators.relational.top_k import TopK, stretches
from tests.operators.bags import Bag, Rows, check, delta, heartbeats, intervals

TYPES = (pa.int64(), pa.string(), pa.float64())
ROWS = st.tuples(
    st.sampled_from([None, 1, 2, 3]), st.sampled_from([None, "a", "é"]), st.sampled_from([None, 0.5, float("inf")])
)
ORDERS = st.lists(st.tuples(st.integers(0, 2), st.booleans(), st.booleans()), max_size=3)


def sort_key(order: list[tuple[int, bool, bool]], row: tuple[Any, ...]) -> list[Any]:
    """By the order, then by all columns, NULLs first."""
    found = []
    for index, descending, nulls_first in [*order, *((index, False, True) for index in range(len(row)))]:
        value = row[index]
        if value is None:
            found.append((0 if nulls_first else 2, Turned(0, False)))
        else:
            found.append((1, Turned(value, descending)))
    return found


class Turned:
    """A value that may compare the other way round."""

    def __init__(self, value: Any, descending: bool) -> None:
        self.value, self.descending = value, descending

    def __eq__(self, other: Any) -> bool:
        return bool(self.value == other.value)

    def __lt__(self, other: Any) -> bool:
        return bool(other.value < self.value if self.descending else self.value < other.value)


@settings(max_examples=300, deadline=None)
@given(
    rows=intervals(ROWS, most=10),
    beats=heartbeats(),
    order=ORDERS,
    limit=st.sampled_from([0, 1, 2, 3, 5, None]),
    offset=st.sampled_from([0, 0, 1, 3]),
)
def test_every_instant_is_as_defined(rows: Rows, beats: list[int], order: Any, limit: int | None, offset: int) -> None:
    def first(bag: Bag) -> Bag:
        ordered = sorted(bag.elements(), key=lambda row: sort_key(order, row))
        return Counter(ordered[offset:][:limit])

    check(TopK(TYPES, tuple(order), limit, offset), [rows], TYPES, beats, first)


def test_the_first_by_hand() -> None:
    """ORDER BY v DESC LIMIT 2 holds the two tuples of the greatest v; when one goes, the next one takes its place."""
    types = (pa.int64(), pa.int64())
    work = TopK(types, ((1, True, False),), 2)
    out, state = work.apply(
        [parse("+ 1 10 @0..\n+ 2 20 @0..4\n+ 3 30 @2..9", types)],
        work.initial_state(),
        Span(-1, 3),
        TaskContext.empty(),
    )
    assert sorted(str(out).split("\n")) == ["+ 1 10 @0..2", "+ 2 20 @0..", "+ 3 30 @2.."]
    out, state = work.apply([delta([], types)], state, Span(3, 20), TaskContext.empty())
    assert sorted(str(out).split("\n")) == ["+ 1 10 @4..", "- 2 20 @4..", "- 3 30 @9.."]


def test_nothing_happens_in_an_empty_batch() -> None:
    work = TopK(TYPES, (), 3)
    assert len(work.apply([delta([], TYPES)], work.initial_state(), Span(-1, 50), TaskContext.empty())[0]) == 0


@pytest.mark.parametrize("seed", range(20))
def test_stretches(seed: int) -> None:
    chance = random.Random(seed)
    threshold = np.array([chance.randrange(6) for _ in range(chance.randrange(1, 20))])
    low = np.array([chance.randrange(len(threshold)) for _ in range(8)])
    high = np.array([chance.randint(at + 1, len(threshold)) for at in low.tolist()])
    rank = np.array([chance.randrange(6) for _ in range(8)])
    covered: list[set[int]] = [set() for _ in low]
    for owner, begin, end in zip(*stretches(threshold, low, high, rank), strict=True):
        assert not covered[owner] & set(range(begin - 1, end + 1)), "two stretches that touch are one"
        covered[owner] |= set(range(begin, end))
    assert covered == [{row for row in range(low[i], high[i]) if threshold[row] >= rank[i]} for i in range(len(low))]
