"""Batch parts: divides the time of one batch, by Spark's event log and by what driver and workers measured.

While several tasks run, a moment counts for each of them by an equal share, so that the parts of all tasks add up to
the time in which any task ran. A task's share is divided among its parts as its own time is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median_low

from tailrace.bench.profile import timed_daemon as worker
from tailrace.bench.profile.event_log import (
    HANDED_OVER,
    WHOLE,
    EventLog,
    StreamBatch,
    TaskTimes,
    cut_intervals,
    measure_union,
    share_time,
)
from tailrace.bench.profile.timed_driver import STATEMENT
from tailrace.bench.report.breakdown import Breakdown, TimePart

STREAMING, DRIVER, SCHEDULING = "Structured Streaming", "driver", "Spark's scheduling"
JAVA, OPENING, SCAN, PREPARATION, SHUFFLE = "Java in tasks", "opening", "scan", "preparation", "packing and shuffle"
STATE, OPERATORS, SINK, STAGE = "state", "operators", "sink", "rest of tasks"
UNKNOWN = "tasks, not told apart"
GROUPS = {
    worker.OPENING: OPENING,
    worker.SCAN: SCAN,
    **dict.fromkeys(
        (worker.MEASURE, worker.FILTER, worker.PROJECT, worker.ADD_UP, worker.SHARD, worker.PREPARE), PREPARATION
    ),
    **dict.fromkeys((worker.PACK, worker.SENDING, worker.RECEIVING, worker.OPEN, worker.ORDER), SHUFFLE),
    worker.LOAD: STATE,
    worker.SAVE: STATE,
    worker.OPERATE: OPERATORS,
    worker.SINK: SINK,
    worker.REST: STAGE,
}
IN_TASKS = (JAVA, OPENING, SCAN, PREPARATION, SHUFFLE, STATE, OPERATORS, SINK, STAGE, UNKNOWN)
ORDER = (STREAMING, DRIVER, SCHEDULING, *IN_TASKS)

Seconds = Mapping[str, float]  # by part


@dataclass(frozen=True)
class DriverBatch:
    """What the driver measured of a batch: when it began, in milliseconds, and its parts."""

    begun: float
    seconds: Seconds


@dataclass(frozen=True)
class Measured:
    """Everything that is known of a run; without the parts of driver and tasks, batches are told apart coarsely."""

    log: EventLog
    driver: Sequence[DriverBatch] = ()
    tasks: Mapping[int, Seconds] = field(default_factory=dict)

    def break_down(self, line: str, batches: Sequence[StreamBatch]) -> Breakdown:
        """The parts of the median batch: a batch that was, so that they add up."""
        middle = median_low(batch.whole for batch in batches)
        batch = next(each for each in batches if each.whole == middle)
        parts = [*self.streaming_parts(batch), *self.driver_parts(batch), *self.job_parts(batch)]
        parts.sort(key=lambda part: ORDER.index(part.group))
        return Breakdown(line, middle, tuple(part for part in parts if part.wall or part.task), len(batches))

    def find_driver_batch(self, batch: StreamBatch) -> DriverBatch | None:
        """What the driver measured of a batch, if it did."""
        begun, ended = batch.interval
        return next((each for each in self.driver if begun <= each.begun < ended), None)

    def streaming_parts(self, batch: StreamBatch) -> Iterator[TimePart]:
        """The steps of Structured Streaming around the call of Tailrace."""
        steps = {name: length for name, length in batch.durations.items() if name not in (WHOLE, HANDED_OVER)}
        for name, length in steps.items():
            yield TimePart(STREAMING, name, length)
        yield TimePart(STREAMING, "between its steps", batch.whole - sum(steps.values()) - batch.handed_over)
        if known := self.find_driver_batch(batch):
            yield TimePart(STREAMING, "call of Python", batch.handed_over - 1000 * sum(known.seconds.values()))

    def driver_parts(self, batch: StreamBatch) -> Iterator[TimePart]:
        """What the driver does apart from Spark's jobs."""
        jobs = measure_union(cut_intervals(self.log.jobs, batch.interval))
        known = self.find_driver_batch(batch)
        if known is None:
            yield TimePart(DRIVER, "apart from jobs", batch.handed_over - jobs)
            return
        for name, seconds in known.seconds.items():
            if name == STATEMENT:
                yield TimePart(DRIVER, "statement, apart from its job", 1000 * seconds - jobs)
            else:
                yield TimePart(DRIVER, name, 1000 * seconds)

    def job_parts(self, batch: StreamBatch) -> Iterator[TimePart]:
        """The jobs: the time without a task, and the parts of all tasks."""
        begun, ended = batch.interval
        tasks = [task for task in self.log.tasks if begun <= task.launched < ended and task.finished > task.launched]
        intervals = [task.interval for task in tasks]
        jobs = measure_union(cut_intervals(self.log.jobs, batch.interval))
        yield TimePart(SCHEDULING, "no task runs", jobs - measure_union(intervals))
        sums: dict[tuple[str, str], tuple[float, float]] = {}
        for task, share in zip(tasks, share_time(intervals), strict=True):
            for part, length in self.task_parts(task).items():
                wall, all_tasks = sums.get(part, (0.0, 0.0))
                sums[part] = wall + share * length / (task.finished - task.launched), all_tasks + length
        for (group, name), (wall, length) in sums.items():
            yield TimePart(group, name, wall, length)

    def task_parts(self, task: TaskTimes) -> dict[tuple[str, str], float]:
        """The milliseconds of a task by group and part; they add up to its length."""
        running = min(task.running, task.finished - task.launched)
        found = {(SCHEDULING, "start and end of tasks"): task.finished - task.launched - running}
        known = self.tasks.get(task.number)
        if known is None:
            fetching = min(task.fetching, running)
            writing = min(task.writing, running - fetching)
            return {
                **found,
                (UNKNOWN, "run"): running - fetching - writing,
                (SHUFFLE, "wait for the shuffle"): fetching,
                (SHUFFLE, "write to the shuffle"): writing,
            }
        in_python = 1000 * sum(known.values())
        # Python works on while Java still writes what came before; two workers of one task work at the same time.
        scale = min(1.0, running / in_python) if in_python else 1.0
        found |= {group_of(name): 1000 * seconds * scale for name, seconds in known.items()}
        rest = running - in_python * scale
        writing = min(task.writing, rest)
        return {**found, (SHUFFLE, "write to the shuffle"): writing, (JAVA, "before and after Python"): rest - writing}


def group_of(name: str) -> tuple[str, str]:
    """The group of a part that a worker measured, and the part's name in it.

    >>> group_of("scan"), group_of("operator BinaryJoin")
    (('scan', 'scan'), ('operators', 'BinaryJoin'))
    """
    if name.startswith(worker.OPERATOR):
        return OPERATORS, name.removeprefix(worker.OPERATOR)
    return GROUPS[name], name
