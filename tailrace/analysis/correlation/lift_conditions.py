"""Lift conditions: the cheap way to free a subquery of outer columns: its conditions on them move into the join around.

`SELECT w FROM B WHERE B.k = outer.k` is `SELECT w, k FROM B`, joined on `k = outer.k`. Under an aggregate only an
equality can be lifted: the aggregate is then also grouped by its inner side, so that each outer tuple finds its group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tailrace.analysis.correlation.outer_columns import has_outer, node_reads_outer, reads_outer
from tailrace.logical import nodes
from tailrace.logical.expressions import (
    Call,
    Column,
    Expression,
    all_of,
    columns_of,
    conjuncts,
    move,
    refer_to,
    walk,
)
from tailrace.logical.plan import Plan
from tailrace.logical.text.expression_text import text_of
from tailrace.types import BOOLEAN


@dataclass(frozen=True)
class Lifted:
    """A plan without outer columns, and the conditions that were lifted out of it, over its columns and outer ones.

    `moved` has for each column of the plan as it was its position in this one, which may have more.
    """

    plan: Plan
    moved: tuple[int, ...]
    conditions: tuple[Expression, ...] = ()

    def place(self, expression: Expression) -> Expression:
        return move(expression, self.moved.__getitem__)


def lift_conditions(plan: Plan, exact: bool) -> Lifted | None:
    """Lift all conditions on outer columns out of a plan; None if some other part of it reads outer columns.

    If `exact`, the tuples that meet the conditions have the copies that the dependent plan has. Otherwise a tuple may
    be found more often than that: whoever only asks whether there is one need not care.
    """
    if not reads_outer(plan):
        return Lifted(plan, tuple(range(len(plan.schema))))
    match plan:
        case nodes.Select():
            return lift_from_select(plan, exact)
        case nodes.Project() if not node_reads_outer(plan):
            return lift_from_projection(plan, exact)
        case nodes.Distinct():
            below = lift_conditions(plan.child, exact)
            if below is None or (exact and not all(fixes_column(part) for part in below.conditions)):
                return None
            return replace(below, plan=nodes.Distinct(below.plan))
        case nodes.Aggregate() if plan.keys and not node_reads_outer(plan):
            return lift_from_groups(plan)
        case nodes.SemiJoin() | nodes.MarkJoin() | nodes.SingleJoin():
            return lift_from_left(plan, exact)
        case nodes.Join(how="inner") if not reads_outer(plan.left) and not reads_outer(plan.right):
            parts = conjuncts(plan.condition)
            kept = [part for part in parts if not has_outer(part)]
            lifted = tuple(part for part in parts if has_outer(part))
            return Lifted(replace(plan, condition=all_of(kept)), tuple(range(len(plan.schema))), lifted)
    return None


def lift_from_select(plan: nodes.Select, exact: bool) -> Lifted | None:
    below = lift_conditions(plan.child, exact)
    if below is None:
        return None
    predicate = below.place(plan.predicate)
    if has_outer(predicate):
        return replace(below, conditions=(*below.conditions, predicate))
    return replace(below, plan=nodes.Select(below.plan, predicate))


def lift_from_projection(plan: nodes.Project, exact: bool) -> Lifted | None:
    """A projection with the columns that the lifted conditions read behind its own."""
    below = lift_conditions(plan.child, exact)
    if below is None:
        return None
    width = len(plan.expressions)
    read = sorted(columns_of(*below.conditions))
    values = (*map(below.place, plan.expressions), *refer_to(below.plan.schema, read))
    names = (*plan.names, *(f"_{number}" for number in range(len(read))))
    conditions = tuple(move(part, lambda index: width + read.index(index)) for part in below.conditions)
    return Lifted(nodes.Project(below.plan, values, names), tuple(range(width)), conditions)


def lift_from_groups(plan: nodes.Aggregate) -> Lifted | None:
    """An aggregate that is also grouped by the inner sides of the lifted equalities."""
    below = lift_conditions(plan.child, exact=True)
    pairs = None if below is None else correlated_keys(below.conditions)
    if below is None or pairs is None:
        return None
    keys = tuple(below.place(key) for key in plan.keys)
    more = tuple(inner for _, inner, _ in pairs if inner not in keys)
    names = (*plan.names[: len(keys)], *map(key_name, more), *plan.names[len(keys) :])
    aggregations = tuple(each.map(below.place) for each in plan.aggregations)
    grown = nodes.Aggregate(below.plan, keys + more, aggregations, names)
    moved = tuple(index if index < len(keys) else index + len(more) for index in range(len(plan.schema)))
    return Lifted(grown, moved, equal_keys(pairs, keys + more))


def lift_from_left(plan: nodes.SemiJoin | nodes.MarkJoin | nodes.SingleJoin, exact: bool) -> Lifted | None:
    """A subquery's join inside the subquery, where only its left side reads outer columns."""
    below = None if node_reads_outer(plan) or reads_outer(plan.right) else lift_conditions(plan.left, exact)
    if below is None:
        return None
    width, grown = len(plan.left.schema), len(below.plan.schema) - len(plan.left.schema)
    moved = (*below.moved, *(index + grown for index in range(width, width + len(plan.right.schema))))
    condition = move(plan.condition, moved.__getitem__)
    joined = replace(plan, left=below.plan, condition=condition)
    visible = moved if isinstance(plan, nodes.SingleJoin) else (*below.moved, width + grown)
    return Lifted(joined, visible[: len(plan.schema)], below.conditions)


Pair = tuple[str, Expression, Expression]  # = or <=>, the inner side, the outer side


def correlated_keys(conditions: Sequence[Expression]) -> list[Pair] | None:
    """The conditions as equalities between an inner and an outer side; None if one of them is something else."""
    pairs = [correlated_key(part) for part in conditions]
    return None if None in pairs else [pair for pair in pairs if pair]


def correlated_key(part: Expression) -> Pair | None:
    if isinstance(part, Call) and part.name in ("=", "<=>"):
        for inner, outer in (part.arguments, part.arguments[::-1]):
            if not has_outer(inner) and not any(isinstance(e, Column) for e in walk(outer)):
                return part.name, inner, outer
    return None


def fixes_column(part: Expression) -> bool:
    """Whether a condition leaves one value of the column that it reads, so that tuples do not differ in it."""
    pair = correlated_key(part)
    return pair is not None and isinstance(pair[1], Column)


def equal_keys(pairs: Sequence[Pair], keys: Sequence[Expression]) -> tuple[Expression, ...]:
    """The equalities over the columns of an Aggregate with these keys."""
    places = [list(keys).index(inner) for _, inner, _ in pairs]
    return tuple(
        Call(sign, (Column(place, inner.type, key_name(inner)), outer), BOOLEAN)
        for place, (sign, inner, outer) in zip(places, pairs, strict=True)
    )


def key_name(expression: Expression) -> str:
    """What the column of a key is called: as the key's own column, or by its text."""
    return expression.name if isinstance(expression, Column) and expression.name else text_of(expression)
