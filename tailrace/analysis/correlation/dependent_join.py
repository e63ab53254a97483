"""Dependent join: the general way to free a subquery of outer columns (Neumann, Kemper: Unnesting Arbitrary Queries).

The *domain* D holds the distinct values of the outer columns that the subquery reads. The subquery is evaluated for all
of D at once: its plan gets D's columns in front of its own, which say what values of D a tuple belongs to. D is joined
where the plan begins to read it; an aggregate is also grouped by D's columns, and joins inside compare them.

The outer tuples are then joined with the tuples of their own values, by `<=>`, since a NULL is a value here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tailrace.analysis.correlation.outer_columns import map_expressions, reads_outer
from tailrace.errors import AnalysisError
from tailrace.logical import nodes
from tailrace.logical.expressions import (
    TRUE,
    Aggregation,
    Call,
    Column,
    Expression,
    Literal,
    Outer,
    UserCall,
    all_of,
    columns_of,
    refer_to,
    shift,
    transform,
)
from tailrace.logical.over import Over, TopOfPartition
from tailrace.logical.plan import Kind, Plan
from tailrace.types import BIGINT, BOOLEAN, comparison_type

COUNTS = ("count", "count_if")  # aggregates that are 0, not NULL, of nothing


def free_subquery(plan: Plan, around: Plan, operands: Sequence[Expression]) -> tuple[Plan, list[Expression]]:
    """A subquery's plan without outer columns, and the operands by which it is joined to the query around.

    In `plan`, an `Outer` is the number of an operand, which is an expression over `around`. The freed plan begins with
    as many columns as there are operands in the list that is returned; each equals its operand.
    """
    read = sorted(numbers_read(plan))
    if not read:
        return plan, []
    values = [operands[number] for number in read]
    if plan.kind is not Kind.RELATION:
        raise AnalysisError("a correlated subquery reads relations")
    for value in values:
        if comparison_type("<=>", value.type, value.type) is None:
            raise AnalysisError(f"a correlated subquery cannot read a {value.type} of the outer query here")
    base = base_of_domain(around, columns_of(*values))
    names = tuple(f"d{number}" for number in read)
    domain = nodes.Distinct(nodes.Project(base, tuple(values), names))
    work = DomainPush(domain, {number: place for place, number in enumerate(read)})
    return work.push(plan), values


def numbers_read(plan: Plan) -> set[int]:
    """The numbers of the operands that a dependent plan reads."""
    found: set[int] = set()

    def note(part: Expression) -> Expression:
        if isinstance(part, Outer):
            found.add(part.index)
        return part

    map_expressions(plan, lambda expression: transform(expression, note))
    return found


def base_of_domain(around: Plan, columns: set[int]) -> Plan:
    """What the domain is taken from: `around`, without the subqueries that were joined to it before.

    A domain may hold more values than are asked for. So each further subquery of a query adds the same again, and not
    all that was there before; and a filter that is dependent itself does not make the domain so.
    """
    chain = [around]
    while isinstance(chain[-1], (nodes.Select, nodes.SemiJoin, nodes.MarkJoin, nodes.SingleJoin)):
        chain.append(chain[-1].children[0])
    joins = [place for place, node in enumerate(chain) if not isinstance(node, nodes.Select)]
    lowest = max((place for place in joins if place < len(chain) - 1), default=-1)
    below = [node for node in chain[lowest + 1 :] if max(columns, default=-1) < len(node.schema)]
    free = [node for node in below if not reads_outer(node)]
    return (free or below[-1:] or [around])[0]


class DomainPush:
    """Evaluates dependent plans for all values of a domain; every result has the domain's columns first."""

    def __init__(self, domain: Plan, places: dict[int, int]) -> None:
        self.domain, self.places = domain, places
        self.width = len(domain.schema)
        self.own = refer_to(domain.schema)

    def push(self, plan: Plan) -> Plan:
        if not reads_outer(plan):
            return nodes.Join(self.domain, plan, "inner", TRUE)
        match plan:
            case nodes.Select():
                return nodes.Select(self.push(plan.child), self.place(plan.predicate))
            case nodes.Project():
                values = (*self.own, *map(self.place, plan.expressions))
                return nodes.Project(self.push(plan.child), values, (*self.domain.schema.names, *plan.names))
            case nodes.Distinct():
                return nodes.Distinct(self.push(plan.child))
            case nodes.Aggregate():
                return self.push_aggregate(plan)
            case nodes.Union():
                return nodes.Union(tuple(self.push(child) for child in plan.inputs))
            case nodes.Except() | nodes.Intersect():
                return replace(plan, left=self.push(plan.left), right=self.push(plan.right))
            case nodes.Join():
                return self.push_join(plan)
            case nodes.SemiJoin() | nodes.MarkJoin() | nodes.SingleJoin():
                return self.push_test(plan)
            case Over() | TopOfPartition():
                placed = replace(plan, child=self.push(plan.child)).map(self.place)
                return replace(placed, partition=(*self.own, *placed.partition))
            case nodes.TopK(offset=0) if plan.limit is not None:
                order = tuple(replace(key, expression=self.place(key.expression)) for key in plan.order)
                return TopOfPartition(self.push(plan.child), self.own, order, plan.limit)
            case nodes.TopK():
                raise AnalysisError(
                    "a correlated subquery cannot have ORDER BY … OFFSET", hint="number the rows with ROW_NUMBER()"
                )
        raise AnalysisError(
            "a correlated subquery has only SELECT, joins, GROUP BY and set operations above what it reads around it"
        )

    def place(self, expression: Expression) -> Expression:
        """An expression over a plan's columns, over those behind the domain's."""

        def change(part: Expression) -> Expression:
            if isinstance(part, Outer):
                return self.own[self.places[part.index]]
            return replace(part, index=part.index + self.width) if isinstance(part, Column) else part

        return transform(expression, change)

    def equal_values(self, other: int) -> list[Expression]:
        """That two tuples belong to the same values, where the other one's domain begins at column `other`."""
        return [Call("<=>", (column, shift(column, other)), BOOLEAN) for column in self.own]

    def keep(self, plan: Plan, columns: Sequence[int]) -> Plan:
        names = tuple(plan.schema[index].name for index in columns)
        return nodes.Project(plan, refer_to(plan.schema, columns), names)

    # Aggregates ---------------------------------------------------------------------------------------

    def push_aggregate(self, plan: nodes.Aggregate) -> Plan:
        """Groups of each value. Without keys of its own the aggregate has a row also for a value that has no tuples."""
        groups = nodes.Aggregate(
            self.push(plan.child),
            (*self.own, *map(self.place, plan.keys)),
            tuple(each.map(self.place) for each in plan.aggregations),
            (*self.domain.schema.names, *plan.names),
        )
        if plan.keys:
            return groups
        # A column that is TRUE in each group tells a group whose values are NULL from none.
        there = nodes.Project(
            groups, (*refer_to(groups.schema), Literal(True, BOOLEAN)), (*groups.schema.names, "there")
        )
        joined = nodes.SingleJoin(self.domain, there, all_of(self.equal_values(self.width)))
        found = Column(len(joined.schema) - 1, BOOLEAN, "there")
        values = [
            or_of_nothing(Column(2 * self.width + place, each.type, name), each, found)
            for place, (each, name) in enumerate(zip(plan.aggregations, plan.names, strict=True))
        ]
        return nodes.Project(joined, (*self.own, *values), (*self.domain.schema.names, *plan.names))

    # Joins --------------------------------------------------------------------------------------------

    def push_join(self, plan: nodes.Join) -> Plan:
        """A join of tuples of the same values. A side that is not dependent joins without the domain if it may."""
        width, other = len(plan.left.schema), len(plan.right.schema)
        left_first = reads_outer(plan.left) or not reads_outer(plan.right)
        on_left = plan.how in ("left", "full") or left_first
        on_right = plan.how in ("right", "full") or reads_outer(plan.right)
        left = self.push(plan.left) if on_left else plan.left
        right = self.push(plan.right) if on_right else plan.right
        left_at = self.width if on_left else 0
        right_at = left_at + width + (self.width if on_right else 0)
        domain_at = 0 if on_left else left_at + width

        def change(part: Expression) -> Expression:
            if isinstance(part, Outer):
                return shift(self.own[self.places[part.index]], domain_at)
            if not isinstance(part, Column):
                return part
            index = part.index + left_at if part.index < width else part.index - width + right_at
            return replace(part, index=index)

        condition = [transform(plan.condition, change)]
        if on_left and on_right:
            condition = [*self.equal_values(left_at + width), *condition]
        joined = nodes.Join(left, right, plan.how, all_of([part for part in condition if part != TRUE]))
        values: Sequence[Expression] = [shift(column, domain_at) for column in self.own]
        if on_left and on_right and plan.how in ("right", "full"):
            values = [Call("coalesce", (column, shift(column, left_at + width)), column.type) for column in self.own]
        kept = [*range(left_at, left_at + width), *range(right_at, right_at + other)]
        names = (*self.domain.schema.names, *plan.schema.names)
        return nodes.Project(joined, (*values, *refer_to(joined.schema, kept)), names)

    def push_test(self, plan: nodes.SemiJoin | nodes.MarkJoin | nodes.SingleJoin) -> Plan:
        """The join of a subquery inside the subquery: the left side belongs to values, the right side may."""
        left, right = self.push(plan.left), plan.right
        width = len(plan.left.schema)
        condition = self.place(plan.condition)
        if reads_outer(right):
            # The right side's own columns stand behind its domain's.
            behind = self.width + width
            condition = transform(
                condition,
                lambda part: (
                    replace(part, index=part.index + self.width)
                    if isinstance(part, Column) and part.index >= behind
                    else part
                ),
            )
            right = self.push(right)
            condition = all_of([*self.equal_values(behind), *([condition] if condition != TRUE else [])])
            joined = replace(plan, left=left, right=right, condition=condition)
            if isinstance(plan, nodes.SingleJoin):
                return self.keep(joined, [*range(behind), *range(behind + self.width, len(joined.schema))])
            return joined
        return replace(plan, left=left, right=right, condition=condition)


def or_of_nothing(value: Expression, aggregation: Aggregation, found: Expression) -> Expression:
    """The value of an aggregate where its group may be missing (`found` is NULL then): what it has of no tuples."""
    if aggregation.function in COUNTS:
        return Call("coalesce", (value, Literal(0, BIGINT)), BIGINT)
    if aggregation.user:
        nothing = UserCall(aggregation.user.of_nothing, ())
        return Call("case", (Call("is null", (found,), BOOLEAN), nothing, value), aggregation.of)
    return value
