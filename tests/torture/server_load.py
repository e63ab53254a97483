"""Server load: thousands of idle connections and hundreds of slow readers, while batches and answers go on."""

from __future__ import annotations

import asyncio
import random
import resource
import socket
import statistics
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import httpx

from tailrace.server.connections import LimitedConnection
from tests.patience import PATIENCE
from tests.torture.server_process import ServerProcess

AGAIN = 12.0  # seconds until a connection that the server closed is opened again
SIP = 512  # bytes that a slow reader takes each time
PRESENT = 0.9  # the share of the connections, of those that are allowed, that must be there at the same moment
COUNTED = ("opened", "idle", "reading", "taken", "closed")
SIP_TIME = 1.0  # seconds between two sips


@dataclass
class Figures:
    """What a while of the server's work was like, seen from outside."""

    seconds: float
    rows: int  # of results, as a reader got them
    requests: list[float]  # seconds that each took
    refused: int  # requests that got no answer
    batches: list[float]  # seconds

    def describe(self, name: str) -> str:
        slow = max(self.requests, default=0.0)
        median = statistics.median(self.requests) if self.requests else 0.0
        batch = statistics.median(self.batches) if self.batches else 0.0
        return (
            f"{name}: {self.rows / self.seconds:,.0f} rows/s to a reader, {len(self.batches)} batches of "
            f"{batch:.2f} s (median), {len(self.requests)} requests in {median * 1000:.0f} ms (median), "
            f"{slow * 1000:.0f} ms (slowest), {self.refused} without an answer"
        )


