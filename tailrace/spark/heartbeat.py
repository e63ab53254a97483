"""Heartbeat: what the sources have shown so far: how far time has come, how many rows, how many late or unreadable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pyspark.sql import Column
from pyspark.sql import functions as F

from tailrace.catalog.sources import Relation, Stream
from tailrace.spark.clock import Clock
from tailrace.spark.sources import MOMENT, SOURCE, UNREADABLE, Shape


@dataclass
class Heartbeat:
    """What is known of each moving source, by its number."""

    shape: Shape
    clock: Clock
    moving: Sequence[int]
    beat: int = -1  # everything up to here is known: what comes later is late
    newest: dict[int, int] = field(default_factory=dict)
    rows: int = 0
    last_rows: int = 0
    late: dict[str, int] = field(default_factory=dict)
    unreadable: dict[str, int] = field(default_factory=dict)

    def measures(self) -> list[Column]:
        """What to ask of a batch: for each source its first and last moment, and its rows, late ones, bad ones."""
        found = []
        for number in self.moving:
            readable = f"{MOMENT} IS NOT NULL" + (f" AND {UNREADABLE} IS NULL" if self.shape.checked else "")
            mine, good = f"{SOURCE} = {number}", f"{SOURCE} = {number} AND {readable}"
            late = (
                f"{self.clock.text()} <= array({self.beat}L)[{SOURCE} * 0]"
                if self.clock.origin is not None
                else "false"
            )
            found += [
                F.expr(f"min(IF({good}, {MOMENT}, NULL))").alias(f"first{number}"),
                F.expr(f"max(IF({good}, {MOMENT}, NULL))").alias(f"last{number}"),
                F.expr(f"count_if({mine})").alias(f"rows{number}"),
                F.expr(f"count_if({good} AND {late})").alias(f"late{number}"),
                F.expr(f"count_if({mine} AND NOT ({readable}))").alias(f"bad{number}"),
            ]
        return found

    def take(self, seen: Mapping[str, Any]) -> None:
        """What a batch showed."""
        firsts = [seen[f"first{number}"] for number in self.moving if seen[f"first{number}"] is not None]
        self.clock = self.clock.started(min(firsts, default=None))
        self.last_rows = 0
        for number in self.moving:
            name = self.shape.sources[number].name
            last = seen[f"last{number}"]
            if last is not None:
                self.newest[number] = max(self.newest.get(number, -1), self.clock.instant(last))
            self.last_rows += seen[f"rows{number}"]
            for kind, counts in (("late", self.late), ("bad", self.unreadable)):
                if seen[f"{kind}{number}"]:
                    counts[name] = counts.get(name, 0) + seen[f"{kind}{number}"]
        self.rows += self.last_rows
        self.beat = max(self.beat, self.known())

    def known(self) -> int:
        """The least, over the sources, of the newest instant less the delay; nothing before all have spoken.

        More rows of the newest instant may follow, so that one is not known yet.
        """
        beats = []
        for number in self.moving:
            newest = self.newest.get(number)
            beats.append(-1 if newest is None else newest - 1 - self.source(number).delay)
        return min(beats, default=-1)

    def source(self, number: int) -> Stream | Relation:
        return self.shape.sources[number]
