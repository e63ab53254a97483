"""Skew: finds out whether one shard has far more than its share of a stage's rows, and which key causes it."""

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

# Skew is reported for batches of at least LOOKED_AT rows, if a shard has at least TIMES its share of them.
LOOKED_AT, TIMES = 100_000, 3.0
# A shard samples SAMPLED rows of a stage input if it has at least FEW: fewer are no skew, and sampling takes time.
SAMPLED, FEW = 1000, 10_000


@dataclass(frozen=True)
class HeavyKey:
    """The most frequent key of a shard's rows: the stage input it is in, the key, and about how many rows have it."""

    feed: int
    key: tuple[Any, ...]
    rows: int


@dataclass(frozen=True)
class ShardLoad:
    """How many rows of a batch a shard had, and the most frequent key among them, if it was looked for."""

    rows: int = 0
    heavy: HeavyKey | None = None

    def __add__(self, other: ShardLoad) -> ShardLoad:
        """The load of two portions of one shard; rows of the same heavy key add up, else the heavier key stays.

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
    """For each input of a stage, the columns that hold its sharding key; empty if the columns do not hold it."""
    found = []
    for feed in stage.inputs:
        columns = feed.preaggregation.keys if feed.preaggregation else feed.columns
        there = feed.key and not feed.is_broadcast and all(each in columns for each in feed.key)
        found.append(tuple(columns.index(each) for each in feed.key or ()) if there else ())
    return tuple(found)


def load(feeds: Mapping[int, Delta], keys: Sequence[Sequence[int]]) -> ShardLoad:
    """The load of a portion of a shard's rows; `keys` are the columns of each stage input that hold its key."""
    found = ShardLoad()
    for feed, rows in feeds.items():
        heavy = find_heavy_key(rows, keys[feed]) if keys[feed] and len(rows) >= FEW else None
        found += ShardLoad(len(rows), HeavyKey(feed, *heavy) if heavy else None)
    return found


def find_heavy_key(rows: Delta, key: Sequence[int]) -> tuple[tuple[Any, ...], int]:
    """The most frequent key in a sample of the rows, and about how many of all rows have it."""
    chosen = np.random.default_rng(len(rows)).integers(len(rows), size=SAMPLED)
    columns = [rows.columns[place].take(chosen) for place in key]
    codes, first = groups(columns, SAMPLED)
    counts = np.bincount(codes)
    best = int(counts.argmax())
    values = tuple(column[int(first[best])].as_py() for column in columns)
    return values, int(counts[best]) * len(rows) // SAMPLED


def skew(loads: Mapping[int, ShardLoad]) -> tuple[int, float] | None:
    """The shard that has far more than its share of a stage's rows, and the fraction it has; None if there is none.

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
    """The warning about a stage in which one shard has far more than its share; empty if none has."""
    found = skew(loads)
    if found is None:
        return ""
    stage, heavy, total = plan.stages[number], loads[found[0]].heavy, sum(each.rows for each in loads.values())
    why = "of many keys"
    # A key with fewer rows than a shard's share is not the only cause.
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
    """Write a value of a key as a literal of a query.

    >>> format_value(None), format_value("it's"), format_value(7)
    ('NULL', "'it''s'", '7')
    """
    if value is None:
        return "NULL"
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else str(value)
