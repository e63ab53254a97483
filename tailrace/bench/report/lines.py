"""Lines: the results of measurements, as tables for people and as JSON for programs.

A Figure has curves that were measured, beside those that a paper reports. `plots.py` draws it; here it becomes a table.

>>> alone, paper = Curve("alone", ((1, 10), (5, 20))), Curve("alone", ((5, 3),), by_paper=True)
>>> rows(Figure("fig6", "Throughput", "queries", "rows/s", (alone, paper), "§3.2.8"))
[['1', '10', ''], ['5', '20', '3']]

A BenchLine is one measured number beside another.

>>> print(as_json("windows", [BenchLine("filter", 200.0, "rows/s", "Spark's filter", 400.0, 0.5)]))
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
from dataclasses import asdict, dataclass, field

from rich.table import Table

from tailrace.bench.report.breakdown import Breakdown

Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Curve:
    """Points, as measured or as the paper's text gives them."""

    name: str
    points: Points
    by_paper: bool = False

    @property
    def title(self) -> str:
        return f"{self.name} (paper)" if self.by_paper else self.name


@dataclass(frozen=True)
class Figure:
    """Curves with the names of their axes; and in words what the paper reports, and where.

    With `ticks` it has bars: one group for each tick, at x = 0, 1, …. `marks` are places on the x axis where something
    happened.
    """

    name: str
    title: str
    x: str
    y: str
    curves: tuple[Curve, ...]
    paper: str
    ticks: tuple[str, ...] = ()
    marks: tuple[tuple[float, str], ...] = ()
    wide_x: bool = False  # a logarithmic axis
    wide_y: bool = False


def as_figure_table(figure: Figure) -> Table:
    """A row for each x that a curve has, a column for each curve, the paper's words below."""
    title = f"{figure.name}: {figure.title} ({figure.y})"
    table = Table(title=title, title_justify="left", caption=f"Paper: {figure.paper}", caption_justify="left")
    table.add_column(figure.x, no_wrap=True)
    for curve in figure.curves:
        table.add_column(curve.title, justify="right", overflow="fold")
    for row in rows(figure):
        table.add_row(*row)
    return table


def rows(figure: Figure) -> list[list[str]]:
    """The table's cells. A cell is empty if the curve has no point there."""
    places = sorted({x for curve in figure.curves for x, _ in curve.points})
    values = [dict(curve.points) for curve in figure.curves]
    return [[label(figure.ticks, x), *(format_figure(each[x]) if x in each else "" for each in values)] for x in places]


def label(ticks: Sequence[str], x: float) -> str:
    return ticks[int(x)] if ticks else format_figure(x)


def format_figure(value: float) -> str:
    """Large numbers without decimals, small ones with four significant digits.

    >>> format_figure(1234567.8), format_figure(12.3456), format_figure(0.00123456)
    ('1,234,568', '12.35', '0.001235')
    """
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


Say = Callable[[str], None]


@dataclass(frozen=True)
class BenchLine:
    """A measured number, what it is compared with, that one's number, their ratio, and further numbers by name.

    `course` has the number over time, as pairs of seconds and values. `goal` says what is to be reached, `met` whether
    it was.
    """

    line: str
    value: float
    unit: str
    beside: str
    beside_value: float
    ratio: float
    more: dict[str, float] = field(default_factory=dict)
    course: tuple[tuple[float, float], ...] = ()
    goal: str = ""
    met: bool = False


def as_json(
    bench: str, lines: Sequence[BenchLine], figures: Sequence[Figure] = (), breakdowns: Sequence[Breakdown] = ()
) -> str:
    """The JSON that docs/explanation/benchmarks.md describes. A line's further numbers become keys."""
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
            **({"goal": line.goal, "met": line.met} if line.goal else {}),
        }
        for line in [*lines, *map(line_of, breakdowns)]
    ]
    drawn = {"figures": [asdict(figure) for figure in figures]} if figures else {}
    broken_down = {"breakdowns": [asdict(each) for each in breakdowns]} if breakdowns else {}
    return json.dumps({"bench": bench, "lines": found, **drawn, **broken_down}, indent=2)


def line_of(breakdown: Breakdown) -> BenchLine:
    """How long the whole took, beside the time of all its tasks."""
    wall, tasks = breakdown.wall, breakdown.task_time
    return BenchLine(breakdown.line, wall, "ms", "all its tasks", tasks, wall / tasks if tasks else 0.0)


def as_table(bench: str, lines: Sequence[BenchLine]) -> Table:
    """A row for each line, numbers to the right."""
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
    has_goals = any(line.goal for line in lines)
    if has_goals:
        table.add_column("goal")
    for line in lines:
        others = [format_figure(line.more[name]) if name in line.more else "" for name in more]
        own = f" {line.unit}" if len(units) > 1 else ""
        figures = [
            format_figure(line.value) + own,
            line.beside,
            format_figure(line.beside_value) + own,
            f"{line.ratio:.2f}",
        ]
        goal = [f"{line.goal}: {'met' if line.met else 'not met'}" if line.goal else ""] if has_goals else []
        table.add_row(line.line, *figures, *others, *goal)
    return table
