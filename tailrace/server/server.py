"""Server: `tailrace serve`, which runs an engine, with the page and the REST interface over it, until stopped."""

from __future__ import annotations

import os
import secrets
import signal
import socket
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path

import uvicorn

from tailrace.engine.engine import Engine
from tailrace.errors import RunError
from tailrace.server.application import application
from tailrace.server.request_limits import LOCAL, Safety
from tailrace.server.statement_guard import guard

LEAVING = 1  # seconds that readers have to leave when the server ends


@dataclass
class ServerOptions:
    """Where to listen, the token that requests need (a random one if others can reach it), and allowed folders."""

    host: str = "127.0.0.1"
    port: int = 8765
    token: str | None = None
    folders: list[Path] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.token = self.token or None
        if self.token is None and not is_local(self.host):
            self.token = secrets.token_urlsafe(24)

    @property
    def address(self) -> str:
        """The URL to open. The token is in the fragment, which browsers do not send to anybody."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/{f'#token={self.token}' if self.token else ''}"


def is_local(host: str) -> bool:
    """Whether only this machine can reach a host name or address.

    >>> is_local("localhost"), is_local("127.0.0.1"), is_local("0.0.0.0"), is_local("example.org")
    (True, True, False, False)
    """
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def server(engine: Engine, home: Path, served: ServerOptions) -> uvicorn.Server:
    """Make the server over an engine; it is not running yet. Relative paths of scripts are relative to `home`."""
    app = application(engine, guard(served.folders or [home], home))
    safe = Safety(app, served.token, frozenset(LOCAL | {served.host}))
    config = uvicorn.Config(
        safe,
        host=served.host,
        port=served.port,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=LEAVING,
        lifespan="on",
    )
    return uvicorn.Server(config)


def run_server(
    script: Path | None, served: ServerOptions, master: str, checkpoint: str | None = None, trigger: str = "0 seconds"
) -> None:
    """Execute the script, which may do anything; then start the engine and serve until stopped."""
    for folder in served.folders:
        if not folder.is_dir():
            raise RunError(f"there is no folder {folder}")
    refuse_taken(served)
    from tailrace.spark.session.session import start

    home = (script.parent if script else Path()).absolute()
    engine = Engine(start(master), home, keep=0)
    if script is not None:
        engine.execute(script.read_text(encoding="utf-8"))
    serving = server(engine, home, served)
    engine.start(trigger, checkpoint)
    print(f"Tailrace is at {served.address}", flush=True)
    # The server handles a signal by ending in good order, and then raises the same signal once more.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt):
        serving.run()


def refuse_taken(served: ServerOptions) -> None:
    """Fail before Spark is started if the server could not listen at its address."""
    try:
        with socket.create_server((served.host, served.port)):
            pass
    except OSError as problem:
        raise RunError(
            f"cannot listen at {served.host}:{served.port}: {os.strerror(problem.errno) if problem.errno else problem}"
        ) from None
