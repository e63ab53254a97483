"""Events: sends a query's results to one reader as server-sent events, for as long as the reader stays."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from tailrace.server.channel import Channel, event
from tailrace.server.engine_worker import EngineWorker

TOGETHER = 5000  # rows that are taken from the channel at a time
ALIVE = 15.0  # seconds without rows after which a comment keeps the connection alive


async def events(desk: EngineWorker, channel: Channel, number: int, head: str) -> AsyncIterator[bytes]:
    """Yield the columns, then all rows after `number` as they come; and the end, once the query is dropped.

    For rows that are no longer kept there is an event `gap`.
    """
    desk.readers += 1
    channel.readers += 1
    try:
        yield event("columns", head)
        while True:
            changed = channel.changed
            # A list, since the channel may change while rows are sent; a short one, since it is kept for a slow reader.
            several = list(channel.since(number, TOGETHER))
            for found in several:
                number = found.last
                yield found.event
            if several:
                continue
            if channel.over:
                yield event("end", "{}")
                return
            try:
                async with asyncio.timeout(ALIVE):
                    await changed.wait()
            except TimeoutError:
                yield b": still here\n\n"
    finally:
        desk.readers -= 1
        channel.readers -= 1
