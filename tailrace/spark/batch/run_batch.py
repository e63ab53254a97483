"""Run batch: runs one batch through the stages of a plan: from its rows and the state before it to its result."""

from __future__ import annotations

import logging
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame, Observation, SparkSession
from pyspark.sql import functions as F

from tailrace.catalog.formats import CHECKED
from tailrace.fault_injection import fault
from tailrace.spark.batch import task_reports
from tailrace.spark.batch.blame import name_failing_operator
from tailrace.spark.batch.run_state import BatchResult, RunningPlan, RunState
from tailrace.spark.batch.services import Services
from tailrace.spark.batch.skew import skew_text
from tailrace.spark.batch.stage_inputs import StageInputs, uses_prefilter
from tailrace.spark.batch.stage_rows import cut_off, free
from tailrace.spark.io.rejected_rows import RejectedByFile, add_rejected
from tailrace.spark.io.sinks import BatchId
from tailrace.spark.io.sources import open_source
from tailrace.spark.source_layout import MOMENT, UNREADABLE
from tailrace.spark.time.event_clock import EventClock
from tailrace.spark.time.watermark import WatermarkState
from tailrace.staging.stages import StageOutput

LOG = logging.getLogger("tailrace")

# If the last batch had at least LARGE rows, a job that measures the next one first costs little in comparison. If it
# had at most SMALL, the next one is read as a single partition.
LARGE, SMALL = 1_000_000, 50_000
PATIENCE = 10.0  # seconds to wait for an Observation


@dataclass(frozen=True)
class BatchInput:
    """What comes with a batch."""

    rows: DataFrame | None  # of Structured Streaming, if any
    arrived_at: int | None = None  # the clock in microseconds; None in a run that ends
    id: BatchId | None = None  # in a run that may have to repeat the batch
    measures_operators: bool = False  # some query reads the metrics of operators


