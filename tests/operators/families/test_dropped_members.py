"""Dropped members: the state that a shared aggregate keeps for members goes when they go, and nothing else does."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tailrace.operators.plan import StartPoint
from tailrace.operators.relational.aggregate import Aggregate, AggregateState
from tailrace.operators.relational.counts import Distinct
from tests.operators.families.test_stem import SOURCES, Standing, compiled_queries, rows_of
from tests.operators.local import arrived

KEYED = (
    "SELECT k, COUNT(*) AS n, MAX(v) AS most, MEDIAN(v) AS v, COUNT(DISTINCT s) AS s FROM A WHERE v >= {} GROUP BY k"
)
TWICE = "SELECT MAX(n) AS n FROM (SELECT k, COUNT(*) AS n FROM A [RANGE 3] WHERE v >= {} GROUP BY k) AS counts"
ONCE = "SELECT DISTINCT v FROM A WHERE v >= {}"


def remembered(standing: Standing) -> set[int]:
    """The members for which shared aggregates keep state."""
    assert standing.run is not None
    found: set[int] = set()
    for stage, runs in zip(standing.run.plan.stages, standing.run.runs, strict=True):
        for at, step in enumerate(stage.plan.steps):
            for run in runs if isinstance(step.work, (Aggregate, Distinct)) else ():
                state = run.state[at]
                ledger = state.ledger if isinstance(state, AggregateState) else state
                for part in ledger.table.runs:
                    found |= set(part.columns[1].to_pylist())
                if isinstance(state, AggregateState):
                    check_parts(state)
    return found


def check_parts(state: AggregateState) -> None:
    """Values, and tuples of DISTINCT that have not ended, are of groups that are there."""
    slots = np.concatenate([np.empty(0, np.uint64), *(run.order for run in state.ledger.table.runs)])
    for kept in state.values:
        assert all(np.isin(run.order, slots).all() for run in kept.bag.runs)
    for run in (run for distinct in state.distinct for run in distinct.table.runs):
        there = run.columns[0].to_numpy() > state.ledger.calendar.past
        assert np.isin(run.columns[1].to_numpy().view(np.uint64)[there], slots).all()


@pytest.mark.parametrize("shape", [KEYED, TWICE, ONCE])
def test_what_is_remembered_goes_with_its_member(shape: str) -> None:
    chance = Random(shape)
    texts = {f"q{number}": shape.format(number % 3) for number in range(8)}
    numbers = {name: 17 * int(name[1:]) for name in texts}
    standing, rows = Standing(2), [row for _ in range(4) for row in rows_of(chance)]

    def batch(first: int, to: int) -> None:
        standing.batch({"A": arrived(SOURCES["A"], sorted(row for row in rows if first <= row[0] <= to))}, to)

    rows = [(at, (k or 0, v or 0, s or "")) for at, (k, v, s) in rows]
    standing.change(compiled_queries(texts, "best"), {name: StartPoint() for name in texts}, -1, numbers)
    batch(0, 7)
    assert remembered(standing) == set(numbers.values())
    stay = {name: texts[name] for name in ("q1", "q4", "q6")}
    left = {name: numbers[name] for name in stay}
    standing.change(compiled_queries(stay, "best"), {name: StartPoint() for name in stay}, 7, left)
    batch(8, 8)
    if shape is not TWICE:  # the windows of its members may lose tuples yet
        assert remembered(standing) == set(left.values())
    batch(9, 14)
    assert remembered(standing) == set(left.values())
