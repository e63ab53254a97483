"""Channel: no row is handed out twice, none is missing without a word, whatever readers and pauses do."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tailrace.server.channel import Channel, Chunk, Gap


def at_once(work: Callable[[], None]) -> None:
    work()


def rows(*numbers: int) -> list[str]:
    return [json.dumps([number]) for number in numbers]


@given(st.lists(st.tuples(st.sampled_from("wrp"), st.integers(1, 9)), max_size=40), st.integers(5, 200))
def test_a_reader_has_every_row_once_or_is_told(steps: list[tuple[str, int]], keep: int) -> None:
    async def run() -> None:
        channel = Channel(at_once, keep=keep)
        written, known, had, lost = 0, 0, [], 0

        def read(most: float = 1e9) -> None:
            nonlocal known, lost
            for found in channel.since(known, most):
                assert found.first == known + 1
                known = found.last
                if isinstance(found, Gap):
                    lost += found.last - found.first + 1
                else:
                    had.extend(json.loads(row)[0] for row in found.rows)
                assert known <= channel.last_handed_out

        for step, number in steps:
            if step == "w":
                channel.add([rows(*range(written + 1, written + number + 1))])
                written += number
            elif step == "r":
                read(number)
            elif channel.paused_at is None:
                channel.pause()
            else:
                channel.resume()
        channel.resume()
        read()
        assert known == written
        assert len(had) + lost == written
        assert had == sorted(set(had))

    asyncio.run(run())


def test_what_is_kept_is_bounded() -> None:
    async def run() -> tuple[int, list[Any]]:
        channel = Channel(at_once, keep=100)
        for number in range(1000):
            channel.add([rows(number)])
        return channel.size, list(channel.since(990))

    size, found = asyncio.run(run())
    assert size <= 100
    assert [json.loads(row) for chunk in found for row in chunk.rows] == [[number] for number in range(990, 1000)]


def test_an_event_is_one_line_of_data() -> None:
    chunk = Chunk("ab", 3, ['["a\\nb"]', "[1]"])
    assert chunk.event == b'event: rows\nid: ab-4\ndata: {"first":3,"rows":[["a\\nb"],[1]]}\n\n'
    assert chunk.after(3).event == b'event: rows\nid: ab-4\ndata: {"first":4,"rows":[[1]]}\n\n'
    assert Gap("ab", 1, 2).event == b'event: gap\nid: ab-2\ndata: {"first":1,"last":2,"rows":2}\n\n'
