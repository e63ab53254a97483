"""Bags: an operator against its definition: random interval rows, any split into batches, the bag of every instant."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

from tailrace.columnar.delta import FOREVER, Delta, Span
from tailrace.operators.operator import Operator, TaskContext

LAST = 12

Row = tuple[Any, ...]
Bag = Counter[Row]


@dataclass(frozen=True)
class Interval:
    """A tuple that is there `weight` times from start up to until; it comes `early` batches before it must."""

    start: int
    until: int
    weight: int
    row: Row
    early: int = 0


Rows = list[Interval]


@st.composite
def intervals(draw: Any, rows: st.SearchStrategy[Row], retracts: bool = True, most: int = 12) -> Rows:
    """Random rows of a relation; a retraction only takes back a row that was there."""
    found: Rows = []
    for row in draw(st.lists(rows, max_size=most)):
        start = draw(st.integers(0, LAST))
        until = draw(st.one_of(st.just(FOREVER), st.integers(start, LAST + 3)))
        weight, early = draw(st.sampled_from([1, 1, 1, 2])), draw(st.integers(0, 2))
        found.append(Interval(start, until, weight, row, early))
        if retracts and until > start + 1 and draw(st.booleans()):
            end = draw(st.integers(start + 1, min(until, LAST + 2)))
            back = draw(st.integers(1, weight))
            found.append(Interval(end, until, -back, row, draw(st.integers(0, 2))))
    return found


@st.composite
def heartbeats(draw: Any) -> list[int]:
    """The watermark after each batch; now and then it stays where it is, often it leaps."""
    inner = draw(st.lists(st.integers(-1, LAST), max_size=6))
    return [*sorted(inner), LAST]


def delta(rows: Sequence[Interval], types: Sequence[pa.DataType]) -> Delta:
    numbers = (np.array([getattr(row, name) for row in rows], np.int64) for name in ("start", "until", "weight"))
    return Delta(*numbers, tuple(pa.array([row.row[i] for row in rows], type) for i, type in enumerate(types)))


def bag_at(rows: Sequence[Interval], instant: int) -> Bag:
    """By definition: the sum of the weights of the rows that cover the instant."""
    found: Bag = Counter()
    for row in rows:
        if row.start <= instant < row.until:
            found[row.row] += row.weight
    return Counter({row: count for row, count in found.items() if count})


def rows_of(delta: Delta) -> Rows:
    values = list(zip(*(column.to_pylist() for column in delta.columns), strict=True)) or [()] * len(delta)
    numbers = zip(delta.start.tolist(), delta.until.tolist(), delta.weight.tolist(), values, strict=True)
    return [Interval(start, until, weight, tuple(map(one_nan, row))) for start, until, weight, row in numbers]


def one_nan(value: Any) -> Any:
    return math.nan if isinstance(value, float) and math.isnan(value) else value


def fed(
    operator: Operator, inputs: Sequence[Rows], types: Sequence[pa.DataType], beats: Sequence[int]
) -> tuple[Rows, Any]:
    """Run an operator.

    Returns all rows it emits and its last state; checks that decided instants are not changed later.
    """
    found: Rows = []
    state, after = operator.initial_state(), -1
    waiting = [list(rows) for rows in inputs]
    for number, to in enumerate(beats):
        batch = []
        for side, rows in enumerate(waiting):
            now = [row for row in rows if row.start <= beats[min(number + row.early, len(beats) - 1)]]
            waiting[side] = [row for row in rows if row not in now]
            batch.append(delta(now, types))
        out, state = operator.apply(batch, state, Span(after, to), TaskContext.empty())
        assert out.types == operator.types
        assert (out.start > after).all(), "a decided instant was changed"
        assert (out.until > out.start).all()
        assert (out.weight != 0).all()
        found += rows_of(out)
        after = to
    return found, state


def check(
    operator: Operator,
    inputs: Sequence[Rows],
    types: Sequence[pa.DataType],
    beats: Sequence[int],
    definition: Callable[..., Bag],
) -> Any:
    """At every instant the output is what the definition says of the inputs, whatever the batches were."""
    found, state = fed(operator, inputs, types, beats)
    for instant in range(LAST + 1):
        expected = definition(*(bag_at(rows, instant) for rows in inputs))
        assert_equal(bag_at(found, instant), expected, instant)
    return state


def assert_equal(found: Bag, expected: Bag, instant: int) -> None:
    if found == expected:
        return
    left = list(found.elements())
    assert min(found.values(), default=1) > 0, f"less than none at {instant}: {found}"
    for row in expected.elements():
        match = next((other for other in left if all(map(close, other, row))), None)
        assert match is not None, f"at {instant} {row} is missing from {found}"
        left.remove(match)
    assert not left, f"at {instant} {left} is too much"


def close(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9) or (math.isnan(one) and math.isnan(other))
    return type(one) is type(other) and one == other
