"""Bench: a measurement on the command line: how far it is, its table, and the files that were asked for."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from tailrace.bench import cacq, latency, memory, soak, state, strategies, windows
from tailrace.bench.lines import Say, as_json, as_table, plot
from tailrace.errors import RunError, did_you_mean

BENCHES = {
    "windows": windows.measure,
    "state": state.measure,
    "memory": memory.measure,
    "latency": latency.measure,
    "soak": soak.measure,
    "cacq": cacq.measure,
    "strategies": strategies.measure,
}


def run_bench(name: str, json: Path | None, png: Path | None, quick: bool) -> None:
    """Measure, print the table, and write the figures where they were asked for."""
    if name not in BENCHES:
        raise RunError(f"no bench {name}", hint=did_you_mean(name, BENCHES) or f"there are {', '.join(BENCHES)}")
    refuse_early(json, png)
    with progress() as say:
        lines = BENCHES[name](quick, say)
    # Without a terminal the width is a guess: a table that is cut would be worse than a long line.
    console = Console() if sys.stdout.isatty() else Console(width=200)
    console.print(as_table(name, lines))
    if json:
        json.write_text(as_json(name, lines) + "\n", encoding="utf-8")
    if png:
        plot(name, lines, png)


def refuse_early(json: Path | None, png: Path | None) -> None:
    """What would fail after minutes of measuring fails now."""
    for file in filter(None, (json, png)):
        if not file.absolute().parent.is_dir():
            raise RunError(f"{file}: there is no folder {file.absolute().parent}")
    if png and importlib.util.find_spec("matplotlib") is None:
        raise RunError("--plot needs matplotlib, which is not installed", hint="pip install 'tailrace[bench]'")


@contextmanager
def progress() -> Iterator[Say]:
    """A line on the terminal that says what is measured now; silence where there is no terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda text: None
        return
    with console.status("starting") as status:
        yield lambda text: status.update(text)
