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
class Heavy:
    """The key of which a shard had most rows, by the feed that they came from, and about how many that are."""

    feed: int
    key: tuple[Any, ...]
    rows: int


@dataclass(frozen=True)
class Load:
    """How many rows of a batch a shard had."""

    rows: int = 0
    heavy: Heavy | None = None

    def __add__(self, other: Load) -> Load:
        """Of a shard's next portion too.

        >>> Load(9, Heavy(0, (7,), 5)) + Load(4) + Load(8, Heavy(0, (7,), 6)) + Load(20, Heavy(1, (3,), 8))
        Load(rows=41, heavy=Heavy(feed=0, key=(7,), rows=11))
        """
        mine, theirs = self.heavy, other.heavy
        if mine and theirs and (mine.feed, mine.key) == (theirs.feed, theirs.key):
            mine, theirs = Heavy(mine.feed, mine.key, mine.rows + theirs.rows), None
        known = [each for each in (mine, theirs) if each]
        return Load(self.rows + other.rows, max(known, key=lambda each: each.rows, default=None))


def keyed(stage: Stage) -> tuple[tuple[int, ...], ...]:
    """For each feed of a stage the columns that hold the key of its shard; none where there is no such key."""
    found = []
    for feed in stage.feeds:
        columns = feed.partial.keys if feed.partial else feed.columns
        there = feed.key and not feed.copied and all(each in columns for each in feed.key)
        found.append(tuple(columns.index(each) for each in feed.key or ()) if there else ())
    return tuple(found)


def load(feeds: Mapping[int, Delta], keys: Sequence[Sequence[int]]) -> Load:
    """What a portion of a shard's rows weighs; `keys` are the columns of each feed that hold its key."""
    found = Load()
    for feed, rows in feeds.items():
        heavy = heaviest(rows, keys[feed]) if keys[feed] and len(rows) >= FEW else None
        found += Load(len(rows), Heavy(feed, *heavy) if heavy else None)
    return found


def heaviest(rows: Delta, key: Sequence[int]) -> tuple[tuple[Any, ...], int]:
    """The key that is the most frequent in a sample, and about how many rows have it."""
    chosen = np.random.default_rng(len(rows)).integers(len(rows), size=SAMPLED)
    columns = [rows.columns[place].take(chosen) for place in key]
    codes, first = groups(columns, SAMPLED)
    counts = np.bincount(codes)
    best = int(counts.argmax())
    values = tuple(column[int(first[best])].as_py() for column in columns)
    return values, int(counts[best]) * len(rows) // SAMPLED


def skew(loads: Mapping[int, Load]) -> tuple[int, float] | None:
    """The shard that has far more than its share of a stage's rows, and its part of them.

    >>> skew({0: Load(900_000), 1: Load(30_000), 2: Load(40_000), 3: Load(30_000)})
    (0, 0.9)
    >>> skew({0: Load(300_000), 1: Load(200_000)}), skew({0: Load(9), 1: Load(0)})
    (None, None)
    """
    total = sum(each.rows for each in loads.values())
    if total < LOOKED_AT:
        return None
    shard = max(loads, key=lambda each: loads[each].rows)
    part = loads[shard].rows / total
    return (shard, part) if part * len(loads) >= TIMES else None


def skew_text(plan: StagedPlan, number: int, loads: Mapping[int, Load], names: Mapping[str, Sequence[str]]) -> str:
    """What to say of a stage, if one shard has far more than its share; `names` are those of the queries' columns."""
    found = skew(loads)
    if found is None:
        return ""
    stage, heavy, total = plan.stages[number], loads[found[0]].heavy, sum(each.rows for each in loads.values())
    why = "of many keys"
    # A key that has less than a shard should have is not to blame alone.
    if heavy and heavy.rows * len(loads) >= total:
        called = column_names(plan, names)[number][stage.plan.find(heavy.feed)]
        places = keyed(stage)[heavy.feed]
        key = " and ".join(f"{called[place]} = {shown(value)}" for place, value in zip(places, heavy.key, strict=True))
        why = f"about {heavy.rows / total:.0%} of all have {key}"
    what = f"stage {number + 1} ({', '.join(operators(stage))})"
    return f"{what}: one of {len(loads)} shards has {found[1]:.0%} of the rows: {why}"


def shown(value: Any) -> str:
    """A value of a key as it is written in a query.

    >>> shown(None), shown("it's"), shown(7)
    ('NULL', "'it''s'", '7')
    """
    if value is None:
        return "NULL"
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else str(value)
