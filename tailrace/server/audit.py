"""Audit: a log of every request that was to change something: who sent it, when, from where, and what came of it.

One line of JSON for each, such as

    {"at": "2026-01-31T12:00:00.000000+00:00", "role": "write", "address": "127.0.0.1", "method": "POST",
     "path": "/api/queries", "request": {"text": "SELECT k FROM S", "name": "q"}, "status": 201, "message": null}
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tailrace.errors import RunError
from tailrace.server.access import may_read
from tailrace.state.storage import LocalStorage, store_at

LOG = logging.getLogger("tailrace")


def audit_file_beside(checkpoint: str | None) -> Path | None:
    """The audit log of a run with this checkpoint, unless another is named; None if that would be on no local disk.

    >>> audit_file_beside("/run/kept/"), audit_file_beside("hdfs://names/kept"), audit_file_beside(None)
    (PosixPath('/run/kept.audit.jsonl'), None, None)
    """
    folder = None if checkpoint is None else store_at(checkpoint)
    return folder.path.with_name(f"{folder.path.name}.audit.jsonl") if isinstance(folder, LocalStorage) else None


@dataclass(frozen=True)
class AuditLog:
    """A file to which lines are only ever added, and which only this user can read: statements may hold secrets."""

    file: Path

    def write(self, entry: dict[str, Any]) -> None:
        """Add a line, which is on the disk when this returns."""
        line = json.dumps(entry).encode() + b"\n"
        # In one write to a file that is opened to be appended to: lines of two processes do not mix.
        file = os.open(self.file, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
        try:
            os.write(file, line)
            os.fsync(file)
        finally:
            os.close(file)

    def check(self) -> None:
        """Raise a RunError if lines could not be added."""
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(self.file, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600))
        except OSError as problem:
            raise RunError(
                f"the audit log {self.file} cannot be written: {problem.strerror or problem}",
                hint="name another file: --audit FILE",
            ) from None


@dataclass
class AuditedApp:
    """The application, with every request that may change something in the log before its answer is sent."""

    app: ASGIApp
    log: AuditLog

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or may_read(scope["method"], scope["path"]):
            await self.app(scope, receive, send)
            return
        request, answer = bytearray(), bytearray()
        held: list[Message] = []  # the messages of the answer, until the log has it

        async def receive_noting() -> Message:
            message = await receive()
            request.extend(message.get("body", b""))
            return message

        async def hold(message: Message) -> None:
            held.append(message)
            answer.extend(message.get("body", b""))

        at = datetime.now(UTC).isoformat(timespec="microseconds")
        try:
            await self.app(scope, receive_noting, hold)
        finally:
            status = next((each["status"] for each in held if each["type"] == "http.response.start"), None)
            await self.write(entry_of(at, scope, bytes(request), status, bytes(answer)))
            for message in held:
                await send(message)

    async def write(self, entry: dict[str, Any]) -> None:
        try:
            await asyncio.to_thread(self.log.write, entry)
        except OSError:
            LOG.exception("the audit log %s could not be written; it lacks %s", self.log.file, json.dumps(entry))


def entry_of(at: str, scope: Scope, request: bytes, status: int | None, answer: bytes) -> dict[str, Any]:
    """A line of the log. Without a status, the request was cut off, or is still at work."""
    client, said = scope.get("client"), read_json(answer)
    return {
        "at": at,
        "role": scope.get("tailrace.role"),
        "address": client[0] if client else None,
        "method": scope["method"],
        "path": scope["path"],
        "request": read_json(request),
        "status": status,
        "message": said.get("message") if isinstance(said, dict) and (status or 0) >= 400 else None,
    }


def read_json(content: bytes) -> Any:
    """What a body says; one that is no JSON, as text."""
    try:
        return json.loads(content) if content else None
    except (ValueError, RecursionError):
        return content.decode("utf-8", "replace")
