"""Skew: that one shard has far more than its share of a stage's rows, and which key they have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tailrace.columnar.delta import Delta
from tailrace.columnar.keys import groups
from tailrace.staging.column_names import column_names
from tailrace.staging.explain import operators
from tailrace.staging.stages import Stage, StagedPlan

# A batch of so many rows is looked at, and a shard that has so many times its share of them is told of.
LOOKED_AT, TIMES = 100_000, 3.0
# A shard looks at so many rows of a feed, if it has as many more: less would be no skew, and take time.
SAMPLED, FEW = 1000, 10_000


@dataclass(frozen=True)
class HeavyKey:
    """The key of which a shard had most rows, by the feed that they came from, and about how many that are."""

    feed: int
    key: tuple[Any, ...]
    rows: int


@dataclass(frozen=True)
class ShardLoad:
    """How many rows of a batch a shard had."""

    rows: int = 0
    heavy: HeavyKey | None = None

    def __add__(self, other: ShardLoad) -> ShardLoad:
        """Of a shard's next portion too.

        >>> load = ShardLoad(9, HeavyKey(0, (7,), 5)) + ShardLoad(4) + ShardLoad(8, HeavyKey(0, (7,), 6))
        >>> load + ShardLoad(20, HeavyKey(1, (3,), 8))
        ShardLoad(rows=41, heavy=HeavyKey(feed=0, key=(7,), rows=11))
        """
        mine, theirs = self.heavy, other.heavy
        if mine and theirs and (mine.feed, mine.key) == (theirs.feed, theirs.key):
            mine, theirs = HeavyKey(mine.feed, mine.key, mine.rows + theirs.rows), None
        known = [each for each in (mine, theirs) if each]
        return ShardLoad(self.rows + other.rows, max(known, key=lambda each: each.rows, default=None))


def key_columns(stage: Stage) -> tuple[tuple[int, ...], ...]:
    """For each feed of a stage the columns that hold the key of its shard; none where there is no such key."""
    found = []
    for feed in stage.inputs:
        columns = feed.preaggregation.keys if feed.preaggregation else feed.columns
        there = feed.key and not feed.is_broadcast and all(each in columns for each in feed.key)
        found.append(tuple(columns.index(each) for each in feed.key or ()) if there else ())
    return tuple(found)


def load(feeds: Mapping[int, Delta], keys: Sequence[Sequence[int]]) -> ShardLoad:
    """What a portion of a shard's rows weighs; `keys` are the columns of each feed that hold its key."""
    found = ShardLoad()
    for feed, rows in feeds.items():
        heavy = find_heavy_key(rows, keys[feed]) if keys[feed] and len(rows) >= FEW else None
        found += ShardLoad(len(rows), HeavyKey(feed, *heavy) if heavy else None)
    return found


def find_heavy_key(rows: Delta, key: Sequence[int]) -> tuple[tuple[Any, ...], int]:
    """The key that is the most frequent in a sample, and about how many rows have it."""
    chosen = np.random.default_rng(len(rows)).integers(len(rows), size=SAMPLED)
    columns = [rows.columns[place].take(chosen) for place in key]
    codes, first = groups(columns, SAMPLED)
    counts = np.bincount(codes)
    best = int(counts.argmax())
    values = tuple(column[int(first[best])].as_py() for column in columns)
    return values, int(counts[best]) * len(rows) // SAMPLED


def skew(loads: Mapping[int, ShardLoad]) -> tuple[int, float] | None:
    """The shard that has far more than its share of a stage's rows, and its part of them.

    >>> skew({0: ShardLoad(900_000), 1: ShardLoad(30_000), 2: ShardLoad(40_000), 3: ShardLoad(30_000)})
    (0, 0.9)
    >>> skew({0: ShardLoad(300_000), 1: ShardLoad(200_000)}), skew({0: ShardLoad(9), 1: ShardLoad(0)})
    (None, None)
    """
    total = sum(each.rows for each in loads.values())
    if total < LOOKED_AT:
        return None
    shard = max(loads, key=lambda each: loads[each].rows)
    part = loads[shard].rows / total
    return (shard, part) if part * len(loads) >= TIMES else None


def skew_text(plan: StagedPlan, number: int, loads: Mapping[int, ShardLoad], names: Mapping[str, Sequence[str]]) -> str:
    """What to say of a stage, if one shard has far more than its share; `names` are those of the queries' columns."""
    found = skew(loads)
    if found is None:
        return ""
    stage, heavy, total = plan.stages[number], loads[found[0]].heavy, sum(each.rows for each in loads.values())
    why = "of many keys"
    # A key that has less than a shard should have is not to blame alone.
    if heavy and heavy.rows * len(loads) >= total:
        called = column_names(plan, names)[number][stage.plan.find(heavy.feed)]
        places = key_columns(stage)[heavy.feed]
        key = " and ".join(
            f"{called[place]} = {format_value(value)}" for place, value in zip(places, heavy.key, strict=True)
        )
        why = f"about {heavy.rows / total:.0%} of all have {key}"
    what = f"stage {number + 1} ({', '.join(operators(stage))})"
    return f"{what}: one of {len(loads)} shards has {found[1]:.0%} of the rows: {why}"


def format_value(value: Any) -> str:
    """A value of a key as it is written in a query.

    >>> format_value(None), format_value("it's"), format_value(7)
    ('NULL', "'it''s'", '7')
    """
    if value is None:
        return "NULL"
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else str(value)
