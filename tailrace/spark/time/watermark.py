"""Watermark: tracks how far each source has come, and up to which instant all of them are complete.

The run's watermark is the smallest of its sources' watermarks (CQL §8). A source's watermark is the clock for a stream
stamped at arrival, else the newest timestamp less the DELAY, and, with HEARTBEAT BY, its newest heartbeat if that is
later. A row at or before the watermark is late.
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
from tailrace.spark.source_layout import FILE, MOMENT, SOURCE, SourceLayout, beats
from tailrace.spark.time.event_clock import EventClock

LOG = logging.getLogger("tailrace")
Memory = dict[str, Any]


@dataclass
class WatermarkTracker:
    """Progress of each moving source, by its number in the layout, and the watermark that follows from it.

    `now`, a parameter of many methods, is the clock in microseconds when a batch was taken from the sources. It is None
    in a run that takes what is there and ends; no source is idle in such a run.
    """

    shape: SourceLayout
    clock: EventClock
    moving: Sequence[int]
    counts_files: bool = False
    watermark: int = -1  # all sources are complete up to this instant; rows of it or before it are late
    newest: dict[int, int] = field(default_factory=dict)  # the newest instant of a source's elements
    heartbeats: dict[int, int] = field(default_factory=dict)  # the moment of a source's newest heartbeat
    last_seen: dict[int, int] = field(default_factory=dict)  # the clock when an element or heartbeat last arrived
    finished: set[int] = field(default_factory=set)  # sources that have no more rows
    rows: int = 0
    last_rows: int = -1  # rows of the last batch; -1 before the first
    last_files: int = 0  # about how many files the last batch had; 0 unless `counts_files`
    unreadable: int = 0
    counts: dict[int, int] = field(default_factory=dict)  # readable rows of each source

    # Measuring batches --------------------------------------------------------------------------------

    @cached_property
    def measures(self) -> list[Column]:
        """The aggregates that measure a batch.

        They are few, since Spark observes them row by row, unlike most of what it does.
        """
        return [F.expr(text).alias(name) for name, text in self.batch_measures().items()]

    def batch_measures(self) -> dict[str, str]:
        """The aggregates as Spark SQL, by name.

        `rows` counts elements, `files` the files they are in. Of source n, `firstn` and `lastn` are the first and last
        moment of its readable elements, `timedn` is how many there are, and `promisedn` is its last heartbeat.
        """
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
        """Count the silence of sources, for IDLE AFTER, from `now` on; called whenever the stream is started."""
        self.last_seen = {} if now is None else dict.fromkeys(self.moving, now)

    def know_time(self, in_ticks: bool | None) -> None:
        """Set whether timestamps count ticks, once files have shown it."""
        if self.clock.in_ticks is None and in_ticks is not None:
            self.clock = self.clock.with_ticks_known(in_ticks)

    def record_batch(self, seen: Mapping[str, Any], now: int | None = None) -> bool:
        """Record the measures of a batch and advance the watermark; true if some of its rows are late."""
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
        """Warn, with a source's first rows, if timestamps taken for ticks look like milliseconds since 1970."""
        for number in self.moving if self.clock.in_ticks else ():
            first = seen[f"first{number}"]
            if first is not None and number not in self.newest:
                text = warn_of_unit(self.source(number), first, settings)
                if text:
                    LOG.warning(text)

    def advance(self, now: int | None) -> None:
        """Advance the watermark to what holds at `now`, also if nothing has arrived; it never goes back."""
        self.watermark = max(self.watermark, self.watermark_at(now))

    # Watermarks ---------------------------------------------------------------------------------------

    @property
    def is_clock(self) -> bool:
        """Whether all sources are stamped at arrival: then the clock is the watermark, whatever a batch contains."""
        return all(self.source(number).timestamp is None for number in self.moving)

    def watermark_at(self, now: int | None = None) -> int:
        """The smallest watermark of the active sources.

        If all sources are idle or finished, the largest watermark of the idle ones; if all are finished, `end`.
        """
        awake = self.active_sources(now)
        if awake:
            return min(self.source_watermark(number, now) for number in awake)
        idle = (number for number in self.moving if number not in self.finished)
        return max((self.source_watermark(number, now) for number in idle), default=self.end)

    def source_watermark(self, number: int, now: int | None = None) -> int:
        """The instant up to which one source is complete; -1 before its first row.

        More rows of the newest instant may follow, so the watermark is one instant before it, less the DELAY. After a
        heartbeat no more rows of its instant follow.
        """
        if self.source(number).timestamp is None and now is not None:
            return max(-1, self.clock.instant(now) - 1) if self.clock.origin is not None else -1
        newest = self.newest.get(number, -1)
        return max(-1, newest - 1 - self.source(number).delay, self.heartbeat_instant(number))

    def heartbeat_instant(self, number: int) -> int:
        """The instant of a source's newest heartbeat; -1 if there is none, or if the origin is not known yet."""
        promised = self.heartbeats.get(number)
        return -1 if promised is None or self.clock.origin is None else max(-1, self.clock.instant(promised))

    def active_sources(self, now: int | None) -> list[int]:
        """The sources that hold the watermark: those that are neither finished nor idle."""
        return [number for number in self.moving if number not in self.finished and not self.is_idle(number, now)]

    def is_idle(self, number: int, now: int | None) -> bool:
        """Whether a source has been silent for at least its IDLE AFTER."""
        idle = self.source(number).idle
        return idle is not None and now is not None and now - self.last_seen.get(number, now) >= idle

    @property
    def end(self) -> int:
        """The newest instant of any element or heartbeat: the last instant of a run without `--until`."""
        promises = [instant for instant in map(self.heartbeat_instant, self.moving) if instant >= 0]
        return max([*self.newest.values(), *promises], default=0)

    # For people ---------------------------------------------------------------------------------------

    def format_watermark(self) -> str | None:
        """The watermark as the inputs write timestamps; None before there is one."""
        return None if self.watermark < 0 else self.clock.format_instant(self.watermark)

    def find_lagging_source(self, now: int | None) -> LaggingSource | None:
        """The one active source whose watermark is below those of all others; None if there is no such source."""
        reached = sorted((self.source_watermark(number, now), number) for number in self.active_sources(now))
        if now is None or len(reached) < 2 or reached[0][0] == reached[1][0]:
            return None
        (least, number), (next_least, next_number) = reached[:2]
        silent = (now - self.last_seen.get(number, now)) / 1_000_000
        spoke = number in self.newest or number in self.heartbeats
        behind = self.clock.told_length(next_least - least) if spoke else None
        return LaggingSource(self.source(number).name, silent, self.source(next_number).name, behind)

    def source_progress(self, number: int, late: int, shed: int, now: int | None) -> SourceProgress:
        """The progress of a source, for people and system streams; `late` and `shed` are its rows counted elsewhere."""
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

    # Checkpoint ---------------------------------------------------------------------------------------

    def to_json(self) -> Memory:
        """The state for the checkpoint, with sources by name: their numbers may change when queries do."""

        def by_name(values: Mapping[int, int]) -> dict[str, int]:
            return {self.source(number).name: value for number, value in values.items()}

        return {
            "watermark": self.watermark,
            "rows": self.rows,
            "unreadable": self.unreadable,
            "origin": self.clock.origin,
            "in_ticks": self.clock.in_ticks,
            "newest": by_name(self.newest),
            "heartbeats": by_name(self.heartbeats),
            "last_seen": by_name(self.last_seen),
            "counts": by_name(self.counts),
            "finished": [self.source(number).name for number in sorted(self.finished)],
        }

    def from_json(self, memory: Memory) -> WatermarkTracker:
        """This tracker with the state that `to_json` wrote, for those of its sources that are in it."""
        numbers = {self.source(number).name: number for number in self.moving}

        def by_number(what: str) -> dict[int, int]:
            return {numbers[name]: value for name, value in memory[what].items() if name in numbers}

        clock = self.clock
        if memory["in_ticks"] is not None:
            clock = replace(
                clock if clock.in_ticks is not None else clock.with_ticks_known(memory["in_ticks"]),
                origin=memory["origin"],
            )
        return replace(
            self,
            clock=clock,
            watermark=memory["watermark"],
            newest=by_number("newest"),
            heartbeats=by_number("heartbeats"),
            last_seen=by_number("last_seen"),
            counts=by_number("counts"),
            finished={numbers[name] for name in memory["finished"] if name in numbers},
            rows=memory["rows"],
            unreadable=memory["unreadable"],
        )
