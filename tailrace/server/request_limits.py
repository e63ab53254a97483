"""Request limits: checks who sends a request, from where, how large and how slow it is, before the application sees it.

Without a token, only names of this machine are accepted as Host, so that no other site can pass for this server (DNS
rebinding). A request that changes something needs the header X-Tailrace, which a page of another site cannot send
before its browser has asked this server (CSRF); no cookies are used. With tokens, every request below /api must have
one, and what changes something the one for writing (access.py).
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tailrace.server.access import SAFE, AccessTokens, Role, may_read

MOST = 1 << 20  # bytes of a request's body at most
PATIENCE = 10.0  # seconds in which the body of a request must come
HEADER = "x-tailrace"
LOCAL = {"localhost", "127.0.0.1", "::1"}
SECURE = {
    "content-security-policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


class TooLargeError(Exception):
    """The body of a request has more bytes than allowed."""


class TooSlowError(Exception):
    """The body of a request did not come in time."""


@dataclass(frozen=True)
class Refusal:
    status: int
    message: str


@dataclass
class Safety:
    """The application behind these checks. Without tokens, `hosts` are the names by which it may be called."""

    app: ASGIApp
    tokens: AccessTokens = field(default_factory=AccessTokens)
    hosts: frozenset[str] = frozenset(LOCAL)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refusal = self.refuse(scope["method"], scope["path"], Headers(scope=scope))
        if refusal is not None:
            await answer(send, refusal)
            return
        # Without tokens, everybody may do all.
        role = (
            self.tokens.role_of(Headers(scope=scope).get("authorization", "")) if self.tokens.are_needed else Role.write
        )
        scope["tailrace.role"] = role
        begun = False

        async def send_secured(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = MutableHeaders(scope=message)
                for name, value in SECURE.items():
                    headers[name] = value
            await send(message)

        try:
            await self.app(scope, limit_body(receive), send_secured)
        except (TooLargeError, TooSlowError) as problem:
            large = isinstance(problem, TooLargeError)
            if not begun:
                await answer(send, too_large() if large else Refusal(408, "the request was cut off"))

    def refuse(self, method: str, path: str, headers: Headers) -> Refusal | None:
        """Why a request is refused, or None if it is let through."""
        host = headers.get("host", "")
        if not self.tokens.are_needed and name_of(host) not in self.hosts:
            return Refusal(421, "the request names another host")
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            return Refusal(403, "requests from other sites are refused")
        if headers.get("sec-fetch-site") in ("cross-site", "same-site") and is_interface(path):
            return Refusal(403, "requests from other sites are refused")
        if self.tokens.are_needed and is_interface(path):
            role = self.tokens.role_of(headers.get("authorization", ""))
            if role is None:
                return Refusal(401, "a token is required: Authorization: Bearer …")
            if role is Role.read and not may_read(method, path):
                return Refusal(403, "this token may only read: what changes something needs the token for writing")
        if method not in SAFE and HEADER not in headers:
            return Refusal(403, f"requests that change something need the header {HEADER.title()}")
        length = headers.get("content-length", "0")
        return too_large() if length.isdigit() and int(length) > MOST else None


def is_interface(path: str) -> bool:
    """Whether a path is one of the interface, and not of the page.

    >>> is_interface("/api/status"), is_interface("/api"), is_interface("/api.js")
    (True, True, False)
    """
    return path == "/api" or path.startswith("/api/")


def too_large() -> Refusal:
    return Refusal(413, f"a request has at most {MOST:,} bytes")


def name_of(host: str) -> str:
    """The name in a Host header, without the port.

    >>> name_of("localhost:8765"), name_of("[::1]:8765"), name_of("a@b")
    ('localhost', '::1', '')
    """
    try:
        parts = urlsplit(f"//{host}")
        return (parts.hostname or "") if parts.username is None else ""
    except ValueError:
        return ""


def limit_body(receive: Receive) -> Receive:
    """Receive a request's body within the limits of size and time; later messages are waited for without a limit."""
    size, whole, end = 0, False, asyncio.get_running_loop().time() + PATIENCE

    async def receive_some() -> Message:
        nonlocal size, whole
        if whole:
            return await receive()
        try:
            async with asyncio.timeout_at(end):
                message = await receive()
        except TimeoutError:
            raise TooSlowError from None
        size += len(message.get("body", b""))
        whole = not message.get("more_body", False)
        if size > MOST:
            raise TooLargeError
        return message

    return receive_some


async def answer(send: Send, refusal: Refusal) -> None:
    body = json.dumps({"message": refusal.message, "hint": None, "problems": []}).encode()
    headers = {"content-type": "application/json", **SECURE}
    coded = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": refusal.status, "headers": coded})
    await send({"type": "http.response.body", "body": body})
