"""Event clock: converts event times of rows to instants and back, in Python and in Spark SQL.

A row's moment is its event time as the source gives it: a number of ticks, or microseconds since 1970. An instant is a
number of ticks from the origin.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from tailrace.errors import RunError
from tailrace.progress import format_duration
from tailrace.settings import Settings


@dataclass(frozen=True)
class EventClock:
    """How moments of a run map to instants: `instant = (moment - origin) // tick`.

    Timestamps that count ticks are instants already: then the tick is 1 and the origin 0. TIMESTAMPs are in
    microseconds, and so are `tick` and `origin`. `in_ticks` is None as long as no source has shown which of the two its
    timestamps are; no row has been read before that. `origin` is None until the first row, unless `SET origin` says it.
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
        """This clock, with `in_ticks` set if it was not known yet."""
        if self.in_ticks is not None:
            return self
        return EventClock(1, True, 0) if in_ticks else replace(self, in_ticks=False)

    def with_origin(self, earliest: int | None) -> EventClock:
        """This clock with an origin, if it has none yet: the whole tick since 1970 of the first rows' earliest moment.

        >>> EventClock(1_000_000, False).with_origin(5_300_000).origin
        5000000
        """
        if self.origin is not None or earliest is None:
            return self
        return replace(self, origin=earliest // self.tick * self.tick)

    @property
    def ticks_to_origin(self) -> int:
        """How many whole ticks after 1970 instant 0 is; 0 where timestamps count ticks."""
        return 0 if self.origin is None else self.origin // self.tick

    def continue_from(self, before: EventClock) -> EventClock:
        """This clock with the origin of one before it; also with its kind of time, if this one knows none yet."""
        if before.in_ticks is None:
            return self
        return replace(self.with_ticks_known(before.in_ticks), origin=before.origin)

    def instant(self, moment: int) -> int:
        assert self.origin is not None
        return (moment - self.origin) // self.tick

    def moment(self, instant: int) -> int:
        """The first moment of an instant.

        >>> clock = EventClock(1_000_000, False, 500)
        >>> clock.moment(3), clock.instant(clock.moment(3)), clock.instant(clock.moment(3) - 1)
        (3000500, 3, 2)
        """
        assert self.origin is not None
        return self.origin + instant * self.tick

    def format_instant(self, instant: int) -> str:
        """Write an instant as the inputs write their timestamps: as a number of ticks or as a date and time.

        >>> clock = EventClock(1_000_000, False, 0)
        >>> clock.format_instant(60), clock.format_instant(9_000_000_000_000)
        ('1970-01-01 00:01:00', '9,000,000,000,000,000,000 microseconds after 1970')
        """
        if self.in_ticks or self.origin is None:
            return str(instant)
        moment = self.moment(instant)
        try:
            return str(datetime.fromtimestamp(moment / 1_000_000, UTC).replace(tzinfo=None))
        except (ValueError, OverflowError, OSError):  # a year that datetime cannot hold
            return f"{moment:,} microseconds after 1970"

    def told_length(self, ticks: int) -> str:
        """Write a length of time for people: a number of ticks, or hours, minutes and seconds."""
        if self.in_ticks:
            return f"{ticks:,} {'tick' if ticks == 1 else 'ticks'}"
        return format_duration(ticks * self.tick / 1_000_000)

    def text(self) -> str:
        """The Spark SQL expression for the instant of the column `_moment`; it uses integer arithmetic only."""
        if self.in_ticks:
            return "_moment"
        since = f"(_moment - {self.origin or 0}L)"
        return f"(({since} - pmod({since}, {self.tick}L)) div {self.tick}L)"

    def late_text(self, watermark: int) -> str:
        """The condition, in Spark SQL, for rows up to the watermark."""
        # Spark recompiles a statement if a literal in it differs, but not if the literal is in an array. The array's
        # index is always 0, written so that Spark cannot fold it.
        return f"{self.text()} <= array({watermark}L)[CAST(pmod(_moment, 1L) AS INT)]"

    def parse(self, text: str) -> int:
        """Read the moment of `--until`: a number of ticks or a date and time, by default in UTC, like the inputs."""
        try:
            if self.in_ticks:
                return int(text)
            moment = datetime.fromisoformat(text)
        except ValueError:
            wanted = "a number of ticks" if self.in_ticks else "a moment such as '2024-03-01 10:00:00'"
            raise RunError(f"--until takes {wanted} here, not {text}") from None
        return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1_000_000)
