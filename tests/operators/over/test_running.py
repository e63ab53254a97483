"""Running window functions: each row once, when it comes, with the values of the definition."""

from __future__ import annotations

from random import Random

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tailrace.columnar.delta import Span, parse
from tailrace.logical.over import Frame
from tailrace.lowering.lower import lower
from tailrace.operators.aggregates.aggregation import Aggregation
from tailrace.operators.operator import TaskContext
from tailrace.operators.over.over import Over
from tailrace.operators.over.running import RunningOver
from tailrace.operators.over.window_functions import WindowCall
from tailrace.state.resharding import Shard, merge_states, split_state
from tests.operators.over.window_queries import plan_of, problems_of, running_query

TYPES = (pa.int64(), pa.int64(), pa.int64())
TOTAL = WindowCall(Aggregation("sum", (2,), pa.int64()), Frame())
LAST_TWO = WindowCall(Aggregation("max", (2,), pa.int64()), Frame("rows", -1, 0))


def work() -> RunningOver:
    return RunningOver((*TYPES, pa.int64(), pa.int64()), (0,), ((1, False, True),), (TOTAL, LAST_TWO))


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_every_instant_is_as_defined(seed: int) -> None:
    chance = Random(seed)
    text = running_query(chance)
    assert problems_of(text, chance) == [], text


def test_it_emits_each_row_once_and_remembers_what_frames_reach() -> None:
    running = work()
    first = parse("+ 1 0 5 @0..\n+ 1 1 3 @1..\n+ 2 1 9 @1..", TYPES)
    found, state = running.apply([first], running.initial_state(), Span(-1, 1), TaskContext.empty())
    assert sorted(str(found).split("\n")) == ["+ 1 0 5 5 5 @0..", "+ 1 1 3 8 5 @1..", "+ 2 1 9 9 9 @1.."]
    second = parse("+ 1 2 2 @2..\n+ 1 2 1 @2..\n+ 1 9 4 @9..", TYPES)
    found, state = running.apply([second], state, Span(1, 5), TaskContext.empty())
    assert sorted(str(found).split("\n")) == ["+ 1 2 1 11 3 @2..", "+ 1 2 2 11 2 @2.."]
    near, totals, _ = state
    assert sum(len(run) for run in near.bag.runs if len(run)) <= 4
    assert len(totals.ledger.table) >= 2
    found, _ = running.apply([first.where(first.start > 5)], state, Span(5, 9), TaskContext.empty())
    assert str(found) == "+ 1 9 4 15 4 @9.."


def test_a_state_is_split_by_the_partition() -> None:
    running = work()
    rows = parse("\n".join(f"+ {n % 5} {n} {n} @{n}.." for n in range(20)), TYPES)
    _, state = running.apply([rows], running.initial_state(), Span(-1, 19), TaskContext.empty())
    keys = running.shard_columns([(0,)])
    merged = merge_states([split_state(state, keys, Shard(number, 3)) for number in range(3)])
    more = parse("\n".join(f"+ {n % 5} {n} {n} @{n}.." for n in range(20, 30)), TYPES)
    one, _ = running.apply([more], state, Span(19, 30), TaskContext.empty())
    other, _ = running.apply([more], merged, Span(19, 30), TaskContext.empty())
    assert sorted(str(one).split("\n")) == sorted(str(other).split("\n"))


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("SELECT SUM(v) OVER (PARTITION BY k ORDER BY ts) AS s FROM E", RunningOver),
        ("SELECT LAG(v) OVER (ORDER BY ts) AS s FROM E WHERE v > 1", RunningOver),
        ("SELECT LEAD(v) OVER (ORDER BY ts) AS s FROM E", Over),
        ("SELECT SUM(v) OVER (ORDER BY ts DESC) AS s FROM E", Over),
        ("SELECT SUM(v) OVER (ORDER BY v) AS s FROM E", Over),
        ("SELECT SUM(v) OVER (ORDER BY ts) AS s FROM E [RANGE 5]", Over),
    ],
)
def test_rows_in_order_that_never_leave_are_run_by_it(query: str, kind: type) -> None:
    steps = lower({"q": plan_of(query)}).steps
    assert [step.work for step in steps if isinstance(step.work, kind)]
