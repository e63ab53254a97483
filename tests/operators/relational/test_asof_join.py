"""As-of join: at every instant each left tuple with its nearest right tuple, ties broken by the whole right tuple."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from tailrace.logical.expressions import Call, Column, Literal
from tailrace.operators.relational.asof_join import AsofJoinOp
from tailrace.operators.relational.binary_join import JoinKey
from tailrace.types import BIGINT, BOOLEAN
from tests.operators.bags import Bag, Rows, check, heartbeats, intervals

TYPES = (pa.int64(), pa.int64(), pa.int64())
LEFT = st.tuples(st.sampled_from([1, 2, None]), st.sampled_from([0, 1, 2, 3, 4, None]), st.just(5))
RIGHT = st.tuples(st.sampled_from([1, 2, None]), st.sampled_from([0, 1, 2, 3, 4, None]), st.sampled_from([7, 8, None]))
SIGNS = {(True, False): ">=", (True, True): ">", (False, False): "<=", (False, True): "<"}


def operator(greatest: bool, strict: bool, outer: bool, most: int | None, keys: int = 1) -> AsofJoinOp:
    left, right = Column(1, BIGINT), Column(4, BIGINT)
    pair = (left, right) if greatest else (right, left)
    residual = None if most is None else Call("<=", (Call("-", pair, BIGINT), Literal(most, BIGINT)), BOOLEAN)
    return AsofJoinOp((*TYPES, *TYPES), (JoinKey(0, 0),) * keys, 3, (1, 1), greatest, strict, outer, residual)


def joined(work: AsofJoinOp, most: int | None, left: Bag, right: Bag) -> Bag:
    found: Bag = Counter()
    for row, count in left.items():
        near = [other for other in right if fits(work, most, row, other)]
        least = [sorted([*near], key=lambda each: (each[1] * (-1 if work.greatest else 1), ties(each)))]
        if near:
            found[row + least[0][0]] += count
        elif work.outer:
            found[(*row, None, None, None)] += count
    return found


def ties(row: tuple[Any, ...]) -> list[Any]:
    return [(value is not None, value or 0) for value in row]


def fits(work: AsofJoinOp, most: int | None, row: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    if row[1] is None or other[1] is None or (work.keys and (row[0] is None or row[0] != other[0])):
        return False
    distance = row[1] - other[1] if work.greatest else other[1] - row[1]
    return (distance > 0 if work.strict else distance >= 0) and (most is None or distance <= most)


@settings(max_examples=400, deadline=None)
@given(
    left=intervals(LEFT, most=8),
    right=intervals(RIGHT, most=12),
    beats=heartbeats(),
    form=st.tuples(st.booleans(), st.booleans(), st.booleans(), st.sampled_from([None, None, 0, 1, 2])),
    keys=st.sampled_from([1, 1, 1, 0]),
)
def test_every_instant_is_as_defined(left: Rows, right: Rows, beats: list[int], form: Any, keys: int) -> None:
    greatest, strict, outer, most = form
    work = operator(greatest, strict, outer, most, keys)
    check(work, [left, right], TYPES, beats, lambda *bags: joined(work, most, *bags))
