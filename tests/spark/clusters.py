"""Clusters: a standalone master and its workers as processes of their own, and runs that know only their address."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pyspark

ROOT = Path(__file__).resolve().parents[2]
SPARK = Path(pyspark.__file__).parent
PATIENCE = 300.0
# Executors are to have nothing of this tree, nor the Python that runs the tests.
HIDDEN = ("PYTHONPATH", "PYSPARK_PYTHON", "VIRTUAL_ENV")


def bare() -> dict[str, str]:
    """An environment in which nobody finds Tailrace by chance."""
    kept = {name: value for name, value in os.environ.items() if name not in HIDDEN}
    return {**kept, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_HOME": str(SPARK)}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Cluster:
    """A master and its workers, each of one core, all in a folder."""

    folder: Path
    port: int = field(default_factory=free_port)
    started: int = 0
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"spark://127.0.0.1:{self.port}"

    def spawn(self, name: str, arguments: Sequence[str], host: str = "127.0.0.1") -> subprocess.Popen[bytes]:
        command = [str(SPARK / "bin" / "spark-class"), f"org.apache.spark.deploy.{name}", *arguments]
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / f"{name}.log").open("ab") as said:
            # A group of its own, so that a worker goes with its executors.
            env = {**bare(), "SPARK_LOCAL_IP": host}
            process = subprocess.Popen(
                command, cwd=self.folder, env=env, stdout=said, stderr=said, start_new_session=True
            )
        self.processes.append(process)
        return process

    def start_master(self) -> None:
        self.spawn("master.Master", ["--host", "127.0.0.1", "--port", str(self.port), "--webui-port", "0"])
        begun = time.monotonic()
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                assert time.monotonic() - begun < PATIENCE, "the master does not answer"
                time.sleep(0.1)

    def start_worker(self, host: str = "127.0.0.1") -> subprocess.Popen[bytes]:
        self.started += 1
        work = self.folder / f"work-{self.started}"
        own = ["--host", host, "--webui-port", "0", "-c", "1", "-m", "1g", "-d", str(work)]
        return self.spawn("worker.Worker", [*own, self.url], host)

    def used(self) -> list[Path]:
        """The folders of executors, one for each worker that ran something."""
        return sorted({path.parents[1]: path.parent for path in self.folder.glob("work-*/app-*/*/stderr")}.values())

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """At once, with all that it started."""
        self.processes.remove(process)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@contextmanager
def cluster(folder: Path, hosts: Sequence[str] = ("127.0.0.1", "127.0.0.1")) -> Iterator[Cluster]:
    """A cluster with a worker on each of these hosts, while this lasts."""
    made = Cluster(folder)
    try:
        made.start_master()
        for host in hosts:
            made.start_worker(host)
        yield made
    finally:
        for process in reversed(list(made.processes)):
            made.kill(process)


def tailrace(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """A command of Tailrace's, run in a folder; only this process and its children know where Tailrace is."""
    command = [sys.executable, "-c", "from tailrace.serve.cli import main; main()", *arguments]
    env = {**bare(), "PYTHONPATH": str(ROOT)}
    with (folder / "said").open("ab") as said:
        return subprocess.Popen(command, cwd=folder, env=env, stdout=said, stderr=said)


def said(folder: Path) -> str:
    return (folder / "said").read_text(errors="replace")[-4000:]


def finish(process: subprocess.Popen[bytes], folder: Path) -> None:
    assert process.wait(PATIENCE) == 0, said(folder)


def batches_done(kept: Path) -> int:
    """How many batches a checkpoint has notes of."""
    return max((int(file.stem) + 1 for file in (kept / "notes").glob("*.json")), default=0)


def rows_taken(kept: Path) -> int:
    notes = sorted((kept / "notes").glob("*.json"), key=lambda file: int(file.stem))
    return int(json.loads(notes[-1].read_text())["heartbeat"]["rows"]) if notes else 0


def until(what: str, folder: Path, process: subprocess.Popen[bytes], holds: object) -> None:
    """Wait until something holds of a run that goes on."""
    begun = time.monotonic()
    assert callable(holds)
    while not holds():
        assert process.poll() is None, said(folder)
        assert time.monotonic() - begun < PATIENCE, f"{what}: {said(folder)}"
        time.sleep(0.1)


def answers(folder: Path) -> dict[str, Counter[str]]:
    """The rows in all sinks below a folder."""
    found: dict[str, Counter[str]] = {}
    for sink in sorted(path for path in folder.iterdir() if path.is_dir()):
        lines = [line for file in sink.glob("part-*.json") for line in file.read_text().splitlines()]
        found[sink.name] = Counter(lines)
    return found


def run_until_taken(folder: Path, rows: int, master: str, kept: Path, address: str, middle: object = None) -> None:
    """A standing run until it has taken all rows; `middle` is called once a few batches are done."""
    process = tailrace(folder, "run", "script.cql", "--master", master, "--checkpoint", address)
    try:
        if callable(middle):
            until("some batches", folder, process, lambda: batches_done(kept) >= 3)
            middle()
        until("all rows", folder, process, lambda: rows_taken(kept) >= rows)
        process.send_signal(signal.SIGINT)
        finish(process, folder)
    finally:
        process.kill()
