"""Event columns: which columns of a stream hold, in each element, the time by which the element has its instant."""

from __future__ import annotations

from tailrace.catalog.sources import Stream
from tailrace.logical.asof_nodes import AsofJoin
from tailrace.logical.expressions import Column
from tailrace.logical.nodes import (
    ApplyWindow,
    Distinct,
    HashSample,
    Join,
    Project,
    Scan,
    Select,
    SemiJoin,
    ToStream,
    Union,
)
from tailrace.logical.plan import Plan
from tailrace.logical.windows import TimeWindow


def is_event_column(stream: Plan, index: int) -> bool:
    """Whether a stream's column is a copy of its TIMESTAMP BY column: its time is that of the element's instant.

    >>> from tailrace.schema import Schema
    >>> from tailrace.types import BIGINT
    >>> scan = Scan(Stream("S", Schema.of(("k", BIGINT), ("ts", BIGINT)), timestamp="ts"))
    >>> turned = Project(scan, (Column(1, BIGINT), Column(0, BIGINT)), ("at", "k"))
    >>> is_event_column(turned, 0), is_event_column(turned, 1)
    (True, False)
    """
    match stream:
        case Scan(Stream() as source, columns):
            place = index if columns is None else columns[index]
            stamp = (source.timestamp or "").lower()
            return source.event_time is None and source.schema[place].name.lower() == stamp
        case Select(child) | HashSample(child):
            return is_event_column(child, index)
        case Project(child, expressions):
            value = expressions[index]
            return isinstance(value, Column) and is_event_column(child, value.index)
        case Union(inputs):
            return all(is_event_column(part, index) for part in inputs)
        case ToStream(child, "rstream"):
            return is_there_then(child, index)
        case ToStream(child, "istream"):
            return is_there_then(child, index) or comes_then(child, index)
    return False


def is_there_then(relation: Plan, index: int) -> bool:
    """Whether a relation's tuples are there at the instant of this column, and at no other."""
    match relation:
        case ApplyWindow(child, TimeWindow() as window):
            return window.is_now and is_event_column(child, index)
        case Select(child) | Distinct(child):
            return is_there_then(child, index)
        case Project(child, expressions):
            value = expressions[index]
            return isinstance(value, Column) and is_there_then(child, value.index)
        case SemiJoin(left) | AsofJoin(left):
            return index < len(left.schema) and is_there_then(left, index)
        case Join(left, right, how):
            width = len(left.schema)
            if index < width:
                return how in ("inner", "left") and is_there_then(left, index)
            return how in ("inner", "right") and is_there_then(right, index - width)
    return False


def comes_then(relation: Plan, index: int) -> bool:
    """Whether each of a relation's tuples is inserted once, at the instant of this column."""
    match relation:
        case ApplyWindow(child, TimeWindow(_, slide)):
            return slide == 1 and is_event_column(child, index)
        case Select(child) | Distinct(child):
            return comes_then(child, index)
        case Project(child, expressions):
            value = expressions[index]
            return isinstance(value, Column) and comes_then(child, value.index)
    return False
