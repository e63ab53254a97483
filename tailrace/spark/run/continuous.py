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
from tailrace.errors import QueryError, RunError
from tailrace.fault_injection import fault
from tailrace.logical.queries import QueryDefinition
from tailrace.progress import Progress, RunSummary, Watch
from tailrace.settings import Settings
from tailrace.spark.batch.run_batch import run_batch
from tailrace.spark.batch.run_state import BatchInput, BatchResult, QueryFailure, RunningPlan, RunState
from tailrace.spark.batch.services import OpenSources, RunSetup, Services, open_services, open_sources, start_stream
from tailrace.spark.io import sinks
from tailrace.spark.io.delivery import Deliver, Take
from tailrace.spark.io.sink_errors import failure_of
from tailrace.spark.io.sinks import BatchId
from tailrace.spark.run.checkpoint import Checkpoint
from tailrace.spark.run.quarantine import FAILURES, FailedBatch, read_quarantine, still_quarantined
from tailrace.spark.run.reshard import reshard
from tailrace.spark.run.stream_logs import wait_for_commit
from tailrace.spark.run.system_streams import BatchReport, SystemStreams
from tailrace.spark.session.errors import TRACE_HINT, error_line, show_trace
from tailrace.staging.plan_version import PlanChange, PlanVersion, QuerySet, check_kept_state
from tailrace.staging.stages import StagedPlan

