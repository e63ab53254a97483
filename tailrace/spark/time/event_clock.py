"""Clock: moments of the data to instants and back, and how far the heartbeat is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from tailrace.errors import RunError
from tailrace.progress import format_duration
from tailrace.settings import Settings


@dataclass(frozen=True)
class EventClock:
    """Numbers of ticks are instants already; TIMESTAMPs (in microseconds) count ticks from the origin.

    `in_ticks` is None while no source has told which of them its timestamps are: then there are no rows yet either.
    """

    tick: int
    in_ticks: bool | None
    origin: int | None = None

    @staticmethod
    def of(settings: Settings, in_ticks: bool | None) -> EventClock:
        origin = settings.origin
        clock = EventClock(settings.tick, None, None if origin is None else int(origin.timestamp() * 1_000_000))
        return clock if in_ticks is None else clock.with_ticks_known(in_ticks)

    def with_ticks_known(self, in_ticks: bool) -> EventClock:
        """The clock once it is known whether timestamps count ticks."""
        if self.in_ticks is not None:
            return self
        return EventClock(1, True, 0) if in_ticks else replace(self, in_ticks=False)

    def with_origin(self, earliest: int | None) -> EventClock:
        """The clock once the earliest moment is known, which is the first instant unless an origin was set."""
        return replace(self, origin=earliest) if self.origin is None and earliest is not None else self

    def instant(self, moment: int) -> int:
        assert self.origin is not None
        return (moment - self.origin) // self.tick

    def format_instant(self, instant: int) -> str:
        """An instant as the inputs write it.

        >>> clock = EventClock(1_000_000, False, 0)
        >>> clock.format_instant(60), clock.format_instant(9_000_000_000_000)
        ('1970-01-01 00:01:00', '9,000,000,000,000,000,000 microseconds after 1970')
        """
        if self.in_ticks or self.origin is None:
            return str(instant)
        moment = self.origin + instant * self.tick
        try:
            return str(datetime.fromtimestamp(moment / 1_000_000, UTC).replace(tzinfo=None))
        except (ValueError, OverflowError, OSError):  # no year that a datetime has
            return f"{moment:,} microseconds after 1970"

    def told_length(self, ticks: int) -> str:
        """A number of ticks for people."""
        if self.in_ticks:
            return f"{ticks:,} {'tick' if ticks == 1 else 'ticks'}"
        return format_duration(ticks * self.tick / 1_000_000)

    def text(self) -> str:
        """The instant of a row's moment, in Spark SQL; whole numbers all the way."""
        if self.in_ticks:
            return "_moment"
        since = f"(_moment - {self.origin or 0}L)"
        return f"(({since} - pmod({since}, {self.tick}L)) div {self.tick}L)"

    def parse(self, text: str) -> int:
        """The moment of `--until`: a number of ticks or a time, as the inputs have it."""
        try:
            if self.in_ticks:
                return int(text)
            moment = datetime.fromisoformat(text)
        except ValueError:
            wanted = "a number of ticks" if self.in_ticks else "a moment such as '2024-03-01 10:00:00'"
            raise RunError(f"--until takes {wanted} here, not {text}") from None
        return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1_000_000)
