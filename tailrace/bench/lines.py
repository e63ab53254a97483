"""Lines: what a measurement found, as a table for people, JSON for programs and a plot.

>>> print(as_json("windows", [Line("filter", 200.0, "rows/s", "Spark's filter", 400.0, 0.5)]))
{
  "bench": "windows",
  "lines": [
    {
      "line": "filter",
      "value": 200.0,
      "unit": "rows/s",
      "beside": "Spark's filter",
      "ratio": 0.5,
      "beside_value": 400.0
    }
  ]
}
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Say = Callable[[str], None]


@dataclass(frozen=True)
class Line:
    """A figure, what it stands beside, that one's figure, their ratio, and further figures by name.

    `course` tells how it was over time: seconds and figures.
    """

    line: str
    value: float
    unit: str
    beside: str
    beside_value: float
    ratio: float
    more: dict[str, float] = field(default_factory=dict)
    course: tuple[tuple[float, float], ...] = ()


def as_json(bench: str, lines: Sequence[Line]) -> str:
    """The form of INTERFACE §5; the other figures are further keys."""
    found = [
        {
            "line": line.line,
            "value": line.value,
            "unit": line.unit,
            "beside": line.beside,
            "ratio": line.ratio,
            "beside_value": line.beside_value,
            **{name.replace(" ", "_"): value for name, value in line.more.items()},
            **({"course": line.course} if line.course else {}),
        }
        for line in lines
    ]
    return json.dumps({"bench": bench, "lines": found}, indent=2)


def as_table(bench: str, lines: Sequence[Line]) -> Table:
    """A row for each line, figures to the right."""
    table = Table(title=f"bench {bench}", title_justify="left")
    units = list(dict.fromkeys(line.unit for line in lines))
    unit = units[0] if len(units) == 1 else ""
    more = list(dict.fromkeys(name for line in lines for name in line.more))
    table.add_column("line", no_wrap=True)
    table.add_column(unit, justify="right", no_wrap=True)
    table.add_column("beside", min_width=12)
    table.add_column(unit, justify="right", no_wrap=True)
    table.add_column("ratio", justify="right", no_wrap=True)
    for name in more:
        table.add_column(name, justify="right", overflow="fold")
    for line in lines:
        others = [shown(line.more[name]) if name in line.more else "" for name in more]
        own = f" {line.unit}" if len(units) > 1 else ""
        figures = [shown(line.value) + own, line.beside, shown(line.beside_value) + own, f"{line.ratio:.2f}"]
        table.add_row(line.line, *figures, *others)
    return table


def shown(value: float) -> str:
    """Large figures as whole numbers, small ones with four digits that count.

    >>> shown(1234567.8), shown(12.3456), shown(0.00123456)
    ('1,234,568', '12.35', '0.001235')
    """
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def plot(bench: str, lines: Sequence[Line], file: Path) -> None:
    """A PNG with two bars for each line, its figure and the one it stands beside; or with what was over time.

    Lines of several units are drawn by what comes before the first comma of their names.
    """
    # Only this needs matplotlib, which takes a second to load.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    over_time = any(line.course for line in lines)
    figure = Figure(figsize=(10, 1.2 + (1.8 if over_time else 0.7) * len(lines)), layout="constrained")
    FigureCanvasAgg(figure)
    if over_time:
        courses(figure, lines)
        figure.suptitle(f"tailrace bench {bench}")
    else:
        parts = grouped(lines) if len({line.unit for line in lines}) > 1 else {f"tailrace bench {bench}": lines}
        heights = [max(len(part), 1) for part in parts.values()]
        drawn: Any = figure.subplots(len(parts), 1, squeeze=False, height_ratios=heights)
        for axes, (title, part) in zip(drawn[:, 0], parts.items(), strict=True):
            bars(axes, part)
            axes.set_title(title)
    figure.savefig(file, format="png", dpi=120)


def courses(figure: Figure, lines: Sequence[Line]) -> None:
    """One below the other, with the figure that each line stands beside as a level."""
    for axes, line in zip(figure.subplots(len(lines), 1, sharex=True, squeeze=False)[:, 0], lines, strict=True):
        axes.plot(*zip(*line.course, strict=True), color="tab:blue")
        axes.axhline(line.beside_value, color="tab:gray", linestyle="--")
        axes.set_ylim(bottom=0)
        axes.set_ylabel(line.unit)
        axes.set_title(f"{line.line}: {shown(line.value)}, ratio {line.ratio:.2f} to {line.beside}", fontsize=10)
    axes.set_xlabel("seconds")


def grouped(lines: Sequence[Line]) -> dict[str, list[Line]]:
    """Lines by the first part of their names.

    >>> [*grouped([Line("figure 8, Q1", 1.0, "ms", "", 1.0, 1.0), Line("cost, join", 1.0, "ns", "", 1.0, 1.0)])]
    ['figure 8', 'cost']
    """
    found: dict[str, list[Line]] = {}
    for line in lines:
        found.setdefault(line.line.partition(", ")[0], []).append(line)
    return found


def bars(axes: Axes, lines: Sequence[Line]) -> None:
    for number, line in enumerate(lines):
        label = {"mine": "this line", "other": "beside it"} if number == 0 else {}
        axes.barh(number - 0.2, line.value, 0.38, color="tab:blue", label=label.get("mine"))
        axes.barh(number + 0.2, line.beside_value, 0.38, color="tab:gray", label=label.get("other"))
        axes.text(line.value, number - 0.2, f" {shown(line.value)}  ratio {line.ratio:.2f}", va="center")
        axes.text(line.beside_value, number + 0.2, f" {shown(line.beside_value)}  {line.beside}", va="center")
    axes.set_yticks(range(len(lines)), [line.line for line in lines])
    axes.invert_yaxis()
    longest = max((max(line.value, line.beside_value) for line in lines), default=1.0)
    axes.set_xlim(0, longest * 1.6)
    axes.set_xlabel(lines[0].unit if lines else "")
    if lines:
        axes.legend(loc="lower right")
