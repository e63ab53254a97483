"""Explain: writes stages as text: the inputs that Catalyst prepares, the operators in running order, the outputs.

`stages_graph` gives the same as a graph:
a part that several queries use is one node, and its `queries` lists them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tailrace.logical.expressions import Expression, all_of
from tailrace.logical.text.explain import PAPER_NAMES
from tailrace.operators.names import Names, column_definitions, disambiguate, is_everything, text_with
from tailrace.operators.operator import Operator
from tailrace.operators.plan import InputPort, Step
from tailrace.staging.column_names import column_names, input_columns, origin_names
from tailrace.staging.stages import Stage, StagedPlan, StageInput, StageOutput

Node = dict[str, Any]


def stages_text(plan: StagedPlan, names: Mapping[str, Sequence[str]]) -> str:
    """The text of a plan's stages and outputs; `names` has the names of each query's result columns."""
    writing = Writing(plan, names, column_names(plan, names))
    stages = [line for number in range(len(plan.stages)) for line in writing.stage(number)]
    outputs = [line for query in plan.outputs for line in writing.output(query)]
    return "\n".join([*stages, *outputs, *strategies_text(plan)])


def strategies_text(plan: StagedPlan) -> list[str]:
    """One line of text for each expiry strategy, with the outputs that have it.

    >>> strategies_text(StagedPlan([], {}, strategies={"a": "hybrid", "b": "probing", "c": "hybrid"}))
    ['strategy hybrid: a, c', 'strategy probing: b']
    """
    late = ", whose answers come late: an operator learns of time by its own rows only" if plan.time_by_input else ""
    found: dict[str, list[str]] = {}
    for output, strategy in plan.strategies.items():
        found.setdefault(strategy, []).append(plan.display_name(output))
    return [f"strategy {strategy}: {', '.join(names)}{late}" for strategy, names in found.items()]


def name_of(work: Operator) -> str:
    """An operator's name in plans: its label, or else its class name with dashes.

    >>> from tailrace.operators.relational.counts import Distinct
    >>> from tailrace.operators.streams.changelog import IStream
    >>> name_of(IStream(())), name_of(Distinct(()))
    ('i-stream', 'distinct')
    """
    return work.label or work.kind


def operators(stage: Stage) -> list[str]:
    """The names of a stage's operators, each once; projections are left out."""
    return list(dict.fromkeys(name_of(work) for work in stage.plan.operators if work.is_listed))


@dataclass
class Writing:
    """Writes the stages of a plan. Stages, stage inputs and the operators of a stage are numbered from one."""

    plan: StagedPlan
    wanted: Mapping[str, Sequence[str]]  # the names of each query's result columns
    names: list[list[Names]]  # of the columns of each step of each stage

    def stage(self, number: int) -> list[str]:
        stage = self.plan.stages[number]
        labels = self.labels(number)
        lines = [f"stage {number + 1}{', single shard' if stage.is_single else ''}"]
        for port, feed in enumerate(stage.inputs):
            lines += self.feed(feed, port, self.names[number][stage.plan.find(port)])
        for at, step in enumerate(stage.plan.steps):
            if isinstance(step.work, Operator) and not is_same(step, self.names[number]):
                inputs = [self.names[number][below] for below in step.inputs]
                what = f"{name_of(step.work)} {step.work.describe(inputs, self.names[number][at])}".rstrip()
                alone = ", in the first shard" if at in stage.single and not stage.is_single else ""
                below = f"  ← {sources(step, labels)}" if step.inputs else ""
                lines.append(f"  {labels[at]}. {what}{alone}{below}")
        for emission, at in enumerate(stage.output_steps):
            lines.append(f"  {labels[at]} → {', '.join(self.readers(StageOutput(number, emission)))}")
        return lines

    def labels(self, number: int) -> list[str]:
        """The label of each step of a stage. A step that leaves its input as it is has its input's label."""
        found: list[str] = []
        count = 0
        for step in self.plan.stages[number].plan.steps:
            if isinstance(step.work, InputPort):
                found.append(f"input {step.work.number + 1}")
            elif is_same(step, self.names[number]):
                found.append(found[step.inputs[0]])
            else:
                count += 1
                found.append(str(count))
        return found

    def readers(self, emission: StageOutput) -> list[str]:
        stages = [
            f"stage {number + 1}"
            for number, stage in enumerate(self.plan.stages)
            if any(feed.origin == emission for feed in stage.inputs)
        ]
        return stages + [
            f"output {self.plan.display_name(query)}"
            for query, feed in self.plan.outputs.items()
            if feed.origin == emission
        ]

    # What Catalyst does -------------------------------------------------------------------------------

    def feed(self, feed: StageInput, port: int, names: Names) -> list[str]:
        below = self.origin_names(feed)
        columns = input_columns(feed)
        head = [f"  input {port + 1}: {self.origin(feed)}, {sharding_text(feed, columns, names, below)}"]
        head += [f"only {feed.prefilter.by.extent}"] if feed.prefilter else []
        head += ["in order of arrival"] if feed.needs_arrival_order else []
        sums: list[str] = []
        if feed.preaggregation:
            window = feed.preaggregation.window
            slide = "instant" if window is None or window.slide == 1 else f"slide of {window.slide}"
            head.append(f"pre-aggregated per {slide}")
            sums = [each.describe(below) for each in feed.preaggregation.sums]
        return [", ".join(head), *(f"    {line}" for line in pushdown_lines(feed, names, below, sums))]

    def output(self, query: str) -> list[str]:
        """The lines for a query's result; none if it is just an output of a stage, unchanged."""
        feed = self.plan.outputs[query]
        lines = pushdown_lines(feed, tuple(self.wanted[query]), self.origin_names(feed))
        return (
            [f"output {self.plan.display_name(query)} ← {self.origin(feed)}", *(f"  {line}" for line in lines)]
            if lines
            else []
        )

    def origin(self, feed: StageInput) -> str:
        if not isinstance(feed.origin, StageOutput):
            return feed.origin.name
        stage = self.plan.stages[feed.origin.stage]
        return (
            f"stage {feed.origin.stage + 1} ({self.labels(feed.origin.stage)[stage.output_steps[feed.origin.number]]})"
        )

    def origin_names(self, feed: StageInput) -> Names:
        return origin_names(self.plan, self.names, feed)


