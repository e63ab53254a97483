"""Latency: from a row's arrival to the first answer that holds it, beside Spark's own stateful query.

Both follow a folder into which small files come at a steady pace, one system after the other, each with files of its
own. A row has the moment of its arrival, and an answer the moment of its newest row. Both systems are measured by one
rule: a row is answered by the first answer for its key whose moment is the row's or later.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tailrace.bench.inputs.feed import FED, LAST, FileFeed, delays, micros, quantile
from tailrace.bench.report.lines import BenchLine, Say
from tailrace.engine.pipeline import compile_script
from tailrace.engine.run_queries import stand
from tailrace.errors import RunError, Source

MASTER = "local[*]"
ROWS, EVERY = 100, 0.1  # 1,000 rows a second
PATIENCE = 60.0  # seconds beyond the time of the measurement, for Spark to start and to answer
QUERY = "SELECT ISTREAM(k, COUNT(*) AS n, MAX(at) AS newest) FROM S [RANGE 60 SECONDS] GROUP BY k"


@dataclass(frozen=True)
class Case:
    """A line: the clauses that give rows their time, and the least time between batches."""

    line: str
    time: str
    pace: str


BY_SOURCE = f" TIMESTAMP BY ts HEARTBEAT BY {LAST.name}"
CASES = [
    Case("stamped at arrival", "", "0 seconds"),
    Case("stamped by the source", BY_SOURCE, "0 seconds"),
    Case("stamped by the source, trigger 1 second", BY_SOURCE, "1 second"),
]


@dataclass
class WatchedRun:
    """The answers of a run as they come.

    The run warms up from its first answer on, and is stopped once every key has an answer with a moment of `until` or
    later.
    """

    warm_up: float
    seconds: float
    stop: threading.Event
    answers: list[tuple[int, int, int]] = field(default_factory=list)  # when, key, moment of the newest row
    newest: dict[int, int] = field(default_factory=dict)
    since: int = 0
    until: int = 0

    def take(self, rows: Iterable[tuple[int, int]]) -> None:
        """Note an answer: its keys, each with the moment of its newest row."""
        now = micros()
        for key, newest in rows:
            if not self.answers:
                self.since = now + int(1_000_000 * self.warm_up)
                self.until = self.since + int(1_000_000 * self.seconds)
            self.answers.append((now, key, newest))
            self.newest[key] = max(self.newest.get(key, newest), newest)
        if len(self.newest) == ROWS and min(self.newest.values()) >= self.until:
            self.stop.set()

    def delays(self, sent: list[int]) -> list[float]:
        """The delay of every row that came between `since` and `until`. Each file has one row of each key."""
        measured = [moment for moment in sent if self.since <= moment < self.until]
        found: list[float] = []
        by_key: dict[int, list[tuple[int, int]]] = {}
        for now, key, newest in self.answers:
            by_key.setdefault(key, []).append((now, newest))
        for answers in by_key.values():
            found += delays(measured, answers).values()
        if len(found) < len(measured) * ROWS or not found:
            raise RunError(f"only {len(found):,} of {len(measured) * ROWS:,} rows were answered in time")
        return found


System = Callable[[Case, Path, WatchedRun], None]


def script(case: Case) -> str:
    """The case as a script for Tailrace. Without HEARTBEAT BY, the rows that are heartbeats are filtered out."""
    by_source = bool(case.time)
    columns = FED if by_source else f"{FED}, {LAST.name} BOOLEAN"
    stream = f"CREATE STREAM S ({columns}) USING parquet OPTIONS (path 'fed'){case.time};"
    query = QUERY if by_source else QUERY.replace(" GROUP", f" WHERE NOT {LAST.name} GROUP")
    # Instants must be finer than delays: by default they are seconds.
    return f"SET tick = '1 millisecond';\n{stream}\nCREATE QUERY measured AS {query};"


def tailrace(case: Case, folder: Path, watched: WatchedRun, settings: str = "") -> None:
    found = compile_script(Source(settings + script(case), "latency.cql"), folder)

    def keep_stop_event(stop: threading.Event) -> None:
        watched.stop = stop

    def show(query: object, names: list[str], rows: list[tuple[int, ...]]) -> None:
        key, newest = names.index("k"), names.index("newest")
        watched.take((row[key], row[newest]) for row in rows)

    stand(found, str(folder), str(folder / "checkpoint"), case.pace, keep_stop_event, MASTER, show)


def plain(case: Case, folder: Path, watched: WatchedRun) -> None:
    # Spark is loaded only when something is measured.
    from tailrace.bench.inputs.plain_spark import stand_plain

    schema = f"{FED}, {LAST.name} BOOLEAN"
    stand_plain(str(folder / "fed"), schema, str(folder / "checkpoint"), MASTER, case.pace, watched.take, watched.stop)


def measure_delays(run: System, case: Case, folder: Path, warm_up: float, seconds: float) -> list[float]:
    """The delays of a system's rows in seconds, after it has warmed up."""
    watched = WatchedRun(warm_up, seconds, threading.Event())
    # Tailrace replaces `watched.stop` once it runs, hence the lambda, which reads it when the time is over.
    timer = threading.Timer(warm_up + seconds + PATIENCE, lambda: watched.stop.set())
    timer.daemon = True
    timer.start()
    try:
        with FileFeed(folder / "fed", ROWS, EVERY, keys=ROWS) as feed:
            run(case, folder, watched)
        return watched.delays(feed.sent)
    finally:
        timer.cancel()


def measure(quick: bool, say: Say) -> list[BenchLine]:
    """All lines; each system warms up for 15 seconds and is measured for 60."""
    return lines(CASES[:2], 3.0, 3.0, 0.0, say) if quick else lines(CASES, 15.0, 60.0, 30.0, say)


def lines(cases: list[Case], warm_up: float, seconds: float, before: float, say: Say) -> list[BenchLine]:
    """Measure the cases one after the other.

    Before the first, both systems run it for `before` seconds without a result.
    """
    found = []
    systems: dict[str, System] = {"Tailrace": tailrace, "plain Spark": plain}
    with tempfile.TemporaryDirectory(prefix="tailrace-bench-") as place:
        for name, run in systems.items() if before else ():
            say(f"latency: {name}, warming up")
            measure_delays(run, cases[0], Path(place) / f"0 {name}", before, 1.0)
        for number, case in enumerate(cases, 1):
            waited: dict[str, list[float]] = {}
            for name, run in systems.items():
                say(f"latency: {case.line} ({number} of {len(cases)}), {name}, {warm_up + seconds:.0f} s")
                waited[name] = measure_delays(run, case, Path(place) / f"{number} {name}", warm_up, seconds)
            (mine, mine_99), (other, other_99) = (
                [quantile(delays, part) for part in (0.5, 0.99)] for delays in waited.values()
            )
            more = {"p99": mine_99, "p99 of plain Spark": other_99, "p99 ratio": mine_99 / other_99}
            found.append(BenchLine(case.line, mine, "s", "plain Spark", other, mine / other, more))
    return found
