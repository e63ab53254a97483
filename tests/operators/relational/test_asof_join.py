"""As-of join: at every instant each left tuple with its nearest right tuple, ties broken by the whole right tuple."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tailrace.columnar.delta import FOREVER, Span, parse
from tailrace.engine.pipeline import compile_script
from tailrace.errors import Source
from tailrace.logical.expressions import Call, Column, Literal
from tailrace.operators.local_run import size_of
from tailrace.operators.operator import TaskContext
from tailrace.operators.relational.asof_join import AsofJoinOp
from tailrace.operators.relational.binary_join import JoinKey
from tailrace.rewrite.rewriter import rewrite
from tailrace.testing.reference.evaluate import evaluate
from tailrace.types import BIGINT, BOOLEAN
from tests.operators.bags import Bag, Interval, Rows, bag_at, check, delta, heartbeats, intervals, rows_of
from tests.operators.local import answered, differences, splits

TYPES = (pa.int64(), pa.int64(), pa.int64())
LEFT = st.tuples(st.sampled_from([1, 2, None]), st.sampled_from([0, 1, 2, 3, 4, None]), st.just(5))
RIGHT = st.tuples(st.sampled_from([1, 2, None]), st.sampled_from([0, 1, 2, 3, 4, None]), st.sampled_from([7, 8, None]))


def operator(greatest: bool, strict: bool, outer: bool, most: int | None, keys: int = 1) -> AsofJoinOp:
    left, right = Column(1, BIGINT), Column(4, BIGINT)
    pair = (left, right) if greatest else (right, left)
    residual = None if most is None else Call("<=", (Call("-", pair, BIGINT), Literal(most, BIGINT)), BOOLEAN)
    return AsofJoinOp((*TYPES, *TYPES), (JoinKey(0, 0),) * keys, 3, (1, 1), greatest, strict, outer, residual)


def join_by_definition(work: AsofJoinOp, most: int | None, left: Bag, right: Bag) -> Bag:
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
    check(work, [left, right], TYPES, beats, lambda *bags: join_by_definition(work, most, *bags))


def test_a_change_moves_what_it_must() -> None:
    """A quote between two others moves the trades from it up to the next one; when it goes, they move back."""
    work = operator(greatest=True, strict=False, outer=True, most=None)
    left, right = parse("+ 1 2 5 @0..\n+ 1 4 5 @0..\n+ 1 0 5 @0..", TYPES), parse("+ 1 1 7 @0..\n+ 1 4 7 @0..", TYPES)
    out, state = work.apply([left, right], work.initial_state(), Span(-1, 0), TaskContext.empty())
    assert sorted(str(out).split("\n")) == ["+ 1 0 5 None None None @0..", "+ 1 2 5 1 1 7 @0..", "+ 1 4 5 1 4 7 @0.."]
    out, state = work.apply([delta([], TYPES), parse("+ 1 2 8 @2..5", TYPES)], state, Span(0, 3), TaskContext.empty())
    assert sorted(str(out).split("\n")) == ["+ 1 2 5 1 2 8 @2..", "- 1 2 5 1 1 7 @2.."]
    out, state = work.apply([delta([], TYPES)] * 2, state, Span(3, 9), TaskContext.empty())
    assert sorted(str(out).split("\n")) == ["+ 1 2 5 1 1 7 @5..", "- 1 2 5 1 2 8 @5.."]


@pytest.mark.parametrize("strict", [False, True])
def test_one_right_tuple_of_each_key_is_enough_where_time_goes_on(strict: bool) -> None:
    work = replace(operator(greatest=True, strict=strict, outer=True, most=None), keeps_last=True)
    chance, state, right = random.Random(3), work.initial_state(), []
    for instant in range(0, 300, 3):
        now = [Interval(at, at + 1, 1, (chance.randrange(3), at, 5)) for at in range(instant, instant + 3)]
        rows = [(at, (chance.randrange(3), at, chance.randrange(2))) for at in range(instant, instant + 3)]
        new = [Interval(at, FOREVER, 1, row) for at, row in rows]
        right += new
        sides = [delta(now, TYPES), delta(new, TYPES)]
        out, state = work.apply(sides, state, Span(instant - 1, instant + 2), TaskContext.empty())
        for at in range(instant, instant + 3):
            expected = join_by_definition(work, None, bag_at(now, at), bag_at(right, at))
            found = bag_at(rows_of(out), at)
            assert Counter({row: n for row, n in found.items() if n > 0}) == expected, at
    assert size_of(state)[0] < 40


SOURCES = """
CREATE STREAM Trades (sym STRING, px INT, ts BIGINT) TIMESTAMP BY ts;
CREATE STREAM Quotes (sym STRING, bid INT, ts BIGINT) TIMESTAMP BY ts;
CREATE RELATION Prices (sym STRING, bid INT, least INT) TIMESTAMP BY at OP BY op;
"""
QUERIES = (
    "SELECT px, bid FROM Trades t ASOF JOIN Quotes q ON t.sym = q.sym AND t.ts >= q.ts",
    "SELECT px, bid FROM Trades t ASOF LEFT JOIN Quotes q MATCH_CONDITION (t.ts > q.ts) ON t.sym = q.sym",
    "SELECT px, bid FROM Trades t ASOF LEFT JOIN Quotes q ON t.sym = q.sym AND t.ts >= q.ts AND t.ts - q.ts <= 2",
    "SELECT px, bid FROM Trades t [RANGE 4] ASOF LEFT JOIN Quotes q [RANGE 3] ON q.ts >= t.ts AND bid > 0",
    "SELECT sym, px, bid FROM Trades t [RANGE 3] ASOF JOIN Quotes q [ROWS 3] USING (sym, ts)",
    "SELECT COUNT(*) AS n, MAX(bid) FROM Trades t ASOF JOIN Quotes [RANGE 5] q ON t.ts >= q.ts AND t.ts - q.ts < 2",
    "SELECT t.sym, p.bid FROM Trades [RANGE 2] t ASOF LEFT JOIN Prices p ON t.sym = p.sym AND t.px <= p.least",
    "SELECT t.sym, p.bid FROM Trades t JOIN Prices FOR SYSTEM_TIME AS OF t.ts AS p ON t.sym = p.sym",
)


@pytest.mark.parametrize("query", QUERIES)
def test_queries_answer_as_defined(query: str) -> None:
    program = compile_script(Source(f"{SOURCES} CREATE QUERY q AS {query};"), None).program
    plan = program.queries["q"].plan
    for seed in range(25):
        chance = random.Random(seed)
        inputs = {"Trades": arrivals(chance, 8), "Quotes": arrivals(chance, 10), "Prices": prices(chance)}
        expected = evaluate(plan, inputs, 8)
        for each in (plan, rewrite(plan, program.settings).plan):
            found = answered(each, inputs, splits(8, chance), chance)
            assert differences(found, expected) == [], f"seed {seed}"


def arrivals(chance: random.Random, count: int) -> list[Any]:
    instants = sorted(chance.randrange(8) for _ in range(count))
    return [(at, (chance.choice("ab"), chance.choice([0, 1, 2, None]), at)) for at in instants]


def prices(chance: random.Random) -> list[Any]:
    rows: list[Any] = []
    for at in range(7):
        row = (chance.choice("ab"), chance.randrange(3), chance.choice([0, 1, 2, None]))
        rows += [(at, "+", row)] + [(at + chance.randrange(3), "-", row)] * chance.randrange(2)
    return sorted(rows, key=lambda row: row[0])
