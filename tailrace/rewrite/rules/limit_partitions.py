"""Limit partitions: a bound on ROW_NUMBER or RANK keeps the first tuples of each partition, and no others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tailrace.logical.expressions import Call, Column, Expression, Literal, Parameter, all_of, conjuncts
from tailrace.logical.nodes import Select
from tailrace.logical.over import Over, TopOfPartition, WindowFunction
from tailrace.logical.plan import Plan
from tailrace.rewrite.traverse import bottom_up
from tailrace.types import is_integer

MIRRORED = {">=": "<=", ">": "<", "=": "="}


def limit_partitions(plan: Plan) -> Plan:
    """Compute window functions over the first n tuples of each partition where a selection keeps no others.

    Law: the values of functions that look back only are the same over the first n tuples as over all. A selection
    `ROW_NUMBER() <= n` keeps exactly these tuples, and `RANK() <= n` these with those that tie with the last.

    >>> from tailrace.catalog.sources import Stream
    >>> from tailrace.logical.expressions import Aggregation
    >>> from tailrace.logical.nodes import ApplyWindow, OrderKey, Scan
    >>> from tailrace.logical.text.explain import tree
    >>> from tailrace.logical.windows import TimeWindow
    >>> from tailrace.schema import Schema
    >>> from tailrace.types import BOOLEAN, INT
    >>> last = ApplyWindow(Scan(Stream("S", Schema.of(("k", INT), ("v", INT)))), TimeWindow(30))
    >>> number = WindowFunction(Aggregation("row_number", (), INT))
    >>> over = Over(last, (Column(0, INT),), (OrderKey(Column(1, INT)),), (number,), ("n",))
    >>> few = Call("<=", (Column(2, INT), Literal(3, INT)), BOOLEAN)
    >>> print(tree(limit_partitions(Select(over, few))))
    over ROW_NUMBER() of each k by v  → relation
    └─ top 3 of each k by v  → relation
       └─ window [RANGE 30]  → relation
          └─ stream S(k INT, v INT)  → stream
    """
    return bottom_up(plan, limit)


def limit(plan: Plan) -> Plan:
    if not isinstance(plan, Select) or not isinstance(plan.child, Over):
        return plan
    over, parts = plan.child, list(conjuncts(plan.predicate))
    for place, n, part, exact in sorted(bounds(over, parts), key=lambda bound: bound[1]):
        ties = over.functions[place].call.function == "rank"
        if not all(fits(function, ties) for function in over.functions):
            continue
        top = TopOfPartition(over.child, over.partition, over.order, n, ties)
        if over.child == top or is_limited(over, top):
            continue
        left = [each for each in parts if each is not part or not exact]
        limited = Over(top, over.partition, over.order, over.functions, over.names)
        return Select(limited, all_of(left)) if left else limited
    return plan


def is_limited(over: Over, top: TopOfPartition) -> bool:
    """Whether the input has at most the tuples that `top` would keep."""
    below = over.child
    return (
        isinstance(below, TopOfPartition)
        and (below.partition, below.order, below.ties) == (top.partition, top.order, top.ties)
        and below.limit <= top.limit
    )


def fits(function: WindowFunction, ties: bool) -> bool:
    """Whether a function reads no tuple but those that are kept; without `ties`, peers behind a tuple may go."""
    reads_peers = function.has_frame and function.frame.unit != "rows" and function.frame.last == 0
    return not function.looks_ahead and (ties or not reads_peers)


def bounds(over: Over, parts: Sequence[Expression]) -> Iterator[tuple[int, int, Expression, bool]]:
    """Upper bounds on ROW_NUMBER and RANK: the function's number, the bound, the condition, whether it says no more."""
    width = len(over.child.schema)
    for part in parts:
        if not isinstance(part, Call) or len(part.arguments) != 2:
            continue
        left, right, sign = *part.arguments, part.name
        if isinstance(left, Literal):
            left, right, sign = right, left, MIRRORED.get(sign, "")
        if sign not in ("<=", "<", "=") or not isinstance(left, Column) or left.index < width:
            continue
        if not isinstance(right, Literal) or isinstance(right, Parameter) or right.is_null or not is_integer(right.of):
            continue
        n = right.value - (sign == "<")
        if n >= 1 and over.functions[left.index - width].call.function in ("row_number", "rank"):
            yield left.index - width, n, part, sign != "=" or n == 1
