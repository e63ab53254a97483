"""Server process: `tailrace serve` as a process of its own over files that grow, to be asked, loaded and killed."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from tests.patience import PATIENCE
from tests.spark.front.serving import wait_for
from tests.test_tidy import ROOT

LOCAL = ("--master", "local[2]")
SERVE = "from tailrace.cli.main import main; main()"
SCRIPT = """
CREATE STREAM S (ts BIGINT, k INT, v INT) USING json OPTIONS (path 'S') TIMESTAMP BY ts;
CREATE VIEW Big AS SELECT k, v FROM S WHERE v > 4;
CREATE QUERY large AS SELECT k, v FROM Big;
CREATE QUERY counts AS SELECT k, COUNT(*) AS n FROM S [RANGE UNBOUNDED] GROUP BY k;
"""


@dataclass
class ServerProcess:
    """A server that can be started again and again, and the rows that it was given so far.

    Its script, sources and sinks are in `folder`. Beside that are its checkpoint, its tokens and what it says.
    """

    folder: Path
    script: str = SCRIPT
    process: subprocess.Popen[bytes] | None = None
    rows: list[dict[str, int]] = field(default_factory=list)
    files: int = 0
    groups: list[int] = field(default_factory=list)  # of the processes of each start
    more: tuple[str, ...] = ()  # options of the command

    def __post_init__(self) -> None:
        for name in ("S", "../scratch"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]

    # The process --------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        self.launch()
        self.wait_for(self.is_answering)

    def launch(self) -> None:
        """Start the server, and do not wait."""
        (self.folder / "script.cql").write_text(self.script)
        places = ("--token-file", "../tokens.json", "--checkpoint", "../kept")
        scratch = str((self.folder / "../scratch").resolve())
        with (self.folder / "../said.txt").open("ab") as said:
            self.process = subprocess.Popen(
                [
                    sys.executable,
                    "-c",
                    SERVE,
                    "serve",
                    "script.cql",
                    "--port",
                    str(self.port),
                    *places,
                    *LOCAL,
                    *self.more,
                ],
                cwd=self.folder,
                env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": scratch, "SPARK_LOCAL_DIRS": scratch},
                stdout=said,
                stderr=said,
                start_new_session=True,
            )
        self.groups.append(self.process.pid)

    def is_answering(self) -> bool:
        assert self.process is not None
        if self.process.poll() is not None:
            raise AssertionError(f"the server has ended: {self.said}")
        with suppress(OSError, ValueError, httpx.HTTPError), self.client() as client:
            return bool(client.get("status").json()["running"])
        return False

    def kill(self) -> None:
        """End the server as `kill -9` does. Its Java ends when it notices."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def kill_tree(self) -> None:
        """End the server, its Java and its workers at once, and wait until none of them is there."""
        assert self.process is not None
        tree = processes_below(self.process.pid)
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        for number in tree:  # workers are in a group of their own
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        self.process.wait()
        self.wait_for(lambda: not any(is_running(number) for number in tree))

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Ask the server to end; its status."""
        assert self.process is not None
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def clean_up(self) -> None:
        """Kill all processes of all starts."""
        for group in self.groups:
            with suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)
        if self.process is not None:
            self.process.wait()

    @property
    def memory(self) -> float:
        """Megabytes that the process of the server has, without its Java."""
        assert self.process is not None
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1000

    @property
    def said(self) -> str:
        return (self.folder / "../said.txt").read_text()

    wait_for = staticmethod(wait_for)

    # Requests -----------------------------------------------------------------------------------------

    @property
    def tokens(self) -> dict[str, str]:
        found: dict[str, str] = json.loads((self.folder / "../tokens.json").read_text())
        return found

    def client(self, role: str = "write") -> httpx.Client:
        headers = {"X-Tailrace": "1", "Authorization": f"Bearer {self.tokens[role]}"}
        return httpx.Client(base_url=f"http://127.0.0.1:{self.port}/api", timeout=60, headers=headers)

    def results(self, name: str) -> list[list[Any]]:
        """All results of a query since the server began."""
        found: list[list[Any]] = []
        with self.client() as client:
            page = client.get(f"queries/{name}/results", params={"limit": 10_000}).json()
            found += page["rows"]
            while page["more"]:
                asked = {"limit": 10_000, "after": page["last_id"]}
                page = client.get(f"queries/{name}/results", params=asked).json()
                found += page["rows"]
        return found

    # Rows ---------------------------------------------------------------------------------------------

    def write(self, instants: int = 5, keys: int = 3) -> None:
        """One more file: at each of some instants a row of each key, with values from 0 to 9 in turn."""
        first = len(self.rows)
        instant = self.rows[-1]["ts"] if self.rows else 0
        for after in range(1, instants + 1):
            for key in range(keys):
                self.rows.append({"ts": instant + after, "k": key, "v": len(self.rows) % 10})
        self.files += 1
        aside = self.folder / f".{self.files}"
        aside.write_text("".join(f"{json.dumps(row)}\n" for row in self.rows[first:]))
        aside.rename(self.folder / "S" / f"{self.files:06}.json")


def processes_below(root: int) -> list[int]:
    """A process and all that it and its children have started, by their numbers."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            above = int((entry / "stat").read_text().rpartition(") ")[2].split()[1])
            children.setdefault(above, []).append(int(entry.name))
    found = [root]
    for number in found:
        found += children.get(number, ())
    return found


def is_running(number: int) -> bool:
    """Whether there is such a process that has not ended."""
    with suppress(OSError):
        return Path(f"/proc/{number}/stat").read_text().rpartition(") ")[2][0] not in "ZX"
    return False


@contextmanager
def growing(server: ServerProcess, every: float = 0.5, instants: int = 20, keys: int = 10) -> Iterator[None]:
    """While this lasts, files come."""
    over = threading.Event()

    def flow() -> None:
        while not over.wait(every):
            server.write(instants, keys)

    thread = threading.Thread(target=flow, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@contextmanager
def server_process(box: Path, script: str = SCRIPT) -> Iterator[ServerProcess]:
    """A server at work in a folder inside `box`; all its processes are gone at the end."""
    server = ServerProcess(box / "inside", script)
    try:
        server.start()
        yield server
    finally:
        server.clean_up()
