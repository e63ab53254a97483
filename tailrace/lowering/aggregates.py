"""Aggregates: lowers GROUP BY to a projection, which computes keys, arguments and filters as columns, and a fold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tailrace.columnar.arrow_types import arrow_type
from tailrace.logical import nodes
from tailrace.logical.expressions import Expression
from tailrace.operators.aggregates.aggregation import Aggregation
from tailrace.operators.operator import Operator
from tailrace.operators.plan import PhysicalPlan
from tailrace.operators.relational.aggregate import Aggregate
from tailrace.operators.sequence.fold_steps import FoldSteps, can_fold

if TYPE_CHECKING:
    from tailrace.lowering.lower import Lowering


def aggregate(lowering: Lowering, node: nodes.Aggregate) -> int:
    columns: list[Expression] = []

    def place(expression: Expression) -> int:
        """The column in which an expression is computed; equal expressions share one column."""
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
    if all(map(can_fold, wanted)) and is_single(lowering.plan, below, always=not keys):
        return lowering.plan.add(FoldSteps(types, keys, wanted), below)
    retracts, roster = lowering.plan.takes_back[below], lowering.roster(node)
    return lowering.plan.add(Aggregate(types, keys, wanted, retracts, roster=roster), below)


def is_single(plan: PhysicalPlan, number: int, always: bool) -> bool:
    """Whether each tuple that step `number` gives is seen by one evaluation of a sequence query only.

    Then FoldSteps can aggregate without state. With `always`, each evaluation must also see at least one tuple. A
    window holds the element that it is evaluated with, so only a selection can leave it empty.
    """
    work, inputs = plan.steps[number].work, plan.steps[number].inputs
    if not isinstance(work, Operator):
        return False
    if work.is_single or work.is_join or not work.keeps_ends:
        return work.is_single
    if always and (work.may_drop_rows or not any(is_single(plan, below, True) for below in inputs)):
        return False
    return all(is_single(plan, below, False) for below in inputs)
