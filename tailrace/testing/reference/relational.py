"""Relational: each relation-to-relation operator on instantaneous relations, which are lists of tuples.

A list is a bag with an order. Relations do not care for it; the steps of a sequence query do, so each
operator keeps the order of what it takes: groups and distinct tuples stand where their first tuple stood.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cmp_to_key, partial, singledispatch
from typing import Any

from tailrace.logical import nodes
from tailrace.logical.asof_nodes import AsofJoin
from tailrace.logical.expressions import all_of, refer_to, shift
from tailrace.logical.plan import Plan
from tailrace.testing.reference.aggregates import aggregate
from tailrace.testing.reference.values import Row, either, is_true, rank, value

Bag = Sequence[Row]


class SeveralRows(Exception):
    """A scalar subquery gave more than one tuple."""


@singledispatch
def apply(node: Plan, *inputs: Bag) -> Bag:
    """The operator's result on the instantaneous relations of its children."""
    raise NotImplementedError(f"{type(node).__name__} is no relation-to-relation operator")


@apply.register
def _(node: nodes.Select, rows: Bag) -> Bag:
    return [row for row in rows if is_true(node.predicate, row)]


@apply.register
def _(node: nodes.Project, rows: Bag) -> Bag:
    return [tuple(value(expression, row) for expression in node.expressions) for row in rows]


@apply.register
def _(node: nodes.Join, left: Bag, right: Bag) -> Bag:
    joined: list[Row] = []
    met: set[int] = set()
    for row in left:
        partners = [place for place, other in enumerate(right) if is_true(node.condition, row + other)]
        met.update(partners)
        joined += [row + right[place] for place in partners]
        if not partners and node.how in ("left", "full"):
            joined.append(row + (None,) * len(node.right.schema))
    if node.how in ("right", "full"):
        alone = [other for place, other in enumerate(right) if place not in met]
        joined += [(None,) * len(node.left.schema) + other for other in alone]
    return joined


@apply.register
def _(node: nodes.SemiJoin, left: Bag, right: Bag) -> Bag:
    def has_partner(row: Row) -> bool:
        return any(is_true(node.condition, row + other) for other in right)

    return [row for row in left if has_partner(row) is not node.anti]


@apply.register
def _(node: nodes.MarkJoin, left: Bag, right: Bag) -> Bag:
    return [(*row, either([value(node.condition, row + other) for other in right])) for row in left]


@apply.register
def _(node: nodes.SingleJoin, left: Bag, right: Bag) -> Bag:
    joined = []
    for row in left:
        partners = [other for other in right if is_true(node.condition, row + other)]
        if len(partners) > 1:
            raise SeveralRows(f"{len(partners)} tuples for {row}")
        joined.append(row + (partners[0] if partners else (None,) * len(node.right.schema)))
    return joined


@apply.register
def _(node: AsofJoin, left: Bag, right: Bag) -> Bag:
    width = len(node.left.schema)
    order = [nodes.OrderKey(shift(node.nearest.arguments[1], -width), descending=node.takes_greatest)]
    order += [nodes.OrderKey(column) for column in refer_to(node.right.schema)]
    tests = all_of((node.condition, node.nearest))
    joined: list[Row] = []
    for row in left:
        partners = [other for other in right if is_true(tests, row + other)]
        nearest = min(partners, key=cmp_to_key(partial(by_order, order)), default=None)
        if nearest is not None and is_true(node.within, row + nearest):
            joined.append(row + nearest)
        elif node.how == "left":
            joined.append(row + (None,) * len(node.right.schema))
    return joined


@apply.register
def _(node: nodes.Aggregate, rows: Bag) -> Bag:
    groups: dict[Row, list[Row]] = {} if node.keys else {(): []}
    for row in rows:
        groups.setdefault(tuple(value(key, row) for key in node.keys), []).append(row)
    return [
        (*keys, *(aggregate(aggregation, members) for aggregation in node.aggregations))
        for keys, members in groups.items()
    ]


@apply.register
def _(node: nodes.Distinct, rows: Bag) -> Bag:
    return list(dict.fromkeys(rows))


@apply.register
def _(node: nodes.Union, *inputs: Bag) -> Bag:
    return [row for rows in inputs for row in rows]


@apply.register
def _(node: nodes.Except, left: Bag, right: Bag) -> Bag:
    if not node.all:
        return [row for row in dict.fromkeys(left) if row not in right]
    return surplus(left, right)


@apply.register
def _(node: nodes.Intersect, left: Bag, right: Bag) -> Bag:
    if not node.all:
        return [row for row in dict.fromkeys(left) if row in right]
    return surplus(left, surplus(left, right))


def surplus(left: Bag, right: Bag) -> list[Row]:
    """The bag difference: each tuple as often as the left has it more often; the last copies stay.

    >>> surplus([(1,), (2,), (1,)], [(1,), (3,)])
    [(2,), (1,)]
    """
    taken = Counter(right)
    kept = []
    for row in left:
        if taken[row] > 0:
            taken[row] -= 1
        else:
            kept.append(row)
    return kept


@apply.register
def _(node: nodes.TopK, rows: Bag) -> Bag:
    ordered = sorted(sorted(rows, key=repr), key=cmp_to_key(partial(by_order, node.order)))
    return ordered[node.offset :][: node.limit]


def by_order(order: Sequence[nodes.OrderKey], one: Row, other: Row) -> int:
    """Which of two tuples comes first: below 0 the one, above 0 the other, 0 where the order does not say."""
    for key in order:
        sign = by_key(key, value(key.expression, one), value(key.expression, other))
        if sign:
            return sign
    return 0


def by_key(key: nodes.OrderKey, one: Any, other: Any) -> int:
    if one is None or other is None:
        # NULLS FIRST and LAST mean the places in the result, whichever way the rest runs.
        missing = (one is None) - (other is None)
        return -missing if key.nulls_first else missing
    sign = int(rank(one) > rank(other)) - int(rank(one) < rank(other))
    return -sign if key.descending else sign
