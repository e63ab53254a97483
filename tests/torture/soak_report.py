"""Report of a soak: what was done, what was wrong, and whether memory and files stayed level, as a table or JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from tailrace.bench.report.lines import BenchLine
from tests.torture.soak_answers import Comparison

HOUR = 3600.0
LATER = 1.2  # times as much as at the beginning is still level
BEGIN, END = (5 / 60, 15 / 60), (50 / 60, 1.0)  # parts of a run that are compared, at most those of an hour
FULL = 75.0  # seconds until all windows are full
FEWEST = 3  # samples in each part; with fewer it is not judged

Samples = list[tuple[float, float]]


@dataclass(frozen=True)
class Level:
    """The median of what was sampled in the beginning of a run and at its end, if there is enough of both.

    >>> Level.of("files", [(60.0 * minute, 100.0 + minute) for minute in range(60)], 3600.0).text
    'files: 109.5 at the beginning, 154.5 at the end, ratio 1.41: NOT LEVEL'
    >>> Level.of("files", [(5.0 * sample, 7.0) for sample in range(24)], 120.0).text
    'files: too short a run to judge, 7.0 all along'
    """

    name: str
    samples: Samples
    begin: float | None
    end: float | None

    @classmethod
    def of(cls, name: str, samples: Samples, seconds: float) -> Level:
        length = min(seconds, HOUR)
        parts = (
            [value for at, value in samples if max(FULL, length * BEGIN[0]) <= at < length * BEGIN[1]],
            [value for at, value in samples if at >= seconds - length * (END[1] - END[0])],
        )
        begin, end = (median(part) if len(part) >= FEWEST else None for part in parts)
        return cls(name, samples, begin, end)

    @property
    def ratio(self) -> float | None:
        return None if not self.begin or self.end is None else self.end / self.begin

    @property
    def is_level(self) -> bool:
        return self.ratio is None or self.ratio <= LATER

    @property
    def text(self) -> str:
        if self.ratio is None:
            usual = f"{median(value for _, value in self.samples):,.1f} all along" if self.samples else "never seen"
            return f"{self.name}: too short a run to judge, {usual}"
        words = "level" if self.is_level else "NOT LEVEL"
        return (
            f"{self.name}: {self.begin:,.1f} at the beginning, {self.end:,.1f} at the end, ratio {self.ratio:.2f}: "
            f"{words}"
        )

    @property
    def line(self) -> BenchLine:
        """As a line of a benchmark, which has its course over time."""
        unit, beside = self.name.partition(" in ")[2] or self.name, "minutes 5 to 15"
        ratio = 0.0 if self.ratio is None else self.ratio
        return BenchLine(self.name, self.end or 0.0, unit, beside, self.begin or 0.0, ratio, course=tuple(self.samples))


@dataclass
class SoakReport:
    """All that a soak did and found."""

    seed: int
    seconds: float
    rows: dict[str, int] = field(default_factory=dict)  # fed, by source
    counts: dict[str, int] = field(default_factory=dict)  # what was done, how often
    figures: dict[str, float] = field(default_factory=dict)
    answers: dict[str, Comparison] = field(default_factory=dict)
    levels: list[Level] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        exact = all(each.is_exact for each in self.answers.values())
        return bool(self.answers) and exact and not self.faults and all(each.is_level for each in self.levels)

    def table(self) -> str:
        width = max(map(len, self.answers), default=5) + 2
        fed = ", ".join(f"{count:,} of {source}" for source, count in self.rows.items())
        lines = [f"{self.seconds / 60:.1f} minutes; rows fed: {fed}"]
        lines += [f"{count:12,} {what}" for what, count in self.counts.items()]
        lines += [f"{figure:12,.1f} {what}" for what, figure in self.figures.items()]
        lines.append(f"{'query':{width}}{'rows':>12}{'lost':>12}{'doubled':>12}{'wrong':>12}")
        for name, each in self.answers.items():
            lines.append(f"{name:{width}}{each.rows:12,}{each.lost:12,}{each.doubled:12,}{each.wrong:12,}")
        lines += [f"{name}: {example}" for name, each in self.answers.items() for example in each.examples]
        lines += [level.text for level in self.levels]
        lines += [f"FAULT: {fault}" for fault in self.faults]
        good = "exact and level" if all(level.ratio for level in self.levels) else "exact; too short to say if level"
        lines.append(good if self.is_good else f"NOT GOOD (seed {self.seed})")
        return "\n".join(lines)

    def as_json(self) -> str:
        found: dict[str, Any] = {**asdict(self), "is_good": self.is_good}
        for level, shown in zip(self.levels, found["levels"], strict=True):
            shown.update(ratio=level.ratio, is_level=level.is_level)
        return json.dumps(found, indent=2)

    def plot(self, file: Path) -> None:
        """Draw memory and files over time."""
        from tailrace.bench.report.plots import plot

        plot(f"soak of {self.seconds / 60:.0f} minutes, seed {self.seed}", [level.line for level in self.levels], file)
