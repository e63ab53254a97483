"""Explain: writes stages as text: the inputs that Catalyst prepares, the operators in running order, the outputs.

Operators bear the names of STREAM's Table 1 (CQL §12.5) where they have one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tailrace.logical.expressions import Column, Expression, all_of
from tailrace.operators.families.stem import RowStem, Stem
from tailrace.operators.families.stem_join import StemJoin
from tailrace.operators.families.tag_members import FamilyMembers, TagMembers
from tailrace.operators.operator import Operator
from tailrace.operators.plan import InputPort, Step
from tailrace.operators.relational.aggregate import Aggregate
from tailrace.operators.relational.binary_join import BinaryJoin
from tailrace.operators.relational.counts import Except, Intersect
from tailrace.operators.relational.multi_join import MultiJoin
from tailrace.operators.relational.project import Project
from tailrace.operators.relational.select import Select
from tailrace.operators.relational.top_k import TopK
from tailrace.operators.relational.union import Union
from tailrace.operators.sequence.evaluate import EmitAtSteps
from tailrace.operators.sequence.fold_steps import FoldSteps
from tailrace.operators.sequence.frequency import FrequencySample, Prefilter
from tailrace.operators.sequence.jump_window import JumpWindow
from tailrace.operators.sequence.positions import AssignPositions
from tailrace.operators.streams.reorder import Reorder
from tailrace.operators.streams.tables import InsertOnlyTable, SignedTable, Upsert
from tailrace.operators.windows.expire import Expire
from tailrace.operators.windows.row_window import RowWindow
from tailrace.operators.windows.sampling import HashSample, Reservoir
from tailrace.operators.windows.time_window import ENDLESS, TimeWindowOp
from tailrace.staging.column_names import (
    Names,
    aggregations,
    column_names,
    disambiguate,
    input_columns,
    sum_text,
    text_with,
)
from tailrace.staging.stages import Stage, StagedPlan, StageInput, StageOutput


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
    ('i-stream', 'duplicate-eliminate')
    """
    return work.label or re.sub(r"(?<!^)(?=[A-Z])", "-", type(work).__name__).lower()


def operators(stage: Stage) -> list[str]:
    """The names of a stage's operators, each once; projections are left out."""
    works = [step.work for step in stage.plan.steps]
    named = [name_of(work) for work in works if isinstance(work, Operator) and not isinstance(work, Project)]
    return list(dict.fromkeys(named))


@dataclass
class Writing:
    """Writes the stages of a plan. Stages, stage inputs and the operators of a stage are numbered from one.

    `wanted` has the names of each query's result columns, `names` the column names of each step of each stage.
    """

    plan: StagedPlan
    wanted: Mapping[str, Sequence[str]]
    names: list[list[Names]]

    def stage(self, number: int) -> list[str]:
        stage = self.plan.stages[number]
        labels = self.labels(number)
        lines = [f"stage {number + 1}{', in one shard' if stage.is_single else ''}"]
        for port, feed in enumerate(stage.inputs):
            lines += self.feed(feed, port, self.names[number][stage.plan.find(port)])
        for at, step in enumerate(stage.plan.steps):
            if isinstance(step.work, Operator) and not is_same(step, self.names[number]):
                inputs = [self.names[number][below] for below in step.inputs]
                what = f"{name_of(step.work)} {detail(step.work, inputs, self.names[number][at])}".rstrip()
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
                found.append(f"feed {step.work.number + 1}")
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
        head = [f"  feed {port + 1}: {self.origin(feed)} {sharding_text(feed, columns, names, below)}"]
        head += [f"only {thin_text(feed.prefilter.by)}"] if feed.prefilter else []
        head += ["in order of arrival"] if feed.needs_arrival_order else []
        sums: list[str] = []
        if feed.preaggregation:
            window = feed.preaggregation.window
            slide = "instant" if window is None or window.slide == 1 else f"slide of {window.slide}"
            head.append(f"partly aggregated for each {slide}")
            sums = [sum_text(each, below) for each in feed.preaggregation.sums]
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
        if not isinstance(feed.origin, StageOutput):
            return tuple(feed.origin.schema.names)
        return self.names[feed.origin.stage][self.plan.stages[feed.origin.stage].output_steps[feed.origin.number]]


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
        return "in every shard" if feed.is_broadcast else "anywhere"
    known = dict(zip(columns, disambiguate(names), strict=False))
    return f"by {', '.join(known.get(part) or text_with(below, part) for part in key)}" if key else "in one shard"


def column_definitions(columns: Sequence[Expression], names: Sequence[str], below: Names) -> list[str]:
    """The columns as text, such as `v * 2 AS w`; `below` are the names of the columns they are computed from."""
    texts = [text_with(below, column) for column in columns]
    bare = [below[column.index] if isinstance(column, Column) else "" for column in columns]
    named = zip(texts, bare, names, strict=False)
    return [text if name in (text, plain) else f"{text} AS {name}" for text, plain, name in named]


def is_everything(columns: Sequence[Expression], width: int) -> bool:
    places = [column.index for column in columns if isinstance(column, Column)]
    return len(places) == len(columns) and places == list(range(width))


# Operators ------------------------------------------------------------------------------------------------


def is_same(step: Step, names: Sequence[Names]) -> bool:
    """Whether a step leaves its input as it is: a projection of all columns, or a W-expire that only passes rows."""
    if isinstance(step.work, Expire):
        return not step.work.emits_retractions
    return isinstance(step.work, Project) and is_everything(step.work.expressions, len(names[step.inputs[0]]))