LOG = logging.getLogger("tailrace")
LOOK = 0.2  # seconds between two checks whether to stop or to restart the stream


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
    taken: QuerySet = field(init=False)  # the queries that batches take, with those that are quarantined
    pending: QuerySet | None = None  # the changed queries that the next batch takes up; their sources are open
    resumed: frozenset[str] = frozenset()  # quarantined queries that the next batch starts anew
    anew: frozenset[str] = frozenset()  # those that have left quarantine with the batch that is not committed yet
    is_leaving: bool = False  # the stream is being stopped: no batch may begin
    may_repeat: bool = True  # the next batch may be a repetition: it starts from the checkpoint's record

    def __post_init__(self) -> None:
        self.taken, self.resumed = self.requested, self.requested.resumed
        self.plan = replace(RunningPlan.start(self.requested), version=None)  # the checkpoint has the version

    def run(self) -> RunSummary:
        """Run batches until `stop` is set; the current batch is finished first. Restarts the stream when asked to.

        The run holds the lock of its checkpoint meanwhile.
        """
        with self.checkpoint.lock.hold():
            for name in self.checkpoint.remove_torn_logs():
                LOG.warning(f"offsets/{name} was cut short when the machine went down: its batch is planned anew")
            return self.run_batches()

    def run_batches(self) -> RunSummary:
        """Run batches until `stop` is set, by one stream after another."""
        self.pending = self.requested
        self.system.watch(self.requested.system_queries, self.now())
        out = read_quarantine(self.checkpoint, self.requested, self.resumed)
        with open_services(self.spark, self.plan, self.setup, self.deliver, self.checkpoint.state, out) as services:
            self.services, self.state = services, replace(services.first_state(), quarantined=out)
            while True:
                self.is_leaving = False
                if self.services.sources.streams:
                    with suppress(LeavingError):
                        offsets, ticks = self.checkpoint.offsets, self.checkpoint.ticks_name(time.time_ns())
                        start_stream(self.services, offsets, self.on_batch, self.wait, ticks, **self.trigger)
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
        failed = tuple(failure.describe() for failure in self.state.quarantined.values())
        return replace(self.services.sources.summarize(self.state), failed=failed)

    @property
    def trigger(self) -> dict[str, Any]:
        interval = self.setup.trigger_interval
        return {"availableNow": True} if interval is None else {"processingTime": interval}

    def now(self) -> int:
        """The clock in microseconds since 1970: the `now` of watermarks and of system streams."""
        return self.setup.now() or time.time_ns() // 1000

    def wait(self, query: StreamingQuery) -> None:
        self.begun.set()
        self.pause(lambda: query.isActive)
        while not self.working.acquire(timeout=LOOK):
            self.checkpoint.lock.renew()
        self.is_leaving = True
        self.working.release()
        wait_for_commit(query, self.state.next_batch - 1)  # the last batch
        query.stop()
        query.awaitTermination()

    def pause(self, lasts: Callable[[], bool] = lambda: True) -> None:
        while lasts() and not self.stop.is_set() and not self.reopen.is_set():
            self.stop.wait(LOOK)
            self.checkpoint.lock.renew()
            self.system.advance(self.now())
            if self.setup.has_been_set_back():
                # Spark would wait with the next batch, and with ticks, until the clock is where it was.
                self.reopen.set()

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
        """Run other queries from the next batch on, perhaps after a restart; a RunError at once if one cannot run."""
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
            setup = self.setup if frames is None else replace(self.setup, frames=frames)
            if others - set(sources.layout.sources):
                self.open_anew(queries.only(queries.profiles, on_trial=True), setup)  # fails now, not in the run
            before = {query.name: query for query in self.requested.queries}
            changed = [query for query in queries.queries if before.get(query.name) is not query]
            for query in changed:
                sinks.try_sink(self.spark, query, self.setup.home)
            self.system.watch(queries.system_queries, self.now())
            self.setup = setup
            self.resumed |= {query.name for query in changed} | queries.resumed
            self.requested = queries
            if others or not sources.streams:
                self.reopen.set()
            else:
                self.pending = queries

    def failure(self, query: QueryDefinition) -> QueryFailure | None:
        """Why a query is quarantined; None if it is not."""
        found = self.state.quarantined.get(query.name) if self.begun.is_set() else None
        return None if query.name in self.resumed else found

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
            self.state = replace(self.state, batch_size=size)
            sources, self.state = self.open_anew(self.requested, self.setup)
            self.services = replace(self.services, sources=sources)
            self.may_repeat = True

    def open_anew(self, queries: QuerySet, setup: RunSetup) -> tuple[OpenSources, RunState]:
        """The sources that queries read, and the state from which a stream over them starts."""
        plan = queries.versions.preview(self.version, self.state.decided_until)
        sources = open_sources(self.spark, plan, setup, self.state.batch_size)
        return sources, sources.start(self.state, setup.now())

    def advance_plan(self) -> None:
        """Set the plan of the next batch, and write its version to the checkpoint.

        Pending changes of queries and better strategies are applied. Steps whose windows have caught up with an equal
        older step are merged into it. If there is nothing to do, the plan stays as it is.
        """
        state, merge_at = self.state, self.version.next_merge_at if self.version else None
        is_due = merge_at is not None and merge_at <= state.decided_until
        if self.pending is None and not is_due and not state.better_strategies:
            return
        self.taken, self.pending = self.pending or self.taken, None
        quarantined = still_quarantined(state.quarantined, self.taken, self.resumed)
        self.anew |= state.quarantined.keys() - quarantined.keys()
        self.state, self.resumed = replace(state, quarantined=quarantined), frozenset()
        queries, before = self.going_on(), self.version_before()
        running = {query.name for query in self.plan.queries}
        plan = RunningPlan.advance(queries, before, state)
        after = plan.version
        assert after is not None
        check_kept_state(before, after, plan.staged)
        for query in queries.queries:
            if query.name not in running or query.name in self.anew:
                with failure_of(query):
                    sinks.begin(self.spark, query, self.setup.home)
        self.checkpoint.write_plan_version(state.next_batch, after)
        if state.next_batch > 0 and (self.version is None or before.query_ids != after.query_ids):
            self.observer.on_plan_change(PlanChange.between(before, after, state.watermark.clock.format_instant))
        self.plan = plan

    def going_on(self) -> QuerySet:
        """The queries that batches take, without those that are quarantined."""
        quarantined = self.state.quarantined
        return self.taken.only(self.taken.profiles.keys() - quarantined) if quarantined else self.taken

    def version_before(self) -> PlanVersion:
        """The plan version of the last batch, without queries that begin anew, and with better strategies."""
        running = {query.name: query for query in self.plan.queries}
        anew = {query.name for query in self.taken.queries if running.get(query.name, query) is not query}
        begun = self.version or self.checkpoint.plan_version_before(self.state.next_batch)
        return begun.without(anew | self.anew).with_chosen(self.state.better_strategies)

    # Batches ------------------------------------------------------------------------------------------

    def on_batch(self, frame: DataFrame | None, number: int) -> None:
        """Run batch `number`: resume, advance the plan, reshard, run the stages, write the record, report."""
        with self.working:
            if number < self.state.next_batch:
                return
            if self.is_leaving:
                raise LeavingError  # if this returned, Spark would commit the batch
            self.checkpoint.lock.check()
            if self.may_repeat:
                self.state = self.resume(number)
                if number < self.state.next_batch:
                    return
            self.system.begin(self.progress)
            name = BatchId(number, self.checkpoint.name, self.may_repeat, self.setup.is_durable)
            measures, check = OPERATORS.name in self.system.reads, self.checkpoint.lock.check
            batch = BatchInput(frame, self.setup.now(), name, measures, self.checkpoint, check)
            result = self.run_without_failing(batch)
            state, plan, services = self.state, self.plan, self.services
            after = state.after(result)
            fault("delivered")
            for query in plan.queries if after.shedding.is_active else ():
                if query.name not in result.failed:
                    counts, watermark = self.shed_of(query, after), after.watermark.watermark
                    sinks.write_shed_counts(self.spark, query, self.setup.home, counts, watermark)
            after = after.adjust(result.seconds, *self.setup.shedding_rule)
            self.checkpoint.commit(number, after.to_json())
            fault("noted")
            self.state, self.may_repeat, self.anew = after, False, frozenset()
            self.observer.on_progress(after.progress(services.sources.tracker, batch.arrived_at))
            if result.failed:
                self.replan_without(result.failed)
            self.report_batch(number, result, plan, batch.measures_operators)
            self.follow_limits(state, after)

    def run_without_failing(self, batch: BatchInput) -> BatchResult:
        """Run a batch. Queries that make it fail are quarantined, and it is run again for the others.

        If all of them fail, or it does not fail for queries, the exception is raised: the batch may be repeated later.
        """
        plan_before, is_repeated = self.plan, False
        while True:
            try:
                with self.changing:
                    self.advance_plan()
                    if self.services.setup is not self.setup:  # what services have cached stays from batch to batch
                        self.services = replace(self.services, setup=self.setup)
                self.state = reshard(self.state, self.plan.staged, self.services)
                result = run_batch(batch, self.state, self.plan, self.services)
            except FAILURES as problem:
                self.plan, batch = plan_before, batch.as_repetition()
                self.services.reports.drain()
                queries, version = self.going_on(), self.version_before()
                tried = FailedBatch(batch, self.state, queries, version, self.services)
                failed = tried.find_failures(problem, is_repeated)
                if failed is None:
                    raise
                show_trace(problem.__cause__ or problem)
                if not failed:
                    LOG.warning("batch %d is run again: %s", self.state.next_batch, error_line(str(problem)))
                    is_repeated = True
                self.state = replace(self.state, quarantined={**self.state.quarantined, **failed})
                self.replan_without(failed)
            else:
                if result.failed and len(result.failed) == len(self.plan.queries):
                    failure = next(iter(result.failed.values()))
                    raise QueryError(failure.message, list(result.failed), TRACE_HINT, failure.failing_row)
                return result

    def replan_without(self, failed: Mapping[str, QueryFailure]) -> None:
        """Have the queries planned anew, without those that are quarantined, and say why some are."""
        for failure in failed.values():
            LOG.warning(f"{failure.describe()}: it is quarantined, and all other queries go on")
        with self.changing:
            self.pending = self.pending or self.taken

    def report_batch(self, number: int, result: BatchResult, plan: RunningPlan, measured: bool) -> None:
        """Report a finished batch to the queries over system streams."""
        failures = {name: failure.describe() for name, failure in self.state.quarantined.items()}
        report = BatchReport(number, result.seconds, plan.staged, result.metrics if measured else {}, failures)
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
        """What batch `number` starts from: the checkpoint's record of the batch before.

        If the batch itself has a record, it counts, and a crash took only Spark's note of that: the next one is due.
        """
        counts = self.checkpoint.has_record(number)
        state = replace(self.state, next_batch=number + counts)
        if state.next_batch == 0:
            return state
        record = self.checkpoint.read_record(state.next_batch - 1)
        self.checkpoint.check_kind_of_time(record["watermark"]["in_ticks"], state.watermark.clock.in_ticks)
        state, sources = state.restore(record), self.services.sources
        for floor in sources.tracker.arrival_floors(state.watermark, state.decided_until).values():
            self.setup.reach(floor)
        return sources.start(state, self.setup.now())
