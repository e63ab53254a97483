"""Run batch: runs one batch through the stages of a plan: from its rows and the state before it to its result."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import Any
from uuid import uuid4

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from tailrace.catalog.formats import CHECKED
from tailrace.errors import QueryError, RunError
from tailrace.fault_injection import fault
from tailrace.logical.queries import QueryDefinition
from tailrace.spark.batch import task_reports
from tailrace.spark.batch.batch_job import BatchJob
from tailrace.spark.batch.blame import is_of_operator, name_failing_operator, why_not_scannable
from tailrace.spark.batch.prepare_results import Output
from tailrace.spark.batch.run_state import BatchInput, BatchResult, QueryFailure, RunningPlan, RunState
from tailrace.spark.batch.services import Services
from tailrace.spark.batch.skew import skew_text
from tailrace.spark.batch.stage_inputs import StageInputs
from tailrace.spark.batch.stage_rows import free
from tailrace.spark.batch.stage_task import StepFailure
from tailrace.spark.io.delivery import Blame, ResultRows, deliver_rows
from tailrace.spark.io.input_faults import BatchFiles, FileChoice, InputFaultError, read_choice
from tailrace.spark.io.rejected_rows import RejectedByFile, add_rejected
from tailrace.spark.io.scan_files import FileParts, cut_files
from tailrace.spark.io.sink_files import OutputFiles, prepare_files
from tailrace.spark.io.sinks import BatchId
from tailrace.spark.io.sources import open_source, raise_moments
from tailrace.spark.session.errors import error_line, show_trace
from tailrace.spark.source_layout import UNREADABLE
from tailrace.spark.time.decision import DecisionRule, combine_measures, with_end_known
from tailrace.spark.time.event_clock import EventClock
from tailrace.spark.time.watermark import WatermarkState
from tailrace.staging.stages import StageOutput

LOG = logging.getLogger("tailrace")

# If the last batch had at most so many rows, or the files of a batch so many bytes, one task does the whole of it.
SMALL, SMALL_BYTES = 50_000, 2 << 20


class RejectedRowsError(RunError):
    """Rejected rows could not be kept. The results of their batch are delivered: it does not run again at once."""


@dataclass(frozen=True)
class BatchRun:
    """One batch while it runs: its input, the state before it, and the plan and services that it runs with."""

    batch: BatchInput
    state: RunState
    plan: RunningPlan
    services: Services
    check_files: Callable[[Exception], None] = lambda problem: None  # an InputFaultError if a batch failed for files

    def take_rows(self) -> BatchResult:
        """Run the rows through the stages; again if a file turns out to need Spark's reader, or cannot be read.

        Nothing has been delivered by then of what tasks read: results are delivered once all files are read. What Spark
        read may have been delivered in part, so the second time counts as a repetition.
        """
        sources, services = self.services.sources, self.services
        scanned, run = self.scanned_sources(), self
        no_files = BatchFiles({}, {}, self.state.left_out)
        files = no_files if self.batch.rows is None else sources.binding.batch_files(services.spark, no_files.left_out)
        choice = files.choose(read_choice(self.batch.choices, self.batch.id))
        while True:
            files.write_down(choice, self.batch.choices, self.batch.id)
            try:
                result = replace(run, check_files=partial(files.check, choice)).try_rows(scanned, files, choice)
                files.warn_of_faults(choice)
                return replace(result, left_out=files.add_up_left_out(choice))
            except InputFaultError as problem:
                choice = problem.choice
            except RejectedRowsError:
                raise
            except Exception as problem:
                if StepFailure.find_in(str(problem.__cause__ or problem)):
                    raise
                reason = why_not_scannable(problem)
                if reason is None or not scanned:
                    choice = files.choose_again(choice, problem)
                else:
                    scanned = frozenset()
                    sources.binding.heed_unreached(reason)
                    LOG.info("batch %d is read again by Spark's readers: %s", self.state.next_batch, reason)
            services.reports.drain()
            run = replace(run, batch=run.batch.as_repetition())

    def try_rows(self, scanned: frozenset[int], came: BatchFiles, choice: FileChoice) -> BatchResult:
        """Run the rows through the stages; complete DataFrames are part of the first batch, or are it alone.

        Tasks read the files of the sources in `scanned`, Spark those of all others.
        """
        sources, batch = self.services.sources, self.batch
        before, whole = self.state.watermark, sources.unread(self.state)
        rows, clock, floors = whole, before.clock, self.arrival_floors(came)
        named: dict[int, list[str]] = {}
        if batch.rows is not None:
            layout = sources.layout
            bound, in_ticks, named = sources.binding.bind(batch.rows, layout, clock.in_ticks, scanned, came, choice)
            clock = clock if in_ticks is None else clock.with_ticks_known(in_ticks)
            bound = raise_moments(bound, floors)
            # Structured Streaming has no rows of sources whose files tasks read.
            streaming = [number for number in sources.moving if number not in sources.complete]
            rows = whole if scanned.issuperset(streaming) and not layout.ticking else [bound, *whole]
        before = replace(before, clock=clock, read=before.read | sources.tracker.finished)
        frame = reduce(DataFrame.union, rows) if rows else None
        files = self.scan_files(named, clock, floors, came.taken_at)
        looks_first = clock.origin is None or self.state.shedding.is_active
        # Rows that are read twice are cached if parsing them (csv, json) or computing them (DataFrames) is expensive.
        read_twice = looks_first or bool(self.read_by_statement())
        if frame is not None and (sources.layout.has_checked_formats or whole) and read_twice:
            frame = frame.persist()
        try:
            seen = self.measure_first(frame, files, before) if looks_first else {}
            before = replace(before, clock=clock.with_origin(min(sources.tracker.first_moments(seen), default=None)))
            result, measures = self.run_stages(frame, files, self.decision_rule(before), before)
            measures |= {name: value for name, value in seen.items() if name.startswith("shed")}
            sources.tracker.warn_of_units(before, measures, self.services.setup.settings)
            read = sources.binding.reader_of(named, batch.rows, sources.layout, floors)
            try:
                sources.remove_rejected(self.services.spark, batch.id)
                return sources.keep_rejected(frame, read, choice, result, before, measures, batch.id)
            except (PySparkException, Py4JError) as problem:
                raise RejectedRowsError(f"rejected rows could not be kept: {error_line(str(problem))}") from problem
        finally:
            if frame is not None:
                frame.unpersist()

    def scanned_sources(self) -> frozenset[int]:
        """The sources whose files tasks read: statements need rows of Spark's readers."""
        return self.services.sources.binding.scannable - self.read_by_statement()

    def read_by_statement(self) -> frozenset[int]:
        """The moving sources that statements read; tasks prepare the rows of all others."""
        inputs = StageInputs(self.state, self.plan, self.services, self.services.spark, {})
        feeds = (feed for feed in self.plan.staged.feeds if not isinstance(feed.origin, StageOutput))
        numbers = {inputs.layout.sources.index(feed.origin) for feed in feeds if inputs.is_by_statement(feed)}
        return frozenset(numbers & set(inputs.moving))

    def scan_files(
        self, named: Mapping[int, Sequence[str]], clock: EventClock, floors: Mapping[int, int], now: int
    ) -> FileParts:
        """The files that tasks read, cut and shared out among them."""
        sources, spark = self.services.sources, self.services.spark
        if not named:
            return FileParts({}, ())
        binding, readers = sources.binding, self.plan.staged.feeds
        scans = binding.scans(named, sources.layout.columns, bool(clock.in_ticks), now, readers, floors)
        tasks = spark.sparkContext.defaultParallelism
        splits = [
            (number, split)
            for number, paths in named.items()
            for split in cut_files(scans[number].spec.format, paths, tasks * 2)
        ]
        return FileParts(scans, splits)

    def arrival_floors(self, came: BatchFiles) -> dict[int, int]:
        """The least moments of rows that arrive, by source, if the clock of the batch is before them: it went back."""
        sources = self.services.sources
        floors = sources.tracker.arrival_floors(self.state.watermark, self.state.decided_until)
        now = came.taken_at
        if floors and not now and self.batch.rows is not None:
            now = sources.binding.batch_time(self.services.spark)
        return {number: floor for number, floor in floors.items() if floor > now}

    def decision_rule(self, before: WatermarkState) -> DecisionRule:
        setup = self.services.setup
        return DecisionRule(
            self.services.sources.tracker,
            before,
            self.batch.arrived_at,
            self.state.decided_until,
            setup.until,
            setup.decides_all,
        )

    # Measures and time --------------------------------------------------------------------------------

    def measures(self, before: WatermarkState) -> list[Column]:
        """The aggregates that measure a batch, given the watermark before it."""
        sources = self.services.sources
        layout, tracker = sources.layout, sources.tracker
        taking_part = f"{layout.readable} AND NOT {before.clock.late_text(before.watermark)}"
        asked = self.state.shedding.batch_measures(layout, tracker.moving, before.clock.text(), taking_part)
        return [F.expr(text).alias(name) for name, text in {**tracker.batch_measures(), **asked}.items()]

    def measure_first(self, frame: DataFrame | None, files: FileParts, before: WatermarkState) -> dict[str, Any]:
        """Measure a batch by a job of its own: to find the origin of time, or how many rows are shed."""
        self.services.describe(self.state, "a look at what came")
        parts: list[Mapping[str, Any]] = (
            [] if frame is None else [frame.agg(*self.measures(before)).collect()[0].asDict()]
        )
        if files.splits:
            inputs = StageInputs(self.state, self.plan, self.services, self.services.spark, {})
            job = BatchJob(inputs, (), None, files, before.watermark, before.watermark, False)
            job.measure_files()
            parts += task_reports.measures_of(self.services.reports.drain()).values()
        return combine_measures(parts)

    # Stages -------------------------------------------------------------------------------------------

    def run_stages(
        self, frame: DataFrame | None, files: FileParts, rule: DecisionRule | int, before: WatermarkState
    ) -> tuple[BatchResult, dict[str, Any]]:
        """Run the stages over a batch's rows and deliver the results; also returns what was measured of the rows."""
        session = frame.sparkSession if frame is not None else self.services.spark
        plan, state = self.plan.staged, replace(self.state, watermark=before)
        fault("taken")
        tables, unreadable = self.source_tables(session, frame, before.watermark, before.clock)
        inputs = StageInputs(state, self.plan, self.services, session, tables)
        has_few_rows = self.batch.arrived_at is not None and 0 <= before.last_rows <= SMALL
        is_small = (has_few_rows or (frame is None and bool(files.splits))) and files.size <= SMALL_BYTES
        outputs, late_until = self.outputs(), before.watermark
        written = self.output_files(inputs, outputs)
        measured = self.batch.measures_operators
        job = BatchJob(inputs, outputs, frame, files, rule, late_until, is_small, measured, written)
        try:
            for number, each in written.items():
                prepare_files(outputs[number].queries, each)
            failed = self.deliver_results(job)
        finally:
            for each in written.values():
                each.discard()
            for rows in job.kept:
                free(rows)
        reports = self.services.reports.drain()
        measures = combine_measures(task_reports.measures_of(reports).values())
        after = before if isinstance(rule, int) else rule.after(measures)
        to = rule if isinstance(rule, int) else rule.decidable(after)
        metrics = task_reports.metrics_of(reports)
        came, instants = task_reports.rows_in(plan, metrics), to - state.decided_until
        result = BatchResult(
            to,
            after,
            state.shedding,
            inputs.manifests(reports),
            metrics,
            [each.statistics for each in reports],
            plan.better_strategies(came, instants) if plan.expiry_workloads else {},
            self.report_skew(task_reports.loads_of(reports)),
            unreadable=unreadable,
            failed=failed,
            left_out=state.left_out,
        )
        return result, measures

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

    def outputs(self) -> list[Output]:
        """What is delivered: the rows of each query, and those of a family's members together."""
        plan, named = self.plan.staged, {query.name: query for query in self.plan.queries}
        found = []
        for family, members in plan.families.items():
            queries: dict[int | None, QueryDefinition] = {key: named.pop(name) for key, name in members.items()}
            found.append(Output(family, plan.outputs[family], queries))
        return found + [Output(name, plan.outputs[name], {None: query}) for name, query in named.items()]

    def output_files(self, inputs: StageInputs, outputs: Sequence[Output]) -> dict[int, OutputFiles]:
        """The files that tasks write in this batch, by the number of the output; the others are left to Spark."""
        batch = self.batch.id or BatchId(0, uuid4().hex[:8], False)
        found = {}
        for number, output in enumerate(outputs):
            if not inputs.is_by_statement(output.feed):
                schema = output.schema(inputs.state.watermark.clock)
                files = self.services.task_sinks.files_of(output.name, output.queries, schema, batch)
                if files is not None:
                    found[number] = files
        return found

    def deliver_results(self, job: BatchJob) -> dict[str, QueryFailure]:
        """Deliver the rows of each output; returns the queries whose rows could not be delivered.

        If the job of the batch fails, nothing was delivered yet.
        """
        self.services.describe(self.state, ", ".join(self.plan.staged.display_name(each.name) for each in job.outputs))
        names = [each.name for each in job.outputs]
        with name_failing_operator(job.inputs, names, self.check_files):
            results = list(job.results())
        self.batch.may_deliver()
        failed: dict[str, QueryFailure] = {}
        for output, rows in results:
            blame = partial(name_failing_operator, job.inputs, names, self.check_files, output.name)
            for number, error in self.deliver_output(output, rows, blame).items():
                show_trace(error.__cause__)
                query = output.queries[number]
                failed[query.name] = self.failure(query, error)
        return failed

    def deliver_output(self, output: Output, rows: ResultRows, blame: Blame) -> Mapping[int | None, QueryError]:
        """Deliver the rows of an output, once more if that may help; returns the members for which it fails, and why.

        Rows for the driver may have been taken, and files of tasks moved. What an operator does, it does again.
        """
        errors = deliver_rows(self.services.deliver, output.queries, rows, self.batch.id, blame)
        if errors:
            self.check_files(next(iter(errors.values())))
        if errors and not self.services.setup.is_continuous:
            raise next(iter(errors.values()))  # a run that ends fails as a whole
        moved = rows.files.members if rows.files else frozenset()
        again = [n for n, each in errors.items() if not (output.is_collected or n in moved or is_of_operator(each))]
        if not again:
            return errors
        LOG.warning("rows are delivered again: %s", errors[again[0]].message)
        queries, batch = {number: output.queries[number] for number in again}, self.batch.as_repetition().id
        others = {number: error for number, error in errors.items() if number not in queries}
        return others | deliver_rows(self.services.deliver, queries, rows.of_members(again), batch, blame)

    def failure(self, query: QueryDefinition, problem: QueryError) -> QueryFailure:
        """The failure of a query in this batch."""
        query_id = self.plan.query_set.profiles[query.name].query_id
        return QueryFailure(query_id, problem.message, self.state.next_batch, problem.failing_row)

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
            which = " AND ".join([f"NOT {clock.late_text(beat)}", *layout.of_elements, *layout.sound])
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
    clock = with_end_known(state.watermark.clock, services.setup.until)
    result, _ = run.run_stages(None, FileParts({}, ()), to, replace(state.watermark, clock=clock))
    return replace(result, seconds=time.monotonic() - begun)


def find_end(state: RunState, services: Services) -> int:
    """The last instant of the run: that of `--until`, else the newest of all inputs."""
    last = services.setup.last_instant(state.watermark.clock)
    return services.sources.tracker.end(state.watermark) if last is None else last
