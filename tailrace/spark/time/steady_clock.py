"""Steady clock: the time of day in microseconds since 1970, by a clock that never goes back.

The clock of a machine may be set back while a run goes on, or between two runs. Instants that were decided stay
decided. So the steady clock then goes on from where it was, at nine tenths of the speed, until the machine's clock has
caught up. Otherwise both are the same.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

STEP = 1_000_000  # microseconds: what sets a clock back by less is no step, and nobody waits long for it


@dataclass
class SteadyClock:
    """Tells the time of day, never less than before; threads may share it.

    `wall` is the machine's clock and `passed` one that no one sets, both in nanoseconds.

    >>> readings = iter([100_000, 40_000, 120_000])
    >>> clock = SteadyClock(lambda: next(readings), lambda: 0)
    >>> clock.now(), clock.now(), clock.now()
    (100, 100, 120)
    """

    wall: Callable[[], int] = time.time_ns
    passed: Callable[[], int] = time.monotonic_ns
    last: int = 0  # what it told last
    passed_by_then: int = 0
    wall_by_then: int = 0
    is_behind: bool = False  # the machine's clock was set back, and nobody has asked since
    lock: threading.Lock = field(default_factory=threading.Lock)

    def now(self) -> int:
        with self.lock:
            passed = self.passed()
            since = (passed - self.passed_by_then) // 1000
            wall = self.wall() // 1000
            self.is_behind |= wall + STEP < self.wall_by_then + since
            self.last = max(wall, self.last + since * 9 // 10)
            self.passed_by_then, self.wall_by_then = passed, wall
            return self.last

    def has_been_set_back(self) -> bool:
        """Whether the machine's clock was set back since this was asked last."""
        self.now()
        with self.lock:
            found, self.is_behind = self.is_behind, False
            return found

    def reach(self, moment: int) -> None:
        """Go on from a moment, if that is later than now."""
        self.now()
        with self.lock:
            self.last = max(self.last, moment)