@dataclass(frozen=True)
class BatchRun:
    """One batch while it runs: its input, the state before it, and the plan and services that it runs with."""

    batch: BatchInput
    state: RunState
    plan: RunningPlan
    services: Services

    def take_rows(self) -> BatchResult:
        """Run the rows through the stages; complete DataFrames are part of the first batch, or are it alone."""
        sources, batch, now = self.services.sources, self.batch, self.batch.arrived_at
        before, whole = self.state.watermark, sources.unread(self.state)
        rows, clock = whole, before.clock
        if batch.rows is not None:
            layout, in_ticks = sources.layout, clock.in_ticks
            bound, in_ticks = sources.binding.bind(batch.rows, self.services.spark, layout, in_ticks)
            rows, clock = [bound, *whole], clock if in_ticks is None else clock.with_ticks_known(in_ticks)
        before = replace(before, clock=clock, read=before.read | sources.tracker.finished)
        frame = reduce(DataFrame.union, rows)
        look_first = self.must_measure_first(now)
        # Rows that are read twice are cached if parsing them (csv, json) or computing them (DataFrames) is expensive.
        if (sources.layout.has_checked_formats or whole) and self.scans() + look_first > 1:
            frame = frame.persist()
        kept = frame
        if now is not None and 0 <= before.last_rows <= SMALL:
            # A small batch is mostly overhead of tasks: as one partition it has few, and is measured without a shuffle.
            frame = frame.coalesce(1)
        try:
            if look_first:
                seen = self.measure_first(frame, before)
                after = self.with_end_known(sources.tracker.advance(before, seen, now))
                if self.services.setup.decides_all:
                    after = replace(after, watermark=sources.tracker.end(after))
                result = self.run_stages(frame, self.decidable(after), before.watermark, after)
            else:
                watching = Observation("tailrace")
                observed = frame.observe(watching, *self.measures(before))
                before = self.with_end_known(before)
                result = self.run_stages(observed, self.decidable(before, now), before.watermark, before, True)
                seen = wait_for_observation(watching) or self.measure_first(frame, before)
                after = sources.tracker.advance(before, seen, now)
            return self.keep_rejected(frame, replace(result, watermark=after), before, seen)
        finally:
            kept.unpersist()

    def keep_rejected(
        self, frame: DataFrame, result: BatchResult, before: WatermarkState, seen: dict[str, Any]
    ) -> BatchResult:
        """The result with the counts of rejected rows, which are written where the settings say so."""
        sources, late, unreadable = self.services.sources, result.late, result.unreadable
        if sources.tracker.has_late_rows(before, seen):
            which = is_late(result.watermark.clock, before.watermark)
            late = sources.late.keep(frame.where(f"{which} AND {sources.layout.readable}"), self.batch.id)
        if result.watermark.unreadable > before.unreadable:
            new = sources.unreadable.keep(frame.where(sources.layout.unreadable), self.batch.id)
            unreadable = add_rejected(unreadable, new)
        shedding = result.shedding.count(seen, sources.layout)
        return replace(result, late=late, unreadable=unreadable, shedding=shedding)

    # Measures and time --------------------------------------------------------------------------------

    def scans(self) -> int:
        """How often statements read the batch's rows."""
        feeds = [feed for feed in self.plan.staged.feeds if not isinstance(feed.origin, StageOutput)]
        return len(feeds) + sum(uses_prefilter(feed, self.state.watermark.last_rows) for feed in feeds)

    def measures(self, before: WatermarkState) -> list[Column]:
        """The aggregates that measure a batch, given the watermark before it."""
        sources = self.services.sources
        layout, tracker = sources.layout, sources.tracker
        taking_part = f"{layout.readable} AND NOT {is_late(before.clock, before.watermark)}"
        asked = self.state.shedding.batch_measures(layout, tracker.moving, before.clock.text(), taking_part)
        return [*tracker.measures, *(F.expr(text).alias(name) for name, text in asked.items())]

    def measure_first(self, frame: DataFrame, before: WatermarkState) -> dict[str, Any]:
        """Measure a batch by a job of its own."""
        self.services.describe(self.state, "a look at what came")
        seen: dict[str, Any] = frame.agg(*self.measures(before)).collect()[0].asDict()
        self.services.sources.tracker.warn_of_units(before, seen, self.services.setup.settings)
        return seen

    def must_measure_first(self, now: int | None) -> bool:
        """Whether to measure a batch before it runs, by a job; else it decides only as far as earlier batches allow."""
        if self.state.next_batch == 0 or self.services.setup.decides_all or self.state.watermark.last_rows >= LARGE:
            return True
        # A continuous run must not leave results to the next batch, which may be long in coming. Another run measures
        # first if stages are shared: their rows are cut off from the plan below, where Spark then observes nothing.
        return self.plan.staged.has_shared_stages if now is None else not self.services.sources.tracker.is_clock

    def with_end_known(self, watermark: WatermarkState) -> WatermarkState:
        """The state with the moment of `--until` as the origin of time, if no row has shown one."""
        return replace(watermark, clock=self.services.setup.with_end_known(watermark.clock))

    def decidable(self, watermark: WatermarkState, now: int | None = None) -> int:
        """The instant up to which the watermark lets this batch decide, at most the end of the run."""
        tracker, beat = self.services.sources.tracker, max(watermark.watermark, self.state.decided_until)
        if tracker.is_clock and now is not None:
            # All rows of a batch are stamped before it is taken, and those of the next batch later.
            beat = max(beat, tracker.watermark_at(watermark, now))
        last = self.services.setup.last_instant(watermark.clock)
        return beat if last is None else min(beat, last)

    # Stages -------------------------------------------------------------------------------------------

    def run_stages(
        self, frame: DataFrame | None, to: int, beat: int, watermark: WatermarkState, observing: bool = False
    ) -> BatchResult:
        """Run the stages over a batch's rows and deliver results up to the instant `to`; rows up to `beat` are late."""
        planned_once = not observing  # an Observation below a plan that is cut off gets nothing
        session = frame.sparkSession if frame is not None else self.services.spark
        plan, state = self.plan.staged, replace(self.state, watermark=watermark)
        fault("taken")
        tables, unreadable = self.source_tables(session, frame, beat, watermark.clock)
        measures = self.batch.measures_operators
        inputs = StageInputs(state, self.plan, self.services, session, tables, to, measures)
        kept = []
        try:
            for number, stage in enumerate(plan.stages):
                rows = inputs.run(number, stage)
                if plan.readers(number) > 1:
                    rows = cut_off(rows) if planned_once else rows.persist()
                    kept.append(rows)
                rows.createOrReplaceTempView(f"tailrace_stage_{number}")
            with name_failing_operator(inputs):
                self.deliver_results(inputs)
        finally:
            for rows in kept:
                free(rows) if planned_once else rows.unpersist()
        reports = self.services.reports.drain()
        metrics = task_reports.metrics_of(reports)
        came, instants = task_reports.rows_in(plan, metrics), to - state.decided_until
        return BatchResult(
            to,
            watermark,
            state.shedding,
            inputs.manifests(reports),
            metrics,
            [each.statistics for each in reports],
            plan.better_strategies(came, instants) if plan.expiry_workloads else {},
            self.report_skew(task_reports.loads_of(reports)),
            unreadable=unreadable,
        )

    def report_skew(self, loads: task_reports.ShardLoads) -> frozenset[int]:
        """Warn once per stage if one shard has most of its rows: more cores would not make it faster."""
        found = set()
        for number, each in loads.items():
            known = number in self.state.skewed
            text = "" if known else skew_text(self.plan.staged, number, each, self.plan.column_names)
            if text:
                found.add(number)
                LOG.warning(text)
        return frozenset(found)

    def deliver_results(self, inputs: StageInputs) -> None:
        """Deliver the rows of each query; those of a family's members together."""
        named = {query.name: query for query in self.plan.queries}
        together: set[str] = set()
        for family, members in self.plan.staged.families.items():
            queries = {number: named[name] for number, name in members.items()}
            together.update(members.values())
            self.services.describe(self.state, self.plan.staged.display_name(family))
            answers = inputs.answers_together(family, next(iter(queries.values())))
            self.services.deliver.many(queries, answers, self.batch.id)
        for query in self.plan.queries:
            rows = None if query.name in together else inputs.answers(query)
            if rows is not None:
                self.services.describe(self.state, query.name)
                self.services.deliver.one(query, rows, self.batch.id)

    def source_tables(
        self, session: SparkSession, frame: DataFrame | None, beat: int, clock: EventClock
    ) -> tuple[dict[int, str], RejectedByFile]:
        """For each source, a subquery of this batch's readable rows that are not late; moving sources share one.

        Also returns how many rows of static sources cannot be read.
        """
        tables: dict[int, str] = {}
        unreadable: RejectedByFile = {}
        sources, plan, batch = self.services.sources, self.plan.staged, self.state.next_batch
        layout, ordered = sources.layout, plan.needs_arrival_order
        if frame is not None:
            frame.createOrReplaceTempView("tailrace_rows")
            which = " AND ".join([f"NOT {is_late(clock, beat)}", *layout.of_elements, *layout.sound])
            table = layout.table_with_instants("tailrace_rows", clock.text(), which, ordered)
            if self.state.shedding.is_active:
                which = self.state.shedding.sampling_filter(layout, sources.tracker.moving)
                table = f"(SELECT * FROM {table} WHERE {which})"
            tables = dict.fromkeys(sources.moving, table)
        now, sound = f"{self.state.decided_until + 1}L", "".join(f" AND {text}" for text in layout.sound)
        for number in sources.static:
            source = layout.sources[number]
            if any(feed.read_in_batch == batch for feed in plan.feeds if feed.origin == source):
                rows = open_source(session, layout, number, self.services.setup.frames, True)
                rows.createOrReplaceTempView(f"tailrace_source_{number}")
                if (source.format or "").lower() in CHECKED:
                    new = sources.unreadable.keep(rows.where(f"{UNREADABLE} IS NOT NULL"), self.batch.id)
                    unreadable = add_rejected(unreadable, new)
                tables[number] = layout.table_with_instants(f"tailrace_source_{number}", now, f"true{sound}", ordered)
        return tables, unreadable


