"""The watermark, from what batches show of each source; no Spark needed."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import permutations

import pytest

from tailrace.catalog.sources import Stream
from tailrace.progress import LaggingSource
from tailrace.schema import Schema
from tailrace.spark.source_layout import SourceLayout
from tailrace.spark.time.event_clock import EventClock
from tailrace.spark.time.watermark import WatermarkState, WatermarkTracker

SECOND = 1_000_000
TICKS = EventClock(1, True, 0)
S, T, U = (Stream(name, Schema.of(), timestamp="ts") for name in "STU")
TOLD = replace(S, heartbeat="beat")
IDLE = replace(S, idle=10 * SECOND)


class Tracked:
    """The rules for some sources, and the state after all that was recorded so far."""

    def __init__(self, sources: tuple[Stream, ...], clock: EventClock, finished: frozenset[str]) -> None:
        layout = SourceLayout(sources, ((),) * len(sources), False)
        self.rules = WatermarkTracker(layout, tuple(range(len(sources))), finished)
        self.state = WatermarkState(clock)

    def record_batch(self, measures: dict[str, int | None], now: int | None = None) -> bool:
        late = self.rules.has_late_rows(self.state, measures)
        self.state = self.rules.advance(self.state, measures, now)
        return late

    def advance(self, now: int) -> None:
        self.state = self.rules.advance(self.state, None, now)

    def start(self, now: int) -> None:
        self.state = self.rules.start(self.state, self.state.clock, now)

    def watermark_at(self, now: int | None = None) -> int:
        return self.rules.watermark_at(self.state, now)

    def find_lagging_source(self, now: int | None) -> LaggingSource | None:
        return self.rules.find_lagging_source(self.state, now)

    @property
    def watermark(self) -> int:
        return self.state.watermark

    @property
    def end(self) -> int:
        return self.rules.end(self.state)


def heartbeat(*sources: Stream, clock: EventClock = TICKS, finished: str = "") -> Tracked:
    return Tracked(sources, clock, frozenset(finished))


def seen(*shown: tuple[int | None, ...]) -> dict[str, int | None]:
    """What a batch shows of each source: the first and last time of its elements, and then that of its heartbeats."""
    found: dict[str, int | None] = {"rows": 0}
    for number, (first, last, *promised) in enumerate(shown):
        timed = len({first, last} - {None})
        found |= {f"first{number}": first, f"last{number}": last, f"timed{number}": timed}
        found["rows"] = (found["rows"] or 0) + timed
        if promised:
            found[f"promised{number}"] = promised[0]
    return found


NOTHING = (None, None)


# Elements -------------------------------------------------------------------------------------------------


def test_the_newest_instant_is_not_known_yet() -> None:
    beat = heartbeat(S)
    beat.record_batch(seen((3, 7)))
    assert (beat.watermark, beat.end) == (6, 7)


def test_the_delay_counts() -> None:
    beat = heartbeat(replace(S, delay=4))
    beat.record_batch(seen((3, 7)))
    assert beat.watermark == 2
    beat.record_batch(seen((3, 5)))
    assert beat.watermark == 2


def test_nothing_is_known_before_all_have_spoken() -> None:
    beat = heartbeat(S, T)
    beat.record_batch(seen((3, 7), NOTHING))
    assert beat.watermark == -1
    beat.record_batch(seen(NOTHING, (5, 6)))
    assert beat.watermark == 5


def test_a_source_far_ahead_makes_nothing_of_the_others_late() -> None:
    beat = heartbeat(S, T)
    beat.record_batch(seen((1, 1_000_000), (1, 5)))
    assert beat.watermark == 4
    assert not beat.record_batch(seen((1_000_001, 2_000_000), (5, 6)))
    assert beat.watermark == 5
    assert beat.record_batch(seen(NOTHING, (4, 9)))


# Heartbeats -----------------------------------------------------------------------------------------------


def test_a_heartbeat_makes_its_own_instant_known() -> None:
    beat = heartbeat(TOLD)
    beat.record_batch(seen((3, 7, 7)))
    assert beat.watermark == 7
    assert beat.state.rows == 2
    assert beat.state.unreadable == 0


def test_a_heartbeat_counts_without_the_delay() -> None:
    beat = heartbeat(replace(TOLD, delay=100))
    beat.record_batch(seen((3, 7, 5)))
    assert beat.watermark == 5
    beat.record_batch(seen((*NOTHING, 20)))
    assert (beat.watermark, beat.end) == (20, 20)
    beat.record_batch(seen((*NOTHING, 4)))
    assert beat.watermark == 20


def test_elements_after_a_heartbeat_count_as_well() -> None:
    beat = heartbeat(TOLD)
    beat.record_batch(seen((3, 7, 5)))
    assert beat.watermark == 6


def test_what_breaks_the_promise_is_late() -> None:
    beat = heartbeat(TOLD)
    beat.record_batch(seen((3, 7, 9)))
    assert beat.record_batch(seen((9, 12, None)))
    assert not beat.record_batch(seen((12, 12, 10)))


def test_a_heartbeat_is_never_late() -> None:
    beat = heartbeat(TOLD)
    beat.record_batch(seen((3, 7, 9)))
    assert not beat.record_batch(seen((*NOTHING, 2)))


def test_others_are_waited_for() -> None:
    beat = heartbeat(TOLD, T)
    beat.record_batch(seen((3, 7, 100), (3, 5)))
    assert beat.watermark == 4
    assert not beat.record_batch(seen((50, 50, None), (5, 6)))


def test_heartbeats_before_the_first_element() -> None:
    """TIMESTAMPs count from the first element: a heartbeat before it waits until there is one."""
    beat = heartbeat(TOLD, clock=EventClock(SECOND, False))
    beat.record_batch(seen((*NOTHING, 50 * SECOND)))
    assert (beat.watermark, beat.end, beat.state.format_watermark()) == (-1, 0, None)
    beat.record_batch(seen((40 * SECOND, 42 * SECOND, None)))
    assert (beat.watermark, beat.end) == (10, 10)
    early = heartbeat(TOLD, clock=EventClock(SECOND, False))
    early.record_batch(seen((*NOTHING, 50 * SECOND)))
    early.record_batch(seen((60 * SECOND, 60 * SECOND, None)))
    assert (early.watermark, early.end) == (-1, 0)


# Silence --------------------------------------------------------------------------------------------------


def test_a_silent_source_holds_nobody_back() -> None:
    beat = heartbeat(IDLE, T)
    beat.start(0)
    beat.record_batch(seen((1, 2), (1, 9)), 0)
    assert beat.watermark == 1
    beat.record_batch(seen(NOTHING, (10, 20)), 9 * SECOND)
    assert beat.watermark == 1
    beat.advance(10 * SECOND)
    assert beat.watermark == 19


def test_until_it_speaks_again() -> None:
    beat = heartbeat(IDLE, T)
    beat.start(0)
    beat.record_batch(seen((1, 2), (1, 20)), 0)
    beat.advance(10 * SECOND)
    assert beat.record_batch(seen((5, 6), NOTHING), 11 * SECOND)
    assert beat.watermark == 19
    assert not beat.record_batch(seen(NOTHING, (30, 30)), 12 * SECOND)
    assert beat.watermark == 19
    assert not beat.record_batch(seen((25, 26), NOTHING), 13 * SECOND)
    assert beat.watermark == 25


def test_a_source_that_never_spoke_is_idle_as_well() -> None:
    beat = heartbeat(IDLE, T)
    beat.start(100 * SECOND)
    beat.record_batch(seen(NOTHING, (1, 9)), 101 * SECOND)
    assert beat.watermark == -1
    beat.advance(110 * SECOND)
    assert beat.watermark == 8


def test_a_heartbeat_breaks_the_silence() -> None:
    beat = heartbeat(replace(IDLE, heartbeat="beat"), T)
    beat.start(0)
    beat.record_batch(seen((1, 2, None), (1, 9)), 0)
    beat.record_batch(seen((*NOTHING, 4), NOTHING), 9 * SECOND)
    beat.advance(11 * SECOND)
    assert beat.watermark == 4


def test_if_all_are_idle_the_one_that_came_furthest_tells_the_time() -> None:
    beat = heartbeat(IDLE, replace(T, idle=20 * SECOND, delay=5), replace(U, idle=SECOND))
    beat.start(0)
    beat.record_batch(seen((1, 2), (1, 30), (1, 9)), 0)
    beat.advance(10 * SECOND)
    assert beat.watermark == 24
    beat.advance(20 * SECOND)
    assert beat.watermark == 24
    other = heartbeat(IDLE, replace(T, idle=SECOND))
    other.start(0)
    other.record_batch(seen((1, 30), (1, 9)), 0)
    other.advance(60 * SECOND)
    assert other.watermark == 29
    assert heartbeat(IDLE).watermark_at(60 * SECOND) == -1


def test_a_run_that_ends_by_itself_knows_no_silence() -> None:
    beat = heartbeat(IDLE, T)
    beat.record_batch(seen((1, 2), (1, 9)))
    assert beat.watermark == 1
    assert beat.watermark_at(None) == 1
    assert beat.find_lagging_source(None) is None


def test_silence_counts_anew_when_a_run_starts_again() -> None:
    beat = heartbeat(IDLE, T)
    beat.start(0)
    beat.record_batch(seen((1, 2), (1, 9)), 0)
    beat.start(3600 * SECOND)
    beat.advance(3601 * SECOND)
    assert beat.watermark == 1


def test_a_finished_source_holds_nobody_back() -> None:
    for finished, watermark in (("S", 8), ("ST", 9)):
        beat = heartbeat(S, T, finished=finished)
        beat.record_batch(seen((1, 2), (1, 9)))
        assert beat.watermark_at() == watermark


def test_a_finished_source_does_not_tell_the_time_for_idle_ones() -> None:
    beat = heartbeat(IDLE, T, finished="T")
    beat.start(0)
    beat.record_batch(seen((1, 2), (1, 900)), 0)
    assert beat.watermark_at(60 * SECOND) == 1


def test_the_clock_is_the_heartbeat_of_what_is_stamped_at_arrival() -> None:
    beat = heartbeat(replace(S, timestamp=None), clock=EventClock(SECOND, False))
    assert beat.watermark_at(5 * SECOND) == -1
    beat.record_batch(seen((100 * SECOND, 100 * SECOND)), 100 * SECOND)
    assert beat.watermark == -1
    beat.advance(107 * SECOND)
    assert beat.watermark == 6
    assert beat.watermark_at(None) == -1


# For people -----------------------------------------------------------------------------------------------


def test_who_holds_the_watermark_back() -> None:
    beat = heartbeat(S, T, U, clock=EventClock(SECOND, False))
    beat.start(0)
    later = 36_005 * SECOND
    beat.record_batch(seen((0, 60 * SECOND), (0, 60 * SECOND + later), (0, 2 * later)), 3 * SECOND)
    held = beat.find_lagging_source(15 * SECOND)
    assert held == LaggingSource("S", 12.0, "T", "10:00:05")
    assert held.describe() == "S holds the watermark back: no rows for 12 s, 10:00:05 behind T"


@pytest.mark.parametrize("order", list(permutations(["S", "T", "U"])))
def test_the_order_of_the_sources_does_not_matter(order: tuple[str, ...]) -> None:
    newest = {"S": 7, "T": 3, "U": 5}
    beat = heartbeat(*(Stream(name, Schema.of(), timestamp="ts") for name in order))
    beat.start(0)
    beat.record_batch(seen(*((0, newest[name]) for name in order)), 0)
    assert beat.find_lagging_source(0) == LaggingSource("T", 0.0, "U", "2 ticks")


def test_nobody_holds_the_watermark_back() -> None:
    alone, even, silent = heartbeat(S), heartbeat(S, T), heartbeat(IDLE, T)
    for each, shown in ((alone, [(1, 5)]), (even, [(1, 5), (2, 5)]), (silent, [(1, 5), (1, 9)])):
        each.start(0)
        each.record_batch(seen(*shown), 0)
        assert each.find_lagging_source(10 * SECOND) is None


def test_a_source_that_has_not_said_anything() -> None:
    beat = heartbeat(S, T)
    beat.start(0)
    beat.record_batch(seen(NOTHING, (1, 5)), SECOND)
    held = beat.find_lagging_source(90 * SECOND)
    assert held is not None
    assert held.describe() == "S holds the watermark back: no rows yet after 0:01:30, unlike T"


# Spark and memory -----------------------------------------------------------------------------------------


def test_only_sources_with_heartbeats_are_asked_for_them() -> None:
    assert heartbeat(S).rules.batch_measures() == {
        "rows": "count(1)",
        "first0": "min(_moment)",
        "last0": "max(_moment)",
        "timed0": "count(_moment)",
    }
    asked = heartbeat(TOLD, T).rules.batch_measures()
    assert list(asked) == ["rows", "first0", "last0", "timed0", "promised0", "first1", "last1", "timed1"]
    assert asked["promised0"] == "max(IF(_source = -1, _moment, NULL))"
    assert asked["last1"] == "max(IF(_source = 1, _moment, NULL))"


def test_memory() -> None:
    clock = EventClock(SECOND, False)
    beat = heartbeat(TOLD, replace(T, idle=SECOND), U, clock=clock, finished="U")
    beat.start(5 * SECOND)
    beat.record_batch(seen((10 * SECOND, 20 * SECOND, 30 * SECOND), (10 * SECOND, 40 * SECOND), NOTHING), 6 * SECOND)
    beat.state = replace(beat.state, read=frozenset("U"))
    again = WatermarkState.from_json(json.loads(json.dumps(beat.state.to_json())), SECOND)
    assert replace(again, last_rows=beat.state.last_rows) == beat.state
    assert (again.watermark, again.rows, again.unreadable) == (20, 4, 0)
    assert again.last_seen == {"U": 5 * SECOND, "S": 6 * SECOND, "T": 6 * SECOND}
    fresh = WatermarkState(TICKS)
    assert WatermarkState.from_json(fresh.to_json(), 1) == fresh


def test_a_stream_starts_from_what_is_known_of_its_sources() -> None:
    beat = heartbeat(TOLD, T, clock=EventClock(SECOND, False))
    beat.record_batch(seen((10 * SECOND, 20 * SECOND, 30 * SECOND), (10 * SECOND, 40 * SECOND)))
    beat.state = replace(beat.state, read=frozenset("ST"))
    rules = heartbeat(U, T).rules
    again = rules.start(beat.state, EventClock(SECOND, None), 70 * SECOND)
    assert (again.watermark, again.rows, again.clock) == (beat.watermark, 4, beat.state.clock)
    assert (again.newest, again.heartbeats, again.counts, again.read) == ({"T": 30}, {}, {"T": 2}, {"T"})
    assert again.last_seen == {"U": 70 * SECOND, "T": 70 * SECOND}


def test_rows_arrive_after_all_that_is_decided_whatever_the_clock() -> None:
    """Also not before the newest row of their source: its rows stay in order."""
    clock = EventClock(10, False, 500)
    rules = heartbeat(S, Stream("NOTED", Schema.of()), clock=clock).rules
    state = WatermarkState(clock, watermark=6)
    assert rules.arrival_floors(state, 6) == {1: 570}
    assert rules.arrival_floors(state, 8) == {1: 590}
    assert rules.arrival_floors(replace(state, newest={"S": 99, "NOTED": 12}), 8) == {1: 620}
    assert rules.arrival_floors(WatermarkState(clock, newest={"S": 0}), -1) == {1: 500}
    assert rules.arrival_floors(WatermarkState(clock), -1) == {}
    assert rules.arrival_floors(WatermarkState(EventClock(10, False)), -1) == {}


def test_the_clock_tells_all_only_where_every_source_is_stamped_at_arrival() -> None:
    arriving = replace(S, timestamp=None)
    assert heartbeat(arriving, arriving).rules.is_clock
    assert not heartbeat(arriving, T).rules.is_clock
