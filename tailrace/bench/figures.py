"""Figures: curves that were measured, beside what a paper reports, as tables; `plots.py` draws them.

>>> alone, paper = Curve("alone", ((1, 10), (5, 20))), Curve("alone", ((5, 3),), by_paper=True)
>>> rows(Figure("fig6", "Throughput", "queries", "rows/s", (alone, paper), "§3.2.8"))
[['1', '10', ''], ['5', '20', '3']]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.table import Table

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
    """What its axes are, its curves, and in words what the paper reports and where it does.

    With `ticks` it has bars, one group for each of them, at 0, 1, …; `marks` are moments at which something happened.
    """

    name: str
    title: str
    x: str
    y: str
    curves: tuple[Curve, ...]
    paper: str
    ticks: tuple[str, ...] = ()
    marks: tuple[tuple[float, str], ...] = ()
    wide_x: bool = False  # from small to large in equal steps of proportion
    wide_y: bool = False


def as_figure_table(figure: Figure) -> Table:
    """A row for each place on the x axis, a column for each curve, the paper's words below."""
    title = f"{figure.name}: {figure.title} ({figure.y})"
    table = Table(title=title, title_justify="left", caption=f"Paper: {figure.paper}", caption_justify="left")
    table.add_column(figure.x, no_wrap=True)
    for curve in figure.curves:
        table.add_column(curve.title, justify="right", overflow="fold")
    for row in rows(figure):
        table.add_row(*row)
    return table


def rows(figure: Figure) -> list[list[str]]:
    """The table's cells; where a curve has no point, an empty one."""
    places = sorted({x for curve in figure.curves for x, _ in curve.points})
    values = [dict(curve.points) for curve in figure.curves]
    return [[label(figure.ticks, x), *(shown(each[x]) if x in each else "" for each in values)] for x in places]


def label(ticks: Sequence[str], x: float) -> str:
    return ticks[int(x)] if ticks else shown(x)


def shown(value: float) -> str:
    """Large figures as whole numbers, small ones with four digits that count.

    >>> shown(1234567.8), shown(12.3456), shown(0.00123456)
    ('1,234,568', '12.35', '0.001235')
    """
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
