"""Lower aggregates: keys, arguments and filters computed into columns, then folded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tailrace.columnar.arrow_types import arrow_type
from tailrace.logical import nodes
from tailrace.logical.expressions import Expression
from tailrace.operators.aggregates.aggregation import Aggregation
from tailrace.operators.plan import PhysicalPlan
from tailrace.operators.relational.aggregate import Aggregate
from tailrace.operators.relational.project import Project
from tailrace.operators.relational.select import Select
from tailrace.operators.relational.union import Union
from tailrace.operators.sequence.evaluate import EvaluationPoints
from tailrace.operators.sequence.fold_steps import FoldSteps, can_fold
from tailrace.operators.sequence.jump_window import JumpWindow

if TYPE_CHECKING:
    from tailrace.lowering.lower import Lowering


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
    if all(map(can_fold, wanted)) and is_single(lowering.plan, below, always=not keys):
        return lowering.plan.add(FoldSteps(types, keys, wanted), below)
    retracts, roster = lowering.plan.takes_back[below], lowering.roster(node)
    return lowering.plan.add(Aggregate(types, keys, wanted, retracts, roster=roster), below)


def is_single(plan: PhysicalPlan, number: int, always: bool) -> bool:
    """Whether the tuples of a step are each in one step of a sequence query only; `always`: and each of those has some.

    The element that a window is evaluated with is in it, so that only a selection can leave nothing.
    """
    step = plan.steps[number]
    match step.work:
        case JumpWindow() as jump:
            return jump.is_single
        case EvaluationPoints():
            return True
        case Select():
            return not always and is_single(plan, step.inputs[0], always)
        case Project():
            return is_single(plan, step.inputs[0], always)
        case Union():
            below = [is_single(plan, each, False) for each in step.inputs]
            return all(below) and (not always or any(is_single(plan, each, True) for each in step.inputs))
    return False
