"""An event log is read line by line; what is of no interest is passed over."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tailrace.bench.profile.event_log import PROGRESS, EventLog, TaskTimes, read_event_log, share_time

PROGRESS_OF_A_BATCH = {"timestamp": "1970-01-01T00:00:01.000Z", "durationMs": {"addBatch": 80, "triggerExecution": 100}}
PROGRESS_OF_NONE = {"timestamp": "1970-01-01T00:00:01.200Z", "durationMs": {"triggerExecution": 3}}
METRICS = {
    "Executor Run Time": 30,
    "Shuffle Read Metrics": {"Fetch Wait Time": 2},
    "Shuffle Write Metrics": {"Shuffle Write Time": 4_000_000},
}


def task_end(number: int, **more: Any) -> dict[str, Any]:
    info = {"Task ID": number, "Launch Time": 1020, "Finish Time": 1060}
    return {"Event": "SparkListenerTaskEnd", "Stage ID": 0, "Task Info": info, **more}


def read_events(*events: dict[str, Any]) -> EventLog:
    return read_event_log(json.dumps(event) for event in events)


def test_events_become_batches_jobs_and_tasks() -> None:
    found = read_events(
        {"Event": "SparkListenerApplicationStart", "App Name": "SparkListenerTaskEnd"},
        {"Event": "SparkListenerJobStart", "Job ID": 3, "Submission Time": 1010},
        task_end(7, **{"Task Metrics": METRICS}),
        task_end(8),
        {"Event": "SparkListenerJobEnd", "Job ID": 3, "Completion Time": 1070},
        {"Event": PROGRESS, "progress": PROGRESS_OF_A_BATCH},
        {"Event": PROGRESS, "progress": PROGRESS_OF_NONE},
    )
    assert found.jobs == [(1010, 1070)]
    assert found.tasks == [TaskTimes(7, 1020, 1060, 30, 4.0, 2)]
    assert [batch.interval for batch in found.batches_between(900, 1300)] == [(1000.0, 1100.0)]
    assert found.batches_between(1001, 1300) == []


def test_shares_add_up_to_the_time_that_is_covered() -> None:
    assert share_time([(0, 10), (0, 10), (4, 6), (20, 21)]) == pytest.approx([14 / 3, 14 / 3, 2 / 3, 1])
