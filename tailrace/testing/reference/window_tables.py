"""Window tables: which windows with a start and an end an element is in, by formula (semantics §3.4)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from tailrace.logical.time.window_tables import AssignWindows, CumulateWindow, HopWindow, SessionWindow, TableWindow
from tailrace.testing.reference.sequences import Element, substreams
from tailrace.testing.reference.values import Row

EPOCH = datetime(1970, 1, 1)
Windowed = tuple[Element, int]  # an element with its window's columns, and the instant of the window's end


def with_windows(node: AssignWindows, stream: Sequence[Element], origin: int) -> list[Windowed]:
    """Each element once for each window that it is in, in the order of the elements."""
    found: list[Windowed] = []
    for place, (instant, row) in enumerate(stream):
        if isinstance(node.window, SessionWindow):
            windows = [session_of(node.window, stream, place, origin)]
        else:
            windows = windows_at(node.window, instant + origin)
        for start, end in windows:
            shown = (shown_tick(node, start), shown_tick(node, end))
            found.append(((instant, (*row, *shown)), end - origin))
    return found


def rows_finished_at(pairs: Sequence[Windowed], now: int) -> list[Row]:
    return [row for (_, row), end in pairs if end == now]


def windows_at(window: TableWindow, tick: int) -> list[tuple[int, int]]:
    """All windows [start, end) with start ≤ tick < end, of those that begin at a multiple of the slide."""
    assert not isinstance(window, SessionWindow), "sessions follow from other elements"
    every = window.slide if isinstance(window, HopWindow) else window.size
    first = (tick - window.size - window.offset) // every
    starts = [number * every + window.offset for number in range(first, (tick - window.offset) // every + 1)]
    step = window.step if isinstance(window, CumulateWindow) else window.size
    ends = range(step, window.size + 1, step)
    return [(start, start + length) for start in starts for length in ends if start <= tick < start + length]


def session_of(window: SessionWindow, stream: Sequence[Element], place: int, origin: int) -> tuple[int, int]:
    """The session of an element: from the first to the last that is reached from it by steps of at most the gap."""
    rows = [row for _, row in stream]
    mine = next(part for part in substreams(rows, window.partition).values() if place in part)
    instants = sorted({stream[each][0] for each in mine})
    at = instants.index(stream[place][0])
    low, high = at, at
    while low > 0 and instants[low] - instants[low - 1] <= window.gap:
        low -= 1
    while high + 1 < len(instants) and instants[high + 1] - instants[high] <= window.gap:
        high += 1
    return instants[low] + origin, instants[high] + window.gap + origin


def shown_tick(node: AssignWindows, tick: int) -> Any:
    if not node.has_timestamps:
        return tick * node.tick
    return EPOCH + timedelta(microseconds=tick * node.tick)
