"""Services: what a run works with while it goes on: the session, the open sources, the sinks and the tasks' reports.

These are handles. What a run knows is in its RunState.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from typing import Any

from pyspark import RDD
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from tailrace.catalog.sources import beside_script
from tailrace.progress import RunSummary
from tailrace.settings import Settings
from tailrace.spark.batch.run_state import BatchResult, RunningPlan, RunState
from tailrace.spark.batch.stage_task import NARROW_ROWS, WIDE_ROWS
from tailrace.spark.batch.task_reports import TaskReports
from tailrace.spark.io import sinks
from tailrace.spark.io.bind_files import FileBinding
from tailrace.spark.io.delivery import Deliver
from tailrace.spark.io.input_faults import FileChoice, add_fault_rows
from tailrace.spark.io.rejected_rows import RejectedRows, add_rejected
from tailrace.spark.io.sink_files import TaskSinks
from tailrace.spark.io.sinks import BatchId
from tailrace.spark.io.sources import TICKS, is_static, open_source, ticks
from tailrace.spark.session.session import small_batches
from tailrace.spark.source_layout import SourceLayout
from tailrace.spark.time.batch_size import BatchSize, TakeAll
from tailrace.spark.time.event_clock import EventClock
from tailrace.spark.time.watermark import WatermarkState, WatermarkTracker
from tailrace.staging.stages import StagedPlan

Take = Callable[[DataFrame, int], None]
DESCRIPTION = "spark.job.description"  # the local property that describes the jobs of a thread
NAMED_SOURCES = "spark.sql.streaming.queryEvolution.enableSourceEvolution"


@dataclass(frozen=True)
class RunSetup:
    """How a run is to be made."""

    settings: Settings
    home: str | None = None  # the script's folder
    until: str | None = None  # the last instant
    frames: Mapping[str, DataFrame] = field(default_factory=dict)  # the sources that are DataFrames
    is_continuous: bool = False  # queries may change, so all columns of the sources are read
    trigger_interval: str | None = None  # between two batches; a continuous run without one takes what is there
    lasting: bool = False  # waits for changes of queries if no source streams
    now: Callable[[], int | None] = lambda: None  # the clock in microseconds; None in a run that ends
    is_durable: bool = False  # what a batch wrote is synced before the batch counts
    reach: Callable[[int], None] = lambda moment: None  # has that clock go on from a moment, if it is not so far
    has_been_set_back: Callable[[], bool] = lambda: False  # whether the machine's clock was, since this was asked last

    @property
    def decides_all(self) -> bool:
        """Whether each batch decides up to its newest instant; older rows of a later run are then late."""
        return self.is_continuous and self.trigger_interval is None

    @property
    def first_batch_size(self) -> BatchSize | None:
        """The limits of the first batch; None if it takes all there is."""
        return None if self.trigger_interval is None else BatchSize.of(self.settings)

    @property
    def step_time(self) -> float:
        """How many seconds a step may take over the rows that it gets at once."""
        return self.settings.step_time / 1_000_000

    @property
    def shedding_rule(self) -> tuple[float, bool]:
        """How many seconds a batch should take, and whether rows may be shed; a run without a trigger sheds none."""
        target, sheds = self.settings.batch_time / 1_000_000, self.settings.shedding
        return (0.0, False) if self.trigger_interval is None else (target, sheds)

    def with_end_known(self, clock: EventClock) -> EventClock:
        """The clock with the moment of `--until` as its origin, if no row has shown one."""
        return clock if self.until is None else clock.with_origin(clock.parse(self.until))

    def last_instant(self, clock: EventClock) -> int | None:
        """The instant of `--until`; None without it."""
        return None if self.until is None else self.with_end_known(clock).instant(clock.parse(self.until))


@dataclass(frozen=True)
class OpenSources:
    """The sources of a plan, opened in one common layout."""

    layout: SourceLayout
    moving: Mapping[int, DataFrame]  # rows come in batches
    static: tuple[int, ...]  # rows are there from the start
    complete: tuple[int, ...]  # moving DataFrames that do not stream: all their rows come with one batch
    binding: FileBinding
    clock: EventClock  # as far as opening the sources showed it
    tracker: WatermarkTracker
    late: RejectedRows
    unreadable: RejectedRows

    @property
    def streams(self) -> bool:
        """Whether some source streams, so that Structured Streaming makes the batches."""
        return len(self.complete) < len(self.moving)

    def unread(self, state: RunState) -> list[DataFrame]:
        """The complete sources whose rows the next batch takes."""
        names = {number: self.layout.sources[number].name for number in self.complete}
        return [self.moving[number] for number, name in names.items() if name not in state.watermark.read]

    def start(self, state: RunState, now: int | None) -> RunState:
        """The state from which a stream over these sources starts."""
        names = {source.name for source in self.layout.sources}
        counts = ({name: of for name, of in each.items() if name in names} for each in (state.late, state.unreadable))
        late, unreadable = counts
        watermark = self.tracker.start(state.watermark, self.clock, now)
        return replace(state, watermark=watermark, late=late, unreadable=unreadable)

    def keep_rejected(
        self,
        frame: DataFrame | None,
        read: Callable[[DataFrame | None, bool | None], DataFrame],
        choice: FileChoice,
        result: BatchResult,
        before: WatermarkState,
        seen: dict[str, Any],
        batch: BatchId | None,
    ) -> BatchResult:
        """The result with the counts of rejected rows, which are written where the settings say so.

        Rows are rarely rejected. Files that tasks have read are then read again by Spark, to find these rows: `read`
        adds their rows to those of Spark. A file that was left out counts as a row that cannot be read.
        """
        late, unreadable = result.late, result.unreadable
        result = replace(result, watermark=result.watermark.with_unreadable(choice.count))
        shedding, has_late = result.shedding.count(seen, self.layout), self.tracker.has_late_rows(before, seen)
        if not has_late and result.watermark.unreadable == before.unreadable:
            return replace(result, shedding=shedding)
        frame, clock = read(frame, result.watermark.clock.in_ticks), result.watermark.clock
        if has_late:
            which = f"{clock.late_text(before.watermark)} AND {self.layout.readable}"
            late = self.late.keep(frame.where(which), batch)
        if result.watermark.unreadable > before.unreadable:
            frame = add_fault_rows(frame, choice, self.layout) if choice.count else frame
            new = self.unreadable.keep(frame.where(self.layout.unreadable), batch)
            unreadable = add_rejected(unreadable, new)
        return replace(result, late=late, unreadable=unreadable, shedding=shedding)

    def remove_rejected(self, spark: SparkSession, batch: BatchId | None) -> None:
        """Remove the rejected rows that an earlier attempt at a batch kept."""
        for each in (self.late, self.unreadable):
            each.remove_earlier(spark, self.moving, batch)

    def summarize(self, state: RunState) -> RunSummary:
        late, unreadable = self.late.summarize(state.late), self.unreadable.summarize(state.unreadable)
        return RunSummary(state.watermark.rows, late, unreadable, state.shedding.shed_counts())


@dataclass(frozen=True)
class Services:
    """The handles of a run: where it runs, what it reads, where its rows and its state go, and its number of shards."""

    spark: SparkSession
    setup: RunSetup
    sources: OpenSources
    deliver: Deliver
    reports: TaskReports
    folder: str
    shards: int

    @cached_property
    def task_sinks(self) -> TaskSinks:
        """Decides which sinks tasks write."""
        return TaskSinks(self.spark, self.setup.home)

    @cached_property
    def one_row(self) -> RDD[int]:
        """What a job of one task reads that needs nothing from Spark."""
        return self.spark.sparkContext.parallelize([0], 1)

    def first_state(self) -> RunState:
        """The state of a run before its first batch."""
        state = RunState(WatermarkState(self.sources.clock), self.shards, batch_size=self.setup.first_batch_size)
        return self.sources.start(state, self.setup.now())

    def describe(self, state: RunState, what: str) -> None:
        """Describe the jobs to come on Spark's own pages."""
        self.spark.sparkContext.setJobDescription(f"Tailrace, batch {state.next_batch}: {what}")


