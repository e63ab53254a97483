"""Run batch: follows all sources of a script as one Structured Streaming query; its batches run through the stages."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property, reduce
from typing import Any

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame, Observation, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming.query import StreamingQuery

from tailrace.catalog.sources import beside_script
from tailrace.fault_injection import fault
from tailrace.logical.queries import QueryDefinition
from tailrace.operators.families.routing.statistics import StatsByFamily, together
from tailrace.progress import Progress, RunSummary, Watch
from tailrace.settings import Settings
from tailrace.spark.batch import task_reports
from tailrace.spark.batch.blame import name_failing_operator
from tailrace.spark.batch.skew import skew_text
from tailrace.spark.batch.stage_inputs import StageInputs, uses_prefilter
from tailrace.spark.batch.stage_rows import cut_off, free
from tailrace.spark.batch.stage_task import NARROW_ROWS, WIDE_ROWS
from tailrace.spark.batch.task_reports import Manifests, StepMetrics, TaskReport, TaskReports
from tailrace.spark.io import sinks
from tailrace.spark.io.bind_files import FileBinding
from tailrace.spark.io.delivery import Deliver
from tailrace.spark.io.rejected_rows import RejectedRows
from tailrace.spark.io.sources import is_static, open_source, ticks
from tailrace.spark.session.session import open_state_folder, small_batches
from tailrace.spark.source_layout import CHECKED, MOMENT, UNREADABLE, SourceLayout
from tailrace.spark.time.batch_size import BatchSizeController, TakeAll
from tailrace.spark.time.event_clock import EventClock
from tailrace.spark.time.load_shedding import LoadShedder
from tailrace.spark.time.watermark import Memory, WatermarkTracker
from tailrace.staging.stages import StagedPlan, StageOutput
from tailrace.state.storage import store_at

Take = Callable[[DataFrame, int], None]
DESCRIPTION = "spark.job.description"  # the local property that describes the jobs of a thread
LOG = logging.getLogger("tailrace")

# If the last batch had at least LARGE rows, a job that measures the next one first costs little in comparison. If it
# had at most SMALL, the next one is read as a single partition.
LARGE, SMALL = 1_000_000, 50_000
REMEMBERED = 0.5  # the factor by which a batch decays what eddies knew before it
PATIENCE = 10.0  # seconds to wait for an Observation
NAMED_SOURCES = "spark.sql.streaming.queryEvolution.enableSourceEvolution"


@dataclass
class BatchLoop:
    """Runs batches of a set of queries: `deliver` gets the rows of each query, `watch` the progress of each batch."""

    spark: SparkSession
    plan: StagedPlan
    queries: list[QueryDefinition]
    settings: Settings
    deliver: Deliver
    until: str | None = None
    watch: Watch = lambda progress: None
    home: str | None = None  # the script's folder: relative paths begin there
    frames: Mapping[str, DataFrame] = field(default_factory=dict)  # the sources that are DataFrames, by name
    is_continuous: bool = False  # queries may change during the run, so all columns of the sources are read
    decides_all: bool = False  # each batch decides up to its newest instant; older rows of a later run are late
    batch_size: BatchSizeController | None = None  # limits a batch; None: takes all there is
    shedding: LoadShedder = field(default_factory=lambda: LoadShedder(0.0))  # drops rows of slow batches
    now: Callable[[], int | None] = lambda: None  # the clock in microseconds; None in a run that ends
    folder: str = ""
    shards: int = 0  # as the settings say, else the cores that the cluster has at the start
    batch: int = 0
    decided_until: int = -1
    state_manifests: Manifests = field(default_factory=dict)  # the state that the batch before left
    new_states: frozenset[str] = frozenset()  # names of states that start empty with this batch
    better_strategies: Mapping[str, str] = field(default_factory=dict)  # outputs' strategies that would now cost less
    renew: Callable[[BatchLoop], None] = lambda loop: None  # called before each batch; may change the plan
    reported_skew: set[int] = field(default_factory=set)  # stages whose skew was reported
    batch_id: sinks.BatchId | None = None  # the current batch, in a run that may have to repeat it
    measuring: bool = False  # some query reads the metrics of operators
    metrics: StepMetrics = field(default_factory=dict)  # the metrics of the last batch, if measured
    statistics: StatsByFamily = field(default_factory=dict)  # what eddies know of their filters
    watermarks: WatermarkTracker = field(init=False)

    @cached_property
    def reports(self) -> TaskReports:
        return TaskReports.open(self.spark.sparkContext)

    def run_once(self) -> RunSummary:
        """Process all rows that are there, decide every instant up to the end, and return."""
        self.new_states = frozenset(self.plan.names)
        with open_state_folder(self.spark, None, self.settings.scratch) as folder, self.set_up(f"{folder}/state"):
            if len(self.complete) < len(self.moving):
                offsets = store_at(folder).below("offsets").for_spark
                self.start_stream(
                    offsets, lambda frame, _: self.run_batch(frame), StreamingQuery.awaitTermination, availableNow=True
                )
            if self.complete and self.batch == 0:
                self.run_batch(None)
            # If no row showed the kind of time, time is in ticks and stands at the first instant.
            self.watermarks.know_time(True)
            end = self.end()
            if end > self.decided_until or self.batch == 0:
                self.run_stages(None, end, self.watermarks.watermark)
        return self.summary()

    @contextmanager
    def set_up(self, folder: str) -> Iterator[None]:
        """Open sources and sinks and configure Spark for small batches inside the block; state goes to the folder."""
        narrow = all(stage.wire_in.is_narrow for stage in self.plan.stages)
        described = self.spark.sparkContext.getLocalProperty(DESCRIPTION)
        with small_batches(self.spark, folder, NARROW_ROWS if narrow else WIDE_ROWS):
            self.folder = folder
            try:
                self.open_sources()
                for query in self.queries:
                    sinks.begin(self.spark, query, self.home)
                yield
            finally:
                self.spark.conf.unset(NAMED_SOURCES)
                # The thread may be the user's: jobs that it starts later must not bear our description.
                self.spark.sparkContext.setLocalProperty(DESCRIPTION, described)  # type: ignore[arg-type]

    def summary(self) -> RunSummary:
        return RunSummary(
            self.watermarks.rows,
            self.late.rejected_counts(),
            self.unreadable.rejected_counts(),
            self.shedding.shed_counts(),
        )

    def open_sources(self) -> None:
        self.shape = SourceLayout.of(self.plan, self.is_continuous, not self.decides_all)
        self.spark.conf.set(NAMED_SOURCES, self.shape.named)
        self.shards = self.shards or self.settings.shards or self.spark.sparkContext.defaultParallelism
        sources = dict(enumerate(self.shape.sources))
        self.static = [number for number, source in sources.items() if is_static(source)]
        moving = {number: source for number, source in sources.items() if number not in self.static}
        self.binding = FileBinding.open(self.spark, moving, self.frames, self.until)
        time, layouts = self.binding.in_ticks, self.binding.layouts
        limits = TakeAll() if self.decides_all else self.batch_size  # a run that ends decides all that there is at once
        self.moving = {
            number: open_source(self.spark, self.shape, number, self.frames, time, limits, layouts.get(number))
            for number in moving
        }
        self.complete = [number for number, frame in self.moving.items() if not frame.isStreaming]
        self.unread = list(self.complete)
        clock = EventClock.of(self.settings, time)
        self.watermarks = WatermarkTracker(self.shape, clock, list(self.moving), self.batch_size is not None)
        self.watermarks.finished = set(self.complete)
        self.watermarks.start(self.now())
        self.late = RejectedRows("late", self.shape, beside_script(self.settings.late, self.home))
        self.unreadable = RejectedRows("unreadable", self.shape, beside_script(self.settings.unreadable, self.home))

    def start_stream(self, offsets: str, take: Take, wait: Callable[[StreamingQuery], object], **trigger: Any) -> None:
        """Start Structured Streaming over all streaming sources: `take` gets each batch, `wait` waits for the end."""
        frames = [frame for number, frame in self.moving.items() if number not in self.complete]
        if self.shape.ticking:
            frames.append(ticks(self.spark, self.shape))
        everything = reduce(DataFrame.union, frames)
        failures: list[Exception] = []

        def safely(frame: DataFrame, number: int) -> None:
            try:
                take(frame, number)
            except Exception as problem:
                failures.append(problem)
                raise

        writer = everything.writeStream.foreachBatch(safely).option("checkpointLocation", offsets)
        try:
            wait(writer.trigger(**trigger).start())
        except PySparkException:
            # Spark wraps an exception of a batch in one of its own; the original says more.
            if failures:
                raise failures[0] from failures[0].__cause__
            raise

    def restore(self, memory: Memory) -> None:
        """Continue from the recorded state of a watermark tracker; sources that were finished are not read again."""
        self.watermarks = self.watermarks.from_json(memory)
        self.watermarks.start(self.now())
        self.unread = [number for number in self.unread if self.shape.sources[number].name not in memory["finished"]]

    def end(self) -> int:
        """The last instant of the run: that of `--until`, else the newest of all inputs."""
        if self.until is not None:
            moment = self.watermarks.clock.parse(self.until)
            self.watermarks.clock = self.watermarks.clock.with_origin(moment)
            return self.watermarks.clock.instant(moment)
        return self.watermarks.end

    def run_batch_or_instant(self, frame: DataFrame | None) -> None:
        """Run a batch; if there are no rows and none can come, decide one more instant."""
        if frame is None and not self.unread:
            self.run_stages(None, max(self.end(), self.decided_until + 1), self.watermarks.watermark)
        else:
            self.run_batch(frame)

    def run_batch(self, frame: DataFrame | None) -> None:
        """Run a batch of Structured Streaming; DataFrames that do not stream are part of the first, or are it alone."""
        self.renew(self)
        whole = [self.moving[number] for number in self.unread]
        self.unread = []
        frame = reduce(
            DataFrame.union,
            [*([] if frame is None else [self.binding.bind(frame, self.spark, self.watermarks)]), *whole],
        )
        now = self.now()
        feeds = [feed for feed in self.plan.feeds if not isinstance(feed.origin, StageOutput)]
        scans = len(feeds) + sum(uses_prefilter(feed, self.watermarks.last_rows) for feed in feeds)
        look_first = self.batch == 0 or self.decides_all or self.must_measure_first(now)
        # Rows that are read twice are cached if parsing them (csv, json) or computing them (DataFrames) is expensive.
        if (self.shape.has_checked_formats or whole) and scans + look_first > 1:
            frame = frame.persist()
        kept = frame
        if now is not None and 0 <= self.watermarks.last_rows <= SMALL:
            # A small batch is mostly overhead of tasks: as one partition it has few, and is measured without a shuffle.
            frame = frame.coalesce(1)
        try:
            beat, unreadable = self.watermarks.watermark, self.watermarks.unreadable
            if look_first:
                seen = self.measure_first(frame, beat)
                late = self.watermarks.record_batch(seen, now)
                if self.decides_all:
                    self.watermarks.watermark = self.watermarks.end
                self.run_stages(frame, self.decidable(), beat)
            else:
                watching = Observation("tailrace")
                self.run_stages(frame.observe(watching, *self.measures(beat)), self.decidable(now), beat, True)
                seen = wait_for_observation(watching) or self.measure_first(frame, beat)
                late = self.watermarks.record_batch(seen, now)
            self.shedding.count(seen, self.shape)
            if late:
                self.late.keep(frame.where(f"{self.is_late(beat)} AND {self.shape.readable}"), self.batch_id)
            if self.watermarks.unreadable > unreadable:
                self.unreadable.keep(frame.where(self.shape.unreadable), self.batch_id)
            self.watch(self.progress(now))
        finally:
            kept.unpersist()

    def progress(self, now: int | None) -> Progress:
        """The watermark, the rows so far and the progress of each source."""
        # Another thread may call this while sources are reopened, so each object is read from `self` once.
        beat, aside = self.watermarks, self.late
        late = {aside.shape.sources[number].name: rows for number, rows in list(aside.counts.items())}
        shed = dict(self.shedding.counts)
        names = {number: beat.source(number).name for number in beat.moving}
        sources = tuple(beat.source_progress(n, late.get(name, 0), shed.get(name, 0), now) for n, name in names.items())
        return Progress(beat.rows, beat.format_watermark(), beat.find_lagging_source(now), sources)

    def is_late(self, beat: int) -> str:
        # Spark recompiles a statement if a literal in it differs, but not if the literal is in an array. The array's
        # index is always 0, written so that Spark cannot fold it.
        return f"{self.watermarks.clock.text()} <= array({beat}L)[CAST(pmod({MOMENT}, 1L) AS INT)]"

    def measures(self, beat: int) -> list[Column]:
        """The aggregates that measure a batch, whose rows up to the watermark `beat` are late."""
        taking_part = f"{self.shape.readable} AND NOT {self.is_late(beat)}"
        asked = self.shedding.batch_measures(self.shape, list(self.moving), self.watermarks.clock.text(), taking_part)
        return [*self.watermarks.measures, *(F.expr(text).alias(name) for name, text in asked.items())]

    def measure_first(self, frame: DataFrame, beat: int) -> dict[str, Any]:
        """Measure a batch by a job of its own."""
        self.describe("a look at what came")
        seen: dict[str, Any] = frame.agg(*self.measures(beat)).collect()[0].asDict()
        self.watermarks.warn_of_units(seen, self.settings)
        return seen

    def must_measure_first(self, now: int | None) -> bool:
        """Whether to measure a batch before it runs, by a job; else it decides only as far as earlier batches allow."""
        if self.watermarks.last_rows >= LARGE:
            return True
        # A continuous run must not leave results to the next batch, which may be long in coming. Another run measures
        # first if stages are shared: their rows are cut off from the plan below, where Spark then observes nothing.
        return self.plan.has_shared_stages if now is None else not self.watermarks.is_clock

    def decidable(self, now: int | None = None) -> int:
        """The instant up to which the watermark lets this batch decide, at most the end of the run."""
        beat = max(self.watermarks.watermark, self.decided_until)
        if self.watermarks.is_clock and now is not None:
            # All rows of a batch are stamped before it is taken, and those of the next batch later.
            beat = max(beat, self.watermarks.watermark_at(now))
        return min(beat, self.end()) if self.until is not None else beat

    def run_stages(self, frame: DataFrame | None, to: int, beat: int, observing: bool = False) -> None:
        """Run the stages over a batch's rows and deliver results up to the instant `to`; rows up to `beat` are late."""
        planned_once = not observing  # an Observation below a plan that is cut off gets nothing
        session = frame.sparkSession if frame is not None else self.spark
        fault("taken")
        batch = StageInputs(self, session, self.source_tables(session, frame, beat), to)
        kept = []
        try:
            for number, stage in enumerate(self.plan.stages):
                rows = batch.run(number, stage)
                if self.plan.readers(number) > 1:
                    rows = cut_off(rows) if planned_once else rows.persist()
                    kept.append(rows)
                rows.createOrReplaceTempView(f"tailrace_stage_{number}")
            with name_failing_operator(batch):
                self.deliver_results(batch)
        finally:
            for rows in kept:
                free(rows) if planned_once else rows.unpersist()
        reports = self.reports.drain()
        self.statistics = together(self.statistics, [each.statistics for each in reports], REMEMBERED)
        self.metrics = task_reports.metrics_of(reports)
        self.better_strategies = (
            self.plan.better_strategies(task_reports.rows_in(self.plan, self.metrics), to - self.decided_until)
            if self.plan.expiry_workloads
            else {}
        )
        self.state_manifests = batch.manifests(reports)
        self.report_skew(reports)
        self.batch += 1
        self.decided_until = to
        self.new_states = frozenset()

    def report_skew(self, reports: Sequence[TaskReport]) -> None:
        """Warn once per stage if one shard has most of its rows: more cores would not make it faster."""
        names = {query.name: query.names for query in self.queries}
        for number, loads in task_reports.loads_of(reports).items():
            text = "" if number in self.reported_skew else skew_text(self.plan, number, loads, names)
            if text:
                self.reported_skew.add(number)
                LOG.warning(text)

    def describe(self, what: str) -> None:
        """Describe the jobs to come on Spark's own pages."""
        self.spark.sparkContext.setJobDescription(f"Tailrace, batch {self.batch}: {what}")

    def deliver_results(self, batch: StageInputs) -> None:
        """Deliver the rows of each query; those of a family's members together."""
        named = {query.name: query for query in self.queries}
        together: set[str] = set()
        for family, members in self.plan.families.items():
            queries = {number: named[name] for number, name in members.items()}
            together.update(members.values())
            self.describe(self.plan.display_name(family))
            self.deliver.many(queries, batch.answers_together(family, next(iter(queries.values()))), self.batch_id)
        for query in self.queries:
            answers = None if query.name in together else batch.answers(query)
            if answers is not None:
                self.describe(query.name)
                self.deliver.one(query, answers, self.batch_id)

    def source_tables(self, session: SparkSession, frame: DataFrame | None, beat: int) -> dict[int, str]:
        """For each source, a subquery of this batch's readable rows that are not late; moving sources share one."""
        found = {}
        sound = "".join(f" AND {text}" for text in self.shape.sound)
        if frame is not None:
            frame.createOrReplaceTempView("tailrace_rows")
            which = " AND ".join([f"NOT {self.is_late(beat)}", *self.shape.of_elements, *self.shape.sound])
            table = self.shape.table_with_instants(
                "tailrace_rows", self.watermarks.clock.text(), which, self.plan.needs_arrival_order
            )
            if self.shedding.is_active:
                table = f"(SELECT * FROM {table} WHERE {self.shedding.sampling_filter(self.shape, list(self.moving))})"
            found = dict.fromkeys(self.moving, table)
        now = f"{self.decided_until + 1}L"
        for number in self.static:
            if any(
                feed.read_in_batch == self.batch
                for feed in self.plan.feeds
                if feed.origin == self.shape.sources[number]
            ):
                rows = open_source(session, self.shape, number, self.frames, True)
                rows.createOrReplaceTempView(f"tailrace_source_{number}")
                if (self.shape.sources[number].format or "").lower() in CHECKED:
                    self.unreadable.keep(rows.where(f"{UNREADABLE} IS NOT NULL"), self.batch_id)
                found[number] = self.shape.table_with_instants(
                    f"tailrace_source_{number}", now, f"true{sound}", self.plan.needs_arrival_order
                )
        return found


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
