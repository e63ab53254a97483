"""Stems: the size of their state beside the windows', and how often functions are called; never how long it took."""

from __future__ import annotations

import pyarrow as pa

from tailrace.bench.cacq import stems
from tailrace.catalog.user_functions import NO_FUNCTIONS
from tailrace.columnar.delta import elements


def test_all_joins_remember_little_more_than_the_windows() -> None:
    sensors = stems.Sensors(count=7, window=1200)
    held, windows, one, several = stems.state(sensors, alone=(1, 12))
    assert held.number == 35
    assert held.bytes <= 1.2 * windows.bytes
    assert several.bytes > 10 * one.bytes > windows.bytes / 2


def test_both_ways_with_functions_give_the_same_rows() -> None:
    asked: list[int] = []

    def likes(price: int) -> bool:
        asked.append(price)
        return price > 3

    script = stems.function_script(1)
    known = NO_FUNCTIONS.function("likes0", likes, "BOOLEAN", ["INT"])
    symbols = [symbol for symbol in (1, 2) for _ in range(50)]
    articles = elements([0] * 100, (pa.array(symbols, pa.int32()), pa.array(range(100), pa.int32())))
    quotes = elements([1] * 6, (pa.array([1, 2, 1, 2, 1, 7], pa.int32()), pa.array([2, 4, 6, 3, 8, 9], pa.int32())))
    counts, found = [], []
    for together in (True, False):
        asked.clear()
        run = stems.local_run(script, together, known)
        run.batch({"articles": articles}, 0)
        (rows,) = run.batch({"stocks": quotes}, 1).values()
        columns = rows.columns[1:] if together else rows.columns
        found.append(sorted(zip(*(column.to_pylist() for column in columns), strict=True)))
        counts.append(len(asked))
    assert found[0] == found[1]
    assert len(found[0]) == 150
    assert counts == [6, 250], "once for each quote, and once for each quote with an article"
