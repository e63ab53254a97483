"""Run: a measurement from the command line: shows its progress, prints its tables and writes the files asked for."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from tailrace.bench.cacq import registering, stems
from tailrace.bench.cacq import throughput as cacq
from tailrace.bench.csql import condense
from tailrace.bench.profile import profile_batches
from tailrace.bench.report.breakdown import Breakdown, as_breakdown_table
from tailrace.bench.report.lines import BenchLine, Figure, Say, as_figure_table, as_json, as_table
from tailrace.bench.spark import cluster, durability, latency, memory, soak, sql, state, subscribers, windows
from tailrace.bench.strategies import strategies
from tailrace.errors import RunError, did_you_mean

Measure = Callable[[bool, Say], Sequence[BenchLine | Figure | Breakdown]]
BENCHES: dict[str, Measure] = {
    "windows": windows.measure,
    "state": state.measure,
    "sql": sql.measure,
    "memory": memory.measure,
    "latency": latency.measure,
    "durability": durability.measure,
    "soak": soak.measure,
    "cacq": cacq.measure,
    "stems": stems.measure,
    "registering": registering.measure,
    "condense": condense.measure,
    "strategies": strategies.measure,
    "subscribers": subscribers.measure,
    "cluster": cluster.measure,
    "profile": profile_batches.measure,
}
PARTS: Mapping[str, Mapping[str, Measure]] = {
    "cacq": cacq.PARTS,
    "strategies": strategies.PARTS,
    "profile": profile_batches.PARTS,
}


def run_bench(name: str, parts: Sequence[str], json: Path | None, png: Path | None, quick: bool) -> None:
    """Measure, print the tables, and write JSON and PNG files if they were asked for."""
    if name not in BENCHES:
        raise RunError(f"no bench {name}", hint=did_you_mean(name, BENCHES) or f"there are {', '.join(BENCHES)}")
    measures = select_measures(name, parts)
    refuse_early(json, png)
    with progress() as say:
        found = [each for measure in measures for each in measure(quick, say)]
    lines = [each for each in found if isinstance(each, BenchLine)]
    figures = [each for each in found if isinstance(each, Figure)]
    breakdowns = [each for each in found if isinstance(each, Breakdown)]
    # Without a terminal the width is not known: long lines are better than a table that is cut.
    console = Console() if sys.stdout.isatty() else Console(width=200)
    for figure in figures:
        console.print(as_figure_table(figure))
    for breakdown in breakdowns:
        console.print(as_breakdown_table(breakdown))
    if lines:
        console.print(as_table(name, lines))
    if json:
        json.write_text(as_json(name, lines, figures, breakdowns) + "\n", encoding="utf-8")
    if png:
        draw(name, lines, figures, breakdowns, png)


def select_measures(name: str, parts: Sequence[str]) -> list[Measure]:
    """The functions that measure the whole bench, or some parts of it."""
    known = PARTS.get(name, {})
    for part in parts:
        if part not in known:
            hint = did_you_mean(part, known) or (f"there are {', '.join(known)}" if known else None)
            raise RunError(f"{name} has no part {part}", hint=hint)
    return [known[part] for part in parts] or [BENCHES[name]]


def draw(
    name: str, lines: Sequence[BenchLine], figures: Sequence[Figure], breakdowns: Sequence[Breakdown], file: Path
) -> None:
    from tailrace.bench.report.plots import plot, plot_breakdowns, plot_figures

    if breakdowns:
        plot_breakdowns(f"tailrace bench {name}", breakdowns, file)
    elif figures:
        plot_figures(f"tailrace bench {name}", figures, file)
    else:
        plot(f"tailrace bench {name}", lines, file)


def refuse_early(json: Path | None, png: Path | None) -> None:
    """Fail now if the results could not be written after minutes of measuring."""
    for file in filter(None, (json, png)):
        if not file.absolute().parent.is_dir():
            raise RunError(f"{file}: there is no folder {file.absolute().parent}")
    if png and importlib.util.find_spec("matplotlib") is None:
        raise RunError("--plot needs matplotlib, which is not installed", hint="pip install -e '.[bench]'")


@contextmanager
def progress() -> Iterator[Say]:
    """A line on the terminal that says what is being measured; nothing if there is no terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda text: None
        return
    with console.status("starting") as status:
        yield lambda text: status.update(text)