@contextmanager
def open_services(
    spark: SparkSession,
    plan: RunningPlan,
    setup: RunSetup,
    deliver: Deliver,
    folder: str,
    quarantined: Container[str] = (),
) -> Iterator[Services]:
    """Open sources and sinks and configure Spark for small batches inside the block; state goes to the folder.

    The sinks of `quarantined` queries are left alone: one of them may be why its query is.
    """
    narrow = all(stage.wire_in.is_narrow for stage in plan.staged.stages)
    described = spark.sparkContext.getLocalProperty(DESCRIPTION)
    with small_batches(spark, folder, NARROW_ROWS if narrow else WIDE_ROWS):
        try:
            sources = open_sources(spark, plan.staged, setup, setup.first_batch_size)
            for query in plan.queries:
                if query.name not in quarantined:
                    sinks.begin(spark, query, setup.home)
            # As many shards as the settings say, else the cores that the cluster has at the start.
            shards = setup.settings.shards or spark.sparkContext.defaultParallelism
            yield Services(spark, setup, sources, deliver, TaskReports.open(spark.sparkContext), folder, shards)
        finally:
            spark.conf.unset(NAMED_SOURCES)
            # The thread may be the user's: jobs that it starts later must not bear our description.
            spark.sparkContext.setLocalProperty(DESCRIPTION, described)  # type: ignore[arg-type]


def open_sources(spark: SparkSession, plan: StagedPlan, setup: RunSetup, batch_size: BatchSize | None) -> OpenSources:
    """Open the sources that a plan reads."""
    layout = SourceLayout.of(plan, setup.is_continuous, not setup.decides_all)
    spark.conf.set(NAMED_SOURCES, layout.named)
    static = tuple(number for number, source in enumerate(layout.sources) if is_static(source))
    moving = {number: source for number, source in enumerate(layout.sources) if number not in static}
    binding = FileBinding.open(spark, moving, setup.frames, setup.until, setup.settings.scan == "arrow")
    time, files = binding.in_ticks, binding.layouts
    limits = TakeAll() if setup.decides_all else batch_size  # a run that ends decides all that there is at once
    frames = {
        number: open_source(spark, layout, number, setup.frames, time, limits, files.get(number)) for number in moving
    }
    complete = tuple(number for number, frame in frames.items() if not frame.isStreaming)
    finished = frozenset(layout.sources[number].name for number in complete)
    settings, home = setup.settings, setup.home
    return OpenSources(
        layout,
        frames,
        static,
        complete,
        binding,
        EventClock.of(settings, time),
        WatermarkTracker(layout, tuple(moving), finished, batch_size is not None),
        RejectedRows("late", layout, beside_script(settings.late, home)),
        RejectedRows("unreadable", layout, beside_script(settings.unreadable, home)),
    )


def start_stream(
    services: Services,
    offsets: str,
    take: Take,
    wait: Callable[[StreamingQuery], object],
    ticks_name: str = TICKS,
    **trigger: Any,
) -> None:
    """Start Structured Streaming over all streaming sources: `take` gets each batch, `wait` waits for the end."""
    sources = services.sources
    frames = [frame for number, frame in sources.moving.items() if number not in sources.complete]
    if sources.layout.ticking:
        frames.append(ticks(services.spark, sources.layout, ticks_name))
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
