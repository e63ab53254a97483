"""Main: `python -m tailrace.bench.peers`, which `make bench-peers` runs: sets up Flink and measures both systems."""

from __future__ import annotations

import argparse
import importlib.util
import signal
import sys
import tempfile
import time
from pathlib import Path

from tailrace.bench.peers.flink_environment import set_up
from tailrace.bench.peers.measure import PeerBench, Sizes
from tailrace.bench.peers.questions import QUESTIONS
from tailrace.bench.peers.summary import PeerLine, as_markdown, circumstances, write_files
from tailrace.errors import RunError, TailraceError, did_you_mean

DELAY = "delay"
FORMATS = ["csv", "parquet"]


def read_arguments(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m tailrace.bench.peers", description="Tailrace beside Flink SQL.")
    names = [*QUESTIONS, DELAY]
    parser.add_argument("--rows", type=int, default=20_000_000, help="rows that are timed")
    parser.add_argument("--lines", nargs="+", metavar="LINE", default=names, help=f"some of {', '.join(names)}")
    parser.add_argument("--formats", nargs="+", choices=FORMATS, default=FORMATS)
    parser.add_argument("--turns", type=int, default=1, help="runs of each; the figure is their median")
    parser.add_argument("--check-rows", type=int, default=200_000, help="rows whose answers are compared")
    parser.add_argument("--seconds", type=float, default=60.0, help="for which delays are measured")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=60.0, help="for a process, at most")
    parser.add_argument(
        "--flink", type=Path, default=Path(".venv-flink"), help="the environment of Flink; made if need be"
    )
    parser.add_argument("--out", type=Path, default=Path("out"), help="where the tables, the JSON and the plots go")
    found = parser.parse_args(arguments)
    for line in found.lines:
        if line not in names:
            raise RunError(
                f"peers has no line {line}", hint=did_you_mean(line, names) or f"there are {', '.join(names)}"
            )
    return found


def say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def measure(asked: argparse.Namespace) -> None:
    """Measure all lines, and write down what there is after each."""
    if importlib.util.find_spec("matplotlib") is None:
        raise RunError("the plots need matplotlib, which is not installed", hint="pip install -e '.[bench]'")
    questions = [QUESTIONS[name] for name in asked.lines if name != DELAY]
    flink = set_up(asked.flink, "parquet" in asked.formats and bool(questions), say)
    formats = [format for format in asked.formats if format != "parquet" or flink.reads_parquet()]
    title = circumstances(asked.rows, asked.cores)
    warm_rows = max(asked.rows // 10, min(asked.rows, asked.check_rows))
    sizes = Sizes(
        asked.rows, min(asked.rows, asked.check_rows), warm_rows, asked.turns, asked.seconds, minutes=asked.minutes
    )
    lines: list[PeerLine] = []
    with tempfile.TemporaryDirectory(prefix="tailrace-bench-", ignore_cleanup_errors=True) as folder:
        bench = PeerBench(flink, Path(folder), sizes, asked.cores, say)
        if questions:
            bench.generate(questions, formats)
        for question in questions:
            for format in formats:
                lines.append(bench.measure(question, format))
                write_files(lines, title, asked.out)
        if DELAY in asked.lines:
            try:
                lines += bench.measure_delays()
            except RunError as problem:
                say(f"delay: no figures: {problem.message}")
    written = write_files(lines, title, asked.out)
    print(f"{title}\n\n{as_markdown(lines)}\n\nwritten: {', '.join(map(str, written))}")


def main() -> None:
    # A process that is terminated would leave behind what it started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))
    try:
        measure(read_arguments())
    except TailraceError as problem:
        hint = f"\n  hint: {problem.hint}" if problem.hint else ""
        sys.exit(f"error: {problem.message}{hint}")


if __name__ == "__main__":
    main()
