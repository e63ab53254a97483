"""Connections: limits what one who only holds connections open can take from others.

A connection on which no request comes is closed after a while, and so is one whose reader has stopped reading. If there
are as many connections as may be, a new one takes the place of the one that has waited longest for a request.
"""

from __future__ import annotations

import asyncio
import resource

from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_TIME = 10.0  # seconds until the head of a request, or of the next one, must be there
STALLED_TIME = 60.0  # seconds after which a reader that takes nothing is given up


def most_connections() -> int:
    """The most connections at a time: half of the files that this process may open, as Spark needs some too."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return 2_500 if soft == resource.RLIM_INFINITY else max(16, min(2_500, soft // 2))


class LimitedConnection(H11Protocol):
    """A connection of uvicorn's that is limited in time, and in number together with all others of its server."""

    most = most_connections()
    waiting: asyncio.TimerHandle | None = None  # set while no request is being answered
    stalled: asyncio.TimerHandle | None = None  # set while what was written is not taken

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        is_full = len(self.connections) >= self.most
        super().connection_made(transport)
        if is_full and not self.idle:
            transport.abort()
            return
        if is_full:
            next(iter(self.idle)).give_up()
        self.wait_for_request()

    def connection_lost(self, exc: Exception | None) -> None:
        self.stop_waiting()
        self.stop_stalled()
        super().connection_lost(exc)

    def give_up(self) -> None:
        """Close the connection at once, also if somebody should still read from it."""
        self.stop_waiting()
        self.connections.discard(self)
        self.transport.abort()

    @property
    def idle(self) -> dict[LimitedConnection, None]:
        """The connections of this server on which a request is waited for, the one that has waited longest first.

        Looking through all connections for it would take a millisecond, of which thousands come in a row.
        """
        found: dict[LimitedConnection, None] = vars(self.server_state).setdefault("idle", {})
        return found

    # Requests -----------------------------------------------------------------------------------------

    @property
    def is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.is_answering:
            self.stop_waiting()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.is_answering and not self.transport.is_closing():
            self.wait_for_request()

    def wait_for_request(self) -> None:
        self.stop_waiting()
        self.idle[self] = None
        self.waiting = self.loop.call_later(REQUEST_TIME, self.give_up)

    def stop_waiting(self) -> None:
        if self.waiting is not None:
            self.waiting.cancel()
            self.waiting = None
            self.idle.pop(self, None)

    # Answers ------------------------------------------------------------------------------------------

    def pause_writing(self) -> None:
        super().pause_writing()
        self.stop_stalled()
        self.stalled = self.loop.call_later(STALLED_TIME, self.give_up)

    def resume_writing(self) -> None:
        self.stop_stalled()
        super().resume_writing()

    def stop_stalled(self) -> None:
        if self.stalled is not None:
            self.stalled.cancel()
            self.stalled = None
