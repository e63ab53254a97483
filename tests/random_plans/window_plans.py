"""Window plans: random window functions, ranks up to a bound, and sort keys over plans that are drawn."""

from __future__ import annotations

from collections.abc import Callable

from tailrace.logical import nodes
from tailrace.logical.expressions import Aggregation, Call, Column, Expression, Literal
from tailrace.logical.over import Frame, Over, TopOfPartition, WindowFunction
from tailrace.logical.plan import Plan
from tailrace.schema import Schema
from tailrace.types import BOOLEAN, INT
from tests.random_plans.expressions import TYPES, Expressions


class WindowPlans(Expressions):
    """Draws window functions over relations."""

    def relation(self, depth: int) -> Plan:
        raise AssertionError("the plans define this")

    def with_windows(self, depth: int, plan: Callable[[int], Plan]) -> Plan:
        """Window functions, ordered by every column in the end; or the first tuples of each partition."""
        child = plan(depth)
        partition = tuple(self.of_type(self.pick(TYPES), child.schema, 1) for _ in range(self.number(0, 1)))
        columns = [
            Column(place, field.type, field.name) for place, field in self.shuffled(list(enumerate(child.schema)))
        ]
        order = tuple(self.order_key(each) for each in (self.of_type(INT, child.schema, 1), *columns))
        if not self.number(0, 2):
            return TopOfPartition(child, partition, order[: self.number(1, len(order))], self.number(1, 2), False)
        functions = tuple(self.window_function(child.schema) for _ in range(self.number(1, 2)))
        return Over(child, partition, order, functions, tuple(f"o{place}" for place in range(len(functions))))

    def rank_below(self, depth: int) -> Plan:
        """The tuples up to a rank in their partition."""
        child = self.relation(depth)
        partition = tuple(self.of_type(INT, child.schema, 1) for _ in range(self.number(0, 1)))
        order = (self.order_key(self.of_type(self.pick(TYPES), child.schema, 1)),)
        rank = WindowFunction(Aggregation(self.pick(("row_number", "rank")), (), INT))
        over = Over(child, partition, order, (rank,), ("place",))
        place = Column(len(child.schema), INT, "place")
        return nodes.Select(over, Call("<=", (place, Literal(self.number(1, 2), INT)), BOOLEAN))

    def window_function(self, schema: Schema) -> WindowFunction:
        name = self.pick(("row_number", "rank", "dense_rank", "lag", "first_value", "last_value", "aggregate"))
        if name in ("row_number", "rank", "dense_rank"):
            return WindowFunction(Aggregation(name, (), INT))
        frame = Frame(self.pick(("rows", "groups")), self.pick((None, -2, -1, 0)), self.pick((None, 0, 1)))
        of = self.pick(TYPES)
        if name == "lag":
            return WindowFunction(Aggregation(name, (self.of_type(of, schema, 1), Literal(1, INT)), of))
        if name == "aggregate":
            call = self.aggregation(schema)
            return WindowFunction(call, Frame(last=None) if WindowFunction(call).needs_partition else frame)
        return WindowFunction(Aggregation(name, (self.of_type(of, schema, 1),), of), frame, self.pick((False, True)))

    def order_key(self, expression: Expression) -> nodes.OrderKey:
        return nodes.OrderKey(expression, self.pick((False, True)), self.pick((True, False)))
