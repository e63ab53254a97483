"""Intake: how much a batch may take, so that batches stay near a target time.

Structured Streaming takes all that is there unless its sources are told not to, and they are told when it starts. So a
limit that turned out wrong is changed by a new start, which costs about as much as a small batch: not for little, and
not for what a single batch shows.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

FOLLOWED = ("csv", "json", "parquet", "orc", "text", "avro", "xml", "delta")  # formats that Spark follows by files
FILES, ROWS = 64, 1_000_000  # to begin with
AGREEING = 2  # so many batches in a row
NEARLY = 0.9  # files are counted roughly
APART, FASTER = 2.0, 8.0  # a limit is changed if it is so many times off, and grows by so much at most


# Spark's own limits on a batch, by the names of their options in small letters, and the most that each may be.
LIMITS = {"maxfilespertrigger": 2**31 - 1, "maxbytespertrigger": 2**62, "maxoffsetspertrigger": 2**62}


class Limits(Protocol):
    """What sources are told about how much a batch may take."""

    def options(self, format: str, given: set[str]) -> dict[str, int]:
        """The options for a source of this format, whose own options (in small letters) are given."""
        ...


@dataclass(frozen=True)
class TakeAll:
    """All that is there in one batch, whatever limits the sources' own options set."""

    def options(self, format: str, given: set[str]) -> dict[str, int]:
        """
        >>> TakeAll().options("csv", {"header", "maxfilespertrigger"})
        {'maxfilespertrigger': 2147483647}
        """
        return {name: most for name, most in LIMITS.items() if name in given}


@dataclass
class BatchSizeController:
    """The limits in force: rows of a batch, and files of each source that is files."""

    target: float  # seconds
    most: int | None = None  # rows, whatever the time
    rows: int = ROWS
    files: int = FILES
    speeds: list[float] = field(default_factory=list)  # rows a second of the last batches that tell something

    def __post_init__(self) -> None:
        if self.most is not None:
            # How many rows are in a file is not known yet.
            self.rows, self.files = self.most, 1

    def took(self, rows: int, files: int, seconds: float) -> bool:
        """What a batch took, and how long; whether the limits have changed."""
        long = seconds > self.target * APART
        if not rows or not (self.is_full(rows, files) or long):
            self.speeds.clear()
            return False
        self.speeds.append(rows / seconds)
        if len(self.speeds) < AGREEING:
            return False
        # What slows a batch down is not always its size: the first ones are slow in any case.
        wanted = min(max(self.speeds) * self.target, self.rows * FASTER, self.most or float("inf"))
        self.speeds.clear()
        in_files = max(1, int(wanted * files / rows)) if files else self.files
        if not (far(wanted, self.rows) if not files else far(in_files, self.files)):
            return False
        self.rows, self.files = max(1, int(wanted)), in_files
        return True

    def is_full(self, rows: int, files: int) -> bool:
        """Whether a batch took as much as it might, so that more may wait."""
        return files >= self.files * NEARLY or rows >= self.rows * NEARLY

    def options(self, format: str, given: set[str]) -> dict[str, int]:
        """What to tell a source of this format, unless its own options (in small letters) have a limit."""
        if format == "kafka":
            return {} if "maxoffsetspertrigger" in given else {"maxOffsetsPerTrigger": self.rows}
        if format not in FOLLOWED or given & {"maxfilespertrigger", "maxbytespertrigger"}:
            return {}
        return {"maxFilesPerTrigger": self.files}


def far(one: float, other: float) -> bool:
    return not 1 / APART < one / other < APART
