"""Events: a query's results as server-sent events, for as long as the reader stays."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from tailrace.server.channel import Channel, event
from tailrace.server.engine_worker import EngineWorker

TOGETHER = 5000  # rows
ALIVE = 15.0  # seconds after which a line that means nothing shows that both are there


async def events(desk: EngineWorker, channel: Channel, number: int, head: str) -> AsyncIterator[bytes]:
    """First what the columns are, then all rows after a number as they come, and what of them was lost."""
    desk.readers += 1
    channel.readers += 1
    try:
        yield event("columns", head)
        while True:
            changed = channel.changed
            # Taken at once, since more may come while these are sent, and few, since a slow reader holds on to them.
            several = list(channel.since(number, TOGETHER))
            for found in several:
                number = found.last
                yield found.event
            if several:
                continue
            if channel.over:
                yield event("over", "{}")
                return
            try:
                async with asyncio.timeout(ALIVE):
                    await changed.wait()
            except TimeoutError:
                yield b": still here\n\n"
    finally:
        desk.readers -= 1
        channel.readers -= 1
