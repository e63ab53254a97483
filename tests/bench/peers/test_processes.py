"""Processes: reports are told from other lines, failures are told, and nothing outlives its time."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

import pytest

from tailrace.bench.peers.processes import run_process
from tailrace.errors import RunError

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="reads /proc")

REPORTS = """
import json
print(json.dumps({"step": "warm", "state": "begun"}))
print("+I[1, 2, 3]")
print(json.dumps({"step": "timed", "state": "begun"}))
print(json.dumps({"step": "timed", "state": "ended", "seconds": [2.5]}))
"""


def run(program: str, folder: Path, seconds: float = 60.0, **more: object) -> object:
    return run_process("a peer", [sys.executable, "-c", program], {"steps": []}, folder, seconds, **more)  # type: ignore[arg-type]


def test_reports_are_told_from_rows(tmp_path: Path) -> None:
    said: list[str] = []
    taken: list[str] = []
    found = run_process(
        "a peer", [sys.executable, "-c", REPORTS], {}, tmp_path, 60.0, say=said.append, take=taken.append
    )
    assert found.seconds() == 2.5
    assert said == ["a peer: warm", "a peer: timed"]
    assert taken == ["+I[1, 2, 3]\n"]


def test_a_process_that_fails_says_why(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"a peer: it ended with status 3: .*it broke"):
        run("import sys; print('it broke', file=sys.stderr); sys.exit(3)", tmp_path)


def test_a_process_without_a_figure_is_told(tmp_path: Path) -> None:
    found = run_process("a peer", [sys.executable, "-c", "print('nothing')"], {}, tmp_path, 60.0)
    with pytest.raises(RunError, match="without a figure: nothing"):
        found.seconds()


def test_a_process_ends_in_time_with_all_that_it_started(tmp_path: Path) -> None:
    child = "import time; time.sleep(600)"
    parent = (
        f"import subprocess, sys; print(subprocess.Popen([sys.executable, '-c', {child!r}]).pid, flush=True); {child}"
    )
    started: list[str] = []
    with pytest.raises(RunError, match="not done after"):
        run(parent, tmp_path, 3.0, take=started.append)
    (number,) = map(int, started)
    end = time.monotonic() + 60
    while is_running(number) and time.monotonic() < end:
        time.sleep(0.1)
    assert not is_running(number)


def is_running(number: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{number}/stat").read_text()
    except OSError:
        return False


def test_a_process_is_stopped_by_closing_its_input(tmp_path: Path) -> None:
    stop = threading.Event()
    stop.set()
    program = "import sys; sys.stdin.read(); print('ended by itself')"
    taken: list[str] = []
    run(program, tmp_path, stop=stop, take=taken.append)
    assert taken == ["ended by itself\n"]
