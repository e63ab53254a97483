"""Grouping: turns expressions of a grouped query into expressions over its groups: keys, then aggregates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tailrace.analysis.scalars.placeholders import PendingAggregate
from tailrace.errors import AnalysisError, TextSpan
from tailrace.logical import nodes
from tailrace.logical.expressions import Aggregation, Call, Column, Expression, Literal, UserCall
from tailrace.logical.plan import Plan
from tailrace.logical.text.expression_text import aggregation_text, text_of
from tailrace.types import BIGINT, BOOLEAN


@dataclass
class AggregateCollector:
    """Collects the aggregates in a query's expressions; equal ones are computed once."""

    keys: Sequence[Expression]
    aggregations: list[Aggregation] = field(default_factory=list)

    def over(self, expression: Expression, place: TextSpan | None) -> Expression:
        """The expression over the columns of the Aggregate; a column that is neither key nor aggregated is refused."""
        if expression in self.keys:
            index = list(self.keys).index(expression)
            return Column(index, expression.type, name_of(expression))
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
        names = [name_of(key) for key in self.keys]
        names += [aggregation_text(aggregation) for aggregation in self.aggregations]
        return nodes.Aggregate(child, tuple(self.keys), tuple(self.aggregations), tuple(names))

    def when_empty(self, expression: Expression) -> Expression:
        """The expression for a correlated subquery whose group may not exist: then a COUNT is 0, not NULL.

        The outer tuple is joined with its group. If there is none, all the group's columns are NULL. In an existing
        group the first key is not NULL, since it was equal to a value of the outer tuple.
        """
        if isinstance(expression, Column) and expression.index >= len(self.keys):
            aggregation = self.aggregations[expression.index - len(self.keys)]
            if aggregation.function in ("count", "count_if"):
                return Call("coalesce", (expression, Literal(0, BIGINT)), BIGINT)
            if aggregation.user:
                missing = Call("is null", (Column(0, self.keys[0].type),), BOOLEAN)
                nothing = UserCall(aggregation.user.of_nothing, ())
                return Call("case", (missing, nothing, expression), aggregation.of)
        children = tuple(self.when_empty(child) for child in expression.children)
        return expression.with_children(children) if children else expression


def name_of(expression: Expression) -> str:
    return expression.name if isinstance(expression, Column) and expression.name else text_of(expression)
