"""Connections: whoever only holds them open takes nothing from others, and a reader that stops is given up."""

from __future__ import annotations

import asyncio
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from tailrace.server import connections
from tailrace.server.connections import LimitedConnection
from tailrace.server.server import ServerOptions, configure
from tests.patience import PATIENCE

GET = b"GET /%s HTTP/1.1\r\nHost: localhost\r\n\r\n"
BLOCK = b"x" * 65_536
RELEASED = threading.Event()


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers in two parts: at /slow with time between them, at /held once RELEASED, at /flood without an end."""
    if scope["type"] == "lifespan":
        for _ in range(2):
            message = await receive()
            await send({"type": f"{message['type']}.complete"})
        return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"one", "more_body": True})
    if scope["path"] == "/slow":
        await asyncio.sleep(1.5)
    while scope["path"] == "/held" and not RELEASED.is_set():
        await asyncio.sleep(0.01)
    while scope["path"] == "/flood":
        await send({"type": "http.response.body", "body": BLOCK, "more_body": True})
        await asyncio.sleep(0)
    await send({"type": "http.response.body", "body": b"two"})


@contextmanager
def open_server(**options: Path) -> Iterator[tuple[uvicorn.Server, Callable[[], socket.socket]]]:
    """A server at work, and a way to connect to it."""
    RELEASED.clear()
    with socket.create_server(("127.0.0.1", 0)) as free, ExitStack() as opened:
        address = free.getsockname()
        running = uvicorn.Server(configure(app, ServerOptions(port=address[1], **options)))
        thread = threading.Thread(target=running.run, args=([free],), daemon=True)
        thread.start()
        while not running.started:
            time.sleep(0.01)
        try:
            yield running, lambda: opened.enter_context(socket.create_connection(address, timeout=PATIENCE))
        finally:
            running.should_exit = True
            thread.join(PATIENCE)


def read_until(link: socket.socket, what: bytes) -> bytes:
    """What a connection gives until `what` was in it, or until it ends."""
    found = b""
    try:
        while what not in found and (part := link.recv(65_536)):
            found += part
    except ConnectionResetError:
        pass
    return found


def ask(link: socket.socket, path: bytes = b"") -> bytes:
    link.sendall(GET % path)
    return read_until(link, b"two\r\n0\r\n\r\n")


def test_idle_connections_make_room_for_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LimitedConnection, "most", 8)
    with open_server() as (running, connect):
        reading = connect()
        reading.sendall(GET % b"held")
        read_until(reading, b"one")
        idle = [connect() for _ in range(100)]
        for link in idle:
            link.settimeout(0.01)
        assert b"two" in ask(connect())
        assert len(running.server_state.connections) <= 8
        RELEASED.set()
        assert b"two" in read_until(reading, b"two")  # a request that is being answered keeps its place


def test_without_room_a_connection_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LimitedConnection, "most", 2)
    with open_server() as (_, connect):
        reading = [connect() for _ in range(2)]
        for link in reading:
            link.sendall(GET % b"held")
            read_until(link, b"one")
        assert read_until(connect(), b"never") == b""
        RELEASED.set()
        assert all(b"two" in read_until(link, b"two") for link in reading)
        assert b"two" in ask(connect())


def test_a_request_must_begin_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "REQUEST_TIME", 1.0)
    with open_server() as (_, connect):
        silent, partial = connect(), connect()
        partial.sendall(b"GET / HTTP/1.1\r\nHost: ")
        second = connect()
        assert b"two" in ask(second)
        second.sendall(b"GET / HT")
        busy = connect()
        assert b"two" in ask(busy, b"slow")  # which takes longer than a request may
        for link in (silent, partial, second, busy):
            assert read_until(link, b"never") == b""


def test_a_reader_that_stops_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "STALLED_TIME", 0.2)
    with open_server() as (running, connect):
        link = connect()
        link.sendall(GET % b"flood")
        end = time.monotonic() + PATIENCE
        while not running.server_state.connections:
            time.sleep(0.01)
        while running.server_state.connections and time.monotonic() < end:
            time.sleep(0.01)
        assert not running.server_state.connections
        assert b"two" in ask(connect())


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl, to make a certificate")
def test_certificates_make_it_https(tmp_path: Path) -> None:
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    made = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1"
    subprocess.run(["openssl", *made.split(), "-out", cert, "-keyout", key], check=True, capture_output=True)
    assert ServerOptions(tls_cert=cert, tls_key=key).address == "https://127.0.0.1:8765/"
    with open_server(tls_cert=cert, tls_key=key) as (_, connect):
        context = ssl.create_default_context(cafile=str(cert))
        with context.wrap_socket(connect(), server_hostname="127.0.0.1") as link:
            assert b"two" in ask(link)
        plain = connect()
        plain.sendall(GET % b"")
        assert b"HTTP" not in read_until(plain, b"never")


def test_the_one_that_has_waited_longest_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LimitedConnection, "most", 3)
    with open_server() as (_, connect):
        first, second, third = connect(), connect(), connect()
        for link in (first, second, third, first):
            assert b"two" in ask(link)
        assert b"two" in ask(connect())
        assert read_until(second, b"never") == b""
        for link in (first, third):
            assert b"two" in ask(link)