def run_batch(batch: BatchInput, state: RunState, plan: RunningPlan, services: Services) -> BatchResult:
    """Run the batch `state.next_batch`; if there are no rows and none can come, decide one more instant.

    This is the only function that starts jobs of a batch. It delivers results and writes state files. What the batch
    did to the run is only in the result: a batch that fails changes nothing.
    """
    if batch.rows is None and not services.sources.unread(state):
        end = find_end(state, services)
        return decide_instants(max(end, state.decided_until + 1), batch, state, plan, services)
    begun = time.monotonic()
    result = BatchRun(batch, state, plan, services).take_rows()
    return replace(result, seconds=time.monotonic() - begun)


def decide_instants(to: int, batch: BatchInput, state: RunState, plan: RunningPlan, services: Services) -> BatchResult:
    """Run a batch without rows: decide all instants up to `to`."""
    begun, run = time.monotonic(), BatchRun(batch, state, plan, services)
    watermark = run.with_end_known(state.watermark)
    result = run.run_stages(None, to, watermark.watermark, watermark)
    return replace(result, seconds=time.monotonic() - begun)


def find_end(state: RunState, services: Services) -> int:
    """The last instant of the run: that of `--until`, else the newest of all inputs."""
    last = services.setup.last_instant(state.watermark.clock)
    return services.sources.tracker.end(state.watermark) if last is None else last


def is_late(clock: EventClock, beat: int) -> str:
    """The condition, in Spark SQL, for rows up to the watermark `beat`."""
    # Spark recompiles a statement if a literal in it differs, but not if the literal is in an array. The array's
    # index is always 0, written so that Spark cannot fold it.
    return f"{clock.text()} <= array({beat}L)[CAST(pmod({MOMENT}, 1L) AS INT)]"


def wait_for_observation(seen: Observation) -> dict[str, Any]:
    """The measures that Spark observed while it ran a batch; empty if there are none within PATIENCE seconds."""
    found: dict[str, Any] = {}

    def wait() -> None:
        # If Spark finds that a batch is empty, it observes nothing, and `get` fails or never returns.
        with suppress(Py4JError, PySparkException):
            found.update(seen.get)

    waiting = threading.Thread(target=wait, daemon=True)
    waiting.start()
    waiting.join(PATIENCE)
    return found
