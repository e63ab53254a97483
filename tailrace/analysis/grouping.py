"""Grouping: turns expressions of a grouped query into expressions over its groups: keys, then aggregates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tailrace.analysis.correlation.lift_conditions import key_name
from tailrace.analysis.scalars.placeholders import PendingAggregate
from tailrace.errors import AnalysisError, TextSpan
from tailrace.logical import nodes
from tailrace.logical.expressions import Aggregation, Column, Expression
from tailrace.logical.plan import Plan
from tailrace.logical.text.expression_text import aggregation_text


@dataclass
class AggregateCollector:
    """Collects the aggregates in a query's expressions; equal ones are computed once."""

    keys: Sequence[Expression]
    aggregations: list[Aggregation] = field(default_factory=list)

    def over(self, expression: Expression, place: TextSpan | None) -> Expression:
        """The expression over the columns of the Aggregate; a column that is neither key nor aggregated is refused."""
        if expression in self.keys:
            index = list(self.keys).index(expression)
            return Column(index, expression.type, key_name(expression))
        if isinstance(expression, PendingAggregate):
            return self._aggregate(expression.aggregation)
        if isinstance(expression, Column):
            raise AnalysisError(
                f"{expression.name} is neither in GROUP BY nor inside an aggregate",
                place,
                f"add {expression.name} to GROUP BY, or write MIN({expression.name}) or the like",
            )
        children = tuple(self.over(child, place) for child in expression.children)
        return expression.with_children(children)

    def _aggregate(self, aggregation: Aggregation) -> Expression:
        if aggregation not in self.aggregations:
            self.aggregations.append(aggregation)
        index = len(self.keys) + self.aggregations.index(aggregation)
        return Column(index, aggregation.of, aggregation_text(aggregation))

    def plan(self, child: Plan) -> nodes.Aggregate:
        names = [key_name(key) for key in self.keys]
        names += [aggregation_text(aggregation) for aggregation in self.aggregations]
        return nodes.Aggregate(child, tuple(self.keys), tuple(self.aggregations), tuple(names))
