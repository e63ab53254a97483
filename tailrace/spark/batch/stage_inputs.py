"""Stage inputs: builds the Spark plan of one batch: for each stage its inputs as SQL, a shuffle, and the stage's task.

Nothing runs here: Spark runs the stages when the rows of an output are delivered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import uuid4

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import from_arrow_schema

from tailrace.logical.queries import QueryDefinition
from tailrace.spark.batch.run_state import RunningPlan, RunState
from tailrace.spark.batch.services import Services
from tailrace.spark.batch.skew import key_columns
from tailrace.spark.batch.stage_task import UNSORTED_PORTION, StageTask, shard_folder, stage_folder
from tailrace.spark.batch.task_reports import Manifests, TaskReport, fill_missing_manifests, manifests_of
from tailrace.spark.io import sinks
from tailrace.spark.io.stage_sql import (
    InputTarget,
    SqlTable,
    combined_input_sql,
    input_sql,
    shard_markers,
    since_text,
    value,
)
from tailrace.spark.source_layout import ORDER, SOURCE, SourceLayout, column_text
from tailrace.staging.explain import operators
from tailrace.staging.stages import Stage, StageInput, StageOutput, is_of
from tailrace.staging.wire import PORT, SHARD, START, UNTIL, WEIGHT
from tailrace.state.state_files import StateFolder

# A prefilter costs as much as the shuffle of this many rows, or of rows with this many columns.
FEW, NARROW = 100_000, 3


def uses_prefilter(feed: StageInput, rows: int) -> bool:
    """Whether to apply a stage input's prefilter, if the last batch had `rows` rows.

    A sample's prefilter drops almost all rows; that of a jumping window fewer, which pays for wide rows only.
    """
    if feed.prefilter is None or rows <= FEW:
        return False
    return feed.prefilter.by.range is None or len(feed.columns) > NARROW


@dataclass(frozen=True)
class StageInputs:
    """The inputs of one batch: for each source a subquery of its new rows, and the instant up to which to decide."""

    state: RunState
    plan: RunningPlan
    services: Services
    session: SparkSession
    source_tables: Mapping[int, str]
    decide_until: int
    measures_operators: bool = False
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

        The origin is a source, or the output of an earlier stage, which is the view `tailrace_stage_n`.
        """
        if isinstance(feed.origin, StageOutput):
            wire = self.plan.staged.stages[feed.origin.stage].wire_out
            slots = dict(enumerate(wire.places[feed.origin.number]))
            table = f"tailrace_stage_{feed.origin.stage}"
            if wire.insert_only:
                table = f"(SELECT *, {START} + 1L AS {UNTIL}, 1L AS {WEIGHT} FROM {table})"
            which = [f"{PORT} = {feed.origin.number}"] if len(wire.places) > 1 else []
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

    def run(self, number: int, stage: Stage) -> DataFrame:
        """The rows of a stage's outputs, as a DataFrame that runs the stage's task over its shuffled inputs."""
        shards = 1 if stage.is_single else self.services.shards
        ordered = any(feed.needs_arrival_order for feed in stage.inputs)
        large = self.last_rows > UNSORTED_PORTION * shards
        outputs = self.plan.staged.outputs.values()
        delivers = [
            feed.origin.number for feed in outputs if isinstance(feed.origin, StageOutput) and is_of(feed, number)
        ]
        work = StageTask(
            label=f"stage {number + 1}: {', '.join(operators(stage))}",
            number=number,
            plan=stage.plan,
            names=tuple(tuple(stage.names.get(step, ())) for step in range(len(stage.plan.steps))),
            new_states=self.plan.states_starting_in(self.state.next_batch),
            output_steps=tuple(stage.output_steps),
            delivered_outputs=frozenset(delivers),
            single=frozenset(stage.single),
            wire_in=stage.wire_in,
            wire_out=stage.wire_out,
            key_columns=key_columns(stage),
            folder=stage_folder(self.services.folder, number),
            shards=self.services.shards,
            manifests_before=self.state.manifests.get(number, {}),
            report=self.services.reports.add,
            batch=self.state.next_batch,
            attempt=self.attempt,
            decided_until=self.state.decided_until,
            decide_until=self.decide_until,
            follows_watermark=stage.follows_watermark and not stage.is_free and (ordered or large),
            is_free=stage.is_free,
            time_by_input=self.plan.staged.time_by_input,
            statistics=self.state.statistics if stage.has_flows else {},
            measures_steps=self.measures_operators or bool(self.plan.staged.expiry_workloads),
            measures_state=self.measures_operators,
        )
        rows = self.shuffle_input(stage, shards, ordered, large)
        return rows.mapInArrow(work, from_arrow_schema(stage.wire_out.schema))

    def shuffle_input(self, stage: Stage, shards: int, ordered: bool, large: bool) -> DataFrame:
        """Rows of a stage's inputs and shard markers, shuffled unless the stage is free; sorted by time if need be."""
        prefiltered = [uses_prefilter(feed, self.last_rows) for feed in stage.inputs]
        places = [
            InputTarget(stage.wire_in, port, shards, ordered, prefiltered[port]) for port in range(len(stage.inputs))
        ]
        parts = [self.together(layer, places) for layer in self.layers(stage)]
        for port, feed in enumerate(stage.inputs):
            origin = None if self.arrives(feed) is not None else self.origin(feed)
            if origin is not None:
                parts.append(input_sql(origin, feed, places[port]))
        if stage.is_free:
            return self.session.sql(" UNION ALL ".join([shard_markers(replace(places[0], shards=1)), *parts])).drop(
                SHARD
            )
        rows = self.session.sql(" UNION ALL ".join([shard_markers(places[0]), *parts]))
        rows = rows.repartition(1) if shards == 1 else rows.repartitionById(shards, F.col(SHARD))
        if ordered or large:
            rows = rows.sortWithinPartitions(START, *(ORDER if ordered else ()))
        return rows.drop(SHARD, *(ORDER if ordered else ()))

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
            number = self.arrives(feed)
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

    def answers(self, query: QueryDefinition) -> DataFrame | None:
        """The rows that a query delivers in this batch; None if its output reads a source without rows in it."""
        feed = self.plan.staged.outputs[query.name]
        rows = self.origin(feed, self.services.setup.last_instant(self.state.watermark.clock))
        if rows is None:
            return None
        # Spark finds an Observation in a DataFrame's plan, but not below a SQL statement: hence the select.
        return self.session.sql(sinks.answers(rows, feed, query, self.state.watermark.clock)).select("*")

    def answers_together(self, family: str, query: QueryDefinition) -> DataFrame:
        """The rows that a family's members deliver: the member's number, then the columns of `query`, one of them."""
        feed = self.plan.staged.outputs[family]
        rows = self.origin(feed, self.services.setup.last_instant(self.state.watermark.clock))
        assert rows is not None
        member, *columns = feed.columns
        text = sinks.answers(rows, replace(feed, columns=tuple(columns)), query, self.state.watermark.clock)
        return self.session.sql(text.replace("SELECT ", f"SELECT {value(member, rows.named)} AS {sinks.MEMBER}, ", 1))
