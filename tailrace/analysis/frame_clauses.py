"""Frame clauses: turns ROWS, RANGE and GROUPS of a window function into distances."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, cast

from tailrace.errors import AnalysisError
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.logical.expressions import Expression, Literal
from tailrace.logical.nodes import OrderKey
from tailrace.logical.over import WHOLE, Frame
from tailrace.types import DATE, INTERVAL, MICROSECONDS, Type, is_fraction, is_integer, is_numeric, is_time

if TYPE_CHECKING:
    from tailrace.analysis.scalars.resolve import Scalars

Distance = int | float | None


def refuse_frame(function: str, frame: ast.FrameClause) -> AnalysisError:
    return AnalysisError(
        f"{function.upper()} reads no frame", place_of(frame), f"leave {frame.args['unit']} … out: it changes nothing"
    )


def resolve_frame(scalars: Scalars, written: ast.FrameClause | None, order: Sequence[OrderKey]) -> Frame:
    """The frame of a function. By default it ends with the peers of the tuple; without an order, all are peers."""
    if written is None:
        return Frame() if order else WHOLE
    unit = written.args["unit"].lower()
    first, last = written.args["first"], written.args["last"]
    if first.args["kind"] == "UNBOUNDED FOLLOWING" or last.args["kind"] == "UNBOUNDED PRECEDING":
        raise AnalysisError("a frame begins before it ends", place_of(written))
    ends = [frame_distance(scalars, end, unit, order) for end in (first, last)]
    if ends[0] is not None and ends[1] is not None and ends[0] > ends[1]:
        raise AnalysisError("a frame begins before it ends", place_of(written))
    if unit == "groups" and not order:
        raise AnalysisError("GROUPS needs an ORDER BY", place_of(written))
    frame = Frame(unit, *ends)
    return WHOLE if frame.is_whole or (unit == "range" and not order) else frame


def frame_distance(scalars: Scalars, end: ast.FrameEnd, unit: str, order: Sequence[OrderKey]) -> Distance:
    """The distance of a frame's end, negative if it precedes the tuple; None if it is unbounded."""
    kind = end.args["kind"]
    if kind == "CURRENT ROW":
        return 0
    if kind.startswith("UNBOUNDED"):
        return None
    value = scalars.resolve(end.this)
    if not isinstance(value, Literal) or value.is_null:
        raise AnalysisError("the distance of a frame is a constant", place_of(end.this))
    distance = key_distance(value, order, end) if unit == "range" else row_distance(value, unit, end)
    if distance < 0:
        raise AnalysisError("the distance of a frame is not negative", place_of(end.this))
    return -distance if kind == "PRECEDING" else distance


def row_distance(value: Literal, unit: str, end: ast.FrameEnd) -> int:
    if not is_integer(value.of):
        hint = "for a length of time write RANGE" if value.of == INTERVAL else None
        raise AnalysisError(f"{unit.upper()} counts in whole numbers", place_of(end.this), hint)
    return int(value.value)


def key_distance(value: Literal, order: Sequence[OrderKey], end: ast.FrameEnd) -> int | float:
    """A difference of sort keys: of times in microseconds, of dates in days."""
    if len(order) != 1:
        raise AnalysisError("RANGE with a distance needs one sort key", place_of(end), "count tuples with ROWS")
    key: Expression = order[0].expression
    if is_time(key.type):
        return time_distance(value, key.type, end)
    if is_integer(key.type) and is_integer(value.of):
        return int(value.value)
    if is_fraction(key.type) and is_numeric(value.of):
        return float(value.value)
    hint = "CAST the sort key to DOUBLE" if is_numeric(key.type) else None
    raise AnalysisError(f"RANGE by {value.of} does not go with a sort key of type {key.type}", place_of(end.this), hint)


def time_distance(value: Literal, of: Type, end: ast.FrameEnd) -> int:
    if of == DATE and is_integer(value.of):
        return int(value.value)
    if value.of != INTERVAL:
        raise AnalysisError(
            f"RANGE by {value.of} does not go with a sort key of type {of}",
            place_of(end.this),
            "write an interval of weeks or less, such as INTERVAL '5' MINUTE",
        )
    amount, unit = cast(str, value.value).split(" ")
    length = int(Decimal(amount) * MICROSECONDS[unit])
    if of != DATE:
        return length
    days, rest = divmod(length, MICROSECONDS["DAY"])
    if rest:
        raise AnalysisError("RANGE of a DATE counts whole days", place_of(end.this))
    return days
