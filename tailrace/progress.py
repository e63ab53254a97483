"""Progress: what a run reports besides results: its watermark, its sources, its metrics and its rejected rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, dataclass
from datetime import timedelta
from logging import Logger

SHED = "dropped, as batches fell behind"


@dataclass(frozen=True)
class RejectedCount:
    """Rows of one source that were rejected: late, unreadable or shed."""

    source: str
    rows: int
    files: tuple[str, ...] = ()  # the input files with most of them
    kept: str | None = None  # the folder to which they were written

    def describe(self, why: str) -> str:
        """One line about the rejected rows; `why` says why they were rejected.

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
    """The source that holds the watermark back: all other sources are further."""

    source: str
    idle_seconds: float  # since its last row
    next: str  # the source with the next lowest watermark
    behind: str | None  # how far it is behind that one; None if nothing has arrived from it yet

    def describe(self) -> str:
        """One line about the lagging source.

        >>> LaggingSource("S", 12.3, "Calls", "10:00:05").describe()
        'S holds the watermark back: no rows for 12 s, 10:00:05 behind Calls'
        """
        idle = format_duration(self.idle_seconds)
        lag = f"for {idle}, {self.behind} behind" if self.behind else f"yet after {idle}, unlike"
        return f"{self.source} holds the watermark back: no rows {lag} {self.next}"


def format_duration(seconds: float) -> str:
    """Seconds as people read them.

    >>> format_duration(12.3), format_duration(36_005)
    ('12 s', '10:00:05')
    """
    whole = int(seconds)
    return f"{whole} s" if whole < 60 else str(timedelta(seconds=whole))


@dataclass(frozen=True)
class SourceProgress:
    """How far a run has read one source."""

    name: str
    rows: int = 0
    late: int = 0
    newest: str | None = None  # the newest instant
    idle_seconds: float | None = None  # since its last row
    holds_watermark: bool = True  # the watermark waits for it: it is neither finished nor idle
    shed: int = 0  # rows that were dropped because batches fell behind


@dataclass(frozen=True)
class Progress:
    """How far a run is: rows read, the watermark, the source that holds it back, and all sources."""

    rows: int
    watermark: str | None
    held: LaggingSource | None = None
    sources: tuple[SourceProgress, ...] = ()


@dataclass(frozen=True)
class OperatorMetrics:
    """What an operator did in one batch: rows in and out, seconds summed over all shards, and its state afterwards.

    `state_rows` is the number of rows in its state, `state_bytes` their size.

    >>> OperatorMetrics(10, 2, 0.5, 7, 100) + OperatorMetrics(20, 4, 0.25, 1, 8)
    OperatorMetrics(rows_in=30, rows_out=6, seconds=0.75, state_rows=8, state_bytes=108)
    """

    rows_in: int = 0
    rows_out: int = 0
    seconds: float = 0
    state_rows: int = 0
    state_bytes: int = 0

    def __add__(self, other: OperatorMetrics) -> OperatorMetrics:
        return OperatorMetrics(*(one + two for one, two in zip(astuple(self), astuple(other), strict=True)))


@dataclass(frozen=True)
class RunSummary:
    """How a run ended: the number of rows it read, those it rejected, and why queries are quarantined."""

    rows: int = 0
    late: tuple[RejectedCount, ...] = ()
    unreadable: tuple[RejectedCount, ...] = ()
    shed: tuple[RejectedCount, ...] = ()
    failed: tuple[str, ...] = ()

    def warn_of_rejected(self, log: Logger) -> None:
        """Log a warning for each source of which rows were rejected."""
        reasons = {"came too late": self.late, "could not be read": self.unreadable, SHED: self.shed}
        for reason, sources in reasons.items():
            for rows in sources:
                log.warning(rows.describe(reason))


Watch = Callable[[Progress], None]
