"""Sequences: windows on streams, jumping windows and samples, each written down as its formula stands.

A stream is a list of (instant, tuple) in the order of instants; elements of one instant in order of arrival.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tailrace.logical.windows import Every, RowWindow, TimeWindow, Window
from tailrace.testing.reference.values import Row

Element = tuple[int, Row]


class SequenceStep(NamedTuple):
    """One evaluation of a sequence query: the element that triggered it, by its place, and what it sees."""

    place: int
    instant: int
    rows: Sequence[Row]


def window_at(window: Window, stream: Sequence[Element], now: int) -> list[Row]:
    if isinstance(window, TimeWindow):
        return time_window(window, stream, now)
    assert isinstance(window, RowWindow)
    return row_window(window, [row for instant, row in stream if instant <= now])


def time_window(window: TimeWindow, stream: Sequence[Element], now: int) -> list[Row]:
    """CQL §6.1.1 and, with a slide, §6.1.4."""
    if now < window.slide - 1:
        return []
    start = now // window.slide * window.slide
    end = 0 if window.size is None else max(start - window.size, 0)
    return [row for instant, row in stream if end <= instant <= start]


def row_window(window: RowWindow, arrived: Sequence[Row]) -> list[Row]:
    """CQL §6.1.2 and §6.1.3; with a slide the last N of the first ⌊c/M⌋·M tuples of each partition."""
    kept: list[int] = []
    for places in substreams(arrived, window.partition).values():
        whole_slides = len(places) // window.slide * window.slide
        kept += places[:whole_slides][-window.size :]
    return [arrived[place] for place in sorted(kept)]


def substreams(rows: Sequence[Row], partition: Sequence[int]) -> dict[Row, list[int]]:
    """The places of the tuples that share the values of the partition's columns; NULLs are one value."""
    found: dict[Row, list[int]] = {}
    for place, row in enumerate(rows):
        found.setdefault(tuple(row[column] for column in partition), []).append(place)
    return found


def jump(stream: Sequence[Element], size: Every, frequency: Every, partition: Sequence[int]) -> list[SequenceStep]:
    """Each substream by itself, merged in the order of their triggers (semantics A.2 to A.5 and A.9)."""
    steps = []
    for places in substreams([row for _, row in stream], partition).values():
        part = [stream[place] for place in places]
        for number in triggers([instant for instant, _ in part], frequency):
            rows = [row for _, row in part[first_in(part, number, size) : number + 1]]
            steps.append(SequenceStep(places[number], part[number][0], rows))
    return sorted(steps, key=lambda step: step.place)


def first_in(part: Sequence[Element], number: int, size: Every) -> int:
    """The place of the first element that the window at this element holds."""
    if size.in_tuples:
        return max(number - size.count + 1, 0)
    now = part[number][0]
    return next(place for place, (instant, _) in enumerate(part) if instant + size.count > now)


def triggers(instants: Sequence[int], frequency: Every) -> list[int]:
    """Which elements start an evaluation: every n-th, or the first at or after each of t, 2t, 3t, …."""
    if frequency.in_tuples:
        return [number for number in range(len(instants)) if (number + 1) % frequency.count == 0]
    multiples = [0, *(instant // frequency.count for instant in instants)]
    return [number for number in range(len(instants)) if multiples[number + 1] > multiples[number]]


def sample(stream: Sequence[Element], frequency: Every, partition: Sequence[int], last_instant: int) -> list[Element]:
    """Every n-th element, or the last of each slot that is over (semantics A.6, A.8 and A.9)."""
    kept: list[int] = []
    for places in substreams([row for _, row in stream], partition).values():
        if frequency.in_tuples:
            kept += places[frequency.count - 1 :: frequency.count]
        else:
            last = {slot(stream[place][0], frequency.count): place for place in places}
            kept += [place for number, place in last.items() if number * frequency.count <= last_instant]
    return [stream[place] for place in sorted(kept)]


def slot(instant: int, length: int) -> int:
    """Slot j is ((j−1)t, jt]; instant 0 belongs to the first.

    >>> [slot(instant, 20) for instant in (0, 1, 20, 21, 40)]
    [1, 1, 1, 2, 2]
    """
    return max(-(-instant // length), 1)
