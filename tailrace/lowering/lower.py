"""Lower: turns logical plans into one physical plan. Equal sub-plans become one step, within and across queries."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from functools import singledispatchmethod

import pyarrow as pa

from tailrace.catalog.sources import Relation, Stream
from tailrace.columnar.arrow_types import arrow_type
from tailrace.errors import RunError
from tailrace.logical import family_nodes, nodes
from tailrace.logical import sequence_nodes as steps
from tailrace.logical.asof_nodes import AsofJoin
from tailrace.logical.expressions import Column, Expression, refer_to
from tailrace.logical.over import Over, TopOfPartition
from tailrace.logical.plan import Kind, Plan, walk
from tailrace.logical.time.window_tables import AssignWindows, SessionWindow
from tailrace.logical.windows import Reservoir as ReservoirWindow
from tailrace.logical.windows import TimeWindow
from tailrace.lowering import joins as lower_joins
from tailrace.lowering import sequences as lower_steps
from tailrace.lowering.aggregates import aggregate
from tailrace.lowering.asof_joins import asof_join
from tailrace.lowering.mixed_calls import add_part_columns
from tailrace.lowering.over import lower_over, lower_top
from tailrace.operators.families.member_sets import MemberSet, StemJoinMembers, StemReaders
from tailrace.operators.families.stem import RowNumber, RowStem, Stem
from tailrace.operators.families.stem_join import StemJoin
from tailrace.operators.families.tag_members import FamilyMembers, TagMembers
from tailrace.operators.identity import stem_name
from tailrace.operators.operator import Operator
from tailrace.operators.plan import Input, PhysicalPlan, StartPoint
from tailrace.operators.relational.counts import Distinct, Except, Intersect
from tailrace.operators.relational.project import Project
from tailrace.operators.relational.select import Select
from tailrace.operators.relational.top_k import TopK
from tailrace.operators.relational.union import Union
from tailrace.operators.streams.changelog import Changelog, DStream, IStream
from tailrace.operators.streams.reorder import Reorder
from tailrace.operators.streams.rstream import RStream, Snapshot
from tailrace.operators.streams.tables import InsertOnlyTable, SignedTable, Upsert
from tailrace.operators.windows.assign_windows import AssignWindowsOp
from tailrace.operators.windows.row_window import RowWindow
from tailrace.operators.windows.sampling import HashSample, Reservoir
from tailrace.operators.windows.sessions import Sessions
from tailrace.operators.windows.since import Since
from tailrace.operators.windows.time_window import TimeWindowOp
from tailrace.state.group_ids import ActiveMembers


def lower(
    plans: Mapping[str, Plan],
    snapshots: Container[str] = (),
    begins: Mapping[str, StartPoint] | None = None,
    flows: Mapping[str, MemberSet] | None = None,
) -> PhysicalPlan:
    """The physical plan of several queries and families, by name.

    A query that gives a relation outputs its changes or, if its name is in `snapshots`, its content when the run ends.
    Queries start with the first batch unless `begins` says otherwise. `flows` has the members of families and stems.
    """
    lowering = Lowering(flows=flows or {})
    for name, plan in plans.items():
        lowering.begin = (begins or {}).get(name, StartPoint())
        number = lowering.step(plan)
        if plan.kind is Kind.RELATION:
            result = Snapshot if name in snapshots else Changelog
            number = lowering.plan.add(result(lowering.plan.types(number)), lowering.add_since(number))
        lowering.plan.outputs[name] = number
        lowering.plan.begins[name] = lowering.begin
    return lowering.plan


@dataclass
class Lowering:
    """The steps so far, and the step of each logical node; only queries with the same start (`begin`) share steps."""

    plan: PhysicalPlan = field(default_factory=PhysicalPlan)
    known: dict[tuple[StartPoint, Plan], int] = field(default_factory=dict)
    begin: StartPoint = field(default_factory=StartPoint)
    flows: Mapping[str, MemberSet] = field(default_factory=dict)

    def step(self, node: Plan) -> int:
        key = self.begin, node
        if key not in self.known:
            self.known[key] = self.lower(node)
        return self.known[key]

    def add_since(self, number: int) -> int:
        """The rows of a step from the instant at which the current query started."""
        if not self.begin.instant:
            return number
        return self.plan.add(Since(self.plan.types(number), self.begin.instant), number)

    def with_columns(self, number: int, expressions: Sequence[Expression]) -> tuple[int, list[int]]:
        """A step that has these expressions among its columns, new ones behind all others, and the column of each."""
        columns = list(self.plan.columns(number))
        for expression in expressions:
            if expression not in columns:
                columns.append(expression)
        return self.project(number, columns), [columns.index(expression) for expression in expressions]

    def keep(self, number: int, indexes: Sequence[int]) -> int:
        """Some of a step's columns."""
        columns = self.plan.columns(number)
        return self.project(number, [columns[index] for index in indexes])

    def project(self, number: int, expressions: Sequence[Expression]) -> int:
        """A step that computes these expressions of a step's columns; the step itself if they are just its columns."""
        width = len(self.plan.types(number))
        if len(expressions) == width and all(
            isinstance(e, Column) and e.index == index for index, e in enumerate(expressions)
        ):
            return number
        types = tuple(arrow_type(expression.type) for expression in expressions)
        number, expressions = add_part_columns(self, number, expressions)
        return self.plan.add(Project(types, tuple(expressions)), number)

    def select(self, number: int, predicate: Expression) -> int:
        width = len(self.plan.types(number))
        number, (predicate,) = add_part_columns(self, number, [predicate])
        return self.keep(self.plan.add(Select(self.plan.types(number), predicate), number), range(width))

    def roster(self, node: Plan) -> ActiveMembers | None:
        """The members of the family that a node belongs to, for dropping others' state; None if it is of no family."""
        if node.schema.names[:1] != family_nodes.MEMBERS.names:
            return None
        tagged = (each for each in walk(node) if isinstance(each, family_nodes.TaggedScan | family_nodes.StemJoin))
        return next((self.flows[each.family].roster for each in tagged), None)

    @singledispatchmethod
    def lower(self, node: Plan) -> int:
        raise RunError(f"{type(node).__name__.lower()} cannot be run yet")

    # Sources ------------------------------------------------------------------------------------------

    @lower.register
    def _(self, node: nodes.Scan) -> int:
        width = len(node.source.schema)
        columns = tuple(range(width)) if node.columns is None else node.columns
        if isinstance(node.source, Relation) and node.source.key and not node.source.op:
            return self.add_upsert(node, columns)
        types = tuple(arrow_type(node.source.schema[index].type) for index in columns)
        source = self.input(node.source, columns, types)
        if isinstance(node.source, Relation):
            work = SignedTable(types) if node.source.op else InsertOnlyTable(types)
            return self.plan.add(work, source)
        return self.add_since(source)

    @lower.register
    def _(self, node: family_nodes.TaggedScan) -> int:
        types = tuple(arrow_type(type) for type in node.schema.types)
        return self.plan.add(
            TagMembers(types, node.family, node.columns, self.flows[node.family]), self.step(node.child)
        )

    @lower.register
    def _(self, node: family_nodes.FamilyMembers) -> int:
        types = tuple(arrow_type(type) for type in node.schema.types)
        return self.plan.add(FamilyMembers(types, node.family, self.flows[node.family]))

    @lower.register
    def _(self, node: family_nodes.Stem) -> int:
        name, width = stem_name(node), len(node.schema)
        flow = self.flows[name]
        assert isinstance(flow, StemReaders)
        below = self.step(node.child)
        if not node.rows:
            number, keys = self.with_columns(below, node.keys)
            return self.plan.add(Stem(self.plan.types(number), name, width, tuple(keys), flow), number)
        line = self.plan.add(RowNumber((*self.plan.types(below), pa.int64())), self.in_order(below, ()))
        number, keys = self.with_columns(line, node.keys)
        work = RowStem(self.plan.types(number), name, width, tuple(keys), flow)
        return self.plan.add(work, number, self.keep(line, [width]))

    @lower.register
    def _(self, node: family_nodes.StemJoin) -> int:
        stems = [self.step(stem) for stem in node.stems]
        places = [(place, column) for place, stem in enumerate(node.stems) for column in range(len(stem.schema))]
        keys = [tuple(link.outputs[0] for link in self.plan.operator(number).key_links(1)) for number in stems]
        types = tuple(arrow_type(type) for type in node.schema.types)
        columns = tuple(places[column] for column in node.columns)
        flow = self.flows[node.family]
        assert isinstance(flow, StemJoinMembers)
        moments = tuple(len(stem.schema) if stem.rows else None for stem in node.stems)
        return self.plan.add(StemJoin(types, node.family, tuple(keys), moments, columns, tuple(places), flow), *stems)

    def input(self, source: Stream | Relation, columns: tuple[int, ...], types: tuple[pa.DataType, ...]) -> int:
        if isinstance(source, Stream):
            return self.plan.add(Input(source, columns, types))
        if self.begin.batch and not source.is_static:
            raise RunError(
                f"{source.name} changes while queries run, and what it was before is not kept",
                hint="a query that reads it must be there when the run begins",
            )
        return self.plan.add(Input(source, columns, types, self.begin.batch))

    def in_order(self, number: int, key: tuple[int, ...]) -> int:
        """A stream's elements in order of time for each value of `key`, each once its instant is decided."""
        work = self.plan.steps[number].work
        if isinstance(work, Operator) and work.emits_in_order:
            return number
        return self.plan.add(Reorder(work.types, key), number)

    def add_upsert(self, node: nodes.Scan, columns: Sequence[int]) -> int:
        """A relation with a KEY: a row replaces the older row of its key, which is retracted with all its columns."""
        schema = node.source.schema
        everything = tuple(range(len(schema)))
        types = tuple(arrow_type(type) for type in schema.types)
        key = tuple(schema.find(name)[0] for name in node.source.key)
        rows = self.input(node.source, everything, types)
        number = self.plan.add(Upsert(types, key), self.in_order(rows, key))
        return self.project(number, refer_to(schema, columns))

    @lower.register
    def _(self, node: nodes.ApplyWindow) -> int:
        if isinstance(node.window, TimeWindow):
            child = self.step(node.child)
            return self.plan.add(TimeWindowOp(self.plan.types(child), node.window), child)
        if isinstance(node.window, ReservoirWindow):
            child = self.in_order(self.step(node.child), ())
            return self.plan.add(Reservoir(self.plan.types(child), node.window), child)
        partition, width = node.window.partition, len(node.schema)
        if lower_steps.is_sequence(node.child):
            child = self.keep(self.step(lower_steps.assign_positions(node.child, partition)), range(width))
        else:
            child = self.in_order(self.step(node.child), partition)
        return self.plan.add(RowWindow(self.plan.types(child), node.window), child)

    @lower.register
    def _(self, node: AssignWindows) -> int:
        child, window = self.step(node.child), node.window
        added = (arrow_type(node.type),) * 2
        if isinstance(window, SessionWindow):
            child = self.in_order(child, window.partition)
            return self.plan.add(Sessions((*self.plan.types(child), *added), window, node.tick), child)
        work = AssignWindowsOp((*self.plan.types(child), *added), window, node.tick, node.finished)
        return self.plan.add(work, child)

    # Sequence queries ---------------------------------------------------------------------------------

    @lower.register(nodes.Append)
    @lower.register(nodes.FrequencySample)
    def _(self, node: nodes.Append | nodes.FrequencySample) -> int:
        return self.step(lower_steps.drop_order(node))

    @lower.register(steps.Prefiltered)
    @lower.register(steps.WithPositions)
    @lower.register(steps.RelationAtSteps)
    @lower.register(steps.AtPositions)
    @lower.register(steps.PlacedJump)
    @lower.register(steps.PlacedSample)
    @lower.register(steps.EvaluationPoints)
    @lower.register(steps.ResultsAtSteps)
    def _(self, node: Plan) -> int:
        return lower_steps.lower(self, node)

    # Tuple by tuple -----------------------------------------------------------------------------------

    @lower.register
    def _(self, node: nodes.Select) -> int:
        return self.select(self.step(node.child), node.predicate)

    @lower.register
    def _(self, node: nodes.HashSample) -> int:
        child = self.step(node.child)
        return self.plan.add(HashSample(self.plan.types(child), node.rate, node.columns), child)

    @lower.register
    def _(self, node: nodes.Project) -> int:
        return self.project(self.step(node.child), node.expressions)

    @lower.register
    def _(self, node: nodes.Union) -> int:
        inputs = [self.step(child) for child in node.inputs]
        return self.plan.add(Union(self.plan.types(inputs[0]), (1,) * len(inputs)), *inputs)

    # Joins --------------------------------------------------------------------------------------------

    @lower.register(nodes.Join)
    @lower.register(nodes.SemiJoin)
    @lower.register(nodes.MarkJoin)
    @lower.register(nodes.SingleJoin)
    def _(self, node: nodes.Binary) -> int:
        return lower_joins.join(self, node)

    @lower.register
    def _(self, node: AsofJoin) -> int:
        return asof_join(self, node)

    # Folds --------------------------------------------------------------------------------------------

    @lower.register
    def _(self, node: nodes.Aggregate) -> int:
        return aggregate(self, node)

    @lower.register
    def _(self, node: nodes.Distinct) -> int:
        child = self.step(node.child)
        return self.plan.add(Distinct(self.plan.types(child), roster=self.roster(node)), child)

    @lower.register
    def _(self, node: nodes.Except) -> int:
        left, right = self.step(node.left), self.step(node.right)
        return self.plan.add(Except(self.plan.types(left), node.all), left, right)

    @lower.register
    def _(self, node: nodes.Intersect) -> int:
        left, right = self.step(node.left), self.step(node.right)
        return self.plan.add(Intersect(self.plan.types(left), node.all), left, right)

    @lower.register
    def _(self, node: nodes.TopK) -> int:
        child = self.step(node.child)
        width = len(self.plan.types(child))
        extra = [key.expression for key in node.order if not isinstance(key.expression, Column)]
        own = refer_to(node.child.schema)
        wide = self.project(child, [*own, *extra])
        order, hidden = [], width
        for key in node.order:
            if isinstance(key.expression, Column):
                order.append((key.expression.index, key.descending, key.nulls_first))
            else:
                order.append((hidden, key.descending, key.nulls_first))
                hidden += 1
        types = self.plan.types(wide)
        number = self.plan.add(TopK(types, tuple(order), node.limit, node.offset), wide)
        return self.project(number, own)

    @lower.register
    def _(self, node: Over) -> int:
        return lower_over(self, node)

    @lower.register
    def _(self, node: TopOfPartition) -> int:
        return lower_top(self, node)

    # To streams ---------------------------------------------------------------------------------------

    @lower.register
    def _(self, node: nodes.ToStream) -> int:
        # For a query the relation is empty before its start: Istream sends all that is there at that instant.
        child = self.add_since(self.step(node.child))
        operator = {"istream": IStream, "dstream": DStream, "rstream": RStream}[node.operator]
        return self.plan.add(operator(self.plan.types(child)), child)
