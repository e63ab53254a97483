"""Summary: the measured lines as a table that can be pasted into a document, as JSON, and as a plot."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from tailrace import __version__
from tailrace.bench.peers.delay import Delay
from tailrace.bench.peers.flink_environment import FLINK
from tailrace.bench.report.lines import BenchLine, as_json, format_figure
from tailrace.bench.spark.memory import MEGABYTE

TAILRACE, PEER = "Tailrace", "Flink"
HEAD = ["line", "format", "rows", "Tailrace s", "Flink s", "times Flink", "Tailrace MB", "Flink MB", "answers"]
DELAY_HEAD = ["line", "Tailrace p50 s", "Flink p50 s", "Tailrace p99 s", "Flink p99 s", "Tailrace MB", "Flink MB"]


@dataclass(frozen=True)
class PeerLine:
    """A line of the comparison: by system its seconds and the largest memory in bytes, or why there are none."""

    line: str
    format: str
    rows: int
    seconds: dict[str, float]
    memory: dict[str, int]
    answers: str = ""
    note: str = ""
    problems: dict[str, str] = field(default_factory=dict)
    p99: dict[str, float] = field(default_factory=dict)  # a line of delays has them

    @staticmethod
    def of_delays(line: str, mine: Delay, theirs: Delay) -> PeerLine:
        both = {TAILRACE: mine, PEER: theirs}
        return PeerLine(
            line,
            "csv",
            0,
            {system: delay.median for system, delay in both.items()},
            {system: delay.memory for system, delay in both.items()},
            p99={system: delay.p99 for system, delay in both.items()},
        )

    @property
    def ratio(self) -> float:
        """How many times faster Tailrace is; 0 if a figure is missing."""
        return self.seconds[PEER] / self.seconds[TAILRACE] if len(self.seconds) == 2 else 0.0

    def to_bench_line(self) -> BenchLine:
        """Rows a second, or the median delay, in the form of the other benches."""
        values = {system: self.rows / each if self.rows else each for system, each in self.seconds.items()}
        more = {f"seconds of {system}": each for system, each in self.seconds.items() if self.rows}
        more |= {f"MB of {system}": each / MEGABYTE for system, each in self.memory.items()}
        more |= {f"p99 of {system}": each for system, each in self.p99.items()}
        mine, theirs = values.get(TAILRACE, 0.0), values.get(PEER, 0.0)
        name = f"{self.line}, {self.format}" if self.rows else self.line
        # A delay is the better the smaller it is: its ratio is the first to the second, as in the bench latency.
        ratio = self.ratio if self.rows else mine / theirs
        return BenchLine(name, mine, "rows/s" if self.rows else "s", f"{PEER} SQL", theirs, ratio, more)


def as_markdown(lines: Sequence[PeerLine]) -> str:
    """Tables of the lines and of the delays; below them, where questions differ and what failed.

    >>> seconds, memory = {"Tailrace": 2.0, "Flink": 3.0}, {"Tailrace": 5 << 20, "Flink": 7 << 20}
    >>> print(as_markdown([PeerLine("filter", "csv", 1000, seconds, memory, "ok")]))
    | line | format | rows | Tailrace s | Flink s | times Flink | Tailrace MB | Flink MB | answers |
    |---|---|--:|--:|--:|--:|--:|--:|---|
    | filter | csv | 1,000 | 2 | 3 | 1.50 | 5 | 7 | ok |
    """
    parts = []
    if timed := [line for line in lines if not line.p99]:
        rows = [[line.line, line.format, f"{line.rows:,}", *figures(line), line.answers] for line in timed]
        parts.append(make_table(HEAD, rows))
    if delayed := [line for line in lines if line.p99]:
        parts.append(make_table(DELAY_HEAD, [[line.line, *delay_figures(line)] for line in delayed]))
    notes = dict.fromkeys(f"* {line.line}: {line.note}." for line in timed if line.note)
    failed = [
        f"* {line.line}, {line.format}: no figure of {system}: {problem}"
        for line in lines
        for system, problem in line.problems.items()
    ]
    return "\n\n".join([*parts, *(["\n".join([*notes, *failed])] if notes or failed else [])])


def make_table(head: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown; columns of figures, whose heads end with `rows`, a unit or `Flink`, to the right."""
    kinds = ["--:" if name.endswith((" s", " MB", " Flink", "rows")) else "---" for name in head]
    lines = [f"| {' | '.join(head)} |", f"|{'|'.join(kinds)}|", *(f"| {' | '.join(row)} |" for row in rows)]
    return "\n".join(lines)


def figures(line: PeerLine) -> list[str]:
    seconds = [format_figure(line.seconds[each]) if each in line.seconds else "" for each in (TAILRACE, PEER)]
    return [*seconds, f"{line.ratio:.2f}" if line.ratio else "", *megabytes(line)]


def delay_figures(line: PeerLine) -> list[str]:
    waited = [format_figure(each[system]) for each in (line.seconds, line.p99) for system in (TAILRACE, PEER)]
    return [*waited, *megabytes(line)]


def megabytes(line: PeerLine) -> list[str]:
    return [f"{line.memory[each] / MEGABYTE:,.0f}" if each in line.memory else "" for each in (TAILRACE, PEER)]


def circumstances(rows: int, cores: int) -> str:
    """Where and when the figures were made, as far as it explains them."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 30)
    machine = f"{platform.machine()} with {os.cpu_count()} cores and {memory:.0f} GB"
    versions = f"Tailrace {__version__} on Python {platform.python_version()}, Flink {FLINK}"
    when = f"{datetime.now(UTC):%Y-%m-%d}, load before {os.getloadavg()[0]:.1f}"
    return f"{rows:,} rows on {cores} cores; {machine}; {versions}; {when}."


def write_files(lines: Sequence[PeerLine], title: str, out: Path) -> list[Path]:
    """Write the tables, the JSON and the plots of rates and of delays. Returns what was written."""
    out.mkdir(parents=True, exist_ok=True)
    written = [out / "peers.md", out / "peers.json"]
    written[0].write_text(f"{title}\n\n{as_markdown(lines)}\n", encoding="utf-8")
    complete = [line.to_bench_line() for line in lines if len(line.seconds) == 2]
    written[1].write_text(as_json("peers", complete) + "\n", encoding="utf-8")
    for unit, name in (("rows/s", "peers.png"), ("s", "peers-delay.png")):
        if drawn := [line for line in complete if line.unit == unit]:
            from tailrace.bench.report.plots import plot

            plot("Tailrace beside Flink SQL", drawn, out / name)
            written.append(out / name)
    return written
