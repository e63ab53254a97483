"""Column names: names for the columns of steps in EXPLAIN. The steps themselves know columns by position only.

A column that comes unchanged from a source has the source's name. A computed column has the name that the steps or
queries above use for it, or an invented one such as `_1`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tailrace.catalog.sources import Relation, Stream
from tailrace.logical.expression_text import text_of
from tailrace.logical.expressions import Column, Expression, walk
from tailrace.operators.families.stem import RowNumber, RowStem
from tailrace.operators.families.stem_join import StemJoin
from tailrace.operators.families.tag_members import TagMembers
from tailrace.operators.operator import Operator
from tailrace.operators.plan import Input, InputPort
from tailrace.operators.relational.aggregate import Aggregate
from tailrace.operators.relational.binary_join import BinaryJoin
from tailrace.operators.relational.multi_join import MultiJoin
from tailrace.operators.relational.project import Project
from tailrace.operators.relational.select import Select
from tailrace.operators.sequence.evaluate import EmitAtSteps, EvaluationPoints
from tailrace.operators.sequence.fold_steps import FoldSteps
from tailrace.operators.sequence.positions import AssignPositions
from tailrace.staging.pre_aggregation import PartialSum
from tailrace.staging.stages import StagedPlan, StageInput, StageOutput

Names = tuple[str, ...]
Origin = Stream | Relation | StageOutput
Place = tuple[int, int, int]  # a stage, a step of it, a column


def column_names(plan: StagedPlan, wanted: Mapping[str, Sequence[str]]) -> list[list[Names]]:
    """The names of the columns of each step of each stage. `wanted` has the names of each query's result columns."""
    naming = Naming(plan)
    naming.ask(wanted)
    naming.give()
    return naming.names


def disambiguate(names: Sequence[str]) -> Names:
    """The names, with the column's position behind each that several columns have.

    >>> disambiguate(["k", "v", "k"])
    ('k#0', 'v', 'k#2')
    """
    return tuple(name if names.count(name) == 1 else f"{name}#{place}" for place, name in enumerate(names))


def text_with(names: Sequence[str], expression: Expression) -> str:
    """The text of an expression over columns of these names."""
    apart = disambiguate(names)
    return text_of(expression, lambda column: apart[column.index])


@dataclass
class Naming:
    """Names columns in two passes: `ask` collects wanted names from the queries down, `give` names from the sources up.

    `of_value` has the name of each value that Catalyst computes of an origin.
    """

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
            for name, places in zip(own, column_origins(step.work, len(step.inputs)), strict=True):
                for place, column in places:
                    self.want((number, step.inputs[place], column), name)
            for index, name in named_columns(read(step.work)):
                place, column = owner(step.work, index)
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
        names = self.of_origin(feed)
        found = []
        for column in input_columns(feed):
            if isinstance(column, Column):
                found.append(names[column.index])
                continue
            if (feed.origin, column) not in self.of_value:
                self.of_value[feed.origin, column] = self.invent()
            found.append(self.of_value[feed.origin, column])
        return *found, *(sum_text(each, names) for each in (feed.preaggregation.sums if feed.preaggregation else ()))

    def of_origin(self, feed: StageInput) -> Names:
        if isinstance(feed.origin, StageOutput):
            return self.names[feed.origin.stage][self.plan.stages[feed.origin.stage].output_steps[feed.origin.number]]
        return tuple(feed.origin.schema.names)

    def of_operator(self, work: Operator, inputs: Sequence[Names], asked: Sequence[str]) -> Names:
        texts = [""] * len(asked)
        if isinstance(work, Aggregate | FoldSteps):
            texts[len(work.keys) :] = aggregations(work, inputs[0])
        if isinstance(work, (TagMembers, StemJoin)):
            texts[0] = "member"
        if isinstance(work, AssignPositions | EmitAtSteps):
            texts[-1] = "place"
        if isinstance(work, RowNumber):
            texts[-1] = "number"
        return tuple(
            inputs[places[0][0]][places[0][1]] if places else name or text or self.invent()
            for places, name, text in zip(column_origins(work, len(inputs)), asked, texts, strict=True)
        )


def input_columns(feed: StageInput) -> tuple[Expression, ...]:
    """The columns of a stage input; with a pre-aggregation its keys, without the sums."""
    return feed.preaggregation.keys if feed.preaggregation else feed.columns


def column_origins(work: Operator, inputs: int) -> list[list[tuple[int, int]]]:
    """For each output column of an operator the (input, column) pairs from which it is copied; none if computed."""
    match work:
        case Project():
            return [[(0, e.index)] if isinstance(e, Column) else [] for e in work.expressions]
        case BinaryJoin() | MultiJoin():
            return [[owner(work, column)] for column in range(len(work.types))]
        case Aggregate() | FoldSteps():
            return [*([(0, key)] for key in work.keys), *([] for _ in work.aggregations)]
        case TagMembers():
            return [[], *([(0, column)] for column in work.columns)]
        case StemJoin():
            return [[], *([place] for place in work.columns)]
        case AssignPositions() | EmitAtSteps() | RowNumber():
            return [*([(0, column)] for column in range(len(work.types) - 1)), []]
        case EvaluationPoints():
            return [[(0, column)] for column in work.kept]
        case RowStem():
            return [[(0, column)] for column in range(len(work.types))]
    return [[(place, column) for place in range(inputs)] for column in range(len(work.types))]


def owner(work: Operator, column: int) -> tuple[int, int]:
    """Which input, and which of its columns, column `column` of the joined row is; one input is just that row."""
    match work:
        case BinaryJoin() if column >= work.width:
            return 1, column - work.width
        case MultiJoin():
            return work.places[column]
    return 0, column


def read(work: Operator) -> tuple[Expression, ...]:
    """The expressions that an operator computes."""
    match work:
        case Project():
            return work.expressions
        case Select():
            return (work.predicate,)
        case BinaryJoin(residual=Expression() as residual):
            return (residual,)
        case MultiJoin():
            return work.residuals
    return ()


def named_columns(expressions: Sequence[Expression]) -> Iterator[tuple[int, str]]:
    for expression in expressions:
        for part in walk(expression):
            if isinstance(part, Column):
                yield part.index, part.name


def sum_text(each: PartialSum, names: Sequence[str]) -> str:
    """A partial sum as text, such as `SUM(v)`, over columns of these names."""
    argument = "*" if each.argument is None else text_with(names, each.argument)
    condition = "" if each.condition is None else f" FILTER (WHERE {text_with(names, each.condition)})"
    return f"{each.function.upper()}({argument}){condition}"


def aggregations(work: Aggregate | FoldSteps, names: Sequence[str]) -> list[str]:
    """The aggregates of an operator as text; `names` are those of the input's columns.

    After a pre-aggregation the text is that of the aggregate over the original tuples: AVG(v), not AVG(SUM(v)).
    """
    apart = disambiguate(names)
    found = []
    for of in work.aggregations:
        name = of.user.name if of.user else of.function.upper()
        if isinstance(work, Aggregate) and work.rows is not None:
            found.append(f"{name}({names[of.arguments[0]].partition('(')[2]}")  # AVG(v) for SUM(v)
            continue
        arguments = ", ".join(apart[column] for column in of.arguments) or "*"
        condition = "" if of.filter is None else f" FILTER (WHERE {apart[of.filter]})"
        found.append(f"{name}({'DISTINCT ' if of.distinct else ''}{arguments}){condition}")
    return found
