"""Skew: the key that has far more rows than others is found, in whatever stage input and column it is."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from tailrace.columnar.delta import Delta, elements
from tailrace.engine.pipeline import plan_script
from tailrace.errors import Source
from tailrace.spark.batch.skew import FEW, HeavyKey, ShardLoad, key_columns, load, skew_text
from tailrace.staging.stages import StagedPlan

STREAMS = "\n".join(
    f"CREATE STREAM {name} (v INT, s STRING, k INT) USING json OPTIONS (path '{name}') TIMESTAMP BY ts;"
    for name in "LR"
)
ROWS = 3 * FEW


def staged(query: str) -> StagedPlan:
    return plan_script(Source(f"{STREAMS}\nCREATE QUERY q AS {query};"))


def rows(keys: list[pa.Array]) -> Delta:
    return elements(np.arange(len(keys[0]), dtype=np.int64), tuple(keys))


def mostly(value: int, part: float) -> pa.Array:
    """A column that has a value in a part of its rows, in an order without a rhythm; the others are all different."""
    drawn = np.random.default_rng(3).random(ROWS)
    return pa.array(np.where(drawn < part, value, 1000 + np.arange(ROWS)).astype(np.int32))


def test_a_key_is_found_in_its_feed() -> None:
    plan = staged("SELECT ISTREAM(L.v, R.s) FROM L [RANGE 9], R [RANGE 9] WHERE L.k = R.k")
    stage = plan.stages[0]
    places = key_columns(stage)
    assert [len(each) for each in places] == [1, 1]
    many = [rows([mostly(0, 0.0)] * len(feed.types)) for feed in stage.inputs]
    columns = list(many[1].columns)
    columns[places[1][0]] = mostly(7, 0.6)
    found = load({0: many[0], 1: rows(columns)}, places)
    assert found.rows == 2 * ROWS
    assert found.heavy is not None
    assert (found.heavy.feed, found.heavy.key) == (1, (7,))
    assert found.heavy.rows == pytest.approx(0.6 * ROWS, rel=0.1)


def test_few_rows_are_not_looked_at() -> None:
    small = rows([pa.array([7] * (FEW - 1))])
    assert load({0: small}, [(0,)]) == ShardLoad(FEW - 1)
    assert load({0: small}, [()]) == ShardLoad(FEW - 1)


def test_a_partial_aggregate_has_its_key_first() -> None:
    plan = staged("SELECT s, k, SUM(v) AS v FROM L [RANGE 9] GROUP BY s, k")
    (feed,) = plan.stages[0].inputs
    assert feed.preaggregation
    assert {feed.preaggregation.keys[place] for place in key_columns(plan.stages[0])[0]} == set(feed.key or ())


@pytest.mark.parametrize(
    ("heavy", "why"),
    [
        (HeavyKey(0, ("it's", 7), 800_000), "about 80% of all have s = 'it''s' and k = 7"),
        (HeavyKey(0, (None, 7), 800_000), "about 80% of all have s = NULL and k = 7"),
        (HeavyKey(0, ("a", 7), 2000), "of many keys"),
        (None, "of many keys"),
    ],
)
def test_what_is_said(heavy: HeavyKey | None, why: str) -> None:
    plan = staged("SELECT s, k, COUNT(DISTINCT v) AS n FROM L [RANGE 9] GROUP BY s, k")
    loads = {0: ShardLoad(50_000), 1: ShardLoad(900_000, heavy), 2: ShardLoad(50_000), 3: ShardLoad(0)}
    text = skew_text(plan, 0, loads, {"q": ("s", "k", "n")})
    assert text == f"stage 1 (window, aggregate, changelog): one of 4 shards has 90% of the rows: {why}"
    assert not skew_text(plan, 0, {0: ShardLoad(300_000, heavy), 1: ShardLoad(300_000)}, {})
