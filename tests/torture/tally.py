"""Tally: counts what torture tried and what went wrong, and prints both as a table."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

FAULTS = ("lost", "doubled", "unreadable", "silent", "other state")
SHOWN = 5  # of each fault and kind


@dataclass(frozen=True)
class Finding:
    """What was done: of which kind, by which seed, at which place, in words."""

    kind: str
    seed: int
    place: int
    words: str


@dataclass
class Tally:
    """How often each kind was tried, and how often each fault was seen."""

    tried: Counter[str] = field(default_factory=Counter)
    faults: Counter[tuple[str, str]] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)  # what is counted beside
    shown: list[str] = field(default_factory=list)

    def count(self, kind: str) -> None:
        self.tried[kind] += 1

    def add(self, what: Finding, fault: str, said: str) -> None:
        """Count a fault, and keep the first of each kind for people."""
        self.faults[what.kind, fault] += 1
        if self.faults[what.kind, fault] <= SHOWN:
            self.shown.append(f"{fault}: {what.kind}, seed {what.seed}, {what.place}: {what.words}: {said}")

    def __iadd__(self, other: Tally) -> Tally:
        self.tried += other.tried
        self.faults += other.faults
        self.counts += other.counts
        self.shown += other.shown
        return self

    @property
    def has_faults(self) -> bool:
        return bool(self.faults)

    def table(self) -> str:
        """A line for each kind, how often it was tried, and each fault.

        >>> tally = Tally()
        >>> tally.count("killed")
        >>> print(tally.table())
        what      how many  lost  doubled  unreadable  silent  other state
        killed           1     0        0           0       0            0
        """
        width = max(map(len, self.tried), default=4) + 2
        lines = [f"{'what':{width}}  how many  {'  '.join(FAULTS)}"]
        for kind, count in self.tried.items():
            faults = "  ".join(f"{self.faults[kind, fault]:{len(fault)},}" for fault in FAULTS)
            lines.append(f"{kind:{width}}  {count:8,}  {faults}")
        return "\n".join(lines)
