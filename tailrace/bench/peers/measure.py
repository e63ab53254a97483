"""Measure: one question after the other, from each format, in both systems by turns.

In a turn each system runs in a process of its own: it answers the question over a small input, and in the first turn
its answers are compared; it answers it over a larger one until Java has compiled what runs often; then it is timed over
the full input, whose answers are discarded.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from tailrace.bench.peers.agreement import compare
from tailrace.bench.peers.delay import Delay, Start, measure_delay, start_flink, start_tailrace
from tailrace.bench.peers.flink_environment import FlinkEnvironment
from tailrace.bench.peers.make_inputs import make_inputs
from tailrace.bench.peers.processes import TIMED, MeasuredProcess, run_process
from tailrace.bench.peers.questions import (
    FEW_FILTERS,
    STANDING_FILTERS,
    Question,
    make_inserts,
    make_script,
    make_standing_filters,
    make_tables,
)
from tailrace.bench.peers.summary import PeerLine
from tailrace.errors import RunError

WARM_UP = 10.0  # seconds, at least
BLACKHOLE = "'connector' = 'blackhole'"
MONITOR_INTERVALS = ("1 s", "100 ms")
LOCAL = "127.0.0.1"


@dataclass(frozen=True)
class Sizes:
    """How many rows are timed, warm up and are compared; and how long delays are measured."""

    rows: int
    check_rows: int
    warm_rows: int
    turns: int = 1
    seconds: float = 60.0
    warm_up: float = 30.0
    minutes: float = 60.0  # for a process, at most

    def of_input(self, name: str) -> int:
        return {"check": self.check_rows, "warm": self.warm_rows, TIMED: self.rows}[name]


@dataclass
class PeerBench:
    """Both systems, on so many cores, with inputs below the folder."""

    flink: FlinkEnvironment
    folder: Path
    sizes: Sizes
    cores: int
    say: Callable[[str], None]
    runs: int = field(default=0, init=False)

    @property
    def settings(self) -> dict[str, str]:
        """Flink's settings that differ from its defaults."""
        hosts = ("rest.address", "rest.bind-address", "jobmanager.bind-host", "taskmanager.bind-host")
        own = {"parallelism.default": str(self.cores), "table.local-time-zone": "UTC", "taskmanager.host": LOCAL}
        return own | dict.fromkeys(hosts, LOCAL)

    @property
    def master(self) -> str:
        return f"local[{self.cores}]"

    def generate(self, questions: list[Question], formats: list[str]) -> None:
        streams = dict.fromkeys(stream for question in questions for stream in question.streams)
        for name in dict.fromkeys(input_of(question, step) for question in questions for step in list_steps(True)):
            rows = self.sizes.of_input(name)
            self.say(f"making {rows:,} rows as {' and '.join(formats)}")
            make_inputs(self.folder / name, rows, streams, formats, self.cores)

    # A line ---------------------------------------------------------------------------------------------------------

    def measure(self, question: Question, format: str) -> PeerLine:
        """Measure a question from one format; a system that fails leaves its reason in place of a figure."""
        runs: dict[str, list[MeasuredProcess]] = {"Tailrace": [], "Flink": []}
        problems: dict[str, str] = {}
        answers = "not compared"
        for turn in range(self.sizes.turns):
            answered: dict[str, Path] = {}
            for system, run in (("Tailrace", self.run_tailrace), ("Flink", self.run_flink)):
                self.runs += 1
                place = self.folder / f"run-{self.runs}"
                try:
                    runs[system].append(run(question, format, place, turn == 0))
                    answered[system] = place / "answers"
                except RunError as problem:
                    problems[system] = problem.message
                    self.say(f"{question.name}, {format}: {problem.message}")
            if turn == 0 and len(answered) == 2:
                answers = compare(question, answered["Tailrace"], answered["Flink"]).describe()
                self.say(f"{question.name}, {format}: {answers}")
        seconds = {system: median(run.seconds() for run in done) for system, done in runs.items() if done}
        memory = {system: max(run.peak.all for run in done) for system, done in runs.items() if done}
        rows = question.rows_read(self.sizes.of_input(input_of(question, TIMED)))
        return PeerLine(question.name, format, rows, seconds, memory, answers, question.note, problems)

    def run_tailrace(self, question: Question, format: str, place: Path, check: bool) -> MeasuredProcess:
        steps: list[dict[str, Any]] = []
        for step in list_steps(check):
            source = input_of(question, step)
            asked = question_of(question, step)
            answers = str(place / "answers") if step == "check" else None
            steps.append(
                {
                    "name": step,
                    "script": make_script(asked, format, answers),
                    "folder": str(self.folder / source / format),
                    "rows": asked.rows_read(self.sizes.of_input(source)),
                    "least": WARM_UP if step == "warm" else 0.0,
                }
            )
        task = {"master": self.master, "steps": steps}
        command = [sys.executable, "-m", "tailrace.bench.peers.run_tailrace"]
        name = f"{question.name}, {format}, Tailrace"
        return run_process(name, command, task, place, self.sizes.minutes * 60, say=self.say)

    def run_flink(self, question: Question, format: str, place: Path, check: bool) -> MeasuredProcess:
        steps: list[dict[str, Any]] = []
        for step in list_steps(check):
            asked, sink = question_of(question, step), BLACKHOLE
            if step == "check":
                # Flink's files take no changes of rows that were written before: these are printed.
                files = f"'connector' = 'filesystem', 'format' = 'csv', 'path' = '{place / 'answers'}/{{number}}'"
                sink = "'connector' = 'print'" if question.form == "end" else files
            made: dict[str, Any] = {
                "name": step,
                "tables": make_tables(asked, format, str(self.folder / input_of(question, step) / format), sink),
                "inserts": make_inserts(asked),
                "least": WARM_UP if step == "warm" else 0.0,
            }
            steps.append(made)
        task = {"settings": self.settings, "steps": steps}
        printed: list[str] = []
        name = f"{question.name}, {format}, Flink"
        seconds, variables = self.sizes.minutes * 60, self.flink.variables()
        done = run_process(name, self.flink.command(), task, place, seconds, variables, self.say, printed.append)
        if check and question.form == "end":
            (place / "answers").write_text("".join(printed), encoding="utf-8")
        return done

    # Delay ----------------------------------------------------------------------------------------------------------

    def measure_delays(self) -> list[PeerLine]:
        """Tailrace with the trigger it has by default, beside Flink with two intervals at which it looks for files."""
        mine = self.delay_of("Tailrace", start_tailrace(self.master))
        return [
            PeerLine.of_delays(f"delay, Flink looks every {interval}", mine, theirs)
            for interval in MONITOR_INTERVALS
            if (theirs := self.delay_of(f"Flink, {interval}", start_flink(self.flink, self.settings, interval)))
        ]

    def delay_of(self, system: str, start: Start) -> Delay:
        self.runs += 1
        self.say(f"delay, {system}: {self.sizes.warm_up + self.sizes.seconds:.0f} s")
        return measure_delay(start, self.folder / f"run-{self.runs}", self.sizes.warm_up, self.sizes.seconds)


def list_steps(check: bool) -> list[str]:
    return ["check", "warm", TIMED] if check else ["warm", TIMED]


def input_of(question: Question, step: str) -> str:
    """The input of a step. Each has its own, but slow questions get the next smaller one.

    >>> [input_of(STANDING_FILTERS, step) for step in ("check", "warm", "timed")]
    ['check', 'check', 'warm']
    """
    return {"check": "check", "warm": "check", TIMED: "warm"}[step] if question.is_slow else step


def question_of(question: Question, step: str) -> Question:
    """The question of a step: fewer standing filters are compared than are timed."""
    return make_standing_filters(FEW_FILTERS) if step == "check" and question is STANDING_FILTERS else question
