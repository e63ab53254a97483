"""Lower single: a scalar subquery's join, which checks that no tuple finds two rows, unless the plan shows it."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from tailrace.catalog.sources import Relation
from tailrace.logical import nodes
from tailrace.logical.expressions import Column, Expression, Literal
from tailrace.logical.plan import Plan
from tailrace.logical.windows import RowWindow
from tailrace.physical.operators.single import Single

if TYPE_CHECKING:
    from tailrace.physical.lower_joins import Equality, Joins


def single(work: Joins, node: nodes.SingleJoin, keys: Collection[Equality], left: int, right: int) -> int:
    """The pairs, and the left tuples that are in none of them, padded with NULLs."""
    plan = work.lowering.plan
    pairs = work.inner(left, right, node.condition)
    own: list[Expression] = [Column(index, field.type, field.name) for index, field in enumerate(work.left)]
    found = work.lowering.project(pairs, own)
    fixed = {key.right.index for key in keys if isinstance(key.right, Column)}
    if at_most_one(node.right, fixed):
        alone = work.minus(left, found)
    else:
        alone = plan.add(Single(plan.types(left)), left, found)
    padding = [Literal(None, field.type) for field in work.right]
    return work.union(pairs, work.lowering.project(alone, [*own, *padding]))


def at_most_one(plan: Plan, fixed: AbstractSet[int]) -> bool:
    """Whether at most one tuple at a time has given values in these columns, as far as the plan's shape shows."""
    match plan:
        case nodes.Aggregate():
            return fixed >= set(range(len(plan.keys)))
        case nodes.Distinct():
            return _with_copies(plan.child, fixed) >= set(range(len(plan.schema))) or at_most_one(plan.child, fixed)
        case nodes.TopK():
            return (plan.limit is not None and plan.limit <= 1) or at_most_one(plan.child, fixed)
        case nodes.SeqWindow(window=RowWindow(size=1) as window):
            return fixed >= set(window.partition)
        case nodes.Scan(source=Relation() as source):
            return _is_keyed(plan, source, fixed)
        case nodes.Select() | nodes.Shared():
            return at_most_one(plan.child, fixed)
        case nodes.Project():
            chosen = [plan.expressions[index] for index in fixed]
            return at_most_one(plan.child, {value.index for value in chosen if isinstance(value, Column)})
        case nodes.SemiJoin() | nodes.MarkJoin() | nodes.SingleJoin():
            return at_most_one(plan.left, {index for index in fixed if index < len(plan.left.schema)})
    return False


def _with_copies(plan: Plan, fixed: AbstractSet[int]) -> AbstractSet[int]:
    """The columns, and those that a projection computes in the same way."""
    if not isinstance(plan, nodes.Project):
        return fixed
    known = {plan.expressions[index] for index in fixed}
    return {index for index, value in enumerate(plan.expressions) if value in known}


def _is_keyed(scan: nodes.Scan, source: Relation, fixed: AbstractSet[int]) -> bool:
    """A relation in which a newer row replaces the older of its key."""
    if not source.key or source.op:
        return False
    columns = range(len(source.schema)) if scan.columns is None else scan.columns
    return {columns[index] for index in fixed} >= {source.schema.find(name)[0] for name in source.key}
