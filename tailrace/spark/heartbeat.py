"""Heartbeat: what the sources have shown so far: how far time has come, how many rows, how many late or unreadable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pyspark.sql import Column
from pyspark.sql import functions as F

from tailrace.catalog.sources import Relation, Stream
from tailrace.spark.clock import Clock
from tailrace.spark.sources import MOMENT, SOURCE, Shape


@dataclass
class Heartbeat:
    """What is known of each moving source, by its number."""

    shape: Shape
    clock: Clock
    moving: Sequence[int]
    complete: frozenset[int] = frozenset()  # sources that come as a whole, with the first batch
    beat: int = -1  # everything up to here is known: what comes later is late
    newest: dict[int, int] = field(default_factory=dict)
    rows: int = 0
    last_rows: int = 0
    unreadable: int = 0

    @cached_property
    def measures(self) -> list[Column]:
        """What to ask of a batch: how many rows; of each source the first and last moment, and how many have one.

        Spark takes these row by row, unlike most of what it does, so they are few.
        """
        found = [F.expr("count(1)").alias("rows")]
        for number in self.moving:
            good = [*([f"{SOURCE} = {number}"] if len(self.moving) > 1 else ()), *self.shape.sound]
            moment = f"IF({' AND '.join(good)}, {MOMENT}, NULL)" if good else MOMENT
            asked = {"first": f"min({moment})", "last": f"max({moment})", "timed": f"count({moment})"}
            found += [F.expr(text).alias(f"{name}{number}") for name, text in asked.items()]
        return found

    def take(self, seen: Mapping[str, Any]) -> bool:
        """What a batch showed; whether some of its rows are late, which are then to be counted."""
        firsts = [seen[f"first{number}"] for number in self.moving if seen[f"first{number}"] is not None]
        self.clock = self.clock.started(min(firsts, default=None))
        late = any(self.clock.instant(first) <= self.beat for first in firsts)
        for number in self.moving:
            last = seen[f"last{number}"]
            if last is not None:
                self.newest[number] = max(self.newest.get(number, -1), self.clock.instant(last))
        self.last_rows = seen["rows"]
        self.unreadable += self.last_rows - sum(seen[f"timed{number}"] for number in self.moving)
        self.rows += self.last_rows
        self.beat = max(self.beat, self.known())
        return late

    def told(self) -> str | None:
        """The heartbeat for people."""
        return None if self.beat < 0 else self.clock.told(self.beat)

    def known(self) -> int:
        """The least, over the sources, of the newest instant less the delay; nothing before all have spoken.

        More rows of the newest instant may follow, so that one is not known yet.
        """
        awaited = [number for number in self.moving if number not in self.complete]
        if not awaited:
            return max(self.newest.values(), default=-1)
        beats = []
        for number in awaited:
            newest = self.newest.get(number)
            beats.append(-1 if newest is None else newest - 1 - self.source(number).delay)
        return min(beats, default=-1)

    def source(self, number: int) -> Stream | Relation:
        return self.shape.sources[number]
