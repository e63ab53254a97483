"""Column names: names for the columns of steps in EXPLAIN. The steps themselves know columns by position only.

A column that comes unchanged from a source has the source's name. A computed column has the name that the steps or
queries above use for it, or an invented one such as `_1`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tailrace.catalog.sources import Relation, Stream
from tailrace.logical.expressions import Column, Expression, walk
from tailrace.operators.names import Names
from tailrace.operators.operator import Operator
from tailrace.operators.plan import Input, InputPort
from tailrace.staging.stages import StagedPlan, StageInput, StageOutput

Origin = Stream | Relation | StageOutput
Place = tuple[int, int, int]  # a stage, a step of it, a column


def column_names(plan: StagedPlan, wanted: Mapping[str, Sequence[str]]) -> list[list[Names]]:
    """The names of the columns of each step of each stage. `wanted` has the names of each query's result columns."""
    naming = Naming(plan)
    naming.ask(wanted)
    naming.give()
    return naming.names


@dataclass
class Naming:
    """Names columns in two passes: `ask` collects names from the queries down, `give` names from the sources up."""

    plan: StagedPlan
    asked: dict[Place, str] = field(default_factory=dict)
    of_value: dict[tuple[Origin, Expression], str] = field(default_factory=dict)
    names: list[list[Names]] = field(default_factory=list)
    invented: int = 0

    # From the queries down ----------------------------------------------------------------------------

    def ask(self, wanted: Mapping[str, Sequence[str]]) -> None:
        for query, feed in self.plan.outputs.items():
            self.ask_origin(feed, wanted.get(query, ()))
        for number in reversed(range(len(self.plan.stages))):
            self.ask_stage(number)

    def ask_origin(self, feed: StageInput, names: Sequence[str]) -> None:
        if isinstance(feed.origin, StageOutput):
            stage = feed.origin.stage
            step = self.plan.stages[stage].output_steps[feed.origin.number]
            for column, name in zip(feed.columns, names, strict=False):
                if isinstance(column, Column):
                    self.want((stage, step, column.index), name)
            for index, name in named_columns((*feed.columns, *feed.predicates)):
                self.want((stage, step, index), name)

    def ask_feed(self, feed: StageInput, names: Sequence[str]) -> None:
        """Ask for the names of a stage input's columns. All inputs that compute the same value share its name."""
        self.ask_origin(feed, names)
        for column, name in zip(input_columns(feed), names, strict=False):
            if name:
                self.of_value.setdefault((feed.origin, column), name)

    def ask_stage(self, number: int) -> None:
        stage = self.plan.stages[number]
        for at in reversed(range(len(stage.plan.steps))):
            step = stage.plan.steps[at]
            assert not isinstance(step.work, Input)
            own = [self.asked.get((number, at, column), "") for column in range(len(step.work.types))]
            if isinstance(step.work, InputPort):
                self.ask_feed(stage.inputs[step.work.number], own)
                continue
            for name, places in zip(own, step.work.column_origins(len(step.inputs)), strict=True):
                for place, column in places:
                    self.want((number, step.inputs[place], column), name)
            for index, name in named_columns(step.work.computed_expressions):
                place, column = step.work.input_column(index)
                self.want((number, step.inputs[place], column), name)

    def want(self, place: Place, name: str) -> None:
        if name.isidentifier():
            self.asked.setdefault(place, name)

    # From the sources up ------------------------------------------------------------------------------

    def give(self) -> None:
        for number, stage in enumerate(self.plan.stages):
            self.names.append([])
            for at, step in enumerate(stage.plan.steps):
                assert not isinstance(step.work, Input)
                if isinstance(step.work, InputPort):
                    given = self.of_feed(stage.inputs[step.work.number])
                else:
                    own = [self.asked.get((number, at, column), "") for column in range(len(step.work.types))]
                    given = self.of_operator(step.work, [self.names[number][below] for below in step.inputs], own)
                self.names[number].append(given)

    def invent(self) -> str:
        self.invented += 1
        return f"_{self.invented}"

    def of_feed(self, feed: StageInput) -> Names:
        """The names of a stage input's columns."""
        names = origin_names(self.plan, self.names, feed)
        found = []
        for column in input_columns(feed):
            if isinstance(column, Column):
                found.append(names[column.index])
                continue
            if (feed.origin, column) not in self.of_value:
                self.of_value[feed.origin, column] = self.invent()
            found.append(self.of_value[feed.origin, column])
        return *found, *(each.describe(names) for each in (feed.preaggregation.sums if feed.preaggregation else ()))

    def of_operator(self, work: Operator, inputs: Sequence[Names], asked: Sequence[str]) -> Names:
        texts = work.computed_names(inputs)
        return tuple(
            inputs[places[0][0]][places[0][1]] if places else name or texts.get(column) or self.invent()
            for column, (places, name) in enumerate(zip(work.column_origins(len(inputs)), asked, strict=True))
        )


def origin_names(plan: StagedPlan, names: Sequence[Sequence[Names]], feed: StageInput) -> Names:
    """The names of the columns that a stage input is computed from; `names` are those of each step of each stage."""
    if isinstance(feed.origin, StageOutput):
        return names[feed.origin.stage][plan.stages[feed.origin.stage].output_steps[feed.origin.number]]
    return tuple(feed.origin.schema.names)


def input_columns(feed: StageInput) -> tuple[Expression, ...]:
    """The columns of a stage input; with a pre-aggregation its keys, without the sums."""
    return feed.preaggregation.keys if feed.preaggregation else feed.columns


def named_columns(expressions: Sequence[Expression]) -> Iterator[tuple[int, str]]:
    for expression in expressions:
        for part in walk(expression):
            if isinstance(part, Column):
                yield part.index, part.name