@dataclass
class Crowd:
    """Connections of two kinds, in a thread of their own: idle ones, and readers that take little at a time."""

    server: ServerProcess
    query: str
    idle: int
    readers: int
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTED, 0))
    most: dict[str, int] = field(default_factory=lambda: {"idle": 0, "reading": 0})  # at the same moment
    over: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Crowd:
        allow_files(self.idle + self.readers + 500)
        self.thread = threading.Thread(target=lambda: asyncio.run(self.stay()), daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.thread.join()

    async def stay(self) -> None:
        """Keep all connections open, each again when the server has closed it, until it is over."""
        draw = random.Random(self.idle)
        kinds = [self.wait_idle] * self.idle + [self.read_slowly] * self.readers
        tasks = [asyncio.create_task(self.again(kind, draw.random() * AGAIN)) for kind in kinds]
        while not self.over.is_set():
            await asyncio.sleep(0.2)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def again(self, kind: Callable[[], Awaitable[None]], later: float) -> None:
        await asyncio.sleep(later)
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):
                await kind()
            self.counts["closed"] += 1
            await asyncio.sleep(AGAIN)

    def enter(self, kind: str) -> None:
        self.counts["opened"] += 1
        self.counts[kind] += 1
        self.most[kind] = max(self.most[kind], self.counts[kind])

    def check(self) -> None:
        """An AssertionError unless all came, and as many were there at some moment as the server lets in."""
        wanted, allowed = self.idle + self.readers, LimitedConnection.most
        there = self.most["idle"] + self.most["reading"]
        assert self.counts["opened"] >= wanted, f"only {self.counts['opened']} connections were opened"
        assert there >= PRESENT * min(wanted, allowed), f"only {there} connections were there at a time"
        assert self.most["reading"] >= PRESENT * self.readers, f"only {self.most['reading']} slow readers were there"
        assert self.counts["taken"] > self.readers * SIP, f"slow readers took {self.counts['taken']} bytes"

    async def wait_idle(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
        self.enter("idle")
        try:
            await reader.read(1)
        finally:
            self.counts["idle"] -= 1
            writer.close()

    async def read_slowly(self) -> None:
        link = socket.socket()
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        link.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(link, ("127.0.0.1", self.server.port))
        self.enter("reading")
        try:
            head = f"GET /api/queries/{self.query}/events HTTP/1.1\r\nHost: localhost\r\n"
            await loop.sock_sendall(link, f"{head}Authorization: Bearer {self.server.tokens['read']}\r\n\r\n".encode())
            while part := await loop.sock_recv(link, SIP):
                self.counts["taken"] += len(part)
                await asyncio.sleep(SIP_TIME)
        finally:
            self.counts["reading"] -= 1
            link.close()


def allow_files(wanted: int) -> None:
    """Let this process open so many files; an AssertionError if it may not."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert hard == resource.RLIM_INFINITY or hard >= wanted, f"ulimit -Hn is {hard}, and {wanted} are needed"
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def watch(server: ServerProcess, query: str, seconds: float) -> Figures:
    """Look at a server for some seconds: as a reader of a query, and by a request on a new connection each time."""
    rows = Rows(server, query)
    rows.thread.start()
    begun, first = time.monotonic(), rows.count
    took: list[float] = []
    refused, seen, older = 0, {}, None
    # A machine may be slow, and a batch long: a few are waited for.
    while time.monotonic() - begun < (seconds if len(seen) > 2 else PATIENCE):
        at = time.monotonic()
        try:
            with server.client("read") as client:
                status = client.get("status").json()
        except (httpx.HTTPError, OSError):
            refused += 1
        else:
            assert status["problem"] is None, status["problem"]
            took.append(time.monotonic() - at)
            numbers = {each["number"]: each["seconds"] for each in status["batches"]}
            older = max(numbers, default=-1) if older is None else older
            seen |= {number: took for number, took in numbers.items() if number > older}
        time.sleep(0.25)
    spent = time.monotonic() - begun
    rows.over.set()
    return Figures(spent, rows.count - first, took, refused, list(seen.values()))


@dataclass
class Rows:
    """A reader that takes all it gets, and goes on where it was cut off."""

    server: ServerProcess
    query: str
    count: int = 0
    missing: int = 0
    over: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.thread = threading.Thread(target=self.read, daemon=True)

    def read(self) -> None:
        from tests.spark.front.serving import events

        last = None
        while not self.over.is_set():
            with suppress(httpx.HTTPError, OSError), self.server.client("read") as client:
                asked: dict[str, Any] = {"headers": {"Last-Event-ID": last}} if last else {}
                with client.stream("GET", f"queries/{self.query}/events", **asked) as response:
                    for name, number, data in events(response):
                        last = number or last
                        self.count += len(data["rows"]) if name == "rows" else 0
                        self.missing += data["rows"] if name == "gap" else 0
                        if self.over.is_set():
                            return


def run_load(server: ServerProcess, seconds: float, idle: int = 5000, readers: int = 500) -> list[str]:
    """Compare the server with and without a crowd; lines to print. An AssertionError if answers or batches stop."""
    query = "large"
    before = watch(server, query, seconds)
    print(before.describe("load: before"), flush=True)
    memory = [server.memory]
    with Crowd(server, query, idle, readers) as crowd:
        end = time.monotonic() + 2 * AGAIN
        while time.monotonic() < end and crowd.counts["idle"] + crowd.counts["reading"] < 0.9 * (idle + readers):
            time.sleep(0.5)
        known = dict(crowd.counts)
        during = watch(server, query, seconds)
        memory.append(server.memory)
        crowd.check()
    print(during.describe("load: during"), flush=True)
    after = watch(server, query, seconds)
    memory.append(server.memory)
    assert during.rows, "no rows came while the crowd was there"
    assert during.refused <= len(during.requests) / 20, f"{during.refused} requests got no answer"
    megabytes = ", ".join(f"{each:,.0f}" for each in memory)
    return [
        after.describe("after"),
        f"{known['idle']:,} idle connections and {known['reading']:,} slow readers at the beginning of it, "
        f"{crowd.counts['closed']:,} closed by the server since; memory {megabytes} MB",
    ]
