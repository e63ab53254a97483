"""Request limits: which requests are let through, how large and how slow they may be."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from tailrace.server import request_limits as safety
from tailrace.server.access import AccessTokens
from tailrace.server.request_limits import MOST, Safety

HERE = "http://127.0.0.1:8765"


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    body = await Request(scope, receive).body()
    await PlainTextResponse(str(len(body)))(scope, receive, send)


def ask(method: str = "GET", path: str = "/api/x", token: str | None = None, **more: Any) -> httpx.Response:
    async def run() -> httpx.Response:
        transport = httpx.ASGITransport(Safety(app, AccessTokens(token, token and f"{token}-read")))
        async with httpx.AsyncClient(transport=transport, base_url=HERE) as client:
            return await client.request(method, path, **more)

    return asyncio.run(run())


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost", "LOCALHOST:1", "[::1]:8765"])
def test_names_of_this_machine(host: str) -> None:
    assert ask(headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost@evil.example", "", "[::1"])
def test_other_names_are_refused(host: str) -> None:
    assert ask(headers={"Host": host}).status_code == 421


def test_other_sites_are_refused() -> None:
    for origin in ("http://evil.example", "null", "http://127.0.0.1:9999"):
        assert ask(headers={"Origin": origin}).status_code == 403
    assert ask(headers={"Origin": HERE}).status_code == 200
    assert ask(headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert ask(path="/", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200  # a link to the page is fine


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_changes_need_the_header(method: str) -> None:
    assert ask(method).status_code == 403
    assert ask(method, headers={"X-Tailrace": "1"}).status_code == 200


def test_a_token_is_wanted_below_api() -> None:
    assert ask(token="abc").status_code == 401
    assert ask(token="abc", headers={"Authorization": "Bearer abcd"}).status_code == 401
    assert ask(token="abc", headers={"Authorization": "Bearer abc", "Host": "my.example"}).status_code == 200
    assert [ask(path=path, token="abc").status_code for path in ("/api", "/api/", "/api/x")] == [401, 401, 401]


def test_the_page_needs_no_token() -> None:
    """It says nothing, and asks for the token itself; one of its files is called api.js."""
    for path in ("/", "/api.js", "/main.js"):
        assert ask(path=path, token="abc").status_code == 200
        assert ask(path=path, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/catalog", 200),
        ("GET", "/api/queries/q/events", 200),
        ("POST", "/api/check", 200),
        ("POST", "/api/explain", 200),
        ("POST", "/api/execute", 403),
        ("POST", "/api/queries", 403),
        ("DELETE", "/api/queries/q", 403),
        ("POST", "/api/queries/q/pause", 403),
        ("POST", "/api/start", 403),
        ("PUT", "/api/settings/trigger", 403),
        ("PUT", "/api/check", 403),
        ("POST", "/api/check/", 403),
        ("POST", "/api//check", 403),
    ],
)
def test_who_may_read_changes_nothing(method: str, path: str, status: int) -> None:
    headers = {"X-Tailrace": "1", "Authorization": "Bearer abc-read"}
    assert ask(method, path, "abc", headers=headers).status_code == status
    assert ask(method, path, "abc", headers={**headers, "Authorization": "Bearer abc"}).status_code == 200
    assert ask(method, path, "abc", headers={**headers, "Authorization": "Bearer "}).status_code == 401


def test_a_request_has_a_size() -> None:
    headers = {"X-Tailrace": "1"}
    assert ask("POST", headers=headers, content=b"x" * MOST).text == str(MOST)
    assert ask("POST", headers=headers, content=b"x" * (MOST + 1)).status_code == 413

    async def parts() -> AsyncIterator[bytes]:
        for _ in range(5):
            yield b"x" * (MOST // 4)

    assert ask("POST", headers=headers, content=parts()).status_code == 413


def test_a_request_has_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safety, "PATIENCE", 0.05)

    async def run() -> list[Any]:
        sent: list[Any] = []

        async def receive() -> Any:
            await asyncio.sleep(5)

        async def send(message: Any) -> None:
            sent.append(message)

        headers = [(b"host", b"localhost"), (b"x-tailrace", b"1")]
        scope = {"type": "http", "method": "POST", "path": "/api/x", "headers": headers, "query_string": b""}
        await Safety(app)(scope, receive, send)
        return sent

    assert asyncio.run(run())[0]["status"] == 408


def test_a_request_that_trickles_has_no_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safety, "PATIENCE", 0.2)

    async def trickle() -> AsyncIterator[bytes]:
        for _ in range(100):
            await asyncio.sleep(0.02)
            yield b"x"

    assert ask("POST", headers={"X-Tailrace": "1"}, content=trickle()).status_code == 408


def test_answers_say_what_a_browser_may_do() -> None:
    found = ask().headers
    assert "default-src 'self'" in found["content-security-policy"]
    assert found["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in found
