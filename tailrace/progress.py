"""Outcome: what a run tells beside its answers: how far it came, and which rows were left out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, dataclass
from datetime import timedelta

SHED = "dropped, as batches fell behind"


@dataclass(frozen=True)
class RejectedCount:
    """Rows of a source that took no part: how many, the files most of them are in, and where they were kept."""

    source: str
    rows: int
    files: tuple[str, ...] = ()
    kept: str | None = None

    def describe(self, why: str) -> str:
        """One line about them.

        >>> RejectedCount("S", 2, ("S.csv",), "unreadable/S").describe("could not be read")
        'S: 2 rows in S.csv could not be read; they are kept in unreadable/S'
        >>> RejectedCount("S", 1, kept="late/S").describe("came too late")
        'S: 1 row came too late; it is kept in late/S'
        """
        rows, they = ("row", "it is") if self.rows == 1 else ("rows", "they are")
        where = f" in {', '.join(self.files)}" if self.files else ""
        kept = f"; {they} kept in {self.kept}" if self.kept else ""
        return f"{self.source}: {self.rows:,} {rows}{where} {why}{kept}"


@dataclass(frozen=True)
class LaggingSource:
    """The source that all others wait for: for how many seconds it has been silent, and how far behind the next it is.

    `behind` is None for a source that has not said anything yet.
    """

    source: str
    silent: float
    next: str
    behind: str | None

    def describe(self) -> str:
        """One line about it.

        >>> LaggingSource("S", 12.3, "Calls", "10:00:05").describe()
        'S holds the heartbeat back: silent for 12 s, 10:00:05 behind Calls'
        """
        behind = f"{self.behind} behind {self.next}" if self.behind else f"nothing yet, and {self.next} waits"
        return f"{self.source} holds the heartbeat back: silent for {format_duration(self.silent)}, {behind}"


def format_duration(seconds: float) -> str:
    """A length of time for people.

    >>> format_duration(12.3), format_duration(36_005)
    ('12 s', '10:00:05')
    """
    whole = int(seconds)
    return f"{whole} s" if whole < 60 else str(timedelta(seconds=whole))


@dataclass(frozen=True)
class SourceProgress:
    """What was seen of a source: rows taken, those that were late, its newest instant, and for how long it is silent.

    `waited` says that others wait for it: it is neither finished nor idle. `shed` of its rows were dropped because
    batches fell behind.
    """

    name: str
    rows: int = 0
    late: int = 0
    newest: str | None = None
    silent: float | None = None
    waited: bool = True
    shed: int = 0


@dataclass(frozen=True)
class Progress:
    """How far a run is: rows taken, the instant up to which everything is known, what holds it back, the sources."""

    rows: int
    heartbeat: str | None
    held: LaggingSource | None = None
    sources: tuple[SourceProgress, ...] = ()


@dataclass(frozen=True)
class OperatorMetrics:
    """What an operator did in a batch: rows in and out, seconds in all shards, and what it remembers after it.

    >>> OperatorMetrics(10, 2, 0.5, 7, 100) + OperatorMetrics(20, 4, 0.25, 1, 8)
    OperatorMetrics(rows_in=30, rows_out=6, seconds=0.75, remembered=8, bytes=108)
    """

    rows_in: int = 0
    rows_out: int = 0
    seconds: float = 0
    remembered: int = 0
    bytes: int = 0

    def __add__(self, other: OperatorMetrics) -> OperatorMetrics:
        return OperatorMetrics(*(one + two for one, two in zip(astuple(self), astuple(other), strict=True)))


@dataclass(frozen=True)
class RunSummary:
    """How a run ended."""

    rows: int = 0
    late: tuple[RejectedCount, ...] = ()
    unreadable: tuple[RejectedCount, ...] = ()
    shed: tuple[RejectedCount, ...] = ()


Watch = Callable[[Progress], None]