def sources(step: Step, labels: Sequence[str]) -> str:
    """The labels of an operator's inputs, with a minus before those that a signed union subtracts."""
    signs = step.work.signs if isinstance(step.work, Union) else (1,) * len(step.inputs)
    signed = zip(signs, step.inputs, strict=True)
    return ", ".join(f"{'' if sign > 0 else '−'}{labels[below]}" for sign, below in signed)


def detail(work: Operator, inputs: Sequence[Names], names: Names) -> str:
    """The text behind an operator's name: its parameters, with the names of its inputs' and its own columns."""
    apart = disambiguate(inputs[0]) if inputs else ()
    match work:
        case TagMembers():
            return f"of {len(work.flow.begins)} queries over {', '.join(asked_about(work, apart)) or 'nothing'}"
        case FamilyMembers():
            return f"of {len(work.flow.begins)} queries"
        case Stem():
            return stem_text(work, apart)
        case StemJoin():
            return meet_text(work, inputs)
        case Project():
            return ", ".join(column_definitions(work.expressions, names, inputs[0])) or "none"
        case Select():
            return text_with(inputs[0], work.predicate)
        case HashSample():
            return str(work.share)
        case TimeWindowOp() | Reservoir():
            return str(work.window)
        case RowWindow():
            by_position = ", ".join(f"#{column}" for column in work.window.partition)
            return str(work.window).replace(by_position, column_list(work.window.partition, apart), 1)
        case BinaryJoin():
            return join_text(work, names)
        case MultiJoin():
            return multi_join_text(work, names)
        case Aggregate() | FoldSteps():
            wanted = zip(aggregations(work, inputs[0]), names[len(work.keys) :], strict=True)
            texts = ", ".join(text if text == name else f"{text} AS {name}" for text, name in wanted)
            return f"{texts}{f' by {column_list(work.keys, apart)}' if work.keys else ''}".strip()
        case TopK():
            return top_text(work, apart)
        case Except() | Intersect():
            return "all" if work.all else ""
        case AssignPositions() | FrequencySample() | JumpWindow() | EmitAtSteps():
            return sequence_text(work, apart)
        case Prefilter():
            return f"to {thin_text(work)}"
        case Reorder():
            return f"by {column_list(work.key, apart)}" if work.key else ""
        case Upsert():
            return f"of the newest row for each {column_list(work.key, apart)}"
        case SignedTable():
            return "of + and - rows"
        case InsertOnlyTable():
            return "of rows that stay"
    return ""


def stem_text(work: Stem, names: Sequence[str]) -> str:
    """A stem's key, how long it keeps tuples, the number of its readers, and the columns they filter by."""
    unit = " rows" if isinstance(work, RowStem) else ""
    reach = "for ever" if work.flow.reach >= ENDLESS else f"for {work.flow.reach}{unit}"
    asked = ", ".join(asked_about(work, names)) or "nothing"
    return f"by {column_list(work.keys, names)} {reach}, for {len(work.flow.begins)} queries over {asked}"


def meet_text(work: StemJoin, inputs: Sequence[Names]) -> str:
    """The key of a join of stems, and the number of its members."""
    several = [[names[key] for key in keys] for names, keys in zip(inputs, work.keys, strict=True)]
    keys = " AND ".join(" = ".join(each) for each in zip(*several, strict=True))
    return f"of {len(work.flow.begins)} queries on {keys}"


def asked_about(work: TagMembers | Stem, names: Sequence[str]) -> list[str]:
    """The names of the columns that have a grouped filter."""
    columns = {index.column for block in work.flow.blocks for index in block.indexes}
    return [name for column, name in enumerate(names) if column in columns]


def sequence_text(work: AssignPositions | FrequencySample | JumpWindow | EmitAtSteps, names: Sequence[str]) -> str:
    by = f" by {column_list(work.key, names)}" if work.key else ""
    match work:
        case AssignPositions():
            order = column_list([column for column, *_ in work.order], names) or "arrival"
            return f"{by.strip()}, {order}" if by else f"by {order}"
        case FrequencySample():
            return f"every {work.frequency}{by}"
        case JumpWindow():
            return f"range {work.range}, frequency {work.frequency}{by}"
    return f"each step's result{by}"


def thin_text(work: Prefilter) -> str:
    """The rows of each slot of time that a prefilter keeps, as text."""
    what = "the last" if work.range is None else f"the first and the last {work.range.count}"
    return f"{what} of each {work.frequency}"


def column_list(columns: Sequence[int], names: Sequence[str]) -> str:
    return ", ".join(names[column] for column in columns)


def join_text(work: BinaryJoin, names: Names) -> str:
    apart = disambiguate(names)
    pairs = [(apart[key.left], "<=>" if key.null_safe else "=", apart[work.width + key.right]) for key in work.keys]
    parts = [" ".join(pair) for pair in pairs] + ([text_with(names, work.residual)] if work.residual else [])
    return f"on {' AND '.join(parts) or 'TRUE'}"


def multi_join_text(work: MultiJoin, names: Names) -> str:
    apart = disambiguate(names)
    keys = [
        (" <=> " if key.null_safe else " = ").join(apart[column] for column in link.outputs)
        for key, link in zip(work.keys, work.key_links(len(work.widths)), strict=True)
    ]
    return f"on {' AND '.join([*keys, *(text_with(names, residual) for residual in work.residuals)])}"


def top_text(work: TopK, names: Names) -> str:
    keys = []
    for column, descending, nulls_first in work.order:
        nulls = "" if nulls_first != descending else f" NULLS {'FIRST' if nulls_first else 'LAST'}"
        keys.append(f"{names[column]}{' DESC' if descending else ''}{nulls}")
    offset = f" offset {work.offset}" if work.offset else ""
    return f"{'all' if work.limit is None else work.limit} by {', '.join(keys)}{offset}"
