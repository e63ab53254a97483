"""System queries without a run: rows wait for the end of their instant, and a query that fails stops no other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pyarrow as pa

from tailrace.catalog.system_streams import SYSTEM_STREAMS
from tailrace.engine.monitors import Monitors
from tailrace.logical.queries import QueryDefinition
from tailrace.progress import Progress, SourceProgress
from tailrace.server.engine_worker import MONITORS
from tailrace.spark.run.system_streams import BatchReport, SystemStreams
from tailrace.staging.stages import StagedPlan

SECOND = 1_000_000
TEXT = (
    "SET tick = '1 second'; CREATE QUERY rates AS SELECT COUNT(*) AS n, SUM(rows) AS r FROM tailrace.batches [RANGE 2]"
)


def refused(query: QueryDefinition, rows: pa.Table) -> None:
    raise AssertionError(f"{query.name} is nobody's but the monitors'")


def batch(system: SystemStreams, number: int, now: int, rows: int) -> None:
    """A batch in which a source brought so many rows."""
    system.begin(lambda: Progress(0, None))
    seen = Progress(rows, str(number), sources=(SourceProgress("S", rows),))
    system.tell(BatchReport(number, 0.5, StagedPlan([], {}, since_batch=0)), lambda: seen, [], now)


def test_rows_wait_for_the_end_of_their_instant_and_windows_empty() -> None:
    monitors, system = Monitors(TEXT), SystemStreams(refused)
    system.watch(monitors.begin(), 0)
    batch(system, 0, SECOND // 2, 3)
    batch(system, 1, SECOND - 1, 4)
    system.advance(SECOND - 1)
    assert monitors.now("rates") == []
    seen = []
    for second in range(1, 6):
        system.advance(second * SECOND)
        seen += [(row["_ts"].timestamp(), row["n"], row["r"]) for row in monitors.now("rates")]
    # A window of two ticks has closed ends.
    assert seen == [(0, 2, 7), (0, 2, 7), (0, 2, 7), (3, 0, None), (3, 0, None)]
    assert monitors.begin()
    assert monitors.now("rates") == []


def test_each_has_its_own_tick_and_one_that_fails_stops_nobody() -> None:
    def fails(query: QueryDefinition, changes: pa.Table) -> None:
        raise ZeroDivisionError

    slow, quick, bad = Monitors(TEXT.replace("1 second", "10 seconds")), Monitors(TEXT), Monitors(TEXT)
    system = SystemStreams(refused)
    broken = [replace(each, take=fails) for each in bad.begin()]
    system.watch([*broken, *slow.begin(), *quick.begin()], 0)  # all under one name
    batch(system, 0, 0, 5)
    system.advance(2 * SECOND)
    assert (slow.now("rates"), [row["r"] for row in quick.now("rates")]) == ([], [5])
    assert len(system.seats) == 2
    system.advance(11 * SECOND)
    assert [row["n"] for row in slow.now("rates")] == [1]


def test_the_pages_monitors_tell_of_a_batch() -> None:
    monitors, system = Monitors(MONITORS.read_text()), SystemStreams(refused)
    system.watch(monitors.begin(), 0)
    assert system.reads == set(SYSTEM_STREAMS)
    batch(system, 7, 0, 20)
    batch(system, 8, 0, 10)
    system.advance(SECOND)

    def told(name: str, *columns: str) -> list[tuple[Any, ...]]:
        return [tuple(row[column] for column in columns) for row in monitors.now(name)]

    assert told("batches", "batch", "rows", "watermark") == [(7, 20, "7"), (8, 10, "8")]
    assert told("source_totals", "source", "rows", "late", "shed") == [("S", 30, 0, 0)]
    assert told("source_rates", "source", "rate") == [("S", 3.0)]
    assert told("operator_courses", "plan_since_batch") == []
