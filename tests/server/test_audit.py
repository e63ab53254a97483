"""Audit: what was to change something is in the log, with who, when, from where and what came of it."""

from __future__ import annotations

import asyncio
import json
import stat
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from tailrace.errors import RunError
from tailrace.server.access import AccessTokens
from tailrace.server.audit import AuditedApp, AuditLog
from tailrace.server.request_limits import Safety

HERE = "http://127.0.0.1:8765"


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Refuses texts that are wrong, and fails at those that are worse."""
    body = await Request(scope, receive).body()
    if b"worse" in body:
        await JSONResponse({"message": "something went wrong"}, 500)(scope, receive, send)
        raise ValueError("inside")
    answer = JSONResponse({"message": "it is wrong"}, 400) if b"wrong" in body else JSONResponse({"said": None})
    await answer(scope, receive, send)


def ask(file: Path, method: str, path: str, token: str = "abc", **more: Any) -> int:
    async def run() -> int:
        safe = Safety(AuditedApp(app, AuditLog(file)), AccessTokens("abc", "def"))
        headers = {"X-Tailrace": "1", "Authorization": f"Bearer {token}"}
        transport = httpx.ASGITransport(safe, raise_app_exceptions=False, client=("192.0.2.7", 4711))
        async with httpx.AsyncClient(transport=transport, base_url=HERE, headers=headers) as client:
            return (await client.request(method, path, **more)).status_code

    return asyncio.run(run())


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_what_changes_something_is_in_the_log(tmp_path: Path) -> None:
    file, begun = tmp_path / "audit.jsonl", datetime.now(UTC)
    assert ask(file, "POST", "/api/execute", json={"text": "DROP QUERY\n q"}) == 200
    assert ask(file, "POST", "/api/queries", json={"text": "wrong"}) == 400
    assert ask(file, "DELETE", "/api/queries/q") == 200
    assert ask(file, "PUT", "/api/settings/trigger", content=b"\xff{") == 200
    assert ask(file, "POST", "/api/execute", json={"text": "worse"}) == 500
    found = lines(file)
    assert [(each["method"], each["path"], each["request"], each["status"], each["message"]) for each in found] == [
        ("POST", "/api/execute", {"text": "DROP QUERY\n q"}, 200, None),
        ("POST", "/api/queries", {"text": "wrong"}, 400, "it is wrong"),
        ("DELETE", "/api/queries/q", None, 200, None),
        ("PUT", "/api/settings/trigger", "\ufffd{", 200, None),
        ("POST", "/api/execute", {"text": "worse"}, 500, "something went wrong"),
    ]
    assert {(each["role"], each["address"]) for each in found} == {("write", "192.0.2.7")}
    times = [datetime.fromisoformat(each["at"]) for each in found]
    assert begun <= times[0] <= times[-1] <= datetime.now(UTC)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_what_only_reads_is_not(tmp_path: Path) -> None:
    file = tmp_path / "audit.jsonl"
    for method, path in (("GET", "/api/catalog"), ("POST", "/api/check"), ("POST", "/api/explain")):
        assert ask(file, method, path) == 200
    assert ask(file, "POST", "/api/execute", token="guessed") == 401
    assert ask(file, "POST", "/api/execute", token="def") == 403
    assert not file.exists()


def test_a_log_that_cannot_be_written(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(RunError, match=r"the audit log .* cannot be written: Is a directory"):
        AuditLog(tmp_path).check()
    assert ask(tmp_path, "POST", "/api/execute", json={"text": "DROP QUERY q"}) == 200
    assert "DROP QUERY q" in caplog.text
