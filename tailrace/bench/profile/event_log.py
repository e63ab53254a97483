"""Event log: reads from the event log of Spark what batches, jobs and tasks took; all moments are in milliseconds.

Any Spark application writes one with `spark.eventLog.enabled`; nothing that is measured needs to know of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from typing import Any

PROGRESS = "org.apache.spark.sql.streaming.StreamingQueryListener$QueryProgressEvent"
WHOLE, HANDED_OVER = "triggerExecution", "addBatch"  # the whole batch, and what `foreachBatch` gets of it
# Settings with which Spark writes a log that can be read line by line.
LOGGING = {
    "spark.eventLog.enabled": "true",
    "spark.eventLog.compress": "false",
    "spark.eventLog.rolling.enabled": "false",
}

Interval = tuple[float, float]


@dataclass(frozen=True)
class StreamBatch:
    """A batch of Structured Streaming: when it began, and how long each of its steps took."""

    begun: float
    durations: Mapping[str, float]

    @property
    def whole(self) -> float:
        return self.durations[WHOLE]

    @property
    def handed_over(self) -> float:
        """How long the function that takes the batch ran, which does everything that is Tailrace's."""
        return self.durations.get(HANDED_OVER, 0.0)

    @property
    def interval(self) -> Interval:
        return self.begun, self.begun + self.whole


@dataclass(frozen=True)
class TaskTimes:
    """A task: its number, when it was launched and had finished, and what of that Java spent on what."""

    number: int
    launched: float
    finished: float
    running: float = 0.0  # from the first row to the last, in Java and in Python
    writing: float = 0.0  # to the shuffle
    fetching: float = 0.0  # waiting for the shuffle

    @property
    def interval(self) -> Interval:
        return self.launched, self.finished


@dataclass
class EventLog:
    """What an application did, in the order of its events."""

    batches: list[StreamBatch] = field(default_factory=list)
    jobs: list[Interval] = field(default_factory=list)
    tasks: list[TaskTimes] = field(default_factory=list)

    def batches_between(self, begun: float, ended: float) -> list[StreamBatch]:
        """The batches that began between two moments; a trigger that found nothing new is no batch."""
        return [batch for batch in self.batches if HANDED_OVER in batch.durations and begun <= batch.begun < ended]


def read_event_log(lines: Iterable[str]) -> EventLog:
    """Read the events of an application, one a line."""
    found, started = EventLog(), dict[int, float]()
    for line in lines:
        # Some lines are very long, and most are of no interest. All begin with {"Event":"…".
        name = line[:200].split('"')[3]
        if name == "SparkListenerTaskEnd":
            task = task_of(json.loads(line))
            found.tasks += [task] if task else []
        elif name == "SparkListenerJobStart":
            event = json.loads(line)
            started[event["Job ID"]] = event["Submission Time"]
        elif name == "SparkListenerJobEnd":
            event = json.loads(line)
            found.jobs.append((started.pop(event["Job ID"]), event["Completion Time"]))
        elif name == PROGRESS:
            found.batches.append(batch_of(json.loads(line)["progress"]))
    return found


def batch_of(progress: dict[str, Any]) -> StreamBatch:
    """A batch from its progress.

    >>> batch_of({"timestamp": "1970-01-01T00:00:02.500Z", "durationMs": {"triggerExecution": 40}}).interval
    (2500.0, 2540.0)
    """
    begun = 1000 * datetime.fromisoformat(progress["timestamp"]).timestamp()
    return StreamBatch(begun, {name: float(each) for name, each in progress["durationMs"].items()})


def task_of(event: dict[str, Any]) -> TaskTimes | None:
    """A task from the event of its end; None if it was killed before it had metrics."""
    info, metrics = event["Task Info"], event.get("Task Metrics")
    if not metrics:
        return None
    written, read = metrics.get("Shuffle Write Metrics", {}), metrics.get("Shuffle Read Metrics", {})
    return TaskTimes(
        info["Task ID"],
        info["Launch Time"],
        info["Finish Time"],
        metrics["Executor Run Time"],
        written.get("Shuffle Write Time", 0) / 1e6,
        read.get("Fetch Wait Time", 0),
    )


# Intervals ---------------------------------------------------------------------------------------------------------


def cut_intervals(intervals: Iterable[Interval], bounds: Interval) -> list[Interval]:
    """The parts of intervals that lie within bounds.

    >>> cut_intervals([(0, 3), (5, 9), (9, 11)], (2, 8))
    [(2, 3), (5, 8)]
    """
    low, high = bounds
    cut = [(max(begun, low), min(ended, high)) for begun, ended in intervals]
    return [(begun, ended) for begun, ended in cut if begun < ended]


def measure_union(intervals: Iterable[Interval]) -> float:
    """How long at least one of the intervals lasts.

    >>> measure_union([(0, 3), (2, 4), (6, 7)])
    5.0
    """
    length, end = 0.0, float("-inf")
    for begun, ended in sorted(intervals):
        length += max(0, ended - max(begun, end))
        end = max(end, ended)
    return length


def share_time(intervals: Sequence[Interval]) -> list[float]:
    """For each interval its share of the time that all cover: while two last, each gets half of the time.

    >>> share_time([(0, 4), (2, 4), (5, 6)])
    [3.0, 1.0, 1.0]
    """
    shares = [0.0] * len(intervals)
    edges = sorted({edge for interval in intervals for edge in interval})
    for low, high in pairwise(edges):
        running = [number for number, (begun, ended) in enumerate(intervals) if begun <= low and high <= ended]
        for number in running:
            shares[number] += (high - low) / len(running)
    return shares
