"""Stage inputs: the statements of Spark SQL for stage inputs and outputs that tasks cannot prepare by themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import uuid4

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from tailrace.exchange.payloads import SCHEMA
from tailrace.exchange.prepare_input import can_prepare
from tailrace.logical.queries import QueryDefinition
from tailrace.spark.batch.message_tasks import PackTask
from tailrace.spark.batch.run_state import RunningPlan, RunState
from tailrace.spark.batch.services import Services
from tailrace.spark.batch.stage_task import shard_folder, stage_folder
from tailrace.spark.batch.task_reports import Manifests, TaskReport, fill_missing_manifests, manifests_of
from tailrace.spark.io import sinks
from tailrace.spark.io.stage_sql import InputTarget, SqlTable, combined_input_sql, input_sql, since_text, value
from tailrace.spark.source_layout import SOURCE, SourceLayout, column_text
from tailrace.staging.stages import Stage, StageInput, StageOutput
from tailrace.staging.wire import START
from tailrace.state.state_files import StateFolder

MESSAGES = from_arrow_schema(SCHEMA)  # the rows that Spark moves between tasks
# A prefilter costs as much as the shuffle of this many rows, or of rows with this many columns.
FEW, NARROW = 100_000, 3


def uses_prefilter(feed: StageInput, rows: int) -> bool:
    """Whether to apply a stage input's prefilter, if the last batch had `rows` rows.

    A sample's prefilter drops almost all rows; that of a jumping window fewer, which pays for wide rows only.
    """
    if feed.prefilter is None or rows <= FEW:
        return False
    return feed.prefilter.by.range is None or len(feed.columns) > NARROW


def stage_view(origin: StageOutput) -> str:
    """The view with the rows of a stage's output, for statements that read it."""
    return f"tailrace_stage_{origin.stage}_{origin.number}"


