"""Eddy: each query gets the rows of its predicate, whatever the policy, and whoever comes and goes in between."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random as Dice

import numpy as np
import pyarrow as pa
import pytest

from tailrace.catalog.user_functions import UserFunction
from tailrace.logical.expressions import Call, Column, Expression, Literal, UserCall, all_of
from tailrace.logical.text.expression_text import text_of
from tailrace.operators.families.member_index import MemberIndex
from tailrace.operators.families.routing import eddy as eddies
from tailrace.operators.families.routing import grouped_filter
from tailrace.operators.families.routing.eddy import Eddy, RoutedRows
from tailrace.operators.families.routing.lineage import Tally, count_segments
from tailrace.operators.families.routing.policies import Best, Fixed, Policy, Random, Tickets
from tailrace.types import BOOLEAN, INT, STRING
from tests.conftest import Examples
from tests.operators.families.routing.random_predicates import Draw, call, columns_of_rows, passes

POLICIES: list[Policy] = [Tickets(), Best(), Random(), Fixed((2, 0)), Fixed()]


def count_rows(parts: Iterable[RoutedRows]) -> dict[int, int]:
    """How many rows each member wants, counted bit by bit over the lineages of its block."""
    counts: Counter[int] = Counter()
    for part in parts:
        tally = Tally(part.block.words)
        tally.add(part.lineage)
        used = np.flatnonzero(part.block.numbers >= 0)
        counts.update(dict(zip(part.block.numbers[used].tolist(), tally.total()[used].tolist(), strict=True)))
    return counts


def check(members: MemberIndex, predicates: dict[int, Expression], columns: Sequence[pa.Array], policy: Policy) -> None:
    """Rows and counts of every query, against its predicate evaluated alone."""
    length = len(columns[0])
    blocks = pickle.loads(pickle.dumps(members.blocks))
    assert blocks == members.blocks
    eddy = Eddy(blocks, policy)
    rows: dict[int, list[int]] = {number: [] for number in predicates}
    for part in eddy.route(columns, length):
        for row, number in zip(*(side.tolist() for side in part.pairs()), strict=True):
            rows[number].append(row)
    counted = count_rows(eddy.route(columns, length))
    for number, predicate in predicates.items():
        expected = np.flatnonzero(passes(predicate, columns, length)).tolist()
        assert rows[number] == expected, text_of(predicate)
        assert counted.get(number, 0) == len(expected), text_of(predicate)
    assert set(counted) <= set(predicates)


@pytest.mark.parametrize("seed", range(10))
def test_every_query_gets_its_rows(seed: int, monkeypatch: pytest.MonkeyPatch, examples: Examples) -> None:
    draw = Draw(seed)
    monkeypatch.setattr(eddies, "CHUNK", 64)
    monkeypatch.setattr(eddies, "MANY_SEARCHES", draw.random.choice([1, 4]))
    monkeypatch.setattr(grouped_filter, "NEAR", draw.random.choice([0, 1 << 16]))
    columns = columns_of_rows(draw.rows(300))
    members, predicates, compared = MemberIndex(), {}, 0
    for step in range(4):
        for number in draw.random.sample(sorted(predicates), len(predicates) // 3):
            members.remove(number)
            del predicates[number]
        for number in range(step * 1000, step * 1000 + 40):
            predicates[number] = draw.predicate(draw.random.choice([0, 1, 2, 3]))
            members.add(number, predicates[number])
        assert sorted(members) == sorted(predicates)
        check(members, predicates, columns, draw.random.choice(POLICIES))
        compared += len(predicates)
    examples("queries of a flow, with others that come and go", compared)


COLUMNS = [Column(at, INT, name) for at, name in enumerate("abcde")]


def conjunction(dice: Dice, fields: Sequence[Column]) -> Expression:
    """As CACQ §3.2.8 draws them: half a chance of a predicate over each field."""
    chosen = [column for column in fields if dice.random() < 0.5]
    signs = ["<", ">", "<=", ">="]
    return all_of([call(dice.choice(signs), each, Literal(dice.randrange(100), INT)) for each in chosen])


def test_more_than_a_block(examples: Examples) -> None:
    dice, rng = Dice(5), np.random.default_rng(5)
    columns = [pa.array(rng.integers(0, 100, 500).astype(np.int32)) for _ in COLUMNS]
    members, predicates = MemberIndex(), {}
    for number in range(5000):
        predicates[number] = conjunction(dice, COLUMNS)
        members.add(number, predicates[number])
    blocks = members.blocks
    assert [block.words for block in blocks] == [64, 15]
    members.remove(4999)
    del predicates[4999]
    assert members.blocks[0] is blocks[0], "the other block is as it was"
    members.remove(7)
    members.add(7, predicates[7])
    assert members.blocks[0].numbers[7] == 7
    check(members, predicates, columns, Tickets())
    examples("queries of a flow of two blocks", len(predicates))


def test_no_members_and_no_filters() -> None:
    columns = [pa.array([1, 2, 3], pa.int32())]
    members = MemberIndex()
    check(members, {}, columns, Tickets())
    predicates: dict[int, Expression] = {4: Literal(True, BOOLEAN), 5: Literal(False, BOOLEAN)}
    for number, predicate in predicates.items():
        members.add(number, predicate)
    check(members, predicates, columns, Tickets())
    check(members, predicates, [pa.array([], pa.int32())], Tickets())
    members.remove(5)
    members.remove(4)
    assert members.blocks == ()


def test_queries_of_many_branches_fill_blocks() -> None:
    """Sixteen bits each, at the same place of sixteen words that follow each other."""
    dice, rng = Dice(6), np.random.default_rng(6)
    fields = [Column(at, INT, f"c{at}") for at in range(16)]
    columns = [pa.array(rng.integers(0, 100, 200).astype(np.int32)) for _ in fields]
    members, predicates = MemberIndex(), {}
    for number in range(300):
        chosen = dice.sample(fields, dice.choice([1, 2, 5, 16]))
        predicates[number] = call("or", *(call("=", each, Literal(dice.randrange(100), INT)) for each in chosen))
        members.add(number, predicates[number])
    for number in dice.sample(range(300), 150):
        members.remove(number)
        del predicates[number]
    check(members, predicates, columns, Random())


def test_a_number_is_taken_once_and_what_spark_evaluates_is_refused() -> None:
    members = MemberIndex()
    members.add(1, Literal(True, BOOLEAN))
    with pytest.raises(ValueError, match="a member 1 already"):
        members.add(1, Literal(True, BOOLEAN))
    with pytest.raises(ValueError, match="left to Spark"):
        members.add(2, call("rlike", Column(0, STRING, "s"), Literal("(?i)a", STRING)))
    assert sorted(members) == [1]


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
def test_python_sees_only_what_conditions_let_through(policy: Policy) -> None:
    seen: list[int] = []

    def odd(value: int) -> bool:
        seen.append(value)
        return value % 2 == 1

    a, b = COLUMNS[:2]
    is_odd = UserCall(UserFunction("odd", odd, BOOLEAN), (a,))
    long = Call("+", (a, b), INT)
    predicate = all_of([is_odd, call(">", a, Literal(5, INT)), call("<", long, Literal(15, INT))])
    members = MemberIndex()
    members.add(1, predicate)
    members.add(2, call("<", a, Literal(3, INT)))
    columns = [pa.array(range(20), pa.int32()), pa.array([1] * 20, pa.int32())]
    assert count_rows(Eddy(members.blocks, policy).route(columns, 20)) == {1: 4, 2: 3}
    assert sorted(seen) == [6, 7, 8, 9, 10, 11, 12, 13]


def test_counts_by_instant() -> None:
    """As an aggregate by instant would want them."""
    dice, rng = Dice(8), np.random.default_rng(8)
    columns = [pa.array(rng.integers(0, 100, 3000).astype(np.int32)) for _ in COLUMNS]
    instants = np.sort(rng.integers(0, 50, 3000))
    predicates = {number: conjunction(dice, COLUMNS) for number in range(100)}
    members = MemberIndex()
    for number, predicate in predicates.items():
        members.add(number, predicate)
    found = np.zeros((50, 100), np.int64)
    for part in Eddy(members.blocks).route(columns, 3000):
        times = instants[part.rows]
        starts = np.flatnonzero(np.diff(times, prepend=-1))
        homes = np.flatnonzero(part.block.numbers >= 0)
        found[times[starts][:, None], part.block.numbers[homes]] += count_segments(part.lineage, starts)[:, homes]
    for number, predicate in predicates.items():
        expected = np.bincount(instants[passes(predicate, columns, 3000)], minlength=50)
        assert (found[:, number] == expected).all()
