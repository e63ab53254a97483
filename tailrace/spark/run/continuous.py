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
from dataclasses import dataclass, field, replace
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from tailrace.catalog.system_streams import OPERATORS
from tailrace.errors import RunError
from tailrace.fault_injection import fault
from tailrace.logical.queries import QueryDefinition
from tailrace.progress import Progress, RunSummary, Watch
from tailrace.settings import Settings
from tailrace.spark.batch.run_batch import BatchInput, run_batch
from tailrace.spark.batch.run_state import BatchResult, RunningPlan, RunState
from tailrace.spark.batch.services import RunSetup, Services, open_services, open_sources, start_stream
from tailrace.spark.io import sinks
from tailrace.spark.io.delivery import Deliver, Take
from tailrace.spark.io.sinks import BatchId
from tailrace.spark.run.checkpoint import Checkpoint
from tailrace.spark.run.reshard import reshard
from tailrace.spark.run.system_streams import BatchReport, SystemStreams
from tailrace.staging.plan_version import PlanChange, PlanVersion, QuerySet, check_kept_state
from tailrace.staging.stages import StagedPlan

LOG = logging.getLogger("tailrace")
LOOK = 0.2  # seconds between two checks whether to stop or to restart the stream
COMMITTING = 5.0  # seconds to wait until Spark has committed the last batch


class LeavingError(Exception):
    """Raised to refuse a batch while the stream is being stopped; Spark will hand it over again at the next start."""


@dataclass(frozen=True)
class RunObserver:
    """Who hears of a run: `on_rows` gets the rows of queries without INTO, `on_progress` the progress of each batch."""

    on_rows: Take
    on_progress: Watch = lambda progress: None
    on_plan_change: Callable[[PlanChange], None] = lambda changed: None


