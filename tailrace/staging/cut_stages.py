"""Cut stages: cuts a physical plan into stages of operators between shuffles, with Catalyst's part before each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from tailrace.catalog.sources import Relation, Stream
from tailrace.operators.operator import Operator
from tailrace.operators.output_watermark import WITH_WATERMARK, OutputWatermark
from tailrace.operators.plan import Input, InputPort, PhysicalPlan, StartPoint, Step
from tailrace.operators.pushdown import Pushdown
from tailrace.operators.relational.pre_aggregation import PreAggregation
from tailrace.operators.relational.project import Project
from tailrace.operators.windows.since import Since
from tailrace.staging.merge_steps import merge_steps
from tailrace.staging.sharding import Edge, Pins, Sharded, in_one_shard, links_of, shard
from tailrace.staging.stages import Stage, StagedPlan, StageInput, StageOutput
from tailrace.state.resharding import ShardKey


def cut_stages(
    plan: PhysicalPlan,
    pins: Pins | None = None,
    past: int = -1,
    begins: Mapping[str, int] | None = None,
    together: bool = False,
) -> StagedPlan:
    """The stages of a plan.

    `pins` has the sharding of steps that already have state, by name. `past` is the last decided instant: all rows to
    come are later. `begins` has the steps, by name, that were merged into equal steps of older queries, with the start
    of those. `together` keeps all rows in one shard.
    """
    joined = merge_steps(plan, pins or {}, past, begins or {})
    plan, names = joined.plan, joined.names
    sharded = in_one_shard(plan) if together else shard(plan, names, pins)
    cutting = StageCutter(plan, sharded, names, beginnings(plan), past)
    for number in cutting.sharded.edges:
        cutting.add(number)
    outputs = {name: cutting.output_of(name) for name in plan.outputs}
    return StagedPlan(cutting.stages, outputs, cutting.sharded.pins(names), {}, joined.begins, joined.due)


def beginnings(plan: PhysicalPlan) -> list[frozenset[int]]:
    """Starts of the rows below each step: instants of Since steps, and batches n of static sources as −1 − n."""
    found: list[frozenset[int]] = []
    for step in plan.steps:
        own = {step.work.start} if isinstance(step.work, Operator) and step.work.start else set()
        born = {-1 - step.work.read_in_batch} if isinstance(step.work, Input) else set()
        found.append(frozenset().union(own, born, *(found[below] for below in step.inputs)))
    return found


@dataclass
class StageCutter:
    """The stages so far. `place` has for each step of the plan its stage and its number there."""

    plan: PhysicalPlan
    sharded: Sharded
    names: list[str]
    beginnings: list[frozenset[int]]
    past: int = -1
    stages: list[Stage] = field(default_factory=list)
    place: dict[int, tuple[int, int]] = field(default_factory=dict)
    began: dict[tuple[int, int], frozenset[int]] = field(default_factory=dict)  # `beginnings`, by stage and step there

    def add(self, number: int) -> None:
        edges = self.sharded.edges[number]
        stage_number = self.levels[number]
        while len(self.stages) <= stage_number:
            self.stages.append(Stage())
        stage = self.stages[stage_number]
        work = self.plan.operator(number)
        chain = edges[0].chain if edges else None
        parted = work.pre_aggregate(chain) if chain else None
        if parted:
            work, inputs = parted.fold, [self.add_window_steps(stage_number, number, 0, edges[0], parted)]
        else:
            inputs = [self.add_window_steps(stage_number, number, place, edge) for place, edge in enumerate(edges)]
        step = self.step(stage_number, number, Step(work, tuple(inputs)))
        stage.keys[step] = tuple(self.key(number, place, parted) for place in range(len(edges)))
        self.place[number] = stage_number, step
        stage.names.setdefault(step, []).append(f"{self.names[number]}{'-partial' if parted else ''}")
        if self.sharded.sharding[number] == ():
            stage.single.add(step)

    def step(self, stage_number: int, number: int, wanted: Step) -> int:
        """The stage's step for step `number` of the plan: an equal one with the same starts, or else a new one."""
        stage, began = self.stages[stage_number], self.beginnings[number]
        for known in stage.names:
            if self.began[stage_number, known] == began and stage.plan.steps[known] == wanted:
                return known
        step = stage.plan.append(wanted)
        self.began[stage_number, step] = began
        return step

    def key(self, number: int, place: int, parted: PreAggregation | None) -> ShardKey:
        """The columns of input `place` by which step `number` is sharded, counted after a pre-aggregation if any."""
        edge, key = self.sharded.edges[number][place], self.sharded.edges[number][place].key
        if edge.chain is None and not edge.moves:
            parts = self.sharded.sharding[edge.step]
            linked = {link.inputs[place] for link in links_of(self.plan, number)}
            key = None if parts is None else tuple(min(part & linked or part) for part in parts)
        if parted is None or key is None or edge.chain is None:
            return key
        return tuple(parted.keys.index(edge.chain.columns[column]) for column in key)

    def first(self, chain: Pushdown) -> int:
        """The instant from which the rows of a pushdown are seen; 0 if no earlier rows can come any more."""
        return chain.first if chain.first > self.past + 1 else 0

    @cached_property
    def levels(self) -> dict[int, int]:
        """The stage of each step: the first in which all its inputs are there. A stem runs in the stage of its join."""
        found: dict[int, int] = {}
        for number, edges in self.sharded.edges.items():
            origins = [(edge.chain.origin if edge.chain else edge.step, edge.moves) for edge in edges]
            earliest = [found[origin] + moves for origin, moves in origins if isinstance(origin, int)]
            found[number] = max(earliest, default=0)
            if self.plan.operator(number).runs_beside_inputs:
                found |= {edge.step: found[number] for edge in edges}
        return found

    def input(self, stage_number: int, edge: Edge, ordered: bool) -> int:
        """The step of a stage that gives an edge's rows: a step that runs there, or a port with a stage input."""
        stage = self.stages[stage_number]
        if edge.chain is None:
            at, step = self.place[edge.step]
            if at == stage_number:
                return step
            key, sharding = edge.key, self.sharded.sharding[edge.step]
            if not edge.moves and sharding is not None:
                key = tuple(min(part) for part in sharding)
            chain = Pushdown(edge.step, (), self.plan.columns(edge.step))
        else:
            key, chain = edge.key, edge.chain
        feed = replace(
            self.stage_input(chain, key),
            needs_arrival_order=ordered and chain.of_source,
            is_broadcast=edge.copied,
            # A prefilter looks for the first row of a slot, which must not be a row from before the query's start.
            prefilter=None if self.first(chain) else chain.thinned,
        )
        port, places = self.port(stage, feed)
        picked = self.select_columns(stage, port, places)
        if self.first(chain):
            # Since runs inside the stage, so that queries with different starts share one stage input.
            picked = stage.plan.add(Since(stage.plan.types(picked), chain.first), picked)
        return picked

    def add_preaggregated_input(self, stage: Stage, edge: Edge, parted: PreAggregation) -> int:
        """The step of a stage that gives an edge's rows after a pre-aggregation."""
        assert edge.chain is not None
        feed = replace(self.stage_input(edge.chain, edge.key), preaggregation=parted, since=self.first(edge.chain))
        if feed not in stage.inputs:
            stage.inputs.append(feed)
        return stage.plan.add(InputPort(stage.inputs.index(feed), feed.types))

    def stage_input(self, chain: Pushdown, key: Sequence[int] | None = None) -> StageInput:
        """The rows of a pushdown, sharded by some of its columns."""
        by = None if key is None else tuple(chain.columns[column] for column in key)
        return StageInput(self.origin(chain), chain.predicates, chain.columns, by, read_in_batch=chain.born)

    def origin(self, chain: Pushdown) -> Stream | Relation | StageOutput:
        if not isinstance(chain.origin, int):
            return chain.origin
        stage, step = self.place[chain.origin]
        return StageOutput(stage, self.stages[stage].emission(step))

    def pace(self, feed: StageInput) -> OutputWatermark:
        if not isinstance(feed.origin, StageOutput):
            return WITH_WATERMARK
        stage = self.stages[feed.origin.stage]
        return stage.plan.paces[stage.output_steps[feed.origin.number]]

    def port(self, stage: Stage, feed: StageInput) -> tuple[int, list[int]]:
        """The port for an input, and which of its columns are its own; inputs that differ in columns only share one."""
        for number, known in enumerate(stage.inputs):
            same = replace(known, columns=feed.columns, needs_arrival_order=feed.needs_arrival_order) == feed
            if same and not known.preaggregation:
                columns = tuple(dict.fromkeys((*known.columns, *feed.columns)))
                stage.inputs[number] = replace(
                    known, columns=columns, needs_arrival_order=known.needs_arrival_order or feed.needs_arrival_order
                )
                self.widen(stage, number)
                break
        else:
            number, columns = len(stage.inputs), tuple(dict.fromkeys(feed.columns))
            stage.inputs.append(replace(feed, columns=columns))
            stage.plan.add(InputPort(number, stage.inputs[number].types, self.pace(feed)))
        return number, [stage.inputs[number].columns.index(column) for column in feed.columns]

    @staticmethod
    def widen(stage: Stage, number: int) -> None:
        """Give a port's step the types of added columns; its readers pick columns by position, so they stay right."""
        for place, step in enumerate(stage.plan.steps):
            if isinstance(step.work, InputPort) and step.work.number == number:
                stage.plan.steps[place] = replace(step, work=replace(step.work, types=stage.inputs[number].types))

    @staticmethod
    def select_columns(stage: Stage, number: int, places: Sequence[int]) -> int:
        port = stage.plan.find(number)
        columns = stage.plan.columns(port)
        types = tuple(stage.plan.types(port)[place] for place in places)
        return stage.plan.add(Project(types, tuple(columns[place] for place in places)), port)

    def add_window_steps(
        self, stage_number: int, number: int, place: int, edge: Edge, parted: PreAggregation | None = None
    ) -> int:
        """The step of a stage that gives an edge's rows after its time windows: input `place` of step `number`."""
        stage = self.stages[stage_number]
        if parted:
            step = self.add_preaggregated_input(stage, edge, parted)
        else:
            step = self.input(stage_number, edge, self.plan.operator(number).needs_arrival_order)
        for window in edge.chain.windows if edge.chain else ():
            work = replace(window, types=stage.plan.types(step))
            if work.initial_state() is None:
                step = stage.plan.add(work, step)
            else:
                # An expire operator has state, so it runs in the stage that reads its rows, with a state of its own.
                step = self.step(stage_number, edge.step, Step(work, (step,)))
                stage.names.setdefault(step, []).append(f"{self.names[number]}-{place}-expire")
                stage.keys[step] = (self.key(number, place, parted),)
                if edge.key == ():
                    stage.single.add(step)
        return step

    def output_of(self, name: str) -> StageInput:
        """The rows for a query's sink, from the query's start on."""
        number, begin = self.plan.outputs[name], self.plan.begins.get(name, StartPoint())
        chain = self.sharded.chains[number]
        if chain is None:
            chain = Pushdown(number, (), self.plan.columns(number))
        return replace(self.stage_input(chain), since=begin.instant)
