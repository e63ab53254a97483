"""Windows: rows a second of Tailrace's windows, beside the nearest thing that Spark's Structured Streaming does.

Both read the same Parquet files, one per micro-batch, and discard their answers. What is timed is the steady state:
from the end of the first micro-batch, which has to find out what is there, to the end of the last.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from tailrace.bench.inputs import data
from tailrace.bench.report.lines import BenchLine, Say
from tailrace.engine.pipeline import compile_script
from tailrace.engine.run_queries import run_once
from tailrace.errors import RunError, Source
from tailrace.progress import Progress

MASTER = "local[*]"
WINDOW = 60
ROWS, FILES = 2_000_000, 5
WARM_UP = 40.0  # seconds for each system before a line
STREAMS = {"S": data.POSITIONS, "L": data.PAIRED, "R": data.PAIRED}
BESIDE = {
    "filter": "Spark's filter",
    "tumbling": "Spark's tumbling count",
    "window join": "Spark's stream-stream join",
}


@dataclass(frozen=True)
class Case:
    """A line: its query, the streams it reads, and the query of plain Spark that it is compared with."""

    line: str
    query: str
    plain: str
    streams: tuple[str, ...] = ("S",)


CASES = [
    Case("filter", "SELECT * FROM S WHERE speed < 40", "filter"),
    Case("tumbling", "SELECT seg, COUNT(*) AS n FROM S [RANGE 1 MINUTE SLIDE 1 MINUTE] GROUP BY seg", "tumbling"),
    Case("sliding average", "SELECT seg, AVG(speed) AS speed FROM S [RANGE 5 MINUTES] GROUP BY seg", "tumbling"),
    Case(
        "sliding distinct",
        "SELECT seg, COUNT(DISTINCT vehicle) AS n FROM S [RANGE 5 MINUTES] GROUP BY seg",
        "tumbling",
    ),
    Case(
        "latest per vehicle",
        "SELECT seg, COUNT(*) AS n FROM S [PARTITION BY vehicle ROWS 1] GROUP BY seg",
        "tumbling",
    ),
    Case(
        "window join",
        f"SELECT ISTREAM(L.k, L.v AS l, R.v AS r) FROM L [RANGE {WINDOW} SECONDS], R [RANGE {WINDOW} SECONDS] "
        "WHERE L.k = R.k",
        "window join",
        ("L", "R"),
    ),
    Case("running max", "SELECT xway, MAX(xpos) AS xpos FROM S [ROWS 50000] GROUP BY xway", "tumbling"),
    Case(
        "running max by key",
        "SELECT xway, MAX(xpos) AS xpos FROM S [PARTITION BY xway ROWS 50000] GROUP BY xway",
        "tumbling",
    ),
]


@dataclass
class Inputs:
    """The generated streams, each in a folder below one folder, and how many rows the lines read."""

    folder: Path
    rows: int
    files: int = FILES
    runs: int = field(default=0, init=False)

    def generate(self) -> None:
        half = self.rows // 2
        data.write(data.positions(self.rows), self.folder / "S", self.files)
        data.write(data.make_joining_stream(half, WINDOW, 0), self.folder / "L", self.files)
        data.write(data.make_joining_stream(half, WINDOW, 1), self.folder / "R", self.files)

    def read_by(self, case: Case) -> int:
        return self.rows // 2 * 2 if len(case.streams) == 2 else self.rows

    def script(self, case: Case, into: str = "INTO noop", strategy: str = "auto") -> str:
        """The case as a script that reads the generated files."""
        created = [
            f"CREATE STREAM {name} ({STREAMS[name]}) "
            f"USING parquet OPTIONS (path '{name}', maxFilesPerTrigger '1') TIMESTAMP BY ts;"
            for name in case.streams
        ]
        return "\n".join([f"SET strategy = '{strategy}';", *created, f"CREATE QUERY measured {into} AS {case.query};"])

    def tailrace(self, case: Case, strategy: str = "auto") -> float:
        """Rows a second of Tailrace."""
        ends: list[tuple[int, float]] = []
        script = self.script(case, strategy=strategy)
        found = compile_script(Source(script, f"{case.line}.cql"), self.folder)

        def watch(progress: Progress) -> None:
            ends.append((progress.rows, time.perf_counter()))

        run_once(found, str(self.folder), None, MASTER, lambda query, names, rows: None, watch)
        return rate(ends, self.read_by(case), case.line)

    def plain(self, case: Case) -> float:
        """Rows a second of plain Spark, with the query that the case is compared with."""
        # Spark is loaded only when something is measured.
        from tailrace.bench.inputs.plain_spark import run_plain

        self.runs += 1
        streams = [(str(self.folder / name), STREAMS[name]) for name in case.streams]
        ends = run_plain(case.plain, streams, str(self.folder / f"checkpoint-{self.runs}"), MASTER)
        return rate(ends, self.read_by(case), case.line)


def rate(ends: Sequence[tuple[int, float]], rows: int, line: str) -> float:
    """Rows a second after the first micro-batch.

    `ends`: how many rows were read when each micro-batch ended, and when.
    """
    (first, begun), (last, ended) = ends[0], ends[-1]
    if last != rows:
        raise RunError(f"{line}: {last:,} rows were read of {rows:,}")
    return (last - first) / (ended - begun)


System = Callable[[Inputs, Case], float]


def warm_up(run: System, case: Case, small: Inputs, large: Inputs, long: bool) -> None:
    """Run a case until Java has compiled what runs often.

    The first runs take twice as long as those after forty seconds.
    """
    run(small, case)
    begun = time.perf_counter()
    while long and time.perf_counter() - begun < WARM_UP:
        run(large, case)


def measure(quick: bool, say: Say) -> list[BenchLine]:
    """All lines; in full, each figure is the median of three runs, the two systems taking turns."""
    # Quick runs are mostly overhead of micro-batches, so there are fewer micro-batches.
    rows, files, times = (50_000, 3, 1) if quick else (ROWS, FILES, 3)
    with tempfile.TemporaryDirectory(prefix="tailrace-bench-") as folder:
        say(f"windows: making {rows:,} rows")
        small, large = Inputs(Path(folder) / "small", 10_000, 2), Inputs(Path(folder) / "large", rows, files)
        small.generate()
        large.generate()
        return lines(small, large, times, say)


def lines(small: Inputs, large: Inputs, times: int, say: Say, cases: list[Case] | None = None) -> list[BenchLine]:
    """Run each case over the small inputs to warm up, then measure it over the large ones."""
    found = []
    plain_rates: dict[str, float] = {}
    chosen = CASES if cases is None else cases
    for number, case in enumerate(chosen, 1):
        place = f"windows: {case.line} ({number} of {len(chosen)})"
        say(f"{place}, warming up")
        systems: dict[str, System] = {"Tailrace": Inputs.tailrace}
        # A query of plain Spark that several lines are compared with is measured once, with the first of them.
        if case.plain not in plain_rates:
            systems["plain Spark"] = Inputs.plain
        rates: dict[str, list[float]] = {name: [] for name in systems}
        for run in systems.values():
            warm_up(run, case, small, large, times > 1)
        for turn in range(times):
            for name, run in systems.items():
                say(f"{place}, {name}, run {turn + 1} of {times}")
                rates[name].append(run(large, case))
        value = median(rates["Tailrace"])
        if case.plain not in plain_rates:
            plain_rates[case.plain] = median(rates["plain Spark"])
        beside = plain_rates[case.plain]
        found.append(BenchLine(case.line, value, "rows/s", BESIDE[case.plain], beside, value / beside))
    return found