@dataclass(frozen=True)
class StageInputs:
    """The inputs of one batch: for each source a subquery of its new rows."""

    state: RunState
    plan: RunningPlan
    services: Services
    session: SparkSession
    source_tables: Mapping[int, str]
    attempt: str = field(default_factory=lambda: uuid4().hex[:8])  # begins the names of all state files of this attempt

    @property
    def layout(self) -> SourceLayout:
        return self.services.sources.layout

    @property
    def moving(self) -> Mapping[int, DataFrame]:
        return self.services.sources.moving

    @property
    def last_rows(self) -> int:
        """The rows of this batch if they were counted before it runs, else of the last one."""
        return self.state.watermark.last_rows

    def origin(self, feed: StageInput, end: int | None = None) -> SqlTable | None:
        """The rows of an input or output's origin in this batch, up to the instant `end`; None if there are none.

        The origin is a source, or the output of an earlier stage, which is a view (`stage_view`).
        """
        if isinstance(feed.origin, StageOutput):
            stage = self.plan.staged.stages[feed.origin.stage]
            width = len(stage.plan.types(stage.output_steps[feed.origin.number]))
            table, slots = stage_view(feed.origin), {place: place for place in range(width)}
            which = []
        else:
            number = self.layout.sources.index(feed.origin)
            if number not in self.source_tables or not self.is_due(number, feed):
                return None
            table, slots = self.source_tables[number], self.layout.slots(number)
            which = [f"{SOURCE} = {number}"] if len(self.moving) > 1 and number in self.moving else []
        which += since_text(feed, self.state.decided_until)
        if end is not None:
            which.append(f"{START} <= {end}")
        if which:
            table = f"(SELECT * FROM {table} WHERE {' AND '.join(which)})"
        return SqlTable(table, column_text(slots))

    def is_due(self, number: int, feed: StageInput) -> bool:
        """Whether a stage input gets rows of its source in this batch: those of a static source come only once."""
        return number in self.moving or feed.read_in_batch == self.state.next_batch

    def is_by_statement(self, feed: StageInput) -> bool:
        """Whether Spark SQL prepares a stage input or output, and not the task that has its origin's rows.

        So it is for static sources, for expressions that are left to Catalyst, while rows are shed, and for everything
        if `scan` is set to spark.
        """
        if self.services.setup.settings.scan == "spark" or not can_prepare(feed):
            return True
        if isinstance(feed.origin, StageOutput):
            return False
        return self.state.shedding.is_active or self.layout.sources.index(feed.origin) not in self.moving

    def statement_rows(self, number: int, stage: Stage) -> DataFrame | None:
        """The messages for a stage that statements of Spark SQL make; None if there are none."""
        shards = 1 if stage.is_single else self.services.shards
        ordered = any(feed.needs_arrival_order for feed in stage.inputs)
        places = [
            InputTarget(stage.wire_in, port, shards, ordered, uses_prefilter(feed, self.last_rows))
            for port, feed in enumerate(stage.inputs)
        ]
        parts = [self.together(layer, places) for layer in self.layers(stage)]
        for port, feed in enumerate(stage.inputs):
            if self.is_by_statement(feed) and self.arrives(feed) is None:
                origin = self.origin(feed)
                if origin is not None:
                    parts.append(input_sql(origin, feed, places[port]))
        if not parts:
            return None
        rows = self.session.sql(" UNION ALL ".join(parts))
        return rows.mapInArrow(PackTask(number, stage.wire_in, ordered), MESSAGES)

    def arrives(self, feed: StageInput) -> int | None:
        """The moving source whose common table a stage input can be read from; None if it needs its own statement."""
        if isinstance(feed.origin, StageOutput) or feed.preaggregation or uses_prefilter(feed, self.last_rows):
            return None
        number = self.layout.sources.index(feed.origin)
        return number if number in self.moving and number in self.source_tables else None

    def layers(self, stage: Stage) -> list[dict[int, tuple[int, StageInput]]]:
        """Group stage inputs of moving sources into layers with one input per source: each layer is one statement."""
        found: list[dict[int, tuple[int, StageInput]]] = []
        for port, feed in enumerate(stage.inputs):
            number = self.arrives(feed) if self.is_by_statement(feed) else None
            if number is not None:
                layer = next((layer for layer in found if number not in layer), None)
                if layer is None:
                    layer = {}
                    found.append(layer)
                layer[number] = port, feed
        return found

    def together(self, layer: dict[int, tuple[int, StageInput]], places: list[InputTarget]) -> str:
        """The statement for the inputs of a layer, which reads the sources' common table once."""
        if len(layer) == 1:
            ((port, feed),) = layer.values()
            rows = self.origin(feed)
            assert rows is not None
            return input_sql(rows, feed, places[port])
        named = {number: column_text(self.layout.slots(number)) for number in layer}
        feeds = {number: (feed, places[port], named[number]) for number, (port, feed) in layer.items()}
        return combined_input_sql(self.source_tables[next(iter(layer))], SOURCE, feeds, self.state.decided_until)

    def manifests(self, reports: Sequence[TaskReport]) -> Manifests:
        """The manifests of the state that this batch leaves, by stage and shard."""
        stages = enumerate(self.plan.staged.stages)
        shards = {number: 1 if stage.is_single or stage.is_free else self.services.shards for number, stage in stages}
        return fill_missing_manifests(manifests_of(reports), shards, self.find_manifest)

    def find_manifest(self, stage: int, shard: int) -> str | None:
        folder = shard_folder(stage_folder(self.services.folder, stage), self.services.shards, shard)
        return StateFolder(folder).find_manifest(self.state.next_batch, self.attempt)

    def answers(self, name: str, query: QueryDefinition, is_family: bool) -> DataFrame | None:
        """The rows that an output delivers by a statement; None if it reads a source without rows in this batch.

        The rows of a family begin with the member's number; `query` is one of its members.
        """
        feed = self.plan.staged.outputs[name]
        rows = self.origin(feed, self.services.setup.last_instant(self.state.watermark.clock))
        if rows is None:
            return None
        if not is_family:
            return self.session.sql(sinks.answers(rows, feed, query, self.state.watermark.clock))
        member, *columns = feed.columns
        text = sinks.answers(rows, replace(feed, columns=tuple(columns)), query, self.state.watermark.clock)
        return self.session.sql(text.replace("SELECT ", f"SELECT {value(member, rows.named)} AS {sinks.MEMBER}, ", 1))
