"""Processes: runs one system over a task in a process of its own, with its reports, its memory and a limit of time."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tailrace.bench.spark.memory import EVERY, Peak
from tailrace.errors import RunError

TIMED = "timed"  # the step whose seconds and memory count
LAST_WORDS = 5  # lines of a failed process that are shown
STOP_SECONDS = 60.0  # for a process to end by itself once its standard input is closed

Take = Callable[[str], None]


@dataclass
class MeasuredProcess:
    """A running process: what it reported so far, and its largest memory since the timed step began."""

    name: str
    process: subprocess.Popen[str]
    said: Path  # its standard error
    say: Take = lambda text: None
    take: Take = lambda line: None  # gets each line that is no report, as soon as it comes
    peak: Peak = field(default_factory=Peak)
    reports: list[dict[str, Any]] = field(default_factory=list)
    other: list[str] = field(default_factory=list)  # the last lines that are no reports

    def read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            found = parse_report(line)
            if found is None:
                self.other = [*self.other[1 - LAST_WORDS :], line]
                self.take(line)
                continue
            self.reports.append(found)
            if found["state"] == "begun":
                self.say(f"{self.name}: {found['step']}")
                if found["step"] == TIMED:
                    self.peak = Peak()

    def wait(self, seconds: float, stop: threading.Event) -> None:
        """Sample memory until the process ends; close its standard input once `stop` is set."""
        end = time.monotonic() + seconds
        while self.process.poll() is None:
            if time.monotonic() > end:
                raise RunError(f"{self.name}: not done after {seconds:,.0f} s")
            if stop.is_set() and self.process.stdin and not self.process.stdin.closed:
                self.process.stdin.close()
                end = min(end, time.monotonic() + STOP_SECONDS)
            self.peak.look(self.process.pid)
            time.sleep(EVERY)

    def last_words(self) -> str:
        words = [*self.other, *self.said.read_text(errors="replace").strip().splitlines()[-LAST_WORDS:]]
        return " | ".join(word.strip() for word in words)[-1500:]

    def seconds(self) -> float:
        """The seconds of the timed step."""
        for found in self.reports:
            if found["step"] == TIMED and found["state"] == "ended" and found["seconds"]:
                return float(found["seconds"][-1])
        raise RunError(f"{self.name}: it ended without a figure: {self.last_words()}")


def parse_report(line: str) -> dict[str, Any] | None:
    """The report in a line, if it is one; other lines are rows or log lines.

    >>> parse_report('{"step": "timed", "state": "begun"}')
    {'step': 'timed', 'state': 'begun'}
    >>> parse_report("+I[1, 2, 3]"), parse_report("{not json")
    (None, None)
    """
    if not line.startswith("{"):
        return None
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) and {"step", "state"} <= found.keys() else None


def run_process(
    name: str,
    command: Sequence[str],
    task: dict[str, Any],
    folder: Path,
    seconds: float,
    env: dict[str, str] | None = None,
    say: Take = lambda text: None,
    take: Take = lambda line: None,
    stop: threading.Event | None = None,
) -> MeasuredProcess:
    """Run a command over a task until it ends, `seconds` at most. Whatever it started ends with it."""
    folder.mkdir(parents=True, exist_ok=True)
    file, said = folder / "task.json", folder / "said"
    file.write_text(json.dumps(task), encoding="utf-8")
    local = {"TZ": "UTC", "SPARK_LOCAL_IP": "127.0.0.1"}
    with said.open("w") as errors:
        process = subprocess.Popen(
            [*command, str(file)],
            cwd=folder,
            env={**os.environ, **local, **(env or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            errors="replace",
            start_new_session=True,
        )
    found = MeasuredProcess(name, process, said, say, take)
    reader = threading.Thread(target=found.read, daemon=True)
    reader.start()
    try:
        found.wait(seconds, stop or threading.Event())
    finally:
        end_group(process)
        reader.join(STOP_SECONDS)
    if process.returncode:
        raise RunError(f"{name}: it ended with status {process.returncode}: {found.last_words()}")
    return found


def end_group(process: subprocess.Popen[str]) -> None:
    """Kill the process and all processes of its group that are left."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    finally:
        process.wait()
