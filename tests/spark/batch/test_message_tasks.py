"""Tests of the functions that Spark calls over messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, cast

import pyarrow as pa

from tailrace.exchange.payloads import Payload
from tailrace.spark.batch.message_tasks import MarkShardsTask, ShardTask
from tailrace.spark.batch.stage_task import StageTask


class RecordingStage:
    """In place of a stage: notes for which shard it is run."""

    def __init__(self) -> None:
        self.shards: list[int] = []
        self.messages = 0

    def run(self, shard: int, payloads: Iterable[Payload], files: Any) -> Iterator[Payload]:
        self.shards.append(shard)
        self.messages += len(list(payloads))
        return iter(())


def run_task(batches: Iterable[pa.RecordBatch], has_messages: bool) -> RecordingStage:
    stage = RecordingStage()
    assert not list(ShardTask("stage 1", cast(StageTask, stage), has_messages)(iter(batches)))
    return stage


def test_a_stage_is_run_for_the_shard_of_its_messages() -> None:
    """No task has a number here, as none has that of its shard where Spark runs a stage inside a union."""
    stage = run_task([Payload.summary(0, 3, task, b"{}").as_row() for task in range(2)], True)
    assert (stage.shards, stage.messages) == ([3], 2)


def test_a_stage_without_messages_is_run_for_the_shard_in_its_row() -> None:
    assert run_task([pa.RecordBatch.from_pydict({"id": [2]})], False).shards == [2]


def test_markers_reach_every_shard() -> None:
    marks = list(MarkShardsTask()(iter([pa.RecordBatch.from_pydict({"id": [0, 1, 2]})])))
    assert [run_task([mark], True).shards for mark in marks] == [[0], [1], [2]]
