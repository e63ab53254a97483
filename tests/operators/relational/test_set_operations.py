"""DISTINCT-like operators of two inputs: EXCEPT and INTERSECT, with and without ALL."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tailrace.columnar import keys
from tailrace.columnar.delta import Span, parse
from tailrace.operators.aggregates import group_state as ledger
from tailrace.operators.operator import Operator
from tailrace.operators.relational.counts import Except, Intersect
from tests.operators.bags import Bag, Rows, check, heartbeats, intervals

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
    out, state = operator.apply([left, right], operator.initial_state(), Span(-1, 1))
    assert str(out) == "+3 1 @0.."
    out, state = operator.apply([right.where(right.start < 0)] * 2, state, Span(1, 9))
    assert str(out) == "- 1 @2..4"
