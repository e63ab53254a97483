"""Lower aggregates: keys, arguments and filters computed into columns, then folded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tailrace.logical import nodes
from tailrace.logical.expressions import Expression
from tailrace.physical.aggregates.aggregation import Aggregation
from tailrace.physical.arrow_types import arrow_type
from tailrace.physical.operators.aggregate import Aggregate

if TYPE_CHECKING:
    from tailrace.physical.lower import Lowering


def aggregate(lowering: Lowering, node: nodes.Aggregate) -> int:
    columns: list[Expression] = []

    def place(expression: Expression) -> int:
        """Where an expression is computed; each distinct one once."""
        if expression not in columns:
            columns.append(expression)
        return columns.index(expression)

    keys = tuple(place(key) for key in node.keys)
    wanted = tuple(
        Aggregation(
            of.function,
            tuple(place(argument) for argument in of.arguments),
            arrow_type(of.of),
            of.distinct,
            place(of.condition) if of.condition else None,
            user=of.user,
        )
        for of in node.aggregations
    )
    below = lowering.project(lowering.step(node.child), columns)
    types = tuple(arrow_type(type) for type in node.schema.types)
    return lowering.plan.add(Aggregate(types, keys, wanted, lowering.plan.takes_back[below]), below)
