"""As-of joins: the operator of an as-of join, over columns that hold what it compares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tailrace.columnar.evaluate import can_evaluate
from tailrace.errors import RunError
from tailrace.logical.asof_nodes import AsofJoin
from tailrace.logical.expressions import TRUE, Call, Column, Expression, move, shift
from tailrace.logical.time.event_columns import is_event_column, is_there_then
from tailrace.logical.time.time_bounds import growing_elements
from tailrace.lowering.joins import sort_out
from tailrace.operators.relational.asof_join import AsofJoinOp
from tailrace.operators.relational.binary_join import JoinKey
from tailrace.types import BIGINT, is_integer

if TYPE_CHECKING:
    from tailrace.lowering.lower import Lowering


def asof_join(lowering: Lowering, node: AsofJoin) -> int:
    """The step of an as-of join. What it compares is made columns first."""
    plan = lowering.plan
    width, other = len(node.left.schema), len(node.right.schema)
    keys = sort_out(node.condition, width).keys
    mine, theirs = node.nearest.arguments
    left, places = lowering.with_columns(lowering.step(node.left), [*(key.left for key in keys), mine])
    right, others = lowering.with_columns(
        lowering.step(node.right), [*(key.right for key in keys), shift(theirs, -width)]
    )
    if not can_evaluate(node.within):
        raise RunError(
            "the bound on the distance of an ASOF JOIN cannot be computed here", None, "write it as a - b <= c"
        )
    grown = len(plan.types(left))
    within = move(node.within, lambda index: index - width + grown if index >= width else index)
    work = AsofJoinOp(
        plan.types(left) + plan.types(right),
        tuple(JoinKey(one, two) for one, two in zip(places[:-1], others[:-1], strict=True)),
        grown,
        (places[-1], others[-1]),
        node.takes_greatest,
        node.nearest.name in (">", "<"),
        node.how == "left",
        None if within == TRUE else within,
        comes_in_order(node),
    )
    return lowering.keep(plan.add(work, left, right), [*range(width), *range(grown, grown + other)])


def comes_in_order(node: AsofJoin) -> bool:
    """Whether left tuples are there at the instant of what is compared only, and right ones from theirs on for ever."""
    mine, theirs = (without_cast(side) for side in node.nearest.arguments)
    elements = growing_elements(node.right)
    if not isinstance(mine, Column) or not isinstance(theirs, Column) or elements is None or not node.takes_greatest:
        return False
    return is_there_then(node.left, mine.index) and is_event_column(elements, theirs.index - len(node.left.schema))


def without_cast(value: Expression) -> Expression:
    """A column inside casts between whole numbers that lose nothing; any other value as it is."""
    if isinstance(value, Call) and value.name == "cast" and value.of == BIGINT and is_integer(value.arguments[0].type):
        return value.arguments[0]
    return value
