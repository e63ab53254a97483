"""Memory: the most memory that `tailrace run --once` uses over a long input, beside the same over a tenth of it.

The window is the same in both: the memory must follow the window, not the input.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tailrace.bench.inputs import data
from tailrace.bench.report.lines import BenchLine, Say
from tailrace.errors import RunError

EVERY = 0.2  # seconds between two looks at the memory
MOMENT = 0.03  # seconds after which a process that was forked is another program, or shares pages
WINDOW, A_TICK = 100_000, 1000
MEGABYTE = 1 << 20
PROGRAM = [sys.executable, "-c", "from tailrace.cli.main import main; main()"]
OPTIONS = "OPTIONS (path '{folder}', maxFilesPerTrigger '1')"
STREAM = f"CREATE STREAM S ({data.TICKED}) USING parquet {OPTIONS} TIMESTAMP BY ts;"
# Rows per file. Each query runs over several files, one per batch, as a stream comes, and over one file.
INPUTS = {"": 500_000, ", one batch": 1 << 62}
# [RANGE T] holds the elements of T + 1 instants.
RANGE = f"[RANGE {WINDOW // A_TICK - 1}]"
QUERIES = {
    "grouped average": f"SELECT k, AVG(v) AS v FROM S {RANGE} GROUP BY k",
    "distinct count": f"SELECT k, COUNT(DISTINCT v) AS n FROM S {RANGE} GROUP BY k",
}


@dataclass
class Peak:
    """The most memory seen, in bytes: of the whole tree of processes, and of the Python ones in it."""

    all: int = 0
    python: int = 0

    def look(self, root: int) -> None:
        held = look_at(root)
        self.all = max(self.all, sum(size for _, size in held))
        self.python = max(self.python, sum(size for name, size in held if name.startswith("python")))


def look_at(root: int) -> list[tuple[str, int]]:
    """Name and bytes of a process and of all below it.

    A process that starts another has the same memory as that one for a moment, and would count twice: hence the smaller
    of two looks.
    """
    first = list(tree(root))
    time.sleep(MOMENT)
    return min(first, list(tree(root)), key=lambda look: sum(size for _, size in look))


def tree(root: int) -> Iterator[tuple[str, int]]:
    """Name and bytes in memory of a process and of all below it. Processes that end meanwhile are left out.

    Workers of Python share pages with the daemon that forked them: such a page counts by equal shares. In other
    processes all resident pages count; to look for shared ones in gigabytes would slow down what is measured.
    """
    parents: dict[int, int] = {}
    sizes: dict[int, tuple[str, int]] = {}
    page = os.sysconf("SC_PAGE_SIZE")
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            # The name stands in parentheses and may hold anything, so the fields are counted from its end.
            head, _, rest = (entry / "stat").read_text().rpartition(") ")
        except OSError:
            continue
        fields = rest.split()
        parents[int(entry.name)] = int(fields[1])
        sizes[int(entry.name)] = (head.partition("(")[2], int(fields[21]) * page)
    for number, found in sizes.items():
        above: int | None = number
        while above and above != root:
            above = parents.get(above)
        if above == root:
            name, resident = found
            yield name, share_of_memory(number, resident) if name.startswith("python") else resident


def share_of_memory(process: int, resident: int) -> int:
    """The proportional set size of a process in bytes; the resident size if the kernel does not tell it."""
    with suppress(OSError), Path(f"/proc/{process}/smaps_rollup").open(encoding="ascii") as lines:
        return next((int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:")), resident)
    return resident


def peak_of(command: list[str], folder: Path) -> Peak:
    """Run the command to its end, and look at its memory five times a second."""
    peak = Peak()
    # A pipe that nobody reads would block the process; a file takes all its output.
    with tempfile.TemporaryFile(dir=folder) as said:
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=said)
        try:
            while process.poll() is None:
                peak.look(process.pid)
                time.sleep(EVERY)
        finally:
            if process.poll() is None:
                process.kill()
        said.seek(0)
        words = said.read().decode(errors="replace").strip().splitlines()
    if process.returncode:
        raise RunError(f"the measured run ended with status {process.returncode}: {' | '.join(words[-3:])}")
    return peak


def measure(quick: bool, say: Say) -> list[BenchLine]:
    """Both queries over the short and the long input."""
    if not Path("/proc/self/stat").exists():
        raise RunError("this measurement reads /proc, which is not there", hint="run it on Linux")
    short, long = (50_000, 500_000) if quick else (2_000_000, 20_000_000)
    with tempfile.TemporaryDirectory(prefix="tailrace-bench-") as folder:
        found = []
        for input, a_file in INPUTS.items():
            place = Path(folder) / str(a_file)
            for rows in (short, long):
                say(f"memory: making {rows:,} rows")
                data.write_ticked(place / str(rows), rows, A_TICK, keys=100, values=1000, a_file=min(a_file, rows))
            found += [line(name, name + input, place, short, long, say) for name in QUERIES]
        return found


def line(query: str, name: str, folder: Path, short: int, long: int, say: Say) -> BenchLine:
    peaks = {}
    for rows in (short, long):
        say(f"memory: {name}, {rows:,} rows")
        script = folder / "measured.cql"
        created = f"CREATE QUERY measured INTO noop AS {QUERIES[query]};"
        script.write_text(f"{STREAM.format(folder=rows)}\n{created}\n", encoding="utf-8")
        peaks[rows] = peak_of([*PROGRAM, "run", str(script), "--once"], folder)
    value, beside = peaks[long].all / MEGABYTE, peaks[short].all / MEGABYTE
    more = {f"Python, {rows:,} rows": peaks[rows].python / MEGABYTE for rows in (short, long)}
    return BenchLine(name, value, "MB", f"{short:,} rows instead of {long:,}", beside, value / beside, more)
