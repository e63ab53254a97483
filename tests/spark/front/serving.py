"""Serving: an engine on a real server on this machine, over files that grow, for the tests that ask it things."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from pyspark.sql import SparkSession

from tailrace import Engine
from tailrace.server.server import ServerOptions, server
from tests.patience import PATIENCE

SCRIPT = """
CREATE STREAM S (ts BIGINT, k INT, v INT, name STRING) USING json OPTIONS (path 'S') TIMESTAMP BY ts;
CREATE STREAM R (ts BIGINT, k INT, w INT) USING json OPTIONS (path 'R') TIMESTAMP BY ts;
CREATE RELATION T (k INT, word STRING) USING csv OPTIONS (path 'T.csv') KEY (k);
CREATE VIEW Big AS SELECT k, v, name FROM S WHERE v > 4;
CREATE QUERY large AS SELECT k, v FROM Big;
CREATE QUERY counts AS SELECT k, COUNT(*) AS n, AVG(v) AS mean FROM S [RANGE 10] GROUP BY k;
"""
HEADERS = {"X-Tailrace": "1"}


@dataclass
class Serving:
    """A server at work: its folder, its engine, where to ask it, and the rows written so far."""

    folder: Path
    engine: Engine
    port: int
    token: str | None = None
    instant: int = 0
    files: int = 0
    rows: list[dict[str, Any]] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def headers(self) -> dict[str, str]:
        return {**HEADERS, **({"Authorization": f"Bearer {self.token}"} if self.token else {})}

    def client(self, **more: Any) -> httpx.Client:
        return httpx.Client(base_url=f"{self.address}/api", timeout=PATIENCE, **{"headers": self.headers, **more})

    def write(self, instants: int = 5, keys: int = 3, stream: str = "S") -> list[dict[str, Any]]:
        """One more file: at each of some instants a row of each key, with values from 0 to 9 in turn."""
        rows = []
        for _ in range(instants):
            self.instant += 1
            for key in range(keys):
                number = len(self.rows) + len(rows)
                rows.append({"ts": self.instant, "k": key, "v": number % 10, "w": number, "name": f"n{key}"})
        self.files += 1
        aside = self.folder / f".{self.files}"
        aside.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        aside.rename(self.folder / stream / f"{self.files:04}.json")
        self.rows += rows
        return rows


@contextmanager
def serving(
    spark: SparkSession, folder: Path, script: str = SCRIPT, token: str | None = None, read_token: str | None = None
) -> Iterator[Serving]:
    for name in ("S", "R"):
        (folder / name).mkdir()
    (folder / "T.csv").write_text("k,word\n0,zero\n1,one\n")
    engine = Engine(spark, folder, keep=0)
    engine.execute(script)
    free = socket.create_server(("127.0.0.1", 0))
    port = free.getsockname()[1]
    running = server(engine, folder, ServerOptions(port=port, token=token, read_token=read_token))
    engine.start()
    thread = threading.Thread(target=running.run, args=([free],), daemon=True)
    thread.start()
    try:
        wait_for(lambda: running.started)
        yield Serving(folder, engine, port, token)
    finally:
        running.should_exit = True
        thread.join(PATIENCE)


def wait_for(found: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """What is found once it is true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = found()
        if value:
            return value
        time.sleep(0.1)
    raise AssertionError("waited too long")


def events(response: httpx.Response) -> Iterator[tuple[str, str | None, Any]]:
    """The events of a stream: name, id and data."""
    name, number = "", None
    for line in response.iter_lines():
        key, _, value = line.partition(": ")
        if key == "event":
            name, number = value, None
        elif key == "id":
            number = value
        elif key == "data":
            yield name, number, json.loads(value)
