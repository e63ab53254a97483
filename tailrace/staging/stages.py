"""Stages: the plan that Spark runs, as `cut_stages` makes it: Catalyst prepares rows, stages run operators over them.

A stage input is rows as Catalyst hands them to a stage: rows of a source or of an earlier stage, filtered, projected,
perhaps pre-aggregated, sharded by a key. A stage runs operators over its inputs, shard by shard. Its outputs are inputs
of later stages and results for the queries' sinks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pyarrow as pa

from tailrace.catalog.sources import Relation, Stream
from tailrace.columnar.arrow_types import arrow_type
from tailrace.logical.expressions import Expression
from tailrace.operators.operator import Operator
from tailrace.operators.output_watermark import WITH_WATERMARK
from tailrace.operators.plan import InputPort, PhysicalPlan
from tailrace.operators.relational.pre_aggregation import PreAggregation
from tailrace.operators.sequence.frequency import PushedPrefilter
from tailrace.staging.expiry import PROBING
from tailrace.staging.expiry_choice import ExpiryWorkload, choose
from tailrace.staging.sharding import FixedSharding
from tailrace.staging.wire import WireFormat
from tailrace.state.resharding import Shard, ShardKey, merge_states, split_state

FEW = 3  # how many members of a family are named in its display name


@dataclass(frozen=True)
class StageOutput:
    """Output `number` of a stage."""

    stage: int
    number: int


@dataclass(frozen=True)
class StageInput:
    """Rows of a source or an earlier stage as Catalyst prepares them, for a stage or for a query's sink.

    `predicates`, `columns` and `key` are expressions over the origin's columns. Rows are sharded by `key`: with an
    empty key all rows go to one shard, with None they may be in any shard. `is_broadcast`: every shard gets all rows.
    `needs_arrival_order`: rows of one instant must come in order of arrival.
    """

    origin: Stream | Relation | StageOutput
    predicates: tuple[Expression, ...]
    columns: tuple[Expression, ...]
    key: tuple[Expression, ...] | None = None
    needs_arrival_order: bool = False
    preaggregation: PreAggregation | None = None
    since: int = 0  # rows before this instant are left out
    read_in_batch: int = 0  # the batch in which the rows of a static source are read
    is_broadcast: bool = False
    prefilter: PushedPrefilter | None = None  # drops rows that no window of a sequence query can see

    @property
    def types(self) -> tuple[pa.DataType, ...]:
        if self.preaggregation:
            return self.preaggregation.types
        return tuple(arrow_type(column.type) for column in self.columns)


@dataclass
class Stage:
    """Inputs, the operators over them, and the steps whose rows are outputs.

    Steps in `single` run in the first shard only.

    `names` has the ids under which the state of a step is stored, as text: one for each step of the physical plan that
    became this step. Cached properties may be read only once the stage is complete.
    """

    inputs: list[StageInput] = field(default_factory=list)
    plan: PhysicalPlan = field(default_factory=PhysicalPlan)
    output_steps: list[int] = field(default_factory=list)
    single: set[int] = field(default_factory=set)
    names: dict[int, list[str]] = field(default_factory=dict)
    keys: dict[int, tuple[ShardKey, ...]] = field(default_factory=dict)  # by which columns a step's inputs are sharded

    @cached_property
    def wire_in(self) -> WireFormat:
        plain = not any(isinstance(feed.origin, StageOutput) or is_signed(feed.origin) for feed in self.inputs)
        return WireFormat.of([feed.types for feed in self.inputs], plain)

    @cached_property
    def wire_out(self) -> WireFormat:
        works = [self.plan.steps[step].work for step in self.output_steps]
        plain = all(isinstance(work, Operator) and work.makes_stream for work in works)
        return WireFormat.of([self.plan.types(step) for step in self.output_steps], plain)

    @property
    def is_single(self) -> bool:
        return all(feed.key == () for feed in self.inputs)

    @cached_property
    def has_flows(self) -> bool:
        return any(work.records_statistics for work in self.plan.operators)

    @cached_property
    def follows_watermark(self) -> bool:
        """Whether every input is final up to the watermark: then sorted rows decide instants as they are read."""
        return all(not isinstance(step.work, InputPort) or step.work.pace == WITH_WATERMARK for step in self.plan.steps)

    @cached_property
    def is_free(self) -> bool:
        """Whether the stage needs no shuffle: no input has a key or an order, and only the first shard has state."""
        remembers = (
            number not in self.single and isinstance(step.work, Operator) and step.work.initial_state() is not None
            for number, step in enumerate(self.plan.steps)
        )
        spread = all(
            feed.key is None and not feed.needs_arrival_order and not feed.preaggregation for feed in self.inputs
        )
        return bool(self.inputs) and spread and not any(remembers)

    def reshard_state(self, step: int, states: Sequence[Any], shard: Shard) -> Any:
        """The state of a step in one new shard, given its states in all old shards."""
        work = self.plan.steps[step].work
        assert isinstance(work, Operator)
        if step in self.single:
            return work.initial_state() if shard.number else states[0]
        columns = work.shard_columns(self.keys[step])
        return merge_states([split_state(state, columns, shard) for state in states])

    def emission(self, step: int) -> int:
        if step not in self.output_steps:
            self.output_steps.append(step)
        return self.output_steps.index(step)


@dataclass
class StagedPlan:
    """Stages in running order, and the rows that each query or family outputs."""

    stages: list[Stage]
    outputs: dict[str, StageInput]
    fixed_shardings: dict[str, FixedSharding] = field(default_factory=dict)  # by step, for the next plan version
    families: Mapping[str, Mapping[int, str]] = field(default_factory=dict)  # by family: its queries, by member number
    merged_starts: Mapping[str, int] = field(default_factory=dict)  # by merged step: the start of the older, equal step
    next_merge_at: int | None = None  # the next instant from which a step can be merged
    strategies: Mapping[str, str] = field(default_factory=dict)  # by output, unless it is probing by choice of `auto`
    time_by_input: bool = False  # operators learn of time by their own rows only
    expiry_workloads: Mapping[str, ExpiryWorkload] = field(default_factory=dict)  # by output whose strategy is `auto`
    since_batch: int | None = None  # the batch with which this plan started

    def display_name(self, output: str) -> str:
        """An output's name for people: the query's name, or the number and first names of a family's queries.

        >>> StagedPlan([], {}, families={"family-1f": {0: "a", 1: "b", 2: "c", 4: "d"}}).display_name("family-1f")
        '4 queries (a, b, c, …)'
        """
        members = list(self.families.get(output, {}).values())
        few = ", ".join([*members[:FEW], *(["…"] if len(members) > FEW else [])])
        return f"{len(members)} queries ({few})" if members else output

    def steps_below(self, output: str) -> Iterator[tuple[Stage, int]]:
        """All steps that an output depends on, each with its stage."""
        origins, seen = [self.outputs[output].origin], set()
        while origins:
            origin = origins.pop()
            if not isinstance(origin, StageOutput):
                continue
            stage = self.stages[origin.stage]
            steps = [stage.output_steps[origin.number]]
            while steps:
                number = steps.pop()
                if (origin.stage, number) in seen:
                    continue
                seen.add((origin.stage, number))
                yield stage, number
                step = stage.plan.steps[number]
                steps += step.inputs
                if isinstance(step.work, InputPort):
                    origins.append(stage.inputs[step.work.number].origin)

    def better_strategies(self, rows: Mapping[str, int], instants: int) -> dict[str, str]:
        """Outputs for which another strategy is cheaper, by the rows of each step in a batch of so many instants."""
        now = {output: self.strategies.get(output, PROBING) for output in self.expiry_workloads}
        found = {
            output: choose(outline, now[output], rows, instants) for output, outline in self.expiry_workloads.items()
        }
        return {output: strategy for output, strategy in found.items() if strategy != now[output]}

    @property
    def names(self) -> set[str]:
        """All names under which state is stored."""
        return {name for stage in self.stages for names in stage.names.values() for name in names}

    @property
    def has_expires(self) -> bool:
        return any(work.keeps_rows for stage in self.stages for work in stage.plan.operators)

    @property
    def needs_arrival_order(self) -> bool:
        """Whether the rows of some stage input must come in order of arrival."""
        return any(feed.needs_arrival_order for feed in self.feeds)

    @property
    def sources(self) -> list[Stream | Relation]:
        found: dict[str, Stream | Relation] = {}
        for feed in self.feeds:
            if not isinstance(feed.origin, StageOutput):
                found[feed.origin.name] = feed.origin
        return list(found.values())

    @property
    def feeds(self) -> list[StageInput]:
        return [feed for stage in self.stages for feed in stage.inputs] + list(self.outputs.values())

    def readers(self, stage: int) -> int:
        """How many inputs of later stages, and how many outputs, read the rows of a stage."""
        return sum(is_of(feed, stage) for feed in self.feeds)

    @property
    def has_shared_stages(self) -> bool:
        """Whether the rows of some stage are read more than once."""
        return any(self.readers(number) > 1 for number in range(len(self.stages)))


def is_of(feed: StageInput, stage: int) -> bool:
    """Whether an input or output reads the rows of a stage."""
    return isinstance(feed.origin, StageOutput) and feed.origin.stage == stage


def is_signed(source: Stream | Relation) -> bool:
    """Whether a source has a column that says whether a row inserts or deletes."""
    return isinstance(source, Relation) and source.op is not None
