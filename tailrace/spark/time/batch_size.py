"""Batch size: limits how much a batch may take, so that batches stay near a target time.

Structured Streaming takes everything that is there unless its sources have limits, and those are fixed when it starts.
So changing a limit takes a restart of the stream, which costs about as much as a small batch. It is therefore done only
if the limit is far off, and only if two batches in a row agree.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from tailrace.catalog.formats import FOLLOWED
from tailrace.settings import Settings

FILES, ROWS = 64, 1_000_000  # the limits at the start
AGREEING = 2  # the number of batches in a row after which a limit may change
NEARLY = 0.9  # a batch with this share of the limit is full: files are counted approximately
APART, FASTER = 2.0, 8.0  # a limit changes if it is off by this factor; it grows at most by that one


# The options by which Spark limits a batch, in lower case, with the largest value of each.
LIMITS = {"maxfilespertrigger": 2**31 - 1, "maxbytespertrigger": 2**62, "maxoffsetspertrigger": 2**62}


class Limits(Protocol):
    """How much a batch may take, as options for Spark's readers."""

    def options(self, format: str, given: set[str]) -> dict[str, int]:
        """The options to add to a source of this format; `given` are the names of its own options, in lower case."""
        ...


@dataclass(frozen=True)
class TakeAll:
    """No limit: one batch takes everything that is there, even if a source's own options set a limit."""

    def options(self, format: str, given: set[str]) -> dict[str, int]:
        """
        >>> TakeAll().options("csv", {"header", "maxfilespertrigger"})
        {'maxfilespertrigger': 2147483647}
        """
        return {name: most for name, most in LIMITS.items() if name in given}


@dataclass(frozen=True)
class BatchSize:
    """The current limits of a batch, in rows and in files of each file source, adjusted to the time batches take."""

    target: float  # seconds that a batch should take
    most: int | None = None  # rows that a batch may have at most, however fast it is
    rows: int = ROWS
    files: int = FILES
    speeds: tuple[float, ...] = ()  # rows per second of the last full or slow batches

    @staticmethod
    def of(settings: Settings) -> BatchSize:
        """The limits with which a run starts."""
        target, most = settings.batch_time / 1_000_000, settings.batch_rows
        # One file at a time if rows are limited, until a batch has shown how many rows a file has.
        return BatchSize(target) if most is None else BatchSize(target, most, most, 1)

    def after_batch(self, rows: int, files: int, seconds: float) -> BatchSize:
        """The limits after a batch of this size and time. If rows or files differ, the stream must be restarted.

        Only batches that were full or far too slow count: another one took all there was, and says nothing of limits.
        """
        long = seconds > self.target * APART
        if not rows or not (self.is_full(rows, files) or long):
            return replace(self, speeds=())
        speeds = (*self.speeds, rows / seconds)
        if len(speeds) < AGREEING:
            return replace(self, speeds=speeds)
        # The fastest of the batches counts: a batch may be slow for other reasons than its size, as the first ones are.
        wanted = min(max(speeds) * self.target, self.rows * FASTER, self.most or float("inf"))
        in_files = max(1, int(wanted * files / rows)) if files else self.files
        if not (far(wanted, self.rows) if not files else far(in_files, self.files)):
            return replace(self, speeds=())
        return replace(self, rows=max(1, int(wanted)), files=in_files, speeds=())

    def is_full(self, rows: int, files: int) -> bool:
        """Whether a batch reached a limit, so that more rows may be waiting."""
        return files >= self.files * NEARLY or rows >= self.rows * NEARLY

    def options(self, format: str, given: set[str]) -> dict[str, int]:
        """The limit for a source of this format, unless its own options (`given`, in lower case) have one."""
        if format == "kafka":
            return {} if "maxoffsetspertrigger" in given else {"maxOffsetsPerTrigger": self.rows}
        if format not in FOLLOWED or given & {"maxfilespertrigger", "maxbytespertrigger"}:
            return {}
        return {"maxFilesPerTrigger": self.files}


def far(one: float, other: float) -> bool:
    return not 1 / APART < one / other < APART
