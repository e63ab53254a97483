"""Watermark: tracks how far each source has come, and up to which instant all of them are complete.

The run's watermark is the smallest of its sources' watermarks (CQL §8). A source's watermark is the clock for a stream
stamped at arrival, else the newest timestamp less the DELAY, and, with HEARTBEAT BY, its newest heartbeat if that is
later. A row at or before the watermark is late.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from tailrace.analysis.statements.event_times import warn_of_unit
from tailrace.catalog.sources import Relation, Stream
from tailrace.progress import LaggingSource, SourceProgress
from tailrace.settings import Settings
from tailrace.spark.source_layout import FILE, MOMENT, SOURCE, SourceLayout, beats
from tailrace.spark.time.event_clock import EventClock

LOG = logging.getLogger("tailrace")
Counts = Mapping[str, int]


@dataclass(frozen=True)
class WatermarkState:
    """How far each source has come, by its name, and the watermark that follows from it."""

    clock: EventClock
    watermark: int = -1  # all sources are complete up to this instant; rows of it or before it are late
    newest: Counts = field(default_factory=dict)  # the newest instant of a source's elements
    heartbeats: Counts = field(default_factory=dict)  # the moment of a source's newest heartbeat
    last_seen: Counts = field(default_factory=dict)  # the clock when an element or heartbeat last arrived
    counts: Counts = field(default_factory=dict)  # readable rows of each source
    read: frozenset[str] = frozenset()  # the sources without end of which all rows were taken
    rows: int = 0
    last_rows: int = -1  # rows of the last batch; -1 before the first
    last_files: int = 0  # about how many files the last batch had; 0 unless they are counted
    unreadable: int = 0

    def format_watermark(self) -> str | None:
        """The watermark as the inputs write timestamps; None before there is one."""
        return None if self.watermark < 0 else self.clock.format_instant(self.watermark)

    def with_unreadable(self, rows: int) -> WatermarkState:
        """This state with so many more rows that could not be read."""
        return replace(self, rows=self.rows + rows, unreadable=self.unreadable + rows) if rows else self

    def to_json(self) -> dict[str, Any]:
        return {
            "watermark": self.watermark,
            "rows": self.rows,
            "unreadable": self.unreadable,
            "origin": self.clock.origin,
            "in_ticks": self.clock.in_ticks,
            "newest": self.newest,
            "heartbeats": self.heartbeats,
            "last_seen": self.last_seen,
            "counts": self.counts,
            "finished": sorted(self.read),
        }

    @staticmethod
    def from_json(memory: Mapping[str, Any], tick: int) -> WatermarkState:
        return WatermarkState(
            EventClock(tick, memory["in_ticks"], memory["origin"]),
            memory["watermark"],
            memory["newest"],
            memory["heartbeats"],
            memory["last_seen"],
            memory["counts"],
            frozenset(memory["finished"]),
            memory["rows"],
            unreadable=memory["unreadable"],
        )


@dataclass(frozen=True)
class WatermarkTracker:
    """The rules of watermarks for some sources: those of `shape` with the numbers `moving`.

    `finished` are the names of sources that have no more rows than those that are there. `now`, a parameter of many
    methods, is the clock in microseconds when a batch was taken from the sources. It is None in a run that takes what
    is there and ends; no source is idle in such a run.
    """

    shape: SourceLayout
    moving: tuple[int, ...]
    finished: frozenset[str] = frozenset()
    counts_files: bool = False

    @cached_property
    def sources(self) -> Mapping[int, Stream | Relation]:
        return {number: self.shape.sources[number] for number in self.moving}

    # Measuring batches --------------------------------------------------------------------------------

    def batch_measures(self) -> dict[str, str]:
        """The aggregates as Spark SQL, by name.

        `rows` counts elements, `files` the files they are in. Of source n, `firstn` and `lastn` are the first and last
        moment of its readable elements, `timedn` is how many there are, and `promisedn` is its last heartbeat.
        """
        told = self.shape.has_heartbeats
        found = {"rows": f"count(IF({SOURCE} >= 0, 1, NULL))" if told else "count(1)"}
        if self.counts_files:
            found["files"] = f"approx_count_distinct({FILE})"
        for number, source in self.sources.items():
            good = [*([f"{SOURCE} = {number}"] if len(self.moving) > 1 or told else ()), *self.shape.sound]
            moment = f"IF({' AND '.join(good)}, {MOMENT}, NULL)" if good else MOMENT
            asked = {"first": f"min({moment})", "last": f"max({moment})", "timed": f"count({moment})"}
            if source.heartbeat:
                asked["promised"] = f"max(IF({SOURCE} = {beats(number)}, {MOMENT}, NULL))"
            found |= {f"{name}{number}": text for name, text in asked.items()}
        return found

    def start(self, state: WatermarkState, clock: EventClock, now: int | None) -> WatermarkState:
        """The state of a stream over these sources, of which `clock` is known; silence counts from `now` on."""
        names = [source.name for source in self.sources.values()]

        def only_these(counts: Counts) -> Counts:
            return {name: count for name, count in counts.items() if name in names}

        return replace(
            state,
            clock=clock.continue_from(state.clock),
            newest=only_these(state.newest),
            heartbeats=only_these(state.heartbeats),
            last_seen={} if now is None else dict.fromkeys(names, now),
            counts=only_these(state.counts),
            read=state.read.intersection(names),
            last_rows=-1,
            last_files=0,
        )

    def first_moments(self, measures: Mapping[str, Any]) -> list[int]:
        return [first for number in self.moving if (first := measures.get(f"first{number}")) is not None]

    def arrival_floors(self, state: WatermarkState, decided_until: int) -> dict[int, int]:
        """The least moment at which rows may arrive, by number of each source that is stamped at arrival.

        The clock may have gone back. Rows that arrive then get this moment: it is behind all that is decided, and not
        before the newest row of the source. So no row is late, and rows stay in the order in which they arrived.
        """
        decided = max(state.watermark, decided_until)
        if state.clock.origin is None or (decided < 0 and not state.newest):
            return {}
        return {
            number: state.clock.moment(max(decided + 1, state.newest.get(source.name, -1)))
            for number, source in self.sources.items()
            if source.timestamp is None and isinstance(source, Stream)
        }

    def has_late_rows(self, state: WatermarkState, measures: Mapping[str, Any]) -> bool:
        """Whether some rows of a batch are late, given the state before it."""
        firsts = self.first_moments(measures)
        clock = state.clock.with_origin(min(firsts, default=None))
        return any(clock.instant(first) <= state.watermark for first in firsts)

    def advance(self, state: WatermarkState, measures: Mapping[str, Any] | None, now: int | None) -> WatermarkState:
        """The state after a batch with these measures, or after time has passed; the watermark never goes back."""
        after = state if measures is None else self.record_batch(state, measures, now)
        return replace(after, watermark=max(after.watermark, self.watermark_at(after, now)))

    def record_batch(self, state: WatermarkState, measures: Mapping[str, Any], now: int | None) -> WatermarkState:
        """The state with the measures of a batch, but the watermark of before."""
        clock = state.clock.with_origin(min(self.first_moments(measures), default=None))
        newest, promises, seen, counts = map(dict, (state.newest, state.heartbeats, state.last_seen, state.counts))
        for number, source in self.sources.items():
            name, last, promised = source.name, measures[f"last{number}"], measures.get(f"promised{number}")
            counts[name] = counts.get(name, 0) + measures[f"timed{number}"]
            if last is not None:
                newest[name] = max(newest.get(name, -1), clock.instant(last))
            if promised is not None:
                promises[name] = max(promises.get(name, promised), promised)
            if now is not None and (last is not None or promised is not None):
                seen[name] = now
        rows, timed = measures["rows"], sum(measures[f"timed{number}"] for number in self.moving)
        return replace(
            state,
            clock=clock,
            newest=newest,
            heartbeats=promises,
            last_seen=seen,
            counts=counts,
            rows=state.rows + rows,
            last_rows=rows,
            last_files=measures.get("files", 0),
            unreadable=state.unreadable + rows - timed,
        )

    def warn_of_units(self, state: WatermarkState, measures: Mapping[str, Any], settings: Settings) -> None:
        """Warn, with a source's first rows, if timestamps taken for ticks look like milliseconds since 1970."""
        for number, source in self.sources.items() if state.clock.in_ticks else ():
            first = measures.get(f"first{number}")
            if first is not None and source.name not in state.newest:
                text = warn_of_unit(source, first, settings)
                if text:
                    LOG.warning(text)

    # Watermarks ---------------------------------------------------------------------------------------

    @property
    def is_clock(self) -> bool:
        """Whether all sources are stamped at arrival: then the clock is the watermark, whatever a batch contains."""
        return all(source.timestamp is None for source in self.sources.values())

    def watermark_at(self, state: WatermarkState, now: int | None) -> int:
        """The smallest watermark of active sources, else the largest of idle ones; the end if all are finished."""
        awake = self.active_sources(state, now)
        if awake:
            return min(source_watermark(state, source, now) for source in awake)
        idle = (source for source in self.sources.values() if source.name not in self.finished)
        return max((source_watermark(state, source, now) for source in idle), default=self.end(state))

    def active_sources(self, state: WatermarkState, now: int | None) -> list[Stream | Relation]:
        """The sources that hold the watermark: those that are neither finished nor idle."""
        return [
            source
            for source in self.sources.values()
            if source.name not in self.finished and not is_idle(state, source, now)
        ]

    def end(self, state: WatermarkState) -> int:
        """The newest instant of any element or heartbeat: the last instant of a run without `--until`."""
        promises = (heartbeat_instant(state, source.name) for source in self.sources.values())
        return max([*state.newest.values(), *(instant for instant in promises if instant >= 0)], default=0)

    # For people ---------------------------------------------------------------------------------------

    def find_lagging_source(self, state: WatermarkState, now: int | None) -> LaggingSource | None:
        """The one active source whose watermark is below those of all others; None if there is no such source."""
        awake = self.active_sources(state, now)
        reached = sorted((source_watermark(state, source, now), at) for at, source in enumerate(awake))
        if now is None or len(reached) < 2 or reached[0][0] == reached[1][0]:
            return None
        (least, at), (next_least, next_at) = reached[:2]
        name = awake[at].name
        silent = (now - state.last_seen.get(name, now)) / 1_000_000
        spoke = name in state.newest or name in state.heartbeats
        behind = state.clock.told_length(next_least - least) if spoke else None
        return LaggingSource(name, silent, awake[next_at].name, behind)

    def source_progress(
        self, state: WatermarkState, late: Counts, shed: Counts, now: int | None
    ) -> tuple[SourceProgress, ...]:
        """The progress of each source, for people and system streams; `late` and `shed` count its rejected rows."""
        awake = {source.name for source in self.active_sources(state, now)}
        found = []
        for name in (source.name for source in self.sources.values()):
            newest, seen = state.newest.get(name), state.last_seen.get(name)
            told = None if newest is None else state.clock.format_instant(newest)
            idle = None if now is None or seen is None else (now - seen) / 1_000_000
            rows = state.counts.get(name, 0)
            found.append(SourceProgress(name, rows, late.get(name, 0), told, idle, name in awake, shed.get(name, 0)))
        return tuple(found)


def source_watermark(state: WatermarkState, source: Stream | Relation, now: int | None) -> int:
    """The instant up to which one source is complete; -1 before its first row.

    More rows of the newest instant may follow, so the watermark is one instant before it, less the DELAY. After a
    heartbeat no more rows of its instant follow.
    """
    if source.timestamp is None and now is not None:
        return max(-1, state.clock.instant(now) - 1) if state.clock.origin is not None else -1
    newest = state.newest.get(source.name, -1)
    return max(-1, newest - 1 - source.delay, heartbeat_instant(state, source.name))


def heartbeat_instant(state: WatermarkState, source: str) -> int:
    """The instant of a source's newest heartbeat; -1 if there is none, or if the origin is not known yet."""
    promised = state.heartbeats.get(source)
    return -1 if promised is None or state.clock.origin is None else max(-1, state.clock.instant(promised))


def is_idle(state: WatermarkState, source: Stream | Relation, now: int | None) -> bool:
    """Whether a source has been silent for at least its IDLE AFTER."""
    return source.idle is not None and now is not None and now - state.last_seen.get(source.name, now) >= source.idle
