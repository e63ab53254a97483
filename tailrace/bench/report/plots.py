"""Plots: PNG files of lines and figures. Only this module needs matplotlib, which takes a second to load."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Sheet
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, MaxNLocator

from tailrace.bench.report.breakdown import Breakdown
from tailrace.bench.report.lines import BenchLine, Figure, format_figure

ACROSS = 2  # figures beside each other
WIDTH, HEIGHT = 7.5, 5.2  # inches of a figure
COLOURS = ("tab:blue", "tab:orange", "tab:green", "tab:red", "tab:purple", "tab:brown")

STACKED = (*COLOURS, "tab:pink", "tab:gray", "tab:olive", "tab:cyan", "gold", "silver", "black")


def plot(title: str, lines: Sequence[BenchLine], file: Path) -> None:
    """Draw two bars for each line, its number and the one it is compared with; or the lines' courses over time."""
    over_time = any(line.course for line in lines)
    sheet = Sheet(figsize=(10, 1.2 + (1.8 if over_time else 0.7) * len(lines)), layout="constrained")
    if over_time:
        courses(sheet, lines)
        sheet.suptitle(title)
    else:
        bars(sheet, lines)
        sheet.axes[0].set_title(title)
    save(sheet, file)


def plot_figures(title: str, figures: Sequence[Figure], file: Path) -> None:
    """All figures on one sheet, each with the paper's words below it."""
    across = min(ACROSS, len(figures))
    down = -(-len(figures) // across)
    layout = ConstrainedLayoutEngine(w_pad=0.2, h_pad=0.2)
    sheet = Sheet(figsize=(WIDTH * across, HEIGHT * down), layout=layout)
    places = sheet.subplots(down, across, squeeze=False).ravel()
    for axes, figure in zip(places, figures, strict=False):
        draw(axes, figure)
    for axes in places[len(figures) :]:
        axes.set_axis_off()
    sheet.suptitle(title)
    save(sheet, file)


def plot_breakdowns(title: str, breakdowns: Sequence[Breakdown], file: Path) -> None:
    """Draw a bar for each line, in which each group has its part of the time; beside it how long the whole took."""
    sheet = Sheet(figsize=(12, 2.2 + 0.6 * len(breakdowns)), layout="constrained")
    axes = sheet.add_subplot()
    groups = list(dict.fromkeys(group for each in breakdowns for group in each.groups))
    for number, each in enumerate(breakdowns):
        left = 0.0
        for group, parts in each.groups.items():
            wide = max(0.0, 100 * sum(part.wall for part in parts) / each.wall)
            axes.barh(number, wide, 0.7, left=left, color=STACKED[groups.index(group) % len(STACKED)])
            left += wide
        axes.text(left, number, f" {format_figure(each.wall)} ms", va="center")
    axes.set_yticks(range(len(breakdowns)), [each.line for each in breakdowns])
    axes.invert_yaxis()
    axes.set_xlim(0, 115)
    axes.set_xlabel("% of the batch's time")
    axes.set_title(title)
    colours = [Patch(color=STACKED[number % len(STACKED)], label=group) for number, group in enumerate(groups)]
    sheet.legend(handles=colours, loc="outside lower center", ncols=4, fontsize=8)
    save(sheet, file)


def save(sheet: Sheet, file: Path) -> None:
    FigureCanvasAgg(sheet)
    sheet.savefig(file, format="png", dpi=120)


# Figures ----------------------------------------------------------------------------------------------------


def draw(axes: Axes, figure: Figure) -> None:
    if figure.ticks:
        grouped_bars(axes, figure)
    else:
        curves(axes, figure)
    axes.set_title(f"{figure.name}: {figure.title}", fontsize=11)
    axes.set_ylabel(figure.y)
    words = "\n".join(textwrap.wrap(f"Paper: {figure.paper}", 95))
    axes.set_xlabel(f"{figure.x}\n\n{words}" if figure.x else words, fontsize=9)
    axes.legend(fontsize=8)
    if figure.wide_y:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0, top=axes.get_ylim()[1] * 1.1)
    axes.grid(alpha=0.3)


def curves(axes: Axes, figure: Figure) -> None:
    own = [curve for curve in figure.curves if not curve.by_paper]
    for curve in figure.curves:
        names = [each.name for each in own]
        at = names.index(curve.name) if curve.name in names else len(names)
        style = "--" if curve.by_paper else "-"
        mark = "x" if curve.by_paper else "o"
        colour = COLOURS[at % len(COLOURS)]
        axes.plot(*zip(*curve.points, strict=True), style, marker=mark, markersize=4, color=colour, label=curve.title)
    for x, text in figure.marks:
        axes.axvline(x, color="tab:gray", linewidth=0.8, linestyle=":")
        axes.text(x, 0.99, f" {text}", transform=axes.get_xaxis_transform(), va="top", fontsize=7, color="dimgray")
    if figure.wide_x:
        axes.set_xscale("log")
        places = sorted({x for curve in own for x, _ in curve.points})
        axes.set_xticks(places, [format_figure(x) for x in places], fontsize=8)
        axes.minorticks_off()
    else:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: format_figure(value)))


def grouped_bars(axes: Axes, figure: Figure) -> None:
    thick = 0.8 / len(figure.curves)
    for number, curve in enumerate(figure.curves):
        colour = "silver" if curve.by_paper else COLOURS[number % len(COLOURS)]
        moved = [(x + (number - (len(figure.curves) - 1) / 2) * thick, value) for x, value in curve.points]
        places, values = zip(*moved, strict=True)
        axes.bar(places, values, thick, color=colour, label=curve.title)
        for x, value in moved:
            axes.text(x, value, format_figure(value), ha="center", va="bottom", fontsize=8)
    axes.set_xticks(range(len(figure.ticks)), figure.ticks)


# Lines ------------------------------------------------------------------------------------------------------


def courses(sheet: Sheet, lines: Sequence[BenchLine]) -> None:
    """Draw the lines' courses one below the other, each with a dashed level: the number it is compared with."""
    for axes, line in zip(sheet.subplots(len(lines), 1, sharex=True, squeeze=False)[:, 0], lines, strict=True):
        axes.plot(*zip(*line.course, strict=True), color="tab:blue")
        axes.axhline(line.beside_value, color="tab:gray", linestyle="--")
        axes.set_ylim(bottom=0)
        axes.set_ylabel(line.unit)
        axes.set_title(
            f"{line.line}: {format_figure(line.value)}, ratio {line.ratio:.2f} to {line.beside}", fontsize=10
        )
    axes.set_xlabel("seconds")


def bars(sheet: Sheet, lines: Sequence[BenchLine]) -> None:
    axes = sheet.add_subplot()
    for number, line in enumerate(lines):
        label = {"mine": "this line", "other": "beside it"} if number == 0 else {}
        axes.barh(number - 0.2, line.value, 0.38, color="tab:blue", label=label.get("mine"))
        axes.barh(number + 0.2, line.beside_value, 0.38, color="tab:gray", label=label.get("other"))
        axes.text(line.value, number - 0.2, f" {format_figure(line.value)}  ratio {line.ratio:.2f}", va="center")
        axes.text(line.beside_value, number + 0.2, f" {format_figure(line.beside_value)}  {line.beside}", va="center")
    axes.set_yticks(range(len(lines)), [line.line for line in lines])
    axes.invert_yaxis()
    longest = max((max(line.value, line.beside_value) for line in lines), default=1.0)
    axes.set_xlim(0, longest * 1.6)
    axes.set_xlabel(lines[0].unit if lines else "")
    if lines:
        axes.legend(loc="lower right")
