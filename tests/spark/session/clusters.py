"""Clusters: runs, as processes of their own, on a cluster of which they know only the address."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tailrace.bench.inputs.standalone import Cluster, bare
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[3]


def used(made: Cluster) -> list[Path]:
    """The folders of executors, one for each worker that ran something."""
    return sorted({path.parents[1]: path.parent for path in made.folder.glob("work-*/app-*/*/stderr")}.values())


def tailrace(folder: Path, *arguments: str, **variables: str) -> subprocess.Popen[bytes]:
    """A command of Tailrace's, run in a folder; only this process and its children know where Tailrace is."""
    command = [sys.executable, "-c", "from tailrace.cli.main import main; main()", *arguments]
    env = {**bare(), "PYTHONPATH": str(ROOT), **variables}
    with (folder / "said").open("ab") as said:
        # A group of its own, so that it goes with its Java.
        return subprocess.Popen(command, cwd=folder, env=env, stdout=said, stderr=said, start_new_session=True)


def said(folder: Path) -> str:
    return (folder / "said").read_text(errors="replace")[-4000:]


def finish(process: subprocess.Popen[bytes], folder: Path) -> None:
    assert process.wait(PATIENCE) == 0, said(folder)


def batches_done(kept: Path) -> int:
    """How many batches a checkpoint has notes of."""
    return max((int(file.stem) + 1 for file in (kept / "batches").glob("*.json")), default=0)


def rows_taken(kept: Path) -> int:
    notes = sorted((kept / "batches").glob("*.json"), key=lambda file: int(file.stem))
    return int(json.loads(notes[-1].read_text())["watermark"]["rows"]) if notes else 0


def until(what: str, folder: Path, process: subprocess.Popen[bytes], holds: object) -> None:
    """Wait until something holds of a run that goes on."""
    begun = time.monotonic()
    assert callable(holds)
    while not holds():
        assert process.poll() is None, said(folder)
        assert time.monotonic() - begun < PATIENCE, f"{what}: {said(folder)}"
        time.sleep(0.1)


def events(folder: Path, kind: str) -> list[dict[str, Any]]:
    """What Spark noted in a folder of events, of one kind."""
    lines = [line for file in folder.iterdir() for line in file.read_text().splitlines() if kind in line]
    return [event for event in map(json.loads, lines) if event["Event"] == f"SparkListener{kind}"]


def answers(folder: Path) -> dict[str, Counter[str]]:
    """The rows in all sinks below a folder."""
    found: dict[str, Counter[str]] = {}
    for sink in sorted(path for path in folder.iterdir() if path.is_dir()):
        lines = [line for file in sink.glob("part-*.json") for line in file.read_text().splitlines()]
        found[sink.name] = Counter(lines)
    return found


def run_until_taken(
    folder: Path, rows: int, master: str, kept: Path, address: str, middle: object = None, **variables: str
) -> None:
    """A continuous run until it has read all rows; `middle` is called once a batch is done."""
    process = tailrace(folder, "run", "script.cql", "--master", master, "--checkpoint", address, **variables)
    try:
        if callable(middle):
            until("a batch", folder, process, lambda: batches_done(kept) >= 1)
            middle()
        until("all rows", folder, process, lambda: rows_taken(kept) >= rows)
        process.send_signal(signal.SIGINT)
        finish(process, folder)
    finally:
        process.kill()
