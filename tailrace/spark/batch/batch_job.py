"""Batch job: builds the one Spark job of a batch: source tasks, a shuffle of messages, and a task for each shard.

Nothing runs here: Spark runs the job when its results are collected or written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial, reduce

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import from_arrow_schema

from tailrace.exchange.payloads import FILES, PORT, RESULTS, SHARD, STAGE, Payload, Target, read_payloads
from tailrace.exchange.prepare_input import Preparation, WholeOutput
from tailrace.logical.plan import Kind
from tailrace.scan.splits import FileSplit
from tailrace.spark.batch.message_tasks import LoneTask, MarkShardsTask, ShardTask, SmallBatchTask, UnpackTask
from tailrace.spark.batch.prepare_results import Output, ResultPreparation
from tailrace.spark.batch.skew import key_columns
from tailrace.spark.batch.source_task import FilesTask, RowsTask, SourceTask
from tailrace.spark.batch.stage_inputs import MESSAGES, StageInputs, stage_view, uses_prefilter
from tailrace.spark.batch.stage_rows import cut_off
from tailrace.spark.batch.stage_task import Reader, StageTask, stage_folder
from tailrace.spark.io.delivery import ResultRows
from tailrace.spark.io.scan_files import FileParts, share_out
from tailrace.spark.io.sink_files import OutputFiles
from tailrace.spark.time.decision import DecisionRule
from tailrace.staging.explain import operators
from tailrace.staging.stages import Stage, StageInput, StageOutput, is_signed
from tailrace.staging.wire import START, UNTIL, WEIGHT
from tailrace.write.result_files import FileSink, StagedFile, files_from_json

# Ports of RESULTS from here on are rows of a stage's output as they are, which statements of Spark SQL read.
AS_IT_IS = 1 << 20


@dataclass(frozen=True)
class BatchJob:
    """The job of one batch. `frame` has rows that Spark reads of moving sources; None if it reads none.

    `rule` says how far the batch decides. `is_small`: one task does everything. `written` has the files that tasks
    write for outputs, by the number of the output.
    """

    inputs: StageInputs
    outputs: Sequence[Output]
    frame: DataFrame | None
    files: FileParts
    rule: DecisionRule | int
    late_until: int
    is_small: bool
    measures_operators: bool = False
    written: Mapping[int, OutputFiles] = field(default_factory=dict)
    kept: list[DataFrame] = field(default_factory=list)  # frames whose rows are cached until the batch is over

    @property
    def stages(self) -> Sequence[Stage]:
        return self.inputs.plan.staged.stages

    @property
    def shards(self) -> int:
        return self.inputs.services.shards

    @cached_property
    def sinks(self) -> dict[int, tuple[FileSink, ...]]:
        """The sinks that tasks write, by the number of the output."""
        return {number: files.sinks for number, files in self.written.items()}

    @cached_property
    def reads_stages(self) -> bool:
        """Whether statements read the rows of stages."""
        inputs = self.inputs
        return any(
            isinstance(feed.origin, StageOutput) and inputs.is_by_statement(feed) for feed in inputs.plan.staged.feeds
        )

    @cached_property
    def statement_parts(self) -> list[DataFrame]:
        """The messages that statements make for the stages of a small batch."""
        made = (self.inputs.statement_rows(number, stage) for number, stage in enumerate(self.stages))
        return [each for each in made if each is not None]

    @cached_property
    def lone_task(self) -> LoneTask | None:
        """The task that runs a small batch without a statement; None if Spark reads or writes some of its rows."""
        if not self.is_small or self.frame is not None or not self.files.splits or self.reads_stages:
            return None
        if self.statement_parts or self.needs_messages:
            return None
        return LoneTask(self.small_batch_task(self.files_task([self.files.splits])))

    @cached_property
    def messages(self) -> DataFrame | None:
        """The messages that leave the last stage: the results of all outputs; None if nothing can make any."""
        if self.is_small and not self.reads_stages:
            return self.in_one_task()
        parts = self.source_messages()
        for number, stage in enumerate(self.stages):
            made = self.inputs.statement_rows(number, stage)
            if made is not None:
                parts = [*(parts or [self.shard_markers()]), made]
            parts = [self.run_stage(number, stage, parts)]
        return union(parts) if parts else None

    @cached_property
    def by_task(self) -> tuple[int, ...]:
        """The numbers of the outputs that tasks prepare; statements make the others."""
        return tuple(n for n, output in enumerate(self.outputs) if not self.inputs.is_by_statement(output.feed))

    @property
    def needs_messages(self) -> bool:
        """Whether Spark writes the rows of some output that tasks prepare."""
        return any(self.outputs[number].needs_messages(self.written.get(number)) for number in self.by_task)

    def results(self) -> Iterator[tuple[Output, ResultRows]]:
        """The rows of each output. One job runs the whole batch and brings what the driver must have."""
        clock = self.inputs.state.watermark.clock
        messages = None if self.lone_task else self.messages
        if messages is not None and self.needs_messages:
            messages = cut_off(messages)
            self.kept.append(messages)
        found: dict[int, list[pa.Table]] = {}
        files: dict[int, list[StagedFile]] = {}
        for payload in self.collect(messages):
            if payload.target.stage == FILES:
                files.setdefault(payload.target.port, []).extend(files_from_json(bytes(payload.content)))
            else:
                found.setdefault(payload.target.port, []).append(payload.open())
        for number, output in enumerate(self.outputs):
            schema = output.schema(clock)
            if number in self.by_task:
                tables = found.get(number, [])
                table = pa.concat_tables(tables).cast(schema) if tables else schema.empty_table()
                if messages is not None or self.lone_task:
                    rows = partial(self.unpack, number, schema, messages)
                    yield output, ResultRows(table, rows, self.written.get(number), files.get(number, ()))
            else:
                frame = self.inputs.answers(output.name, output.query, output.is_family)
                if frame is not None:
                    yield output, ResultRows(None, partial(as_it_is, frame))

    def collect(self, messages: DataFrame | None) -> Iterator[Payload]:
        """Run the job; returns the messages that the driver must have: names of files, and rows without INTO."""
        wanted = [number for number in self.by_task if self.outputs[number].is_collected]
        if self.lone_task:
            for payload in self.lone_task.collect(self.inputs.services.one_row):
                if payload.target.stage == FILES or payload.target in [(RESULTS, number) for number in wanted]:
                    yield payload
        elif messages is not None:
            which = f"{STAGE} = {FILES} OR {STAGE} = {RESULTS} AND {PORT} IN ({', '.join(map(str, wanted)) or -1})"
            yield from read_payloads(messages.where(which).toArrow().to_batches())

    def small_batch_task(self, rows: RowsTask | FilesTask | None = None) -> SmallBatchTask:
        """The task that runs all stages of a small batch."""
        tasks = [self.stage_task(number, stage) for number, stage in enumerate(self.stages)]
        label = "; ".join(self.label(number) for number in range(len(self.stages))) or "sources"
        return SmallBatchTask(label, tasks, self.shards, rows, self.sinks)

    def in_one_task(self) -> DataFrame:
        parts, range_of_one = list(self.statement_parts), self.inputs.session.range(0, 1, 1, 1)
        if self.frame is not None and not parts and not self.files.splits:
            return self.frame.coalesce(1).mapInArrow(self.small_batch_task(self.rows_task()), MESSAGES)
        if self.frame is None and not parts and self.files.splits:
            return range_of_one.mapInArrow(self.small_batch_task(self.files_task([self.files.splits])), MESSAGES)
        parts += self.source_messages()
        if not parts:
            parts.append(range_of_one.mapInArrow(no_rows, MESSAGES))
        return union(parts).coalesce(1).mapInArrow(self.small_batch_task(), MESSAGES)

    def source_messages(self) -> list[DataFrame]:
        """The messages of the tasks that read sources: over Spark's rows, and over files.

        A source task over Spark's rows is known by the number of its partition. In a small batch one task takes all
        partitions, all of which would have its number, so they become one before.
        """
        found = []
        if self.frame is not None:
            frame = self.frame.coalesce(1) if self.is_small else self.frame
            found.append(frame.mapInArrow(self.rows_task(), MESSAGES))
        return found + ([self.file_messages()] if self.files.splits else [])

    def shard_markers(self) -> DataFrame:
        return self.inputs.session.range(0, self.shards, 1, 1).mapInArrow(MarkShardsTask(), MESSAGES)

    def file_messages(self) -> DataFrame:
        shares = self.shares()
        return self.inputs.session.range(0, len(shares), 1, len(shares)).mapInArrow(self.files_task(shares), MESSAGES)

    def shares(self) -> list[list[tuple[int, FileSplit]]]:
        return share_out(self.files.splits, partition_count(self.inputs.session))

    def measure_files(self) -> None:
        """Run a job that only measures the files; its tasks report to the driver."""
        shares = self.shares()
        task = FilesTask(replace(self.source_task(), feeds={}, audience=0), self.files.scans, shares)
        rows = self.inputs.session.range(0, len(shares), 1, len(shares))
        rows.mapInArrow(task, MESSAGES).write.format("noop").mode("overwrite").save()

    def files_task(self, shares: Sequence[Sequence[tuple[int, FileSplit]]]) -> FilesTask:
        return FilesTask(self.source_task(), self.files.scans, shares)

    def rows_task(self) -> RowsTask:
        layout, moving = self.inputs.layout, tuple(self.inputs.moving)
        slots = {number: layout.slots(number) for number in moving}
        return RowsTask(self.source_task(), slots, {number: len(layout.sources[number].schema) for number in moving})

    def source_task(self) -> SourceTask:
        """The task that measures the rows of moving sources, and prepares them for what reads them."""
        inputs, sources = self.inputs, self.inputs.services.sources
        layout = sources.layout
        feeds: dict[int, list[Reader]] = {}
        for target, feed in self.targets():
            if not isinstance(feed.origin, StageOutput) and not inputs.is_by_statement(feed):
                number = layout.sources.index(feed.origin)
                feeds.setdefault(number, []).append((target, self.preparation(target, feed)))
        clock = inputs.state.watermark.clock
        audience = self.shards if self.stages else 0
        moving = tuple(sources.moving)
        report, counts = inputs.services.reports.add, sources.tracker.counts_files
        step_time = inputs.services.setup.step_time
        return SourceTask(feeds, clock, self.late_until, moving, audience, report, counts, self.sinks, step_time)

    def targets(self) -> Iterator[tuple[Target, StageInput]]:
        """All stage inputs and outputs, each with its target."""
        for number, stage in enumerate(self.stages):
            yield from ((Target(number, port), feed) for port, feed in enumerate(stage.inputs))
        yield from ((Target(RESULTS, number), output.feed) for number, output in enumerate(self.outputs))

    def preparation(self, target: Target, feed: StageInput) -> Preparation | ResultPreparation:
        state = self.inputs.state
        if target.stage != RESULTS:
            stage = self.stages[target.stage]
            shards = 1 if stage.is_single else self.shards
            elements = not (isinstance(feed.origin, StageOutput) or is_signed(feed.origin))
            drops = uses_prefilter(feed, self.inputs.last_rows)
            return Preparation(feed, shards, state.decided_until, elements, drops)
        output, clock = self.outputs[target.port], state.watermark.clock
        return ResultPreparation(
            feed,
            output.query.names,
            clock,
            state.decided_until,
            self.inputs.services.setup.last_instant(clock),
            self.shards,
            output.query.kind is Kind.RELATION,
            output.query.is_snapshot,
            output.is_family,
            output.is_dropped,
        )

    # Stages -------------------------------------------------------------------------------------------

    def label(self, number: int) -> str:
        return f"stage {number + 1}: {', '.join(operators(self.stages[number]))}"

    def run_stage(self, number: int, stage: Stage, parts: Sequence[DataFrame]) -> DataFrame:
        """The messages that leave a stage, given those that come to it."""
        task = ShardTask(self.label(number), self.stage_task(number, stage), bool(parts), self.sinks)
        if parts:
            rows = union(parts)
            rows = rows.repartition(1) if self.shards == 1 else rows.repartitionById(self.shards, F.col(SHARD))
        else:
            rows = self.inputs.session.range(0, self.shards, 1, self.shards)
        made = rows.mapInArrow(task, MESSAGES)
        read = {
            feed.origin.number
            for feed in self.inputs.plan.staged.feeds
            if isinstance(feed.origin, StageOutput)
            and feed.origin.stage == number
            and self.inputs.is_by_statement(feed)
        }
        if read:
            made = cut_off(made)
            self.kept.append(made)
            for output in read:
                rows = self.unpack(AS_IT_IS + output, output_schema(stage, output), made)
                rows.createOrReplaceTempView(stage_view(StageOutput(number, output)))
            made = made.where(f"{PORT} < {AS_IT_IS}")
        return made

    def unpack(self, port: int, schema: pa.Schema, messages: DataFrame | None) -> DataFrame:
        assert messages is not None, "a lone task has no rows for Spark"
        mine = messages.where(f"{STAGE} = {RESULTS} AND {PORT} = {port}")
        return mine.mapInArrow(UnpackTask(schema), from_arrow_schema(schema))

    def stage_task(self, number: int, stage: Stage) -> StageTask:
        inputs, state = self.inputs, self.inputs.state
        ordered = frozenset(port for port, feed in enumerate(stage.inputs) if feed.needs_arrival_order)
        return StageTask(
            number=number,
            plan=stage.plan,
            names=tuple(tuple(stage.names.get(step, ())) for step in range(len(stage.plan.steps))),
            new_states=inputs.plan.states_starting_in(state.next_batch),
            output_steps=tuple(stage.output_steps),
            readers=self.readers(number, stage),
            single=frozenset(stage.single),
            key_columns=key_columns(stage),
            folder=stage_folder(inputs.services.folder, number),
            shards=self.shards,
            manifests_before=state.manifests.get(number, {}),
            report=inputs.services.reports.add,
            batch=state.next_batch,
            attempt=inputs.attempt,
            clock=state.watermark.clock,
            decided_until=state.decided_until,
            rule=self.rule,
            follows_watermark=stage.follows_watermark and not stage.is_free,
            ordered=ordered,
            is_single=stage.is_single,
            is_free=stage.is_free,
            is_followed=number + 1 < len(self.stages),
            time_by_input=inputs.plan.staged.time_by_input,
            statistics=state.statistics if stage.has_flows else {},
            measures_steps=self.measures_operators or bool(inputs.plan.staged.expiry_workloads),
            measures_state=self.measures_operators,
            syncs=inputs.services.setup.is_durable,
            step_time=inputs.services.setup.step_time,
        )

    def readers(self, number: int, stage: Stage) -> dict[int, list[Reader]]:
        """What reads each output of a stage: later stages, sinks, and statements."""
        found: dict[int, list[Reader]] = {}
        for target, feed in self.targets():
            if isinstance(feed.origin, StageOutput) and feed.origin.stage == number:
                readers = found.setdefault(feed.origin.number, [])
                if not self.inputs.is_by_statement(feed):
                    readers.append((target, self.preparation(target, feed)))
                elif not any(known.port >= AS_IT_IS for known, _ in readers):
                    columns = stage.plan.columns(stage.output_steps[feed.origin.number])
                    whole = WholeOutput(StageInput(feed.origin, (), columns, ()), 1, -1, False)
                    readers.append((Target(RESULTS, AS_IT_IS + feed.origin.number), whole))
        return found


def union(parts: Sequence[DataFrame]) -> DataFrame:
    return reduce(lambda one, other: one.union(other), parts)


def partition_count(session: SparkSession) -> int:
    """How many tasks read files: two for each core, so that a slow one does not hold up the others."""
    return session.sparkContext.defaultParallelism * 2


def as_it_is(frame: DataFrame) -> DataFrame:
    return frame


def no_rows(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The messages of a batch without rows: none."""
    return iter(())


def output_schema(stage: Stage, output: int) -> pa.Schema:
    types = stage.plan.types(stage.output_steps[output])
    heads = [(name, pa.int64()) for name in (START, UNTIL, WEIGHT)]
    return pa.schema([*heads, *((f"w{place}", type) for place, type in enumerate(types))])
