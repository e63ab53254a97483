"""Heartbeat: what the sources have shown so far: how far time has come, how many rows, how many late or unreadable.

It decides by the rules of CQL §8 up to which instant everything is known: a stream stamped at arrival has the clock
for its heartbeat, a source with HEARTBEAT BY tells its own, and of others the newest timestamp less the DELAY counts.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from pyspark.sql import Column
from pyspark.sql import functions as F

from tailrace.analysis.event_times import warn_of_unit
from tailrace.catalog.sources import Relation, Stream
from tailrace.progress import LaggingSource, SourceProgress
from tailrace.settings import Settings
from tailrace.spark.io.sources import MOMENT, SOURCE, SourceLayout, beats
from tailrace.spark.io.stage_sql import FILE
from tailrace.spark.time.event_clock import EventClock

LOG = logging.getLogger("tailrace")
Memory = dict[str, Any]


@dataclass
class WatermarkTracker:
    """What is known of each moving source, by its number.

    `now` is the clock at arrival, in microseconds: when the batch in question was taken from the sources. A run that
    takes what is there and ends has none, and nothing is idle in it.
    """

    shape: SourceLayout
    clock: EventClock
    moving: Sequence[int]
    counts_files: bool = False
    watermark: int = -1  # everything up to here is known: what comes later is late
    newest: dict[int, int] = field(default_factory=dict)  # the newest instant of an element
    heartbeats: dict[int, int] = field(default_factory=dict)  # the newest moment of a heartbeat
    last_seen: dict[int, int] = field(default_factory=dict)  # when something last arrived
    finished: set[int] = field(default_factory=set)  # sources from which nothing more will come
    rows: int = 0
    last_rows: int = -1  # of the last batch; -1 before there was one
    last_files: int = 0  # in which those were, about; 0 if nobody counts
    unreadable: int = 0
    counts: dict[int, int] = field(default_factory=dict)  # readable rows of each source

    # What batches show --------------------------------------------------------------------------------

    @cached_property
    def measures(self) -> list[Column]:
        """What to ask of a batch.

        Spark takes these row by row, unlike most of what it does, so they are few.
        """
        return [F.expr(text).alias(name) for name, text in self.batch_measures().items()]

    def batch_measures(self) -> dict[str, str]:
        """How many elements; of each source the first and last moment, how many have one, and the last heartbeat."""
        told = self.shape.has_heartbeats
        found = {"rows": f"count(IF({SOURCE} >= 0, 1, NULL))" if told else "count(1)"}
        if self.counts_files:
            found["files"] = f"approx_count_distinct({FILE})"
        for number in self.moving:
            good = [*([f"{SOURCE} = {number}"] if len(self.moving) > 1 or told else ()), *self.shape.sound]
            moment = f"IF({' AND '.join(good)}, {MOMENT}, NULL)" if good else MOMENT
            asked = {"first": f"min({moment})", "last": f"max({moment})", "timed": f"count({moment})"}
            if self.source(number).heartbeat:
                asked["promised"] = f"max(IF({SOURCE} = {beats(number)}, {MOMENT}, NULL))"
            found |= {f"{name}{number}": text for name, text in asked.items()}
        return found

    def start(self, now: int | None) -> None:
        """A run starts, for the first time or again: silence counts from here."""
        self.last_seen = {} if now is None else dict.fromkeys(self.moving, now)

    def know_time(self, in_ticks: bool | None) -> None:
        """Sources have told whether their timestamps count ticks, if that was not known."""
        if self.clock.in_ticks is None and in_ticks is not None:
            self.clock = self.clock.with_ticks_known(in_ticks)

    def record_batch(self, seen: Mapping[str, Any], now: int | None = None) -> bool:
        """What a batch showed; whether some of its rows are late, which are then to be counted."""
        firsts = [seen[f"first{number}"] for number in self.moving if seen[f"first{number}"] is not None]
        self.clock = self.clock.with_origin(min(firsts, default=None))
        late = any(self.clock.instant(first) <= self.watermark for first in firsts)
        for number in self.moving:
            last, promised = seen[f"last{number}"], seen.get(f"promised{number}")
            self.counts[number] = self.counts.get(number, 0) + seen[f"timed{number}"]
            if last is not None:
                self.newest[number] = max(self.newest.get(number, -1), self.clock.instant(last))
            if promised is not None:
                self.heartbeats[number] = max(self.heartbeats.get(number, promised), promised)
            if now is not None and (last is not None or promised is not None):
                self.last_seen[number] = now
        self.last_rows, self.last_files = seen["rows"], seen.get("files", 0)
        self.unreadable += self.last_rows - sum(seen[f"timed{number}"] for number in self.moving)
        self.rows += self.last_rows
        self.advance(now)
        return late

    def warn_of_units(self, seen: Mapping[str, Any], settings: Settings) -> None:
        """Say of each source, with its first rows, that its ticks look like milliseconds since 1970 if they do."""
        for number in self.moving if self.clock.in_ticks else ():
            first = seen[f"first{number}"]
            if first is not None and number not in self.newest:
                text = warn_of_unit(self.source(number), first, settings)
                if text:
                    LOG.warning(text)

    def advance(self, now: int | None) -> None:
        """Time goes on, also where nothing arrives; never back."""
        self.watermark = max(self.watermark, self.watermark_at(now))

    # How far time has come ----------------------------------------------------------------------------

    @property
    def is_clock(self) -> bool:
        """Whether the clock tells how far all sources are: what a batch shows adds nothing."""
        return all(self.source(number).timestamp is None for number in self.moving)

    def watermark_at(self, now: int | None = None) -> int:
        """The least, over the sources that others wait for, of how far each is known.

        If all of them are idle, the one that came furthest tells the time; if all are finished, everything is known.
        """
        awake = self.active_sources(now)
        if awake:
            return min(self.source_watermark(number, now) for number in awake)
        idle = (number for number in self.moving if number not in self.finished)
        return max((self.source_watermark(number, now) for number in idle), default=self.end)

    def source_watermark(self, number: int, now: int | None = None) -> int:
        """The instant up to which a source is known, by itself; -1 before it has said anything.

        More rows of the newest instant may follow, so that one is not known yet; after a heartbeat none will.
        """
        if self.source(number).timestamp is None and now is not None:
            return max(-1, self.clock.instant(now) - 1) if self.clock.origin is not None else -1
        newest = self.newest.get(number, -1)
        return max(-1, newest - 1 - self.source(number).delay, self.heartbeat_instant(number))

    def heartbeat_instant(self, number: int) -> int:
        """The instant of a source's newest heartbeat, which counts once the first instant is known; -1 for none."""
        promised = self.heartbeats.get(number)
        return -1 if promised is None or self.clock.origin is None else max(-1, self.clock.instant(promised))

    def active_sources(self, now: int | None) -> list[int]:
        """The sources that others wait for: those that are neither finished nor idle."""
        return [number for number in self.moving if number not in self.finished and not self.is_idle(number, now)]

    def is_idle(self, number: int, now: int | None) -> bool:
        """Whether nothing has come from a source for as long as its IDLE AFTER says."""
        idle = self.source(number).idle
        return idle is not None and now is not None and now - self.last_seen.get(number, now) >= idle

    @property
    def end(self) -> int:
        """The newest instant of all, of an element or a heartbeat."""
        promises = [instant for instant in map(self.heartbeat_instant, self.moving) if instant >= 0]
        return max([*self.newest.values(), *promises], default=0)

    # For people ---------------------------------------------------------------------------------------

    def format_watermark(self) -> str | None:
        """The heartbeat for people."""
        return None if self.watermark < 0 else self.clock.format_instant(self.watermark)

    def find_lagging_source(self, now: int | None) -> LaggingSource | None:
        """The source that all others wait for, if there is one."""
        reached = sorted((self.source_watermark(number, now), number) for number in self.active_sources(now))
        if now is None or len(reached) < 2 or reached[0][0] == reached[1][0]:
            return None
        (least, number), (next_least, next_number) = reached[:2]
        silent = (now - self.last_seen.get(number, now)) / 1_000_000
        spoke = number in self.newest or number in self.heartbeats
        behind = self.clock.told_length(next_least - least) if spoke else None
        return LaggingSource(self.source(number).name, silent, self.source(next_number).name, behind)

    def source_progress(self, number: int, late: int, shed: int, now: int | None) -> SourceProgress:
        """What there is to say of a source, so many rows of which were late or shed."""
        newest = self.newest.get(number)
        silent = None if now is None or number not in self.last_seen else (now - self.last_seen[number]) / 1_000_000
        return SourceProgress(
            self.source(number).name,
            self.counts.get(number, 0),
            late,
            None if newest is None else self.clock.format_instant(newest),
            silent,
            number in self.active_sources(now),
            shed,
        )

    def source(self, number: int) -> Stream | Relation:
        return self.shape.sources[number]

    # Memory -------------------------------------------------------------------------------------------

    def to_json(self) -> Memory:
        """What to remember of it, in plain numbers and texts: sources by name."""
        by_number = {"newest": self.newest, "promised": self.heartbeats, "heard": self.last_seen, "counts": self.counts}
        named = {what: {self.source(n).name: value for n, value in found.items()} for what, found in by_number.items()}
        counts = {"beat": self.watermark, "rows": self.rows, "unreadable": self.unreadable, "origin": self.clock.origin}
        counts["ticks"] = self.clock.in_ticks
        return counts | named | {"finished": [self.source(number).name for number in sorted(self.finished)]}

    def from_json(self, memory: Memory) -> WatermarkTracker:
        """This heartbeat with what was remembered of its sources."""
        numbers = {self.source(number).name: number for number in self.moving}

        def by_number(what: str) -> dict[int, int]:
            # A checkpoint of before has no counts.
            return {numbers[name]: value for name, value in memory.get(what, {}).items() if name in numbers}

        clock = self.clock
        if memory["ticks"] is not None:
            clock = replace(
                clock if clock.in_ticks is not None else clock.with_ticks_known(memory["ticks"]),
                origin=memory["origin"],
            )
        return replace(
            self,
            clock=clock,
            watermark=memory["beat"],
            newest=by_number("newest"),
            heartbeats=by_number("promised"),
            last_seen=by_number("heard"),
            counts=by_number("counts"),
            finished={numbers[name] for name in memory["finished"] if name in numbers},
            rows=memory["rows"],
            unreadable=memory["unreadable"],
        )
