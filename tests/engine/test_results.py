"""Results: how many are kept, in which order, and what happens to a subscriber that fails."""

from __future__ import annotations

import logging
import threading
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import Row

from tailrace.engine import results
from tailrace.engine.results import ResultBuffer, Subscribers, current_rows
from tests.patience import PATIENCE


def batch(*rows: tuple[int, str, int]) -> pa.Table:
    return pa.table({name: [row[i] for row in rows] for i, name in enumerate(("_ts", "_op", "k"))})


def kept(answers: ResultBuffer) -> list[tuple[Any, ...]]:
    assert answers.table is not None
    return [tuple(row.values()) for row in answers.table.to_pylist()]


def test_rows_are_in_order_of_time_deletions_first() -> None:
    answers = ResultBuffer()
    answers.take(batch((5, "+", 1), (4, "+", 2), (4, "-", 3)))
    answers.take(batch((3, "+", 4)))
    assert kept(answers) == [(3, "+", 4), (4, "-", 3), (4, "+", 2), (5, "+", 1)]
    assert not answers.forgotten


def test_the_newest_are_kept() -> None:
    answers = ResultBuffer(keep=3)
    for instant in range(0, 10, 2):
        answers.take(batch((instant, "+", 0), (instant + 1, "+", 0)))
        assert sum(map(len, answers.batches)) <= 4
    assert [row[0] for row in kept(answers)] == [7, 8, 9]
    assert answers.forgotten
    answers.clear()
    assert answers.table is None
    assert not answers.forgotten


def test_none_are_kept() -> None:
    answers = ResultBuffer(keep=0)
    answers.take(batch((1, "+", 0)))
    answers.take(batch((2, "+", 0)))
    assert kept(answers) == []


def test_a_snapshot_counts_copies_and_takes_any_value() -> None:
    change = Row("_ts", "_op", "k", "m")
    rows = [
        change(1, "+", 1, {"a": [1]}),
        change(1, "+", 1, {"a": [1]}),
        change(2, "-", 1, {"a": [1]}),
        change(2, "+", None, None),
        change(3, "-", None, None),
    ]
    assert current_rows(rows) == [Row(k=1, m={"a": [1]})]


def test_a_subscriber_that_fails_is_left_out(caplog: pytest.LogCaptureFixture) -> None:
    heard: list[object] = []

    def failing(rows: object) -> None:
        raise ValueError("no more")

    subscribers = Subscribers("q", [failing, heard.append])
    with caplog.at_level(logging.WARNING, "tailrace"):
        subscribers.tell([Row(k=1)])
        subscribers.tell([Row(k=2)])
    assert heard == [[Row(k=1)], [Row(k=2)]]
    assert caplog.messages == ["q: a subscriber failed and is called no more"]


def test_a_thread_ends_with_its_subscriber() -> None:
    """Also if it waits for a batch that never comes."""
    came = threading.Event()
    subscribers = Subscribers("q", [lambda rows: came.set()])
    (callback,) = subscribers.callbacks
    subscribers.tell([1], in_background=True)
    assert came.wait(PATIENCE)
    thread = subscribers.waiting[callback].thread
    subscribers.remove(callback)
    thread.join(PATIENCE)
    assert not thread.is_alive()


def test_a_subscriber_that_falls_behind_and_then_fails_is_removed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "BEHIND", 1)
    begun, may_fail = threading.Event(), threading.Event()

    def fail(rows: Any) -> None:
        begun.set()
        may_fail.wait(PATIENCE)
        raise ValueError("no")

    subscribers = Subscribers("q", [fail])
    failures: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", failures.append)
    subscribers.tell([1], in_background=True)
    assert begun.wait(PATIENCE)
    thread = subscribers.waiting[fail].thread
    subscribers.tell([2], in_background=True)
    subscribers.tell([3], in_background=True)  # one more than the queue holds
    assert subscribers.callbacks == []
    may_fail.set()
    thread.join(PATIENCE)
    assert failures == []