@dataclass
class ContinuousRun:
    """Runs batches from a checkpoint on until `stop` is set. A run without a trigger interval ends by itself.

    What the run knows is one `state`; each batch replaces it. The thread of a batch holds `working`. Whoever changes
    the queries or the `setup` holds `changing`.
    """

    spark: SparkSession
    setup: RunSetup
    deliver: Deliver
    checkpoint: Checkpoint
    requested: QuerySet
    system: SystemStreams
    observer: RunObserver
    stop: threading.Event = field(default_factory=threading.Event)
    begun: threading.Event = field(default_factory=threading.Event)
    reopen: threading.Event = field(default_factory=threading.Event)
    working: threading.RLock = field(default_factory=threading.RLock)
    changing: threading.RLock = field(default_factory=threading.RLock)
    services: Services = field(init=False)  # from the start of `run` on
    state: RunState = field(init=False)
    plan: RunningPlan = field(init=False)  # of the last batch; `requested` has the queries that were asked for
    pending: QuerySet | None = None  # the changed queries that the next batch takes up; their sources are open
    is_leaving: bool = False  # the stream is being stopped: no batch may begin
    may_repeat: bool = True  # the next batch may be a repetition: it starts from the checkpoint's record

    def __post_init__(self) -> None:
        self.plan = replace(RunningPlan.start(self.requested), version=None)  # the checkpoint has the version

    def run(self) -> RunSummary:
        """Run batches until `stop` is set; the current batch is finished first. Restarts the stream when asked to."""
        self.pending = self.requested
        self.system.watch(self.requested.system_queries, self.now())
        with open_services(self.spark, self.plan, self.setup, self.deliver, self.checkpoint.state) as services:
            self.services, self.state = services, services.first_state()
            while True:
                self.is_leaving = False
                if self.services.sources.streams:
                    with suppress(LeavingError):
                        start_stream(self.services, self.checkpoint.offsets, self.on_batch, self.wait, **self.trigger)
                else:
                    if self.requested.queries:
                        self.on_batch(None, self.state.next_batch)
                    self.begun.set()
                    if not self.setup.lasting:
                        break
                    self.pause()
                if self.stop.is_set() or not self.reopen.is_set():
                    break
                self.restart_stream()
        return self.services.sources.summarize(self.state)

    @property
    def last_batch(self) -> int:
        """The number of the last batch; -1 before the first."""
        return self.state.next_batch - 1

    @property
    def trigger(self) -> dict[str, Any]:
        interval = self.setup.trigger_interval
        return {"availableNow": True} if interval is None else {"processingTime": interval}

    def now(self) -> int:
        """The clock in microseconds since 1970: the `now` of watermarks and of system streams."""
        return self.setup.now() or time.time_ns() // 1000

    def wait(self, query: StreamingQuery) -> None:
        self.begun.set()
        while query.isActive and not self.stop.is_set() and not self.reopen.is_set():
            self.stop.wait(LOOK)
            self.system.advance(self.now())
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
            self.system.advance(self.now())

    # What others ask ----------------------------------------------------------------------------------

    @property
    def version(self) -> PlanVersion | None:
        """The plan version of the last batch; None before the first."""
        return self.plan.version

    def progress(self) -> Progress:
        """The progress of the run at this moment."""
        return self.state.progress(self.services.sources.tracker, self.now())

    def stages(self) -> tuple[StagedPlan, list[QueryDefinition]] | None:
        """The stages of the last batch and their queries; None before the first."""
        plan = self.plan
        return None if plan.version is None else (plan.staged, plan.queries)

    def shed_of(self, query: QueryDefinition, state: RunState | None = None) -> dict[str, int]:
        """How many rows were shed of each source that a query reads."""
        counts, profile = (state or self.state).shedding.counts, self.requested.profiles.get(query.name)
        return {each.name: counts[each.name] for each in (profile.reads if profile else ()) if each.name in counts}

    # Queries that change ------------------------------------------------------------------------------

    def change(self, queries: QuerySet, frames: Mapping[str, DataFrame] | None = None) -> None:
        """Run other queries from the next batch on, perhaps after a restart; a RunError at once if one cannot join."""
        with self.changing:
            sources = self.services.sources
            if self.version:
                known = self.version.query_ids
                queries.versions.check(
                    name for name, each in queries.profiles.items() if known.get(name) != each.query_id
                )
            others = set(queries.sources) ^ set(sources.layout.sources)
            if others and not sources.layout.named:
                raise RunError(
                    f"{next(iter(others)).name} cannot be added or dropped while a streaming DataFrame is read",
                    hint="declare it with USING, or have a query that reads it when the run begins",
                )
            self.system.watch(queries.system_queries, self.now())
            if frames is not None:
                self.setup = replace(self.setup, frames=frames)
            self.requested = queries
            if others or not sources.streams:
                self.reopen.set()
            else:
                self.pending = queries

    def set_shedding(self, on: bool) -> None:
        """Switch load shedding on or off, from the next batch on."""
        with self.changing:
            self.setup = replace(self.setup, settings=replace(self.setup.settings, shedding=on))

    def set_batch_limits(self, settings: Settings, pace: str) -> None:
        """Set another size of batches and another trigger interval; this restarts Structured Streaming."""
        with self.changing:
            limits = replace(self.setup.settings, batch_time=settings.batch_time, batch_rows=settings.batch_rows)
            self.setup = replace(self.setup, settings=limits, trigger_interval=pace)
            self.reopen.set()

    def restart_stream(self) -> None:
        """Reopen the sources for the requested queries; watermarks and counts of sources that stay are kept."""
        with self.working, self.changing:
            self.reopen.clear()
            self.pending = self.requested
            size, first = self.state.batch_size, self.setup.first_batch_size
            if size is None or first is None or (size.target, size.most) != (first.target, first.most):
                size = first
            plan = self.requested.versions.preview(self.version, self.state.decided_until)
            sources = open_sources(self.spark, plan, self.setup, size)
            self.services = replace(self.services, sources=sources)
            self.state = replace(sources.start(self.state, self.setup.now()), batch_size=size)
            self.may_repeat = True

    def advance_plan(self, state: RunState) -> None:
        """Set the plan of the next batch, and write its version to the checkpoint.

        Pending changes of queries and better strategies are applied. Steps whose windows have caught up with an equal
        older step are merged into it. If there is nothing to do, the plan stays as it is.
        """
        merge_at = self.version.next_merge_at if self.version else None
        is_due = merge_at is not None and merge_at <= state.decided_until
        if self.pending is None and not is_due and not state.better_strategies:
            return
        queries, self.pending = self.pending or self.plan.query_set, None
        running = {query.name: query for query in self.plan.queries}
        anew = {query.name for query in queries.queries if running.get(query.name, query) is not query}
        begun = self.version or self.checkpoint.plan_version_before(state.next_batch)
        before = begun.without(anew).with_chosen(state.better_strategies)
        plan = RunningPlan.advance(queries, before, state)
        after = plan.version
        assert after is not None
        check_kept_state(before, after, plan.staged)
        for query in queries.queries:
            if query.name not in running:
                sinks.begin(self.spark, query, self.setup.home)
        self.checkpoint.write_plan_version(state.next_batch, after)
        if state.next_batch > 0 and (self.version is None or before.query_ids != after.query_ids):
            self.observer.on_plan_change(PlanChange.between(before, after, state.watermark.clock.format_instant))
        self.plan = plan

    # Batches ------------------------------------------------------------------------------------------

    def on_batch(self, frame: DataFrame | None, number: int) -> None:
        """Run batch `number`: resume, advance the plan, reshard, run the stages, write the record, report."""
        with self.working:
            if number < self.state.next_batch:
                return
            if self.is_leaving:
                # If this returned, Spark would commit the batch.
                raise LeavingError
            if self.may_repeat:
                self.state = self.resume(number)
            with self.changing:
                self.advance_plan(self.state)
                plan, services = self.plan, replace(self.services, setup=self.setup)
            state = self.state = reshard(self.state, plan.staged, services)
            self.system.begin(self.progress)
            measures_operators = OPERATORS.name in self.system.reads
            name = BatchId(number, self.checkpoint.name, self.may_repeat)
            batch = BatchInput(frame, self.setup.now(), name, measures_operators)
            result = run_batch(batch, state, plan, services)
            after = state.after(result)
            self.observer.on_progress(after.progress(services.sources.tracker, batch.arrived_at))
            fault("delivered")
            self.write_shed_counts(after, plan)
            after = after.adjust(result.seconds, *self.setup.shedding_rule)
            self.checkpoint.commit(number, after.to_json())
            fault("noted")
            self.state, self.may_repeat = after, False
            self.report_batch(number, result, plan, measures_operators)
            self.follow_limits(state, after)

    def write_shed_counts(self, state: RunState, plan: RunningPlan) -> None:
        """Write how many rows were shed so far beside the results of queries, while rows are shed."""
        if state.shedding.is_active:
            for query in plan.queries:
                shed = self.shed_of(query, state)
                sinks.write_shed_counts(self.spark, query, self.setup.home, shed, state.watermark.watermark)

    def report_batch(self, number: int, result: BatchResult, plan: RunningPlan, measured: bool) -> None:
        """Report a finished batch to the queries over system streams."""
        report = BatchReport(number, result.seconds, plan.staged, result.metrics if measured else {})
        self.system.tell(report, self.progress, plan.queries, self.now())

    def follow_limits(self, before: RunState, after: RunState) -> None:
        """Restart the stream if batches get other limits, which are fixed when it starts; say so, and what is shed."""
        if after.shedding.percent != before.shedding.percent:
            LOG.warning(f"batches take {after.shedding.percent.normalize():f} percent of the rows from now on")
        old, new = before.batch_size, after.batch_size
        if old and new and (old.rows, old.files) != (new.rows, new.files):
            LOG.info(f"batches take {new.rows} rows in {new.files} files at most from now on")
            self.reopen.set()

    def resume(self, number: int) -> RunState:
        """What batch `number` starts from: the checkpoint's record of the batch before."""
        state = replace(self.state, next_batch=number)
        if number == 0:
            return state
        record = self.checkpoint.read_record(number - 1)
        told = (record["watermark"]["in_ticks"], state.watermark.clock.in_ticks)
        if None not in told and told[0] != told[1]:
            was, now = (("TIMESTAMPs", "numbers of ticks")[bool(each)] for each in told)
            raise RunError(
                f"the checkpoint {self.checkpoint.place} does not fit this script: timestamps were {was}, "
                f"and are now {now}",
                hint="run the script as it was, or name a new folder to start empty",
            )
        state, sources = state.restore(record), self.services.sources
        for floor in sources.tracker.arrival_floors(state.watermark, state.decided_until).values():
            self.setup.reach(floor)
        return sources.start(state, self.setup.now())
