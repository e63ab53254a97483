"""Build: short words for writing plans and expressions by hand.

>>> from tailrace.logical.text.explain import label
>>> S = stream("S", k=INT, v=INT)
>>> label(nodes.Select(S, call(">", col(S, "v"), number(3))))
'select v > 3'
"""

from __future__ import annotations

from typing import Any

from tailrace.catalog.sources import Relation, Stream
from tailrace.logical import nodes
from tailrace.logical.expressions import Aggregation, Call, Column, Expression, Literal
from tailrace.logical.plan import Plan
from tailrace.logical.windows import RowWindow, TimeWindow
from tailrace.schema import Schema
from tailrace.types import BIGINT, BOOLEAN, INT, STRING, Type


def stream(name: str, /, key: tuple[str, ...] = (), **columns: Type) -> nodes.Scan:
    return nodes.Scan(Stream(name, Schema.of(*columns.items()), timestamp="ts", key=key))


def relation(
    name: str,
    /,
    timestamp: str | None = "ts",
    op: str | None = None,
    key: tuple[str, ...] = (),
    **columns: Type,
) -> nodes.Scan:
    return nodes.Scan(Relation(name, Schema.of(*columns.items()), timestamp=timestamp, key=key, op=op))


def col(plan: Plan, name: str | int, after: int = 0) -> Column:
    """A column of the plan; `after` is the number of columns that stand before the plan's in a join."""
    index = name if isinstance(name, int) else plan.schema.find(name)[0]
    field = plan.schema[index]
    return Column(after + index, field.type, field.name)


def call(name: str, *arguments: Expression, of: Type = BOOLEAN) -> Call:
    return Call(name, arguments, of)


def number(value: int | None) -> Literal:
    return Literal(value, INT)


def text(value: str | None) -> Literal:
    return Literal(value, STRING)


def over(plan: Plan, size: int | None, slide: int = 1) -> nodes.ApplyWindow:
    return nodes.ApplyWindow(plan, TimeWindow(size, slide))


def rows(plan: Plan, size: int, slide: int = 1, by: tuple[int, ...] = ()) -> nodes.ApplyWindow:
    return nodes.ApplyWindow(plan, RowWindow(size, slide, by))


def project(plan: Plan, *columns: str | Expression) -> nodes.Project:
    expressions = tuple(col(plan, each) if isinstance(each, str) else each for each in columns)
    return nodes.Project(plan, expressions, tuple(f"c{place}" for place in range(len(expressions))))


def join(left: Plan, right: Plan, left_name: str, right_name: str, how: Any = "inner") -> nodes.Join:
    """A join on the equality of one column of each side."""
    return nodes.Join(left, right, how, equal(left, right, left_name, right_name))


def equal(left: Plan, right: Plan, left_name: str, right_name: str) -> Call:
    return call("=", col(left, left_name), col(right, right_name, len(left.schema)))


def group(plan: Plan, keys: tuple[str, ...], *aggregations: Aggregation) -> nodes.Aggregate:
    names = (*keys, *(f"a{place}" for place in range(len(aggregations))))
    return nodes.Aggregate(plan, tuple(col(plan, key) for key in keys), aggregations, names)


def count() -> Aggregation:
    return Aggregation("count", (), BIGINT)


def total(plan: Plan, name: str) -> Aggregation:
    return Aggregation("sum", (col(plan, name),), BIGINT)


def istream(plan: Plan) -> nodes.ToStream:
    return nodes.ToStream(plan, "istream")


def dstream(plan: Plan) -> nodes.ToStream:
    return nodes.ToStream(plan, "dstream")


def rstream(plan: Plan) -> nodes.ToStream:
    return nodes.ToStream(plan, "rstream")
