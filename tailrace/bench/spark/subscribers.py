"""Subscribers: what hundreds of readers of results cost the engine, and that each of them gets every row once.

A server follows files that come at a steady pace: first without readers, then with readers in another process, then
without them again. The batches' time with readers is compared with their time without.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import socket
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from tailrace.bench.inputs.feed import FED, LAST, FileFeed, quantile
from tailrace.bench.report.lines import BenchLine, Say
from tailrace.engine.engine import Engine
from tailrace.errors import RunError

ROWS, EVERY = 100, 0.5  # 200 rows a second
QUERY = "SELECT ISTREAM(k, COUNT(*) AS n, MAX(v) AS most) FROM S [RANGE 10 SECONDS] GROUP BY k"
SCRIPT = f"""
SET tick = '1 millisecond';
CREATE STREAM S ({FED}) USING parquet OPTIONS (path 'fed') TIMESTAMP BY ts HEARTBEAT BY {LAST.name};
CREATE QUERY followed AS {QUERY};
CREATE QUERY paced AS SELECT seconds FROM tailrace.batches;
"""
PATIENCE = 60.0


@dataclass
class Read:
    """What one reader got: how many rows, the last row's number, and what was wrong with the numbers."""

    rows: int = 0
    last: int = 0
    problem: str | None = None

    def take(self, kind: str, data: dict[str, int | list[object]]) -> None:
        if kind == "gap":
            self.problem = f"lost rows {data['first']} to {data['last']}"
        if kind != "rows":
            return
        first, rows = data["first"], data["rows"]
        assert isinstance(first, int)
        assert isinstance(rows, list)
        if first != self.last + 1:
            self.problem = f"row {first} after row {self.last}"
        self.last = first + len(rows) - 1
        self.rows += len(rows)


async def follow(port: int, found: Read, until: asyncio.Event) -> None:
    """Read the events of a query from its first row on, until `until` is set."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
    writer.write(f"GET /api/queries/followed/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    kind = ""
    over = asyncio.ensure_future(until.wait())
    while not until.is_set():
        line = asyncio.ensure_future(reader.readline())
        await asyncio.wait([line, over], return_when=asyncio.FIRST_COMPLETED)
        if not line.done():
            line.cancel()
            break
        text = line.result().decode().strip()
        if text.startswith("event: "):
            kind = text.removeprefix("event: ")
        elif text.startswith("data: "):
            found.take(kind, json.loads(text.removeprefix("data: ")))
    over.cancel()
    writer.close()


def readers(port: int, count: int, told: Connection) -> None:
    """Run `count` readers in this process until told to end; then send what each of them got."""

    async def run() -> list[Read]:
        all_read, until = [Read() for _ in range(count)], asyncio.Event()
        tasks = [asyncio.ensure_future(follow(port, read, until)) for read in all_read]
        told.send(None)
        # The last rows may still be on their way to some readers.
        last = await asyncio.to_thread(told.recv)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and any(read.last < last and not read.problem for read in all_read):
            await asyncio.sleep(0.1)
        until.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        return all_read

    told.send(asyncio.run(run()))


@contextmanager
def serve_engine(folder: Path) -> Iterator[tuple[Engine, int]]:
    """A server over a running engine, and its port."""
    from tailrace.server.server import ServerOptions, server
    from tailrace.spark.session.session import current_or_new

    engine = Engine(current_or_new(), folder, keep=0)
    engine.execute(SCRIPT)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    running = server(engine, folder, ServerOptions(port=port))
    engine.start()
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    begun = time.monotonic()
    while not running.started and time.monotonic() < begun + PATIENCE:
        time.sleep(0.05)
    try:
        yield engine, port
    finally:
        running.should_exit = True
        thread.join(PATIENCE)


def batches(engine: Engine, seconds: float) -> list[float]:
    """The seconds that batches take, watched for `seconds` seconds."""
    found: list[float] = []
    engine.queries["paced"].subscribe(take := lambda rows: found.extend(row.seconds for row in rows))
    time.sleep(seconds)
    engine.queries["paced"].unsubscribe(take)
    return found


def measure_with_readers(port: int, count: int, engine: Engine, seconds: float) -> tuple[list[float], list[Read]]:
    """The seconds that batches take while readers follow, and what the readers got."""
    mine, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=readers, args=(port, count, theirs), daemon=True)
    process.start()
    mine.recv()
    found = batches(engine, seconds)
    query = engine.queries["followed"]
    mine.send(rows_told(port, query.name))
    read: list[Read] = mine.recv()
    process.join(PATIENCE)
    return found, read


def rows_told(port: int, name: str) -> int:
    """How many rows a query has answered so far."""
    from urllib.request import urlopen

    with urlopen(f"http://127.0.0.1:{port}/api/queries/{name}", timeout=PATIENCE) as answer:
        found = json.load(answer)["rows"]
    assert isinstance(found, int)
    return found


def measure(quick: bool, say: Say) -> list[BenchLine]:
    """500 readers for a minute, between two half minutes without."""
    count, seconds, warm_up = (20, 4.0, 5.0) if quick else (500, 60.0, 40.0)
    with tempfile.TemporaryDirectory(prefix="tailrace-bench-", ignore_cleanup_errors=True) as place:
        folder = Path(place)
        with FileFeed(folder / "fed", ROWS, EVERY, keys=ROWS), serve_engine(folder) as (engine, port):
            say(f"subscribers: warming up, {warm_up:.0f} s")
            begun = time.monotonic()
            while time.monotonic() < begun + PATIENCE and not rows_told(port, "paced"):
                time.sleep(0.1)
            time.sleep(warm_up)
            say(f"subscribers: none, {seconds / 2:.0f} s")
            alone = batches(engine, seconds / 2)
            say(f"subscribers: {count}, {seconds:.0f} s")
            beside, read = measure_with_readers(port, count, engine, seconds)
            say(f"subscribers: none, {seconds / 2:.0f} s")
            alone += batches(engine, seconds / 2)
    return [line(count, alone, beside, read)]


def line(count: int, alone: Sequence[float], beside: Sequence[float], read: Sequence[Read]) -> BenchLine:
    """The line of figures. It is an error if a reader did not get each row once."""
    wrong = [each.problem for each in read if each.problem]
    least, most = min(each.last for each in read), max(each.last for each in read)
    short = [each for each in read if each.rows != each.last or each.last == 0]
    if wrong or short:
        raise RunError(f"{len(wrong) + len(short)} of {count} readers missed or doubled rows: {(wrong or short)[0]}")
    if not alone or not beside:
        raise RunError("no batch was taken in time")
    mine, other = quantile(beside, 0.5), quantile(alone, 0.5)
    more = {
        "mean ratio": (sum(beside) / len(beside)) / (sum(alone) / len(alone)),
        "batches": float(len(beside)),
        "rows of each at least": float(least),
        "and at most": float(most),
    }
    return BenchLine(f"{count} readers", mine, "s", "no readers", other, mine / other, more)
