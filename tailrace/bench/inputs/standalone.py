"""Standalone: a Spark master and workers on this machine, as processes of their own, from the PySpark package."""

from __future__ import annotations

import importlib.util
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tailrace.errors import RunError

HOST = "127.0.0.1"
PATIENCE = 60.0  # seconds in which a master should answer
# Variables that executors do not get, so that they have nothing but what they are sent.
HIDDEN = ("PYTHONPATH", "PYSPARK_PYTHON", "VIRTUAL_ENV")


def spark_home() -> Path:
    spec = importlib.util.find_spec("pyspark")
    if spec is None or not spec.submodule_search_locations:
        raise RunError("PySpark is not installed")
    return Path(spec.submodule_search_locations[0])


def bare() -> dict[str, str]:
    """An environment in which no executor finds Tailrace by chance."""
    kept = {name: value for name, value in os.environ.items() if name not in HIDDEN}
    return {**kept, "SPARK_LOCAL_IP": HOST, "SPARK_HOME": str(spark_home())}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


@dataclass
class Cluster:
    """A master and its workers, each of one core, all in a folder."""

    folder: Path
    port: int = field(default_factory=free_port)
    pinned: bool = False  # whether each worker, with all that it starts, is held to a core of its own
    started: int = 0  # workers, so far
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"spark://{HOST}:{self.port}"

    def spawn(self, name: str, arguments: Sequence[str], host: str = HOST) -> subprocess.Popen[bytes]:
        command = [str(spark_home() / "bin" / "spark-class"), f"org.apache.spark.deploy.{name}", *arguments]
        env = {**bare(), "SPARK_LOCAL_IP": host}
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / f"{name}.log").open("ab") as said:
            # A process group of its own, so that executors are killed with their worker.
            process = subprocess.Popen(
                command, cwd=self.folder, env=env, stdout=said, stderr=said, start_new_session=True
            )
        self.processes.append(process)
        return process

    def start_master(self) -> None:
        self.spawn("master.Master", ["--host", HOST, "--port", str(self.port), "--webui-port", "0"])
        begun = time.monotonic()
        while True:
            try:
                socket.create_connection((HOST, self.port), 1).close()
                return
            except OSError:
                if time.monotonic() - begun > PATIENCE:
                    raise RunError(f"the master at {self.url} does not answer") from None
                time.sleep(0.1)

    def start_worker(self, host: str = HOST) -> subprocess.Popen[bytes]:
        self.started += 1
        work = self.folder / f"work-{self.started}"
        own = ["--host", host, "--webui-port", "0", "-c", "1", "-m", "1g", "-d", str(work)]
        process = self.spawn("worker.Worker", [*own, self.url], host)
        if self.pinned and hasattr(os, "sched_setaffinity"):
            cores = sorted(os.sched_getaffinity(0))
            os.sched_setaffinity(process.pid, {cores[self.started % len(cores)]})
        return process

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """Kill a process at once, with all processes that it started."""
        self.processes.remove(process)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@contextmanager
def cluster(folder: Path, hosts: Sequence[str] = (HOST, HOST), pinned: bool = False) -> Iterator[Cluster]:
    """A cluster with a worker on each of these hosts, for as long as the block runs."""
    made = Cluster(folder, pinned=pinned)
    try:
        made.start_master()
        for host in hosts:
            made.start_worker(host)
        yield made
    finally:
        for process in reversed(list(made.processes)):
            made.kill(process)
