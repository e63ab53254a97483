"""Mjoin: what a chain of joins gives, from a synopsis for each input; where it is used; in any split and shards."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from math import prod
from pathlib import Path
from random import Random

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tailrace.columnar.delta import Span, parse
from tailrace.engine.pipeline import compile_script
from tailrace.errors import Source
from tailrace.logical.expressions import Call, Column
from tailrace.logical.plan import Plan
from tailrace.lowering.lower import lower
from tailrace.operators.operator import TaskContext
from tailrace.operators.relational import multi_join
from tailrace.operators.relational.multi_join import MultiJoin, SharedKey
from tailrace.rewrite.rewriter import rewrite
from tailrace.settings import Settings
from tailrace.state import key_index as index
from tailrace.types import BIGINT, BOOLEAN
from tests.conftest import Examples
from tests.operators import test_local_run as test_local
from tests.operators.bags import Bag, Interval, Row, Rows, check, fed, heartbeats, intervals
from tests.random_plans.joins import seeded_joins
from tests.random_plans.plans import World
from tests.staging import test_cut_stages
from tests.state import test_state_files

TYPES = (pa.int64(), pa.string(), pa.int64())
ROWS = st.tuples(st.sampled_from([None, 1, 1, 2]), st.sampled_from([None, "a", "b"]), st.integers(0, 3))
RISING = Call("<", (Column(2, BIGINT), Column(8, BIGINT)), BOOLEAN)  # the first input's third column, the last one's


def joined(inputs: int, keys: tuple[SharedKey, ...], rising: bool) -> MultiJoin:
    return MultiJoin(TYPES * inputs, keys, (len(TYPES),) * inputs, (RISING,) if rising else ())


def by_definition(operator: MultiJoin, *bags: Bag) -> Bag:
    """Every combination, looked at one by one."""

    def fits(rows: tuple[Row, ...]) -> bool:
        for key in operator.keys:
            values = {row[column] for row, column in zip(rows, key.columns, strict=True)}
            if len(values) > 1 or (None in values and not key.null_safe):
                return False
        return not operator.residuals or rows[0][2] < rows[2][2]

    found: Bag = Counter()
    for rows in product(*bags):
        if fits(rows):
            found[sum(rows, ())] += prod(bag[row] for bag, row in zip(bags, rows, strict=True))
    return found


def keys(inputs: int) -> list[tuple[SharedKey, ...]]:
    number, text = SharedKey((0,) * inputs), SharedKey((1,) * inputs)
    other = SharedKey((0, 2, *(0,) * (inputs - 2)))
    return [(number,), (replace(number, null_safe=True),), (text, replace(number, null_safe=True)), (other,)]


@settings(max_examples=300, deadline=None)
@given(data=st.data(), count=st.sampled_from([3, 3, 4]), rising=st.booleans(), beats=heartbeats())
def test_every_instant_is_as_defined(data: st.DataObject, count: int, rising: bool, beats: list[int]) -> None:
    operator = joined(count, data.draw(st.sampled_from(keys(count))), rising)
    inputs = [data.draw(intervals(ROWS, most=6)) for _ in range(count)]
    check(operator, inputs, TYPES, beats, lambda *bags: by_definition(operator, *bags))


def some_rows() -> list[Rows]:
    found: list[Rows] = []
    chance = Random(4)
    for _ in range(3):
        rows = [(chance.choice([None, 1, 2, 3]), chance.choice("ab"), chance.randrange(4)) for _ in range(20)]
        found.append([interval(row, chance) for row in rows])
    return found


def interval(row: Row, chance: Random) -> Interval:
    start = chance.randrange(12)
    return Interval(start, start + chance.randrange(1, 6), chance.choice([1, 2]), row)


@pytest.mark.parametrize("rising", [False, True])
def test_rows_that_share_a_hash_are_told_apart(monkeypatch: pytest.MonkeyPatch, rising: bool) -> None:
    monkeypatch.setattr(index, "hashes_of", lambda columns, length: np.zeros(length, np.uint64))
    operator = joined(3, (SharedKey((0, 0, 0)), SharedKey((1, 1, 1))), rising)
    check(operator, some_rows(), TYPES, [3, 7, 12], lambda *bags: by_definition(operator, *bags))


def test_portions_are_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    operator = joined(3, (SharedKey((0, 0, 0)),), True)
    whole, _ = fed(operator, some_rows(), TYPES, [3, 7, 12])
    monkeypatch.setattr(multi_join, "PORTION", 5)
    parts, _ = fed(operator, some_rows(), TYPES, [3, 7, 12])
    assert len(whole) > 50
    assert Counter(parts) == Counter(whole)


def test_an_interval_is_what_all_rows_share() -> None:
    """A combination is there while all its rows are; its weight is the product of theirs."""
    operator = MultiJoin((pa.int64(),) * 3, (SharedKey((0, 0, 0)),), (1, 1, 1), ())
    types = operator.types[:1]
    first = [parse(text, types) for text in ("+ 7 @1..9", "+2 7 @2..", "+ 8 @0..")]
    out, state = operator.apply(first, operator.initial_state(), Span(-1, 3), TaskContext.empty())
    assert str(out) == ""
    out, state = operator.apply(
        [parse(text, types) for text in ("", "- 7 @5..", "+ 7 @4..12")], state, Span(3, 6), TaskContext.empty()
    )
    assert sorted(str(out).split("\n")) == ["+2 7 7 7 @4..9", "- 7 7 7 @5..9"]
    # What was taken away is settled, and no longer remembered as two rows.
    assert [len(each) for each in state] == [1, 1, 2]


# Where it is used -----------------------------------------------------------------------------------------

SOURCES = """
CREATE STREAM A (k INT, j STRING, v INT) TIMESTAMP BY ts;
CREATE STREAM B (k INT, j STRING, v INT) TIMESTAMP BY ts;
CREATE STREAM C (k BIGINT, j STRING, v INT) TIMESTAMP BY ts;
CREATE RELATION D (k SMALLINT, j STRING, v INT) TIMESTAMP BY ts OP BY op;
"""


def plans_of(*queries: str) -> dict[str, Plan]:
    script = "".join(f"CREATE QUERY q{number} AS {query};" for number, query in enumerate(queries))
    return compile_script(Source(SOURCES + script)).final_plans


def found_in(plans: dict[str, Plan]) -> list[tuple[int, int, int]]:
    """Of each mjoin how many inputs, keys and other conditions it has."""
    works = [step.work for step in lower(plans).steps]
    return [(len(work.widths), len(work.keys), len(work.residuals)) for work in works if isinstance(work, MultiJoin)]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT A.v FROM A, B, C WHERE A.k = B.k AND B.k = C.k", [(3, 1, 0)]),
        ("SELECT A.v FROM A, B, C WHERE A.k = C.k AND B.k = C.k", [(3, 1, 0)]),
        ("SELECT A.v FROM A, B, C WHERE A.k = B.k AND B.k = C.k AND A.k = C.k", [(3, 1, 0)]),
        ("SELECT A.v FROM A JOIN B USING (k) JOIN C USING (k) JOIN D USING (k)", [(4, 1, 0)]),
        ("SELECT A.v FROM A, B, C WHERE A.k = B.k AND B.k = C.k AND A.j = B.j AND A.j = C.j", [(3, 2, 0)]),
        ("SELECT A.v FROM A, B, C WHERE A.k <=> B.k AND B.k = C.k AND A.v < C.v AND B.v > 3", [(3, 1, 1)]),
        ("SELECT x.v FROM (SELECT A.v, A.k FROM A JOIN B USING (k)) AS x JOIN C USING (k)", [(3, 1, 0)]),
        ("SELECT A.v FROM A JOIN B USING (k) JOIN C USING (k) JOIN D ON D.j = A.j", [(3, 1, 0)]),
        ("SELECT A.v FROM A, B, C WHERE A.k = B.k", []),
        ("SELECT A.v FROM A, B, C WHERE A.k = B.k AND B.j = C.j", []),
        ("SELECT A.v FROM A, B, C WHERE A.k = B.k AND B.k = C.k AND A.j = B.j", []),
        ("SELECT A.v FROM A, B, C WHERE A.k = B.k AND B.k = C.k AND A.v = B.k", []),
        ("SELECT A.v FROM A JOIN B USING (k) LEFT JOIN C ON A.k = C.k", []),
        ("SELECT A.v FROM A JOIN B ON A.k = B.k AND A.v / B.v > 1 JOIN C ON A.k = C.k", []),
        ("SELECT A.v FROM A JOIN B USING (k)", []),
    ],
)
def test_where_it_is_used(query: str, expected: list[tuple[int, int, int]]) -> None:
    assert found_in(plans_of(query)) == expected


# Against the definition -----------------------------------------------------------------------------------


def has_mjoin(world: World) -> bool:
    return test_local.can_run(world.plan) and bool(found_in({"q": rewrite(world.plan, Settings()).plan}))


@pytest.mark.parametrize("start", range(0, 400, 200))
def test_random_joins(start: int, examples: Examples) -> None:
    worlds = {seed: world for seed in range(start, start + 200) if has_mjoin(world := seeded_joins(seed))}
    for seed, world in worlds.items():
        test_local.check(world, seed)
        test_cut_stages.check(world, seed)
    assert len(worlds) > 150
    examples("joins of three and four inputs, in batches and in shards", len(worlds))


@pytest.mark.slow
@pytest.mark.parametrize("start", range(10_000, 14_000, 1000))
def test_many_random_joins(start: int) -> None:
    worlds = {seed: world for seed in range(start, start + 1000) if has_mjoin(world := seeded_joins(seed))}
    for seed, world in worlds.items():
        test_local.check(world, seed)
        test_cut_stages.check(world, seed)
    assert len(worlds) > 750


def test_random_joins_go_on_from_files(tmp_path: Path) -> None:
    for seed in range(600, 660):
        if has_mjoin(world := seeded_joins(seed)):
            test_state_files.check(world, seed, tmp_path / str(seed))
