"""Decision: how far a batch decides, by the watermark that follows from what its tasks measured.

The driver and all tasks of a batch ask the same rule with the same measures, so they agree without talking.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tailrace.exchange.payloads import Payload
from tailrace.spark.time.event_clock import EventClock
from tailrace.spark.time.watermark import WatermarkState, WatermarkTracker

Measures = Mapping[str, Any]


@dataclass(frozen=True)
class DecisionRule:
    """What is known of a batch before its rows are read: the watermark `before` it, and `now`, when it was taken.

    Everything up to `decided_until` is decided already. `until` is the moment of `--until`. With `decides_all`, the
    batch decides up to its newest instant.
    """

    tracker: WatermarkTracker
    before: WatermarkState
    now: int | None
    decided_until: int
    until: str | None = None
    decides_all: bool = False

    def after(self, measures: Measures) -> WatermarkState:
        """The watermark after a batch with these measures."""
        after = self.tracker.advance(self.before, {**no_measures(self.tracker.moving), **measures}, self.now)
        after = replace(after, clock=with_end_known(after.clock, self.until))
        return replace(after, watermark=self.tracker.end(after)) if self.decides_all else after

    def decidable(self, after: WatermarkState) -> int:
        """The instant up to which the batch decides, at most the end of the run."""
        decided = max(after.watermark, self.decided_until)
        last = last_instant(after.clock, self.until)
        return decided if last is None else min(decided, last)

    def decide(self, told: Iterable[Payload]) -> int:
        """The instant up to which a task decides, given the summaries of all tasks of the step before it.

        Source tasks tell what they measured; tasks of a stage tell how far it decided.
        """
        parts = {payload.arrival: json.loads(bytes(payload.content)) for payload in told}
        for part in parts.values():
            if "decide_until" in part:
                return int(part["decide_until"])
        return self.decidable(self.after(combine_measures(parts.values())))


def summary_of(decide_until: int) -> bytes:
    """What a task of a stage tells the next stage."""
    return json.dumps({"decide_until": decide_until}).encode()


def with_end_known(clock: EventClock, until: str | None) -> EventClock:
    """The clock with the moment of `--until` as its origin, if no row has shown one."""
    return clock if until is None else clock.with_origin(clock.parse(until))


def last_instant(clock: EventClock, until: str | None) -> int | None:
    """The instant of `--until`; None without it."""
    return None if until is None else with_end_known(clock, until).instant(clock.parse(until))


def no_measures(sources: Iterable[int]) -> dict[str, Any]:
    """The measures of a batch, or of a task, without rows."""
    found: dict[str, Any] = {"rows": 0}
    for number in sources:
        found |= {f"first{number}": None, f"last{number}": None, f"timed{number}": 0}
    return found


def combine_values(name: str, one: int | None, other: int | None) -> int | None:
    """Two values of a measure as one: the least of firsts, the greatest of lasts and heartbeats, the sum of counts."""
    if one is None or other is None:
        return one if other is None else other
    if name.startswith("first"):
        return min(one, other)
    return max(one, other) if name.startswith(("last", "promised")) else one + other


def combine_measures(parts: Iterable[Measures]) -> dict[str, Any]:
    """The measures of all tasks together.

    >>> combine_measures([{"rows": 2, "first0": 5, "last0": 7}, {"rows": 1, "first0": None}])
    {'rows': 3, 'first0': 5, 'last0': 7}
    """
    found: dict[str, Any] = {}
    for part in parts:
        for name, value in part.items():
            found[name] = combine_values(name, found.get(name), value)
    return found
