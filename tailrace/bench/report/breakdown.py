"""Breakdown: where the time of one piece of work goes, part by part, as a table.

>>> load, save = TimePart("state", "load", 4.0, 8.0), TimePart("state", "save", 6.0, 6.0)
>>> parts = (TimePart("scan", "scan", 30.0, 60.0), load, save)
>>> rows_of(Breakdown("filter", 50.0, parts, batches=3))
[['scan', '', '30', '60 %', '60'],
 ['state', '', '10', '20 %', '14'],
 ['', 'save', '6', '', '6'],
 ['', 'load', '4', '', '8'],
 ['other', '', '10', '20 %', '']]
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rich.table import Table

OTHER = "other"


@dataclass(frozen=True)
class TimePart:
    """A part of the time: milliseconds of the whole's, and those of all tasks, which run beside each other."""

    group: str
    name: str
    wall: float
    task: float = 0.0


@dataclass(frozen=True)
class Breakdown:
    """What a line's batch took, in milliseconds, and its parts; it is the median of so many `batches`."""

    line: str
    wall: float
    parts: tuple[TimePart, ...]
    batches: int

    @property
    def groups(self) -> dict[str, list[TimePart]]:
        """The parts by their groups, the longest first; what no part explains is the last group."""
        found: dict[str, list[TimePart]] = {}
        for part in self.parts:
            found.setdefault(part.group, []).append(part)
        rest = self.wall - sum(part.wall for part in self.parts)
        in_order = {group: sorted(parts, key=lambda part: -part.wall) for group, parts in found.items()}
        return {**in_order, OTHER: [TimePart(OTHER, OTHER, rest)]}

    @property
    def task_time(self) -> float:
        """The milliseconds of all tasks together."""
        return sum_of(part.task for part in self.parts)


def as_breakdown_table(breakdown: Breakdown) -> Table:
    """A row for each group, and below it one for each of its parts if there are several."""
    title = f"{breakdown.line}: {format_ms(breakdown.wall)} ms, the median of {breakdown.batches} batches"
    table = Table(title=title, title_justify="left")
    table.add_column("where", no_wrap=True)
    table.add_column("part", no_wrap=True)
    for name in ("ms", "of the batch", "ms of tasks"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows_of(breakdown):
        table.add_row(*row)
    return table


def rows_of(breakdown: Breakdown) -> list[list[str]]:
    """The table's cells."""
    found = []
    for group, parts in breakdown.groups.items():
        wall, task = (sum_of(getattr(part, name) for part in parts) for name in ("wall", "task"))
        share = f"{100 * wall / breakdown.wall:.0f} %"
        found.append([group, "", format_ms(wall), share, format_ms(task) if task else ""])
        for part in parts if len(parts) > 1 else ():
            found.append(["", part.name, format_ms(part.wall), "", format_ms(part.task) if part.task else ""])
    return found


def sum_of(values: Iterable[float]) -> float:
    return sum(values, 0.0)


def format_ms(value: float) -> str:
    """Whole milliseconds, and tenths of what is short.

    >>> format_ms(1234.5), format_ms(12.34), format_ms(3.0)
    ('1,234', '12', '3')
    >>> format_ms(0.25)
    '0.2'
    """
    return f"{value:,.0f}" if abs(value) >= 10 or value == int(value) else f"{value:.1f}"