def pushdown_lines(feed: StageInput, names: Names, below: Names, sums: Sequence[str] = ()) -> list[str]:
    """The filter and the columns that Catalyst computes; no columns if a stage's rows come unchanged."""
    lines = [f"filter {text_with(below, all_of(feed.predicates))}"] if feed.predicates else []
    if isinstance(feed.origin, StageOutput) and is_everything(input_columns(feed), len(below)):
        return lines
    columns = [*column_definitions(input_columns(feed), names, below), *sums]
    return [*lines, f"columns {', '.join(columns) or 'none'}"]


def sharding_text(feed: StageInput, columns: Sequence[Expression], names: Names, below: Names) -> str:
    """How the rows of a stage input are sharded, as text."""
    key = feed.key
    if key is None:
        return "broadcast" if feed.is_broadcast else "unpartitioned"
    known = dict(zip(columns, disambiguate(names), strict=False))
    return (
        f"partitioned by {', '.join(known.get(part) or text_with(below, part) for part in key)}"
        if key
        else "single shard"
    )


# Operators ------------------------------------------------------------------------------------------------


def is_same(step: Step, names: Sequence[Names]) -> bool:
    """Whether a step leaves its input as it is, given the names of all steps' columns."""
    return isinstance(step.work, Operator) and step.work.is_passthrough([names[below] for below in step.inputs])


def sources(step: Step, labels: Sequence[str]) -> str:
    """The labels of an operator's inputs, with a minus before those that a signed union subtracts."""
    assert isinstance(step.work, Operator)
    signed = zip(step.work.input_signs(len(step.inputs)), step.inputs, strict=True)
    return ", ".join(f"{'' if sign > 0 else '−'}{labels[below]}" for sign, below in signed)


# As a graph ---------------------------------------------------------------------------------------------------


def stages_graph(plan: StagedPlan, names: Mapping[str, Sequence[str]]) -> list[Node]:
    """The nodes, each after its inputs; a node of a step has the numbers of its stage and step."""
    graph = Graph(Writing(plan, names, column_names(plan, names)))
    for number in range(len(plan.stages)):
        graph.add_stage(number)
    for query in plan.outputs:
        graph.add_output(query)
    graph.mark()
    return list(graph.nodes.values())


@dataclass
class Graph:
    """The nodes by their ids, and the id of the node of each step, by stage and step."""

    writing: Writing
    nodes: dict[str, Node] = field(default_factory=dict)
    steps: dict[tuple[int, int], str] = field(default_factory=dict)

    def add(self, id: str, operator: str, text: str, inputs: Sequence[str], **more: Any) -> str:
        if id not in self.nodes:
            node: Node = {"id": id, "operator": operator, "paper": PAPER_NAMES.get(operator), "detail": text}
            node |= {"inputs": list(inputs), "queries": []}
            self.nodes[id] = {**node, "stage": None, "step": None, "columns": [], "lines": [], **more}
        return id

    def origin(self, feed: StageInput) -> str:
        if isinstance(feed.origin, StageOutput):
            stage = self.writing.plan.stages[feed.origin.stage]
            return self.steps[feed.origin.stage, stage.output_steps[feed.origin.number]]
        columns = list(feed.origin.schema.names)
        source = feed.origin
        return self.add(f"source {source.name}", source.word, source.name, (), columns=columns)

    def add_stage(self, number: int) -> None:
        stage, names = self.writing.plan.stages[number], self.writing.names[number]
        labels = self.writing.labels(number)
        for at, step in enumerate(stage.plan.steps):
            inputs = [self.steps[number, below] for below in step.inputs]
            more = {"stage": number, "step": at, "columns": list(names[at])}
            if isinstance(step.work, InputPort):
                feed = stage.inputs[step.work.number]
                head, *lines = self.writing.feed(feed, step.work.number, names[at])
                text = sharding_text(feed, feed.columns, names[at], self.writing.origin_names(feed))
                more |= {"lines": [line.strip() for line in (head, *lines)]}
                self.steps[number, at] = self.add(f"{number + 1}.f{at}", "input", text, [self.origin(feed)], **more)
            elif is_same(step, names):
                self.steps[number, at] = inputs[0]
            elif isinstance(step.work, Operator):
                text = step.work.describe([names[below] for below in step.inputs], names[at])
                more |= {"family": step.work.filter_family}
                id = f"{number + 1}.{labels[at]}"
                self.steps[number, at] = self.add(id, name_of(step.work), text, inputs, **more)

    def add_output(self, query: str) -> None:
        feed, plan = self.writing.plan.outputs[query], self.writing.plan
        members = list(plan.families.get(query, {}).values())
        lines = [line.strip() for line in self.writing.output(query)[1:]]
        columns = list(self.writing.wanted[query])
        id = self.add(
            f"output {query}", "output", plan.display_name(query), [self.origin(feed)], lines=lines, columns=columns
        )
        self.nodes[id]["queries"] = members or [query]

    def mark(self) -> None:
        """Set the queries of each node: those of all nodes that read it."""
        for node in reversed(list(self.nodes.values())):
            for below in node["inputs"]:
                self.nodes[below]["queries"] = list(dict.fromkeys([*self.nodes[below]["queries"], *node["queries"]]))
