"""Random plans: small sources, what arrives on them, and typed plans over them, drawn by chance.

Shapes that rules look for are drawn more often than chance would: selections over windows over joins, columns
that nobody reads, Istream over unbounded windows, samples of samples. What the language leaves undefined is not
drawn: row windows over derived streams with an order of their own, top-k with ties, scalar subqueries of two rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Any

from hypothesis import strategies as st

from tailrace.catalog.sources import Declared, Relation, Stream
from tailrace.logical import nodes
from tailrace.logical.expressions import TRUE, Call, Column, Expression, all_of
from tailrace.logical.plan import Kind, Plan, walk
from tailrace.logical.sampling import SampleRate
from tailrace.logical.windows import ONE_TUPLE, Every, Reservoir, RowWindow, TimeWindow, Window
from tailrace.schema import Field, Schema
from tailrace.types import BOOLEAN, INT, Type, is_fraction
from tests.random_plans.expressions import TYPES, VALUES, Chance, Drawn, Seeded
from tests.random_plans.window_plans import WindowPlans

LAST_INSTANT = 5
DEPTHS = (0, 1, 2, 2, 3, 3, 4, 4)
COUNTS = (0, 1, 2, 3, 4, 4, 5, 5, 6, 6)  # how many rows arrive, mostly some
STREAMS = ("S", "T", "K")
RELATIONS = ("Fixed", "Grows", "Upsert", "Changes")


@dataclass(frozen=True)
class World:
    """A plan and what arrives for it."""

    plan: Plan
    inputs: dict[str, list[Any]]
    last_instant: int


@st.composite
def worlds(draw: Callable[[st.SearchStrategy[Any]], Any]) -> World:
    """A random plan with random inputs, for Hypothesis."""
    return world(Drawn(draw))


def seeded_world(seed: int, python: bool = False) -> World:
    """The same plan and inputs each time; with `python`, functions from Python play a part."""
    return world(Seeded(Random(seed)), python)


def world(chance: Chance, python: bool = False) -> World:
    drawing = Plans(chance, python)
    plan = drawing.any(drawing.pick(DEPTHS))
    inputs = {name: drawing.arrivals(source) for name, source in drawing.sources.items()}
    return World(plan, inputs, LAST_INSTANT)


class Plans(WindowPlans):
    """Draws plans; each method draws one of its kind, at most `depth` operators high above windows and scans."""

    def __init__(self, chance: Chance, python: bool = False) -> None:
        super().__init__(chance, python)
        self.sources: dict[str, Declared] = {}

    # Sources ------------------------------------------------------------------------------------------------

    def scan(self, *names: str) -> nodes.Scan:
        """A scan of one of these sources, declared when it is first read."""
        name = self.pick(names)
        if name not in self.sources:
            self.sources[name] = self.declared(name)
        return nodes.Scan(self.sources[name])

    def declared(self, name: str) -> Declared:
        count = self.pick((1, 2, 2, 3))
        schema = Schema(tuple(Field("abc"[place], self.pick(TYPES)) for place in range(count)))
        with_key = Schema.of(("id", INT)) + schema
        match name:
            case "K":
                return Stream(name, with_key, timestamp="ts", key=("id",))
            case "Fixed":
                return Relation(name, schema)
            case "Grows":
                return Relation(name, schema, timestamp="ts")
            case "Upsert":
                return Relation(name, with_key, timestamp="ts", key=("id",))
            case "Changes":
                return Relation(name, schema, timestamp="ts", op="op")
        return Stream(name, schema, timestamp="ts")

    def arrivals(self, source: Declared) -> list[Any]:
        """Rows in the order of time, several at one instant, with silences, some after the end."""
        instants = sorted(self.number(0, LAST_INSTANT + 1) for _ in range(self.pick(COUNTS)))
        if isinstance(source, Stream):
            # A KEY promises that no two elements share it, so the key counts up.
            keyed = [(place,) if source.key else () for place in range(len(instants))]
            rest = source.schema.fields[len(source.key) :]
            pairs = zip(instants, keyed, strict=True)
            return [(instant, key + self.row(rest)) for instant, key in pairs]
        assert isinstance(source, Relation)
        rows = [(instant, None, self.row(source.schema.fields)) for instant in instants]
        if source.is_static:
            return [(None, None, row) for _, _, row in rows]
        return self.signed(rows) if source.op else rows

    def row(self, fields: Sequence[Field]) -> tuple[Any, ...]:
        return tuple(self.pick(VALUES[field.type]) for field in fields)

    def signed(self, rows: Sequence[tuple[int, None, Any]]) -> list[Any]:
        """Each row inserted, and some deleted again later."""
        inserted = [(instant, "+", row) for instant, _, row in rows]
        gone = [(instant + self.number(0, 2), "-", row) for instant, _, row in rows if self.number(0, 1)]
        return sorted([*inserted, *gone], key=lambda change: change[0])

    # Any plan -----------------------------------------------------------------------------------------------

    def any(self, depth: int) -> Plan:
        return self.pick((self.relation, self.relation, self.stream, self.ordered, self.telling))(depth)

    def telling(self, depth: int) -> Plan:
        """A shape of plan that a rule looks for, over a plan that is drawn."""
        below = max(depth - 2, 0)
        match self.pick(
            (
                "window",
                "projections",
                "sample of columns",
                "sample of sample",
                "sample of steps",
                "samples of one",
                "one substream",
                "share",
                "linear",
                "top",
            )
        ):
            case "window":
                return self.select(below, lambda under: self.windowed(under, None))
            case "projections":
                return self.project(below, lambda under: self.project(under, self.relation))
            case "sample of columns":
                return self.sample(below, lambda under: self.project(under, self.ordered))
            case "sample of sample":
                return self.sample(below, lambda under: self.sample(under, self.ordered))
            case "sample of steps":
                return self.sample(below, lambda _: nodes.Append(self.aggregate(0, self.steps)))
            case "samples of one":
                return self.two_samples(below)
            case "one substream":
                return self.of_substreams(below)
            case "share":
                return self.select(below, lambda under: self.draw(under, self.ordered))
            case "top":
                return self.rank_below(below)
        return self.linear(depth, None)

    def two_samples(self, depth: int) -> Plan:
        """A sample, and beside it one of the same elements that is coarser."""
        child = self.ordered(depth)
        unit, partition = self.pick(("tuples", "ticks")), self.partition(child)
        samples = [nodes.FrequencySample(child, Every(count, unit), partition) for count in (2, 2 * self.number(1, 3))]
        return nodes.Union((samples[0], samples[1]))

    def of_substreams(self, depth: int) -> Plan:
        """What is asked of some substreams of a sample or of a jumping window, or the one row of each of its steps."""
        child = self.ordered(depth)
        column = Column(0, child.schema[0].type)
        jump = nodes.JumpWindow(child, self.every(), self.every(), (0,))
        match self.number(0, 2):
            case 0:
                sample = nodes.FrequencySample(child, self.every(), (0,))
                return nodes.Select(sample, self.about(column))
            case 1:
                return nodes.Append(nodes.Select(jump, self.about(column)))
        grouped = nodes.Aggregate(jump, (column,), (self.aggregation(child.schema),), ("key", "value"))
        return nodes.FrequencySample(nodes.Append(grouped), self.every(), (0,))

    def about(self, column: Column) -> Expression:
        return Call("is null" if self.number(0, 1) else "is not null", (column,), BOOLEAN)

    def some(self, depth: int, plan: Callable[[int], Plan], shapes: Sequence[Any], leaf: Callable[[], Plan]) -> Plan:
        """A leaf, or a shape over plans of the same kind."""
        if depth <= 0:
            return leaf()
        return self.pick(shapes)(depth - 1, plan)

    # Streams ------------------------------------------------------------------------------------------------

    def base_stream(self) -> Plan:
        return self.scan(*STREAMS)

    def stream(self, depth: int) -> Plan:
        """Any stream, base or derived."""
        shapes = (self.select, self.project, self.to_stream, self.to_stream, self.linear, self.union, self.draw)
        return self.some(depth, self.stream, shapes, self.base_stream)

    def ordered(self, depth: int) -> Plan:
        """A stream whose elements of one instant have an order that means something: what may be counted."""
        shapes = (self.select, self.project, self.unbounded, self.append, self.append, self.sample, self.draw)
        return self.some(depth, self.ordered, shapes, self.base_stream)

    def to_stream(self, depth: int, _: Any) -> Plan:
        return nodes.ToStream(self.relation(depth), self.pick(("istream", "dstream", "rstream")))

    def unbounded(self, depth: int, plan: Callable[[int], Plan]) -> Plan:
        """Istream over an unbounded window, or Rstream over [NOW]: the stream itself."""
        operator, size = self.pick((("istream", None), ("rstream", 0)))
        return nodes.ToStream(nodes.ApplyWindow(plan(depth), TimeWindow(size)), operator)

    def linear(self, depth: int, _: Any) -> Plan:
        """Istream over a linear query of unbounded or [NOW] windows, which rules can do without."""
        window = TimeWindow(self.pick((None, None, 0)))
        operator = self.pick(("istream", "istream", "rstream"))

        def over(below: int) -> Plan:
            if below <= 0:
                return nodes.ApplyWindow(self.stream(0), window)
            return self.pick((self.select, self.project, self.union, self.static_join))(below - 1, over)

        return nodes.ToStream(over(depth), operator)

    def static_join(self, depth: int, plan: Callable[[int], Plan]) -> Plan:
        left, right = plan(depth), self.scan("Fixed")
        if self.number(0, 1):
            return nodes.SemiJoin(left, right, self.pick((False, True)), self.link(left.schema, right.schema))
        how = self.pick(("inner", "left", "right", "full"))
        if self.number(0, 1):
            left, right = right, left
        return nodes.Join(left, right, how, self.link(left.schema, right.schema))

    def sample(self, depth: int, plan: Callable[[int], Plan]) -> Plan:
        child = plan(depth)
        return nodes.FrequencySample(child, self.every(), self.partition(child))

    def draw(self, depth: int, plan: Callable[[int], Plan]) -> Plan:
        """A sample by hash. A computed DOUBLE is not hashed: nobody promises its last digit."""
        child = plan(depth)
        exact = is_of_base(child)
        columns = tuple(place for place, field in enumerate(child.schema) if exact or not is_fraction(field.type))
        percent = Decimal(self.pick(("20", "50", "50", "99.9", "100")))
        return nodes.HashSample(child, SampleRate(percent, self.number(0, 3)), columns)

    def append(self, depth: int, _: Any) -> Plan:
        return nodes.Append(self.steps(depth))

    # Steps --------------------------------------------------------------------------------------------------

    def steps(self, depth: int) -> Plan:
        shapes = (self.select, self.project, self.aggregate, self.distinct, self.step_join, self.top_k)
        return self.some(depth, self.steps, shapes, self.jump)

    def jump(self) -> Plan:
        child = self.ordered(self.number(0, 1))
        frequency = self.pick((ONE_TUPLE, self.every()))
        return nodes.JumpWindow(child, self.every(), frequency, self.partition(child))

    def step_join(self, depth: int, plan: Callable[[int], Plan]) -> Plan:
        """A step joins the relation of its instant, one whose order no rule changes."""
        left, right = plan(depth), self.scan(*RELATIONS)
        how = self.pick(("inner", "left", "right"))
        return nodes.Join(left, right, how, self.link(left.schema, right.schema))

    def every(self) -> Every:
        return Every(self.number(1, 3), self.pick(("tuples", "ticks")))

    def partition(self, plan: Plan) -> tuple[int, ...]:
        return (self.number(0, len(plan.schema) - 1),) if plan.schema.fields and not self.number(0, 2) else ()

    # Relations ----------------------------------------------------------------------------------------------

    def base(self) -> Plan:
        return self.scan(*RELATIONS) if not self.number(0, 3) else self.windowed(0, self.relation)

    def relation(self, depth: int) -> Plan:
        """Any relation."""
        frequent = (self.select, self.project, self.join, self.aggregate, self.windowed)
        rare = (
            self.semi_join,
            self.mark_join,
            self.single_join,
            self.distinct,
            self.union,
            self.difference,
            self.difference,
            self.top_k,
            self.with_windows,
        )
        return self.some(depth, self.relation, frequent * 2 + rare, self.base)

    def windowed(self, depth: int, _: Any) -> Plan:
        if self.number(0, 2):
            return nodes.ApplyWindow(self.stream(depth), self.time_window())
        child = self.ordered(depth)
        if is_of_base(child) and not self.number(0, 2):
            return nodes.ApplyWindow(child, Reservoir(self.number(1, 3), self.number(0, 3)))
        return nodes.ApplyWindow(child, self.row_window(child))

    def time_window(self) -> Window:
        return TimeWindow(self.pick((None, 0, 1, 2, 3)), self.pick((1, 1, 2, 3)))

    def row_window(self, plan: Plan) -> Window:
        return RowWindow(self.number(1, 3), self.pick((1, 1, 2)), self.partition(plan))

    def select(self, depth: int, plan: Callable[[int], Plan]) -> Plan:
        child = plan(depth)
        return nodes.Select(child, self.condition(child.schema))

    def project(self, depth: int, plan: Callable[[int], Plan]) -> Plan:
        types = [self.pick(TYPES) for _ in range(self.number(1, 3))]
        return self.conformed(plan(depth), types)

    def conformed(self, plan: Plan, types: Sequence[Type]) -> Plan:
        """A projection to columns of the given types."""
        expressions = tuple(self.of_type(of, plan.schema) for of in types)
        return nodes.Project(plan, expressions, tuple(f"p{place}" for place in range(len(types))))

    def join(self, depth: int, plan: Callable[[int], Plan]) -> Plan:
        left, right = plan(depth), plan(min(depth, 1))
        how = self.pick(("inner", "inner", "left", "right", "full"))
        return nodes.Join(left, right, how, self.link(left.schema, right.schema))

    def semi_join(self, depth: int, plan: Callable[[int], Plan]) -> Plan:
        left, right = plan(depth), plan(min(depth, 1))
        condition = self.link(left.schema, right.schema)
        if not self.number(0, 2):
            condition = Call("is not false", (condition,), BOOLEAN)
        return nodes.SemiJoin(left, right, self.pick((False, True)), condition)

    def mark_join(self, depth: int, plan: Callable[[int], Plan]) -> Plan:
        left, right = plan(depth), plan(min(depth, 1))
        return nodes.MarkJoin(left, right, self.link(left.schema, right.schema))

    def single_join(self, depth: int, plan: Callable[[int], Plan]) -> Plan:
        """As a scalar subquery is written: a whole aggregate, or one followed by the equality of its keys."""
        left, below = plan(depth), plan(min(depth, 1))
        aggregations = (self.aggregation(below.schema),)
        of = self.pick(TYPES)
        keys = (self.of_type(of, below.schema, 1),) if self.number(0, 1) else ()
        names = ("key", "value")[-len(keys) - 1 :]
        right = nodes.Aggregate(below, keys, aggregations, names)
        condition: list[Expression] = [TRUE]
        if keys:
            key = Column(len(left.schema), of, "key")
            condition = [Call("=", (self.of_type(of, left.schema, 1), key), BOOLEAN)]
        if not self.number(0, 2):
            condition.append(self.condition(left.schema + right.schema, 1))
        return nodes.SingleJoin(left, right, all_of(condition))

    def aggregate(self, depth: int, plan: Callable[[int], Plan]) -> Plan:
        child = plan(depth)
        keys = tuple(self.of_type(self.pick(TYPES), child.schema, 1) for _ in range(self.number(0, 2)))
        aggregations = tuple(self.aggregation(child.schema) for _ in range(self.number(1, 2)))
        names = tuple(f"g{place}" for place in range(len(keys) + len(aggregations)))
        return nodes.Aggregate(child, keys, aggregations, names)

    def distinct(self, depth: int, plan: Callable[[int], Plan]) -> Plan:
        return nodes.Distinct(plan(depth))

    def union(self, depth: int, plan: Callable[[int], Plan]) -> Plan:
        left = plan(depth)
        return nodes.Union((left, self.conformed(plan(min(depth, 1)), left.schema.types)))

    def difference(self, depth: int, plan: Callable[[int], Plan]) -> Plan:
        left = plan(depth)
        right = self.conformed(plan(min(depth, 1)), left.schema.types)
        return self.pick((nodes.Except, nodes.Intersect))(left, right, self.pick((False, True)))

    def top_k(self, depth: int, plan: Callable[[int], Plan]) -> Plan:
        """Ordered by every column in the end, so that only equal tuples tie."""
        child = plan(depth)
        fields = list(enumerate(child.schema))
        columns = [Column(place, field.type, field.name) for place, field in self.shuffled(fields)]
        first = [self.of_type(INT, child.schema, 1)] if self.number(0, 1) else []
        order = tuple(self.order_key(expression) for expression in (*first, *columns))
        return nodes.TopK(child, order, self.pick((1, 2, None)), self.number(0, 1))


def is_of_base(plan: Plan) -> bool:
    """Whether a stream's elements are a source's own, to the last digit."""
    return isinstance(plan, nodes.Scan) or (
        isinstance(plan, nodes.Select | nodes.HashSample) and is_of_base(plan.child)
    )


def is_sequence(plan: Plan) -> bool:
    """Whether the order of the plan's elements is a part of its meaning."""
    return plan.kind is Kind.STREAM and any(
        isinstance(node, nodes.Append | nodes.FrequencySample) for node in walk(plan)
    )
