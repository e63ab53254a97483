"""Window functions: what the operator answers is the definition's, at every instant and for every split."""

from __future__ import annotations

from random import Random

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from tailrace.columnar.delta import Span, parse
from tailrace.logical.over import WHOLE, Frame
from tailrace.operators.aggregates.aggregation import Aggregation
from tailrace.operators.operator import TaskContext
from tailrace.operators.over import over as module
from tailrace.operators.over.over import Over
from tailrace.operators.over.window_functions import WindowCall
from tailrace.state.resharding import Shard, merge_states, split_state
from tests.operators.over.window_queries import problems_of, query

TYPES = (pa.int64(), pa.int64())
NUMBER = WindowCall(Aggregation("row_number", (), pa.int32()), WHOLE)
SUM = WindowCall(Aggregation("sum", (1,), pa.int64()), Frame("rows", -1, 0))


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 2**32))
def test_every_instant_is_as_defined(seed: int) -> None:
    chance = Random(seed)
    text = query(chance)
    assert problems_of(text, chance) == [], text


def work(*functions: WindowCall) -> Over:
    return Over((*TYPES, *(each.call.type for each in functions)), (0,), ((1, False, True),), functions)


def test_only_rows_whose_values_change_are_emitted() -> None:
    over = work(NUMBER, SUM)
    first = parse("+ 1 10 @0..\n+ 1 30 @0..\n+ 2 5 @0..", TYPES)
    found, state = over.apply([first], over.initial_state(), Span(-1, 0), TaskContext.empty())
    assert sorted(str(found).split("\n")) == ["+ 1 10 1 10 @0..", "+ 1 30 2 40 @0..", "+ 2 5 1 5 @0.."]
    between = parse("+ 1 20 @1..3", TYPES)
    found, state = over.apply([between], state, Span(0, 2), TaskContext.empty())
    assert sorted(str(found).split("\n")) == ["+ 1 20 2 30 @1..", "+ 1 30 3 50 @1..", "- 1 30 2 40 @1.."]
    found, state = over.apply([first.where(first.start > 9)], state, Span(2, 3), TaskContext.empty())
    assert sorted(str(found).split("\n")) == ["+ 1 30 2 40 @3..", "- 1 20 2 30 @3..", "- 1 30 3 50 @3.."]


def test_a_large_partition_is_computed_in_blocks(monkeypatch: object) -> None:
    """A block that ends within a partition's instants begins the next one."""
    rows = parse("\n".join(f"+ 1 {(7 * n) % 40} @{n}..{n + 9}" for n in range(40)), TYPES)
    over = work(NUMBER, SUM)
    whole, _ = over.apply([rows], over.initial_state(), Span(-1, 60), TaskContext.empty())
    before, module.MOST_ROWS = module.MOST_ROWS, 25
    try:
        parts, _ = over.apply([rows], over.initial_state(), Span(-1, 60), TaskContext.empty())
    finally:
        module.MOST_ROWS = before

    def at(instant: int, text: str) -> dict[str, int]:
        bag: dict[str, int] = {}
        for line in text.split("\n"):
            sign, _, rest = line.partition(" ")
            row, _, when = rest.partition(" @")
            start, _, until = when.partition("..")
            if int(start) <= instant and (not until or instant < int(until)):
                bag[row] = bag.get(row, 0) + (1 if sign == "+" else -1)
        return {row: count for row, count in bag.items() if count}

    for instant in range(60):
        assert at(instant, str(parts)) == at(instant, str(whole))


def test_a_state_is_split_by_the_partition() -> None:
    over = work(NUMBER)
    rows = parse("\n".join(f"+ {n % 7} {n} @0..{n + 5}" for n in range(40)), TYPES)
    _, state = over.apply([rows], over.initial_state(), Span(-1, 0), TaskContext.empty())
    keys = over.shard_columns([(0,)])
    parts = [split_state(state, keys, Shard(number, 3)) for number in range(3)]
    assert sum(len(part.bag) for part in parts) == len(state.bag)
    merged = merge_states(parts)
    nothing = rows.where(rows.start > 99)
    one, _ = over.apply([nothing], state, Span(0, 20), TaskContext.empty())
    other, _ = over.apply([nothing], merged, Span(0, 20), TaskContext.empty())
    assert sorted(str(one).split("\n")) == sorted(str(other).split("\n"))
