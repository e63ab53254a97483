"""Distinct: each tuple once, for as long as the input has any of it."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from tailrace.columnar.delta import FOREVER, Span, parse
from tailrace.operators.relational.counts import Distinct
from tests.operators.bags import Interval, Rows, check, delta, fed, heartbeats, intervals

TYPES = (pa.int64(), pa.float64())
ROWS = st.tuples(st.sampled_from([None, 1, 2]), st.sampled_from([None, 0.5, -0.0, 0.0]))


@settings(max_examples=300, deadline=None)
@given(rows=intervals(ROWS), beats=heartbeats())
def test_every_instant_is_as_defined(rows: Rows, beats: list[int]) -> None:
    check(Distinct(TYPES), [rows], TYPES, beats, lambda bag: Counter(bag.keys()))


def test_a_tuple_is_there_once_from_first_to_last() -> None:
    types = (pa.int64(),)
    operator = Distinct(types)
    out, state = operator.apply(
        [parse("+ 7 @1..4\n+ 7 @2..6\n+2 8 @3..", types)], operator.initial_state(), Span(-1, 3)
    )
    assert sorted(str(out).split("\n")) == ["+ 7 @1..", "+ 8 @3.."]
    out, state = operator.apply([parse("- 8 @5..", types)], state, Span(3, 5))
    assert str(out) == ""
    out, _ = operator.apply([parse("+ 7 @8..9", types)], state, Span(5, 9))
    assert str(out) == "- 7 @6..8\n- 7 @9.."


def test_nothing_happens_in_an_empty_batch() -> None:
    operator = Distinct(TYPES)
    state = operator.initial_state()
    out, after = operator.apply([delta([], TYPES)], state, Span(-1, 100))
    assert len(out) == 0
    assert after is state


def test_tuples_that_are_gone_are_forgotten() -> None:
    """A window over ever new tuples remembers what is in it, not what has been."""
    rows = [Interval(start, start + 2, 1, (start, None)) for start in range(2000)]
    _, state = fed(Distinct(TYPES), [rows], TYPES, range(0, 2011, 10))
    assert len(state.table) < 100
    assert len(state.calendar) == 0


def test_no_columns_are_one_tuple() -> None:
    rows = [Interval(0, 3, 2, ()), Interval(5, FOREVER, 1, ())]
    check(Distinct(()), [rows], (), [2, 4, 12], lambda bag: Counter(bag.keys()))
