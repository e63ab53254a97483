"""Plan size: how much a plan is once every view in it is written out, told without writing it out.

A view that reads another one twice, and is read twice itself, makes a plan of few objects that is an enormous tree:
26 such views are 2 kB of text and 200 million nodes. Whatever walks the tree would take hours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tailrace.logical.expressions import Column, Expression
from tailrace.logical.nodes import Aggregate, Project
from tailrace.logical.plan import Plan
from tailrace.types import Type


@dataclass(frozen=True)
class PlanSize:
    """The nodes of a plan as a tree, the fields of all their schemas, and each column's expression written out.

    `columns` has, for each column, the number of parts of its expression once the projections below are merged into it.
    """

    nodes: int
    fields: int
    columns: tuple[int, ...]


@dataclass
class SizeMeasure:
    """Measures plans and types; what is met again is not measured again. It must not outlive what it measured."""

    plans: dict[int, PlanSize] = field(default_factory=dict)
    types: dict[int, int] = field(default_factory=dict)

    def size_of(self, plan: Plan) -> PlanSize:
        """The size of a plan, in time that grows with the objects it is made of and not with the tree.

        >>> from tailrace.catalog.sources import Stream
        >>> from tailrace.logical.nodes import Scan, Union
        >>> from tailrace.schema import Schema
        >>> from tailrace.types import INT
        >>> plan = Scan(Stream("S", Schema.of(("k", INT))))
        >>> for _ in range(26):
        ...     plan = Union((plan, plan))
        >>> SizeMeasure().size_of(plan)
        PlanSize(nodes=134217727, fields=134217727, columns=(1,))
        """
        known = self.plans.get(id(plan))
        if known is None:
            below = [self.size_of(child) for child in plan.children]
            own = sum(self.leaves_of(each.type) for each in plan.schema)
            columns = column_sizes(plan, [size.columns for size in below])
            known = PlanSize(1 + sum(s.nodes for s in below), own + sum(s.fields for s in below), columns)
            self.plans[id(plan)] = known
        return known

    def leaves_of(self, type: Type) -> int:
        """The number of simple types that a type is made of."""
        known = self.types.get(id(type))
        if known is None:
            known = max(1, sum(map(self.leaves_of, parts_of(type))))
            self.types[id(type)] = known
        return known


def parts_of(type: Type) -> Iterator[Type]:
    """The types inside of an ARRAY, MAP or STRUCT."""
    for each in type.args:
        part = each[1] if isinstance(each, tuple) else each
        if isinstance(part, Type):
            yield part


def column_sizes(plan: Plan, below: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """For each column of a node, how many parts its expression has in terms of the sources."""
    width, found = len(plan.schema), [size for columns in below for size in columns]
    if isinstance(plan, Project):
        return tuple(expression_size(each, found) for each in plan.expressions)
    if isinstance(plan, Aggregate):
        return (*(expression_size(each, found) for each in plan.keys), *(1 for _ in plan.aggregations))
    if len(below) > 1 and all(len(columns) == width for columns in below):
        return tuple(map(max, *below))  # a union, and its like
    return tuple([*found, *(1 for _ in range(width))][:width])


def expression_size(expression: Expression, columns: Sequence[int]) -> int:
    """The number of parts of an expression, with `columns` as the sizes of what its columns stand for."""
    if isinstance(expression, Column):
        return columns[expression.index] if expression.index < len(columns) else 1
    return 1 + sum(expression_size(child, columns) for child in expression.children)
