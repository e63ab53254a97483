"""Counts: how often the output holds a tuple is a function of how often each input holds it, at every instant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tailrace.columnar import keys
from tailrace.columnar.delta import FOREVER, Span, parse
from tailrace.errors import RunError
from tailrace.operators.aggregates import group_state as ledger
from tailrace.operators.operator import Operator, TaskContext
from tailrace.operators.relational.counts import CountOperator, Distinct, Except, Intersect, SingleRowCheck
from tests.operators.bags import Bag, Interval, Rows, check, delta, fed, heartbeats, intervals
from tests.operators.step_through import TEXT, StepThrough

TYPES = (pa.int32(), pa.string())
ROWS = st.tuples(st.sampled_from([None, 1, 2]), st.sampled_from([None, "a"]))
SIDES = intervals(ROWS, most=8)


def both(left: Bag, right: Bag) -> Bag:
    return Counter(left.keys() & right.keys())


DEFINITIONS: list[tuple[Operator, Callable[[Bag, Bag], Bag]]] = [
    (Except(TYPES, True), lambda left, right: left - right),
    (Except(TYPES, False), lambda left, right: Counter(left.keys() - right.keys())),
    (Intersect(TYPES, True), lambda left, right: left & right),
    (Intersect(TYPES, False), both),
]


@pytest.mark.parametrize(
    ("operator", "definition"), DEFINITIONS, ids=["except all", "except", "intersect all", "intersect"]
)
@settings(max_examples=150, deadline=None)
@given(left=SIDES, right=SIDES, beats=heartbeats())
def test_every_instant_is_as_defined(
    operator: Operator, definition: Callable[[Bag, Bag], Bag], left: Rows, right: Rows, beats: list[int]
) -> None:
    check(operator, [left, right], TYPES, beats, definition)


@settings(max_examples=100, deadline=None)
@given(left=SIDES, right=SIDES, beats=heartbeats())
def test_tuples_that_share_a_hash_stay_apart(left: Rows, right: Rows, beats: list[int]) -> None:
    proper = keys.hashes
    with pytest.MonkeyPatch.context() as patch:
        for module in (keys, ledger):
            patch.setattr(module, "hashes", lambda columns, length: proper(columns, length) >> 63)
        check(Except(TYPES, True), [left, right], TYPES, beats, lambda one, other: one - other)


def test_except_all_shows_only_what_changes() -> None:
    operator = Except((pa.int32(),), True)
    left, right = parse("+3 1 @0..", (pa.int32(),)), parse("+ 1 @2..4", (pa.int32(),))
    out, state = operator.apply([left, right], operator.initial_state(), Span(-1, 1), TaskContext.empty())
    assert str(out) == "+3 1 @0.."
    out, state = operator.apply([right.where(right.start < 0)] * 2, state, Span(1, 9), TaskContext.empty())
    assert str(out) == "- 1 @2..4"


# Distinct -------------------------------------------------------------------------------------------------

PAIRS = (pa.int64(), pa.float64())
PAIR_ROWS = st.tuples(st.sampled_from([None, 1, 2]), st.sampled_from([None, 0.5, -0.0, 0.0]))


@settings(max_examples=300, deadline=None)
@given(rows=intervals(PAIR_ROWS), beats=heartbeats())
def test_distinct_is_as_defined_at_every_instant(rows: Rows, beats: list[int]) -> None:
    check(Distinct(PAIRS), [rows], PAIRS, beats, lambda bag: Counter(bag.keys()))


def test_nothing_happens_in_an_empty_batch() -> None:
    operator = Distinct(PAIRS)
    state = operator.initial_state()
    out, after = operator.apply([delta([], PAIRS)], state, Span(-1, 100), TaskContext.empty())
    assert len(out) == 0
    assert after is state


def test_tuples_that_are_gone_are_forgotten() -> None:
    """A window over ever new tuples remembers what is in it, not what has been."""
    rows = [Interval(start, start + 2, 1, (start, None)) for start in range(2000)]
    _, state = fed(Distinct(PAIRS), [rows], PAIRS, range(0, 2011, 10))
    assert len(state.table) < 100
    assert len(state.calendar) == 0


def test_no_columns_are_one_tuple() -> None:
    rows = [Interval(0, 3, 2, ()), Interval(5, FOREVER, 1, ())]
    check(Distinct(()), [rows], (), [2, 4, 12], lambda bag: Counter(bag.keys()))


# The law of each operator on a few rows -------------------------------------------------------------------

LETTER = (TEXT,)
MULTIPLICITIES = [
    (Distinct(LETTER), [(0, 0), (1, 1), (3, 1)]),
    (Except(LETTER, False), [(2, 0, 1), (2, 1, 0), (0, 1, 0)]),
    (Except(LETTER, True), [(2, 0, 2), (3, 1, 2), (1, 2, 0)]),
    (Intersect(LETTER, False), [(2, 3, 1), (2, 0, 0), (0, 1, 0)]),
    (Intersect(LETTER, True), [(2, 3, 2), (3, 1, 1), (2, 0, 0)]),
    (SingleRowCheck(LETTER), [(2, 0, 2), (2, 1, 1), (1, 1, 0)]),
]


@pytest.mark.parametrize(("operator", "cases"), MULTIPLICITIES, ids=lambda each: type(each).__name__)
def test_the_count_of_a_tuple_follows_from_its_counts_in_the_inputs(
    operator: CountOperator, cases: list[tuple[int, ...]]
) -> None:
    """With l copies on the left and r on the right there are f(l, r); f is in the docstring of counts.py."""
    for *inputs, expected in cases:
        texts = [f"+{count} a @1.." if count else "" for count in inputs]
        found = StepThrough(operator, *[LETTER] * len(inputs)).batch(1, *texts)
        assert found == {0: [], 1: ["+ a @1.."], 2: ["+2 a @1.."]}[expected], inputs


def test_distinct_holds_a_tuple_once_while_there_is_any() -> None:
    """DISTINCT changes with the first copy and with the last: of two copies of b one may go, a goes at its last end."""
    steps = StepThrough(Distinct(LETTER))
    assert steps.batch(3, "+ a @1..4\n+ a @2..6\n+2 b @3..") == ["+ a @1..", "+ b @3.."]
    assert steps.batch(5, "- b @5..") == []
    assert steps.batch(9, "+ a @8..11") == ["- a @6..8"]
    assert steps.batch(11) == ["- a @11.."]


def test_except_hides_a_tuple_while_it_is_on_the_right() -> None:
    """Without ALL two copies are one; it goes when the right has it and is back when that ends."""
    steps = StepThrough(Except(LETTER, False), LETTER, LETTER)
    assert steps.batch(2, "+2 a @1..", "+ b @1..") == ["+ a @1.."]
    assert steps.batch(4, "", "+ a @3..6") == ["- a @3.."]
    assert steps.batch(6) == ["+ a @6.."]


def test_intersect_holds_a_tuple_while_both_sides_do() -> None:
    """Without ALL the tuple is there once, with ALL as often as on the side that has fewer."""
    for all_, first, last in ((False, "+ a @2..", "- a @5.."), (True, "+2 a @2..", "-2 a @5..")):
        steps = StepThrough(Intersect(LETTER, all_), LETTER, LETTER)
        assert steps.batch(2, "+3 a @1..\n+ b @1..", "+2 a @2..5") == [first]
        assert steps.batch(5) == [last]


def test_single_row_check_holds_the_left_tuples_that_found_nothing() -> None:
    """The right has a left tuple once for each row that the subquery gave for it; two rows for one are an error."""
    steps = StepThrough(SingleRowCheck(LETTER), LETTER, LETTER)
    assert steps.batch(2, "+2 a @1..\n+ b @1..", "+2 a @2..5") == ["+ b @1..", "+2 a @1..2"]
    assert steps.batch(6) == ["+2 a @5.."]
    with pytest.raises(RunError, match=r"more than one row at instant 8$"):
        steps.batch(9, "", "+ b @7..\n+ b @8..")
