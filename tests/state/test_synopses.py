"""Synopses: searches find what a plain search finds, few runs are kept, and what is over goes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tailrace.columnar.delta import Delta, Span
from tailrace.logical.windows import RowWindow as Window
from tailrace.operators.aggregates.aggregation import Aggregation
from tailrace.operators.operator import Operator, TaskContext
from tailrace.operators.relational.aggregate import Aggregate
from tailrace.operators.relational.binary_join import BinaryJoin, JoinKey
from tailrace.operators.relational.counts import Distinct
from tailrace.operators.relational.multi_join import MultiJoin, SharedKey
from tailrace.operators.streams.changelog import DStream
from tailrace.operators.windows.row_window import RowWindow
from tailrace.state import runs as search
from tailrace.state.runs import Run, append_run, first_places, merge_runs, places, sorted_run, with_directory

I64 = pa.int64()
LIVE, BATCH = 1000, 100


def spreads(rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Numbers as hashes are, and as they are not."""
    even = rng.integers(0, 2**64, 5000, np.uint64, endpoint=False)
    yield even
    yield rng.choice(even[:40], 5000)
    yield even >> np.uint64(40)
    yield np.concatenate([even[:2000], even[:2000], np.full(1000, 2**64 - 1, np.uint64)])
    yield np.zeros(5000, np.uint64)


def test_a_search_by_the_directory_is_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "SMALL", 1000)
    rng = np.random.default_rng(5)
    for numbers in spreads(rng):
        order = np.sort(numbers)
        run = with_directory(Run(order, ()))
        assert run.directory is not None
        assert len(run.directory) < len(order)
        edges = np.array([0, 1, 2**64 - 1], np.uint64)
        for hashes in (rng.choice(numbers, 700), np.sort(np.append(edges, numbers + np.uint64(1))), numbers[:0]):
            low, high = places(run, hashes)
            assert (low == np.searchsorted(order, hashes, "left")).all()
            assert (high == np.searchsorted(order, hashes, "right")).all()
            assert (first_places(run, hashes) == low).all()


def test_a_thousand_batches_are_few_runs() -> None:
    runs: tuple[Run, ...] = ()
    most, rewritten = 0, 0
    for number in range(1000):
        before = set(map(id, runs))
        runs = append_run(runs, sorted_run(np.full(10, number), (pa.array([number] * 10),)), merge_runs)
        most = max(most, len(runs))
        rewritten += sum(len(run) for run in runs if id(run) not in before)
    assert sum(map(len, runs)) == 10_000
    assert most <= 10
    assert rewritten <= 6 * 10_000
    assert (np.concatenate([run.columns[0].to_numpy() for run in runs]) == np.repeat(np.arange(1000), 10)).all()


def rows_in(state: Any) -> int:
    """How many rows all runs of a state have together, over or not."""
    if isinstance(state, Run):
        return len(state)
    if isinstance(state, tuple | list):
        return sum(map(rows_in, state))
    return sum(map(rows_in, vars(state).values())) if hasattr(state, "__dataclass_fields__") else 0


KEY = (JoinKey(0, 0),)
COUNTS = (Aggregation("count", (1,), I64, True), Aggregation("max", (1,), I64))


@pytest.mark.parametrize(
    ("operator", "inputs", "live"),
    [
        (BinaryJoin((I64,) * 4, KEY, 2, None), 2, 2 * LIVE),
        (MultiJoin((I64,) * 6, (SharedKey((0, 0, 0)),), (2, 2, 2), ()), 3, 3 * LIVE),
        (Distinct((I64, I64)), 1, 2 * LIVE),
        (Aggregate((I64,) * 3, (0,), COUNTS), 1, 8 * LIVE),
        (DStream((I64, I64)), 1, LIVE),
        (RowWindow((I64, I64), Window(LIVE)), 1, LIVE),
        (RowWindow((I64, I64), Window(LIVE // 20, 3, (1,))), 1, LIVE),
    ],
    ids=["join", "mjoin", "distinct", "aggregate", "dstream", "rows", "partitioned rows"],
)
def test_what_is_over_goes(operator: Operator, inputs: int, live: int) -> None:
    """Forty windows one after another; a tuple's key is new, so that nothing is remembered for its key's sake."""
    state: Any = operator.initial_state()
    largest = 0
    for first in range(0, 40 * LIVE, BATCH):
        start = np.arange(first, first + BATCH)
        rows = Delta(start, start + LIVE, np.ones(BATCH, np.int64), (pa.array(start), pa.array(start % 20)))
        _, state = operator.apply([rows] * inputs, state, Span(first - 1, first + BATCH - 1), TaskContext.empty())
        largest = max(largest, rows_in(state))
    assert largest < 4 * live
