"""Server: `tailrace serve`, which runs an engine, with the page and the REST interface over it, until stopped."""

from __future__ import annotations

import os
import re
import signal
import socket
import ssl
import sys
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import quote

import uvicorn
from starlette.types import ASGIApp

from tailrace.engine.engine import Engine
from tailrace.errors import RunError
from tailrace.server.access import AccessTokens, default_token_file, keep_tokens, make_token
from tailrace.server.application import application
from tailrace.server.audit import AuditedApp, AuditLog, audit_file_beside
from tailrace.server.connections import LimitedConnection
from tailrace.server.kept_statements import KeptStatements
from tailrace.server.request_limits import LOCAL, Safety
from tailrace.server.statement_guard import guard

SENDABLE = re.compile(r"[!-~]+")
LEAVING = 1  # seconds that readers have to leave when the server ends


@dataclass
class ServerOptions:
    """Where to listen, the tokens that requests need, the file they are kept in, allowed folders, and files for TLS.

    If others can reach the server, or there is a token for reading, there is a token for writing too: a random one
    unless it is given.
    """

    host: str = "127.0.0.1"
    port: int = 8765
    token: str | None = None
    folders: list[Path] = field(default_factory=list)
    read_token: str | None = None
    token_file: Path | None = None
    audit: Path | None = None  # the file of requests that change something
    tls_cert: Path | None = None
    tls_key: Path | None = None  # None: the key is in the file of the certificate
    without_kept: bool = False  # whether the statements that the checkpoint keeps are left out

    def __post_init__(self) -> None:
        self.token, self.read_token = self.token or None, self.read_token or None
        if self.token is None and (self.read_token is not None or not is_local(self.host)):
            self.token = make_token()
        if not all(SENDABLE.fullmatch(token) for token in (self.token, self.read_token) if token):
            raise RunError(
                "a token has characters that no request can send", hint="letters, digits and signs, no spaces"
            )
        if self.token is not None and self.token == self.read_token:
            raise RunError("the token for reading is that for writing", hint="give one, and the other is made up")

    @property
    def tokens(self) -> AccessTokens:
        return AccessTokens(self.token, self.read_token)

    @property
    def address(self) -> str:
        """The URL to open. The token is in the fragment, which browsers do not send to anybody."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        scheme = "https" if self.tls_cert else "http"
        fragment = f"#token={quote(self.token, safe='')}" if self.token else ""
        return f"{scheme}://{host}:{self.port}/{fragment}"


def is_local(host: str) -> bool:
    """Whether only this machine can reach a host name or address.

    >>> is_local("localhost"), is_local("127.0.0.1"), is_local("0.0.0.0"), is_local("example.org")
    (True, True, False, False)
    """
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def server(engine: Engine, home: Path, served: ServerOptions, kept: KeptStatements | None = None) -> uvicorn.Server:
    """Make the server over an engine; it is not running yet. Relative paths of scripts are relative to `home`."""
    app: ASGIApp = application(engine, guard(served.folders or [home], home), kept)
    if served.audit is not None:
        app = AuditedApp(app, AuditLog(served.audit))
    return uvicorn.Server(configure(Safety(app, served.tokens, frozenset(LOCAL | {served.host})), served))


def configure(app: ASGIApp, served: ServerOptions) -> uvicorn.Config:
    """The configuration of a server for an application: where it listens, and how its connections are limited."""
    return uvicorn.Config(
        app,
        host=served.host,
        port=served.port,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=LEAVING,
        lifespan="on",
        http=LimitedConnection,
        ws="none",
        ssl_certfile=served.tls_cert,
        ssl_keyfile=served.tls_key,
    )


def run_server(
    script: Path | None, served: ServerOptions, master: str, checkpoint: str | None = None, trigger: str = "0 seconds"
) -> None:
    """Execute the script, which may do anything; then start the engine and serve until stopped."""
    for folder in served.folders:
        if not folder.is_dir():
            raise RunError(f"there is no folder {folder}")
    refuse_wrong_certificate(served)
    served.audit = served.audit or audit_file_beside(checkpoint)
    if served.audit is not None:
        AuditLog(served.audit).check()
    refuse_taken(served)
    file = served.token_file or default_token_file(served.port)
    with keep_tokens(file, served.address, served.tokens) if served.token else nullcontext():
        serving = start_engine(script, served, master, checkpoint, trigger)
        print(f"Tailrace is at {served.address}", flush=True)
        if served.token:
            print(f"Its tokens, to write and to read, are in {file}", flush=True)
        # The server handles a signal by ending in good order, and then raises the same signal once more.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with suppress(KeyboardInterrupt):
            serving.run()


def start_engine(
    script: Path | None, served: ServerOptions, master: str, checkpoint: str | None, trigger: str
) -> uvicorn.Server:
    """Start Spark and an engine that has executed the script, then the statements that the checkpoint keeps.

    The server over it is not running yet.
    """
    from tailrace.spark.session.session import start

    kept = KeptStatements.open(checkpoint)
    home = (script.parent if script else Path()).absolute()
    engine = Engine(start(master), home, keep=0)
    text = script.read_text(encoding="utf-8") if script else None
    if text is not None:
        engine.execute(text)
    if served.without_kept:
        kept = kept.leave_out("--without-kept")
    else:
        allowed = guard(served.folders or [home], home)
        kept = kept.execute(lambda statement: engine.execute(statement, allowed), text)
    for line in kept.describe():
        print(f"note: {line}", file=sys.stderr, flush=True)
    serving = server(engine, home, served, kept)
    engine.start(trigger, checkpoint)
    kept.refuse_changed()
    return serving


def refuse_wrong_certificate(served: ServerOptions) -> None:
    """Fail before Spark is started if the files for TLS cannot be used."""
    if served.tls_cert is None:
        if served.tls_key is not None:
            raise RunError("there is a key for TLS and no certificate", hint="name its file: --tls-cert FILE")
        return
    try:
        # Without a password, one would be asked for at the terminal.
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(served.tls_cert, served.tls_key, lambda: "")
    except OSError as problem:  # which errors of TLS are too
        files = " and ".join(str(file) for file in (served.tls_cert, served.tls_key) if file)
        raise RunError(
            f"{files} cannot be used for TLS: {problem.strerror or problem}",
            hint="expected a certificate and its key in the PEM format, the key without a password",
        ) from None


def refuse_taken(served: ServerOptions) -> None:
    """Fail before Spark is started if the server could not listen at its address."""
    try:
        with socket.create_server((served.host, served.port)):
            pass
    except OSError as problem:
        raise RunError(
            f"cannot listen at {served.host}:{served.port}: {os.strerror(problem.errno) if problem.errno else problem}"
        ) from None
