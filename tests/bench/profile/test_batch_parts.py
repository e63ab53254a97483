"""The parts of a batch add up to its time, whether driver and workers measured theirs or not."""

from __future__ import annotations

import pytest

from tailrace.bench.profile import batch_parts, timed_daemon
from tailrace.bench.profile.batch_parts import DriverBatch, Measured
from tailrace.bench.profile.event_log import EventLog, StreamBatch, TaskTimes
from tailrace.bench.report.breakdown import OTHER, Breakdown

DURATIONS = {"triggerExecution": 100.0, "addBatch": 80.0, "latestOffset": 6.0, "walCommit": 4.0}
BATCH = StreamBatch(1000.0, DURATIONS)
# Two tasks beside each other for 20 ms, and one of them 20 ms longer, in a job of 60 ms.
TASKS = [TaskTimes(7, 1030, 1070, 36, 2, 1), TaskTimes(8, 1030, 1050, 20)]
LOG = EventLog([BATCH], [(1020, 1080)], TASKS)
DRIVER = [DriverBatch(1012.0, {"rest of on_batch": 0.005, "statement and job": 0.062, "build the statement": 0.01})]
WORKERS = {7: {timed_daemon.SCAN: 0.020, "operator BinaryJoin": 0.010}, 8: {timed_daemon.SCAN: 0.025}}


def walls(found: Breakdown) -> dict[tuple[str, str], float]:
    return {(part.group, part.name): part.wall for part in found.parts}


def test_coarse_parts_need_the_event_log_alone() -> None:
    found = Measured(LOG).break_down("filter", [BATCH])
    assert walls(found) == pytest.approx(
        {
            ("Structured Streaming", "latestOffset"): 6,
            ("Structured Streaming", "walCommit"): 4,
            ("Structured Streaming", "between its steps"): 10,
            ("driver", "apart from jobs"): 20,
            ("Spark's scheduling", "no task runs"): 20,
            ("Spark's scheduling", "start and end of tasks"): 3,
            ("packing and shuffle", "wait for the shuffle"): 0.75,
            ("packing and shuffle", "write to the shuffle"): 1.5,
            ("tasks, not told apart", "run"): 34.75,
        }
    )
    assert found.wall == 100
    assert found.task_time == 60


def test_parts_of_driver_and_workers_take_the_place_of_the_coarse_ones() -> None:
    found = Measured(LOG, DRIVER, WORKERS).break_down("filter", [BATCH])
    known = walls(found)
    assert known["driver", "statement, apart from its job"] == pytest.approx(2)
    assert known["Structured Streaming", "call of Python"] == pytest.approx(3)
    # Task 7 counts for 30 of its 40 ms. Of task 8 Python measured more than Spark did: no more than its run counts.
    assert known["scan", "scan"] == pytest.approx(20 * 30 / 40 + 10)
    assert known["operators", "BinaryJoin"] == pytest.approx(10 * 30 / 40)
    assert known["Java in tasks", "before and after Python"] == pytest.approx(4 * 30 / 40)
    (other,) = found.groups[OTHER]
    assert sum(known.values()) + other.wall == pytest.approx(100)
    assert other.wall == pytest.approx(0)


def test_the_median_batch_is_one_that_was() -> None:
    others = [StreamBatch(begun, {**DURATIONS, "triggerExecution": begun / 100}) for begun in (5000.0, 30000.0)]
    found = Measured(LOG).break_down("filter", [*others, BATCH])
    assert (found.wall, found.batches) == (100.0, 3)


def test_every_part_that_a_worker_measures_has_a_group_that_is_shown() -> None:
    texts = {value for name, value in vars(timed_daemon).items() if name.isupper() and isinstance(value, str)}
    assert texts - {timed_daemon.FOLDER, timed_daemon.OPERATOR} == batch_parts.GROUPS.keys()
    assert set(batch_parts.GROUPS.values()) <= set(batch_parts.ORDER)
