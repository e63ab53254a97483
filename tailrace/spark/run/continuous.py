"""Continuous: a run that goes on until it is stopped, and whose queries may change between two batches.

Each finished batch is recorded in the checkpoint; a batch that was cut short is run again. A change of queries makes a
new plan version. If the queries then read other sources, Structured Streaming is restarted and resumes where it was.

The thread of `run` starts, restarts and stops the stream. A thread of Spark calls `on_batch`; if no source streams,
`run` calls it itself. `change` and `set_batch_limits` may be called from any thread.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql.streaming.query import StreamingQuery

from tailrace.catalog.system_streams import OPERATORS
from tailrace.errors import RunError
from tailrace.fault_injection import fault
from tailrace.logical.queries import QueryDefinition
from tailrace.progress import Progress, RunSummary
from tailrace.settings import Settings
from tailrace.spark.batch.run_batch import BatchLoop
from tailrace.spark.batch.task_reports import manifests_from_json, manifests_to_json
from tailrace.spark.io import sinks
from tailrace.spark.io.sinks import BatchId
from tailrace.spark.run.checkpoint import Checkpoint
from tailrace.spark.run.reshard import PreviousSharding, reshard
from tailrace.spark.run.system_streams import BatchReport, SystemStreams
from tailrace.spark.time.batch_size import BatchSizeController
from tailrace.staging.plan_version import PlanChange, PlanVersion, QuerySet, check_kept_state
from tailrace.staging.stages import StagedPlan

LOG = logging.getLogger("tailrace")
LOOK = 0.2  # seconds between two checks whether to stop or to restart the stream
COMMITTING = 5.0  # seconds to wait until Spark has committed the last batch


def arrival() -> int:
    """The clock in microseconds since 1970: the `now` of watermarks and of system streams."""
    return time.time_ns() // 1000


class LeavingError(Exception):
    """Raised to refuse a batch while the stream is being stopped; Spark will hand it over again at the next start."""


@dataclass
class ContinuousRun:
    """Runs batches from a checkpoint on, at most one per `trigger_interval`, until `stop` is set.

    Without a trigger interval it takes what is there in one batch and ends. `on_plan_change` is called when queries
    have changed. If no source streams, the run ends after one batch, unless it is `lasting`: then it waits for changes.
    """

    loop: BatchLoop
    checkpoint: Checkpoint
    trigger_interval: str | None
    requested: QuerySet
    system: SystemStreams
    on_plan_change: Callable[[PlanChange], None] = lambda changed: None
    lasting: bool = False
    stop: threading.Event = field(default_factory=threading.Event)
    begun: threading.Event = field(default_factory=threading.Event)
    reopen: threading.Event = field(default_factory=threading.Event)
    working: threading.RLock = field(default_factory=threading.RLock)  # held while a batch runs
    changing: threading.RLock = field(default_factory=threading.RLock)  # held while queries or limits change
    version: PlanVersion | None = None
    current: QuerySet = field(init=False)  # the queries of the current plan; `requested` has those that were asked for
    pending: QuerySet | None = None  # the changed queries that the next batch takes up; their sources are open
    last_batch: int = -1  # the last batch that this run finished
    is_leaving: bool = False  # the stream is being stopped: no batch may begin
    may_repeat: bool = True  # the next batch may be a repetition: it starts from the checkpoint's record
    previous_sharding: PreviousSharding | None = None  # state that a run with another number of shards left

    def __post_init__(self) -> None:
        self.current = self.requested

    def run(self) -> RunSummary:
        """Run batches until `stop` is set; the current batch is finished first. Restarts the stream when asked to."""
        loop = self.loop
        self.pending = self.requested
        self.system.watch(self.requested.watching, arrival())
        with loop.set_up(self.checkpoint.state):
            while True:
                self.is_leaving = False
                if len(loop.complete) < len(loop.moving):
                    with suppress(LeavingError):
                        loop.start_stream(self.checkpoint.offsets, self.on_batch, self.wait, **self.trigger)
                else:
                    if self.requested.queries:
                        self.on_batch(None, self.last_batch + 1)
                    self.begun.set()
                    if not self.lasting:
                        break
                    self.pause()
                if self.stop.is_set() or not self.reopen.is_set():
                    break
                self.restart_stream()
        return loop.summary()

    @property
    def trigger(self) -> dict[str, Any]:
        return {"availableNow": True} if self.trigger_interval is None else {"processingTime": self.trigger_interval}

    def wait(self, query: StreamingQuery) -> None:
        self.begun.set()
        while query.isActive and not self.stop.is_set() and not self.reopen.is_set():
            self.stop.wait(LOOK)
            self.system.advance(arrival())
        with self.working:
            self.is_leaving = True
        self.let_commit(query)
        query.stop()
        query.awaitTermination()

    def let_commit(self, query: StreamingQuery) -> None:
        """Wait until Spark has committed the last batch: otherwise it would come again at the next start."""
        begun = time.monotonic()
        while query.isActive and self.last_batch >= 0 and time.monotonic() - begun < COMMITTING:
            progress = query.lastProgress
            if progress is not None and progress["batchId"] >= self.last_batch:
                return
            time.sleep(0.02)

    def pause(self) -> None:
        while not self.stop.is_set() and not self.reopen.is_set():
            self.stop.wait(LOOK)
            self.system.advance(arrival())

    # Queries that change ------------------------------------------------------------------------------

    def change(self, work: QuerySet, frames: Mapping[str, DataFrame] | None = None) -> None:
        """Run other queries from the next batch on; raises a RunError at once for queries that cannot join.

        It does not wait for the current batch. If the sources change, the stream is restarted.
        """
        with self.changing:
            known = self.version.query_ids if self.version else {}
            if self.version:
                work.check(name for name, facts in work.facts.items() if known.get(name) != facts.query_id)
            others = set(work.sources) ^ set(self.loop.shape.sources)
            if others and not self.loop.shape.named:
                raise RunError(
                    f"{next(iter(others)).name} cannot join or leave while a DataFrame is followed",
                    hint="declare it with USING, or have a query that reads it when the run begins",
                )
            self.system.watch(work.watching, arrival())
            self.loop.frames = self.loop.frames if frames is None else frames
            self.requested = work
            if others or len(self.loop.complete) == len(self.loop.moving):
                self.reopen.set()
            else:
                self.pending = work

    def set_batch_limits(self, settings: Settings, pace: str) -> None:
        """Set another size of batches and another trigger interval; this restarts Structured Streaming."""
        with self.changing:
            self.trigger_interval = pace
            self.loop.batch_size = BatchSizeController(settings.batch_time / 1_000_000, settings.batch_rows)
            self.loop.shedding.target = self.loop.batch_size.target
            self.reopen.set()

    def preview_plan(self, work: QuerySet) -> StagedPlan:
        """The plan that the next batch would have with these queries; used to find out what it reads."""
        batch = 1 if self.version else 0
        return (self.version or PlanVersion()).next(work, batch, self.loop.decided_until, self.loop.decided_until, {})[
            1
        ]

    def restart_stream(self) -> None:
        """Reopen the sources for the requested queries; watermarks and counts of sources that stay are kept."""
        with self.working, self.changing:
            self.reopen.clear()
            loop = self.loop
            memory, known = loop.watermarks.to_json(), {source.name for source in loop.shape.sources}
            self.pending = self.requested
            loop.plan = self.preview_plan(self.requested)
            late, unreadable = loop.late, loop.unreadable
            loop.open_sources()
            loop.late.add(late)
            loop.unreadable.add(unreadable)
            loop.restore(memory)
            loop.unread = [number for number in loop.unread if loop.shape.sources[number].name not in known]
            self.may_repeat = True

    def advance_plan(self, number: int) -> None:
        """Set the plan of this batch, and write its version to the checkpoint.

        Pending changes of queries and better strategies are applied. Steps whose windows have caught up with an equal
        older step are merged into it. If there is nothing to do, the plan stays as it is.
        """
        loop = self.loop
        is_due = (
            self.version is not None
            and self.version.next_merge_at is not None
            and self.version.next_merge_at <= loop.decided_until
        )
        if self.pending is None and not is_due and not loop.better_strategies:
            return
        work = self.current = self.pending or self.current
        self.pending = None
        running = {query.name: query for query in loop.queries}
        anew = {query.name for query in work.queries if running.get(query.name, query) is not query}
        begun = self.version or self.checkpoint.plan_version_before(number)
        before = begun.without(anew).with_chosen(loop.better_strategies)
        loop.better_strategies = {}
        newest = {loop.shape.sources[source].name: instant for source, instant in loop.watermarks.newest.items()}
        after, plan = before.next(work, number, loop.decided_until, loop.watermarks.watermark, newest)
        check_kept_state(before, after, plan)
        for query in work.queries:
            if query.name not in running:
                sinks.begin(loop.spark, query, loop.home)
        loop.plan, loop.queries, loop.new_states = plan, work.queries, after.names - before.names
        self.checkpoint.write_plan_version(number, after)
        if number > 0 and (self.version is None or before.query_ids != after.query_ids):
            self.on_plan_change(PlanChange.between(before, after, loop.watermarks.clock.format_instant))
        self.version = after

    # Batches ------------------------------------------------------------------------------------------

    def on_batch(self, frame: DataFrame | None, number: int) -> None:
        """Run batch `number` of Structured Streaming and record it in the checkpoint.

        In order: resume, advance the plan, reshard the state, run the stages, write the record, report, adjust limits.
        """
        with self.working:
            if number <= self.last_batch:
                return
            if self.is_leaving:
                # If this returned, Spark would commit the batch.
                raise LeavingError
            if self.may_repeat:
                self.resume(number)
            with self.changing:
                self.advance_plan(number)
                if self.loop.plan.since_batch is None:
                    self.loop.plan.since_batch = number
            self.measure()
            if self.previous_sharding is not None:
                loop = self.loop
                loop.state_manifests = reshard(
                    loop.spark.sparkContext, loop.plan, self.previous_sharding, number - 1, loop.shards
                )
                self.previous_sharding = None
            self.loop.batch_id = BatchId(number, self.checkpoint.name, self.may_repeat)
            self.system.begin(self.progress)
            begun = time.monotonic()
            self.loop.run_batch_or_instant(frame)
            fault("delivered")
            seconds = time.monotonic() - begun
            self.decide_shedding(seconds)
            self.checkpoint.write_record(number, self.batch_record())
            fault("noted")
            self.may_repeat, self.last_batch = False, number
            self.report_batch(number, seconds)
            self.adjust_batch_size(seconds)

    def report_batch(self, number: int, seconds: float) -> None:
        """Report a finished batch to the queries over system streams."""
        loop = self.loop
        taken = BatchReport(number, seconds, loop.plan, loop.metrics if loop.measuring else {})
        self.system.tell(taken, self.progress, loop.queries, arrival())

    def progress(self) -> Progress:
        return self.loop.progress(arrival())

    def measure(self) -> None:
        """Switch the metrics of operators on if a query reads them, else off."""
        self.loop.measuring = OPERATORS.name in self.system.reads

    def decide_shedding(self, seconds: float) -> None:
        """Set the share of rows that the next batch sheds, and write the counts so far beside the results."""
        loop, seen = self.loop, self.loop.watermarks
        full = loop.batch_size is not None and loop.batch_size.is_full(seen.last_rows, seen.last_files)
        if loop.shedding.is_active:
            for query in loop.queries:
                sinks.write_shed_counts(loop.spark, query, loop.home, self.shed_of(query), seen.watermark)
        before = loop.shedding.percent
        loop.shedding.took(seen.last_rows, full, seconds)
        if loop.shedding.percent != before:
            LOG.warning(f"batches take {loop.shedding.percent.normalize():f} percent of the rows from now on")

    def shed_of(self, query: QueryDefinition) -> dict[str, int]:
        """How many rows were shed of each source that a query reads."""
        counts, facts = self.loop.shedding.counts, self.requested.facts.get(query.name)
        return {each.name: counts[each.name] for each in (facts.reads if facts else ()) if each.name in counts}

    def adjust_batch_size(self, seconds: float) -> None:
        """Change the limits of batches if the last ones took far too long or too short; this restarts the stream."""
        intake, seen = self.loop.batch_size, self.loop.watermarks
        if intake and intake.took(seen.last_rows, seen.last_files, seconds):
            LOG.info(f"batches take {intake.rows} rows in {intake.files} files at most from now on")
            self.reopen.set()

    def batch_record(self) -> dict[str, Any]:
        """The checkpoint's record of this batch: all that the next batch starts from, except the state itself."""
        loop = self.loop
        return {
            "decided_until": loop.decided_until,
            "shards": loop.shards,
            "state": manifests_to_json(loop.state_manifests),
            "watermark": loop.watermarks.to_json(),
            "shedding": loop.shedding.to_json(),
        }

    def resume(self, number: int) -> None:
        """Restore from the checkpoint what batch `number` starts from: the record of the batch before."""
        loop = self.loop
        loop.batch = number
        if number > 0:
            known = self.checkpoint.read_record(number - 1)
            told = (known["watermark"]["in_ticks"], loop.watermarks.clock.in_ticks)
            if None not in told and told[0] != told[1]:
                was, now = (("TIMESTAMPs", "numbers of ticks")[bool(each)] for each in told)
                raise RunError(
                    f"the checkpoint {self.checkpoint.place} does not fit this script: timestamps were {was}, "
                    f"and are now {now}",
                    hint="run the script as it was, or name a new folder to start empty",
                )
            loop.decided_until = known["decided_until"]
            loop.state_manifests = manifests_from_json(known["state"])
            if known["shards"] != loop.shards:
                self.previous_sharding = PreviousSharding(loop.folder, known["shards"], loop.state_manifests)
            loop.restore(known["watermark"])
            loop.shedding.from_json(known.get("shedding", {}))
