"""Outcome: what a run tells beside its answers: how far it came, and which rows were left out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True)
class LeftOut:
    """Rows of a source that took no part: how many, the files most of them are in, and where they were kept."""

    source: str
    rows: int
    files: tuple[str, ...] = ()
    kept: str | None = None

    def told(self, why: str) -> str:
        """One line about them.

        >>> LeftOut("S", 2, ("S.csv",), "unreadable/S").told("could not be read")
        'S: 2 rows in S.csv could not be read; they are kept in unreadable/S'
        >>> LeftOut("S", 1, kept="late/S").told("came too late")
        'S: 1 row came too late; it is kept in late/S'
        """
        rows, they = ("row", "it is") if self.rows == 1 else ("rows", "they are")
        where = f" in {', '.join(self.files)}" if self.files else ""
        kept = f"; {they} kept in {self.kept}" if self.kept else ""
        return f"{self.source}: {self.rows:,} {rows}{where} {why}{kept}"


@dataclass(frozen=True)
class Held:
    """The source that all others wait for: for how many seconds it has been silent, and how far behind the next it is.

    `behind` is None for a source that has not said anything yet.
    """

    source: str
    silent: float
    next: str
    behind: str | None

    def told(self) -> str:
        """One line about it.

        >>> Held("S", 12.3, "Calls", "10:00:05").told()
        'S holds the heartbeat back: silent for 12 s, 10:00:05 behind Calls'
        """
        behind = f"{self.behind} behind {self.next}" if self.behind else f"nothing yet, and {self.next} waits"
        return f"{self.source} holds the heartbeat back: silent for {lasting(self.silent)}, {behind}"


def lasting(seconds: float) -> str:
    """A length of time for people.

    >>> lasting(12.3), lasting(36_005)
    ('12 s', '10:00:05')
    """
    whole = int(seconds)
    return f"{whole} s" if whole < 60 else str(timedelta(seconds=whole))


@dataclass(frozen=True)
class Progress:
    """How far a run is: rows taken, the instant up to which everything is known, and what holds it back."""

    rows: int
    heartbeat: str | None
    held: Held | None = None


@dataclass(frozen=True)
class Outcome:
    """How a run ended."""

    rows: int = 0
    late: tuple[LeftOut, ...] = ()
    unreadable: tuple[LeftOut, ...] = ()


Watch = Callable[[Progress], None]
