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
from typing import TYPE_CHECKING

from rich.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Say = Callable[[str], None]


@dataclass(frozen=True)
class Point:
    """Where a line stands in a curve: the figure that has the curve, its name, and where on the horizontal axis."""

    figure: str
    curve: str
    x: float
    along: str


@dataclass(frozen=True)
class Line:
    """A figure, what it stands beside, that one's figure, their ratio, and further figures by name.

    `course` tells how it was over time: seconds and figures. A line with a `point` is plotted in a curve of ratios.
    """

    line: str
    value: float
    unit: str
    beside: str
    beside_value: float
    ratio: float
    more: dict[str, float] = field(default_factory=dict)
    course: tuple[tuple[float, float], ...] = ()
    point: Point | None = None


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
    """A PNG with two bars for each line, its figure and the one it stands beside; or what was over time; or curves."""
    # Only this needs matplotlib, which takes a second to load.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    over_time = any(line.course for line in lines)
    points = [line for line in lines if line.point]
    height = 8 if points else 1.2 + (1.8 if over_time else 0.7) * len(lines)
    figure = Figure(figsize=(12 if points else 10, height), layout="constrained")
    FigureCanvasAgg(figure)
    if points:
        curves(figure, points)
        figure.suptitle(f"tailrace bench {bench}")
    elif over_time:
        courses(figure, lines)
        figure.suptitle(f"tailrace bench {bench}")
    else:
        bars(figure, lines)
        figure.axes[0].set_title(f"tailrace bench {bench}")
    figure.savefig(file, format="png", dpi=120)


def curves(figure: Figure, lines: Sequence[Line]) -> None:
    """Axes for each figure, a curve for each of its names: the ratio to what lines stand beside."""
    titles = list(dict.fromkeys(line.point.figure for line in lines if line.point))
    across = min(len(titles), 2)
    grid = figure.subplots(-(-len(titles) // across), across, squeeze=False).flatten()
    for axes in grid[len(titles) :]:
        axes.set_visible(False)
    for axes, title in zip(grid, titles, strict=False):
        mine = [(line.point, line) for line in lines if line.point and line.point.figure == title]
        for name in dict.fromkeys(point.curve for point, _ in mine):
            course = sorted((point.x, line.ratio) for point, line in mine if point.curve == name)
            axes.plot(*zip(*course, strict=True), marker="o", label=name)
        axes.axhline(1.0, color="tab:gray", linestyle="--")
        axes.set_xscale("log")
        axes.set_ylim(bottom=0)
        axes.set_xlabel(mine[0][0].along)
        axes.set_ylabel(f"ratio to {mine[0][1].beside}")
        axes.set_title(title, fontsize=10)
        axes.legend(fontsize=8)


def courses(figure: Figure, lines: Sequence[Line]) -> None:
    """One below the other, with the figure that each line stands beside as a level."""
    for axes, line in zip(figure.subplots(len(lines), 1, sharex=True, squeeze=False)[:, 0], lines, strict=True):
        axes.plot(*zip(*line.course, strict=True), color="tab:blue")
        axes.axhline(line.beside_value, color="tab:gray", linestyle="--")
        axes.set_ylim(bottom=0)
        axes.set_ylabel(line.unit)
        axes.set_title(f"{line.line}: {shown(line.value)}, ratio {line.ratio:.2f} to {line.beside}", fontsize=10)
    axes.set_xlabel("seconds")


def bars(figure: Figure, lines: Sequence[Line]) -> None:
    axes = figure.add_subplot()
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
