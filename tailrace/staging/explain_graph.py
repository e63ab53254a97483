"""Explain graph: writes stages as a graph of sources, stage inputs, operators (named as in EXPLAIN) and outputs.

A part that several queries use is one node; its `queries` lists them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tailrace.operators.families.tag_members import TagMembers
from tailrace.operators.operator import Operator
from tailrace.operators.plan import InputPort
from tailrace.staging.column_names import column_names
from tailrace.staging.explain import Writing, detail, is_same, name_of, sharding_text
from tailrace.staging.stages import StagedPlan, StageInput, StageOutput

Node = dict[str, Any]


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
            node = {"id": id, "operator": operator, "detail": text, "inputs": list(inputs), "queries": []}
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
                self.steps[number, at] = self.add(f"{number + 1}.f{at}", "feed", text, [self.origin(feed)], **more)
            elif is_same(step, names):
                self.steps[number, at] = inputs[0]
            elif isinstance(step.work, Operator):
                text = detail(step.work, [names[below] for below in step.inputs], names[at])
                more |= {"family": step.work.family if isinstance(step.work, TagMembers) else None}
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
