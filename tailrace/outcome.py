"""Outcome: what a run tells beside its answers: how far it came, and which rows were left out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


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
        """
        where = f" in {', '.join(self.files)}" if self.files else ""
        kept = f"; they are kept in {self.kept}" if self.kept else ""
        return f"{self.source}: {self.rows:,} {'row' if self.rows == 1 else 'rows'}{where} {why}{kept}"


@dataclass(frozen=True)
class Progress:
    """How far a run is: rows taken, and the instant up to which everything is known."""

    rows: int
    heartbeat: str | None


@dataclass(frozen=True)
class Outcome:
    """How a run ended."""

    rows: int = 0
    late: tuple[LeftOut, ...] = ()
    unreadable: tuple[LeftOut, ...] = ()


Watch = Callable[[Progress], None]
