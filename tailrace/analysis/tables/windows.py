"""Windows: turns durations into ticks, and the window of a FROM item into a logical window."""

from __future__ import annotations

from fractions import Fraction

from sqlglot import exp

from tailrace.analysis.scalars.scope import Binding, Scope
from tailrace.errors import AnalysisError
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.language.script import to_text
from tailrace.logical.expressions import Column
from tailrace.logical.windows import Every, Reservoir, RowWindow, TimeWindow, Window
from tailrace.schema import Schema
from tailrace.settings import UNITS, Settings

LONGEST = 2**62  # ticks or tuples: the sum of two still fits into 64 bits


def ticks(duration: ast.Duration, settings: Settings) -> int:
    """A duration in ticks; a bare number counts ticks already."""
    amount = Fraction(duration.this)
    unit = duration.args.get("unit")
    if unit == "TUPLE":
        raise AnalysisError("expected a time, not tuples", place_of(duration))
    exact = amount if unit is None else amount * UNITS[unit.lower()] / settings.tick
    if exact.denominator != 1:
        raise AnalysisError(
            f"{to_text(duration)} is not a whole number of ticks",
            place_of(duration),
            f"a tick is {describe(settings.tick)}; SET tick = '…' makes it finer",
        )
    if exact > LONGEST:
        raise AnalysisError(f"{to_text(duration)} is too long", place_of(duration))
    return int(exact)


def microseconds(duration: ast.Duration, settings: Settings) -> int:
    """A duration of processing time in microseconds, as IDLE AFTER has it; it need not be whole ticks, but not zero."""
    amount = Fraction(duration.this)
    unit = duration.args.get("unit")
    if unit == "TUPLE":
        raise AnalysisError("expected a time, not tuples", place_of(duration))
    exact = amount * (settings.tick if unit is None else UNITS[unit.lower()])
    if exact > LONGEST:
        raise AnalysisError(f"{to_text(duration)} is too long", place_of(duration))
    if exact < 1:
        raise AnalysisError(f"{to_text(duration)} is too short", place_of(duration), "use 1 MILLISECOND or more")
    return int(exact)


def describe(microseconds: int) -> str:
    """Microseconds as text, in the largest unit of which they are a whole number.

    >>> describe(600_000_000)
    '10 minutes'
    """
    for unit, size in reversed(UNITS.items()):
        if microseconds % size == 0:
            count = microseconds // size
            return f"{count} {unit}{'' if count == 1 else 's'}"
    raise AssertionError("every number is a whole number of microseconds")


def window_of(node: ast.Window, schema: Schema, names: tuple[str, ...], settings: Settings) -> Window:
    """The logical window of a window's syntax tree; `names` are the names that may qualify a partition column."""
    kind, size, slide = (node.args.get(key) for key in ("kind", "size", "slide"))
    if kind == "NOW":
        return TimeWindow(0)
    if kind == "ROWS":
        if size is None:
            return TimeWindow(None)
        partition = columns_of(node.args.get("partition") or [], schema, names)
        return RowWindow(positive(size, "ROWS"), positive(slide, "SLIDE") if slide else 1, partition)
    if kind == "SAMPLE":
        return Reservoir(positive(node.args["size"], "SAMPLE"), int(node.args["seed"]))
    length = None if size is None else ticks(size, settings)
    step = ticks(slide, settings) if slide else 1
    if slide is not None and step == 0:
        raise AnalysisError("a SLIDE of 0 would never move", place_of(slide), "leave SLIDE out to move at every tick")
    return TimeWindow(length, step)


def positive(count: ast.Duration, word: str) -> int:
    number = int(count.this)
    if number > LONGEST:
        raise AnalysisError(f"{word} {number} is too large", place_of(count))
    if number == 0:
        what = "never move" if word == "SLIDE" else "hold nothing"
        raise AnalysisError(f"{word} 0 would {what}", place_of(count), f"{word} takes a number from 1 on")
    return number


def every(duration: ast.Duration, word: str, settings: Settings) -> Every:
    """The range or frequency of a sequence query's window, in tuples or ticks."""
    if duration.args.get("unit") == "TUPLE":
        if "." in duration.this:
            raise AnalysisError(f"{word} takes whole tuples", place_of(duration))
        found = Every(int(duration.this), "tuples")
    else:
        found = Every(ticks(duration, settings), "ticks")
    if found.count == 0:
        raise AnalysisError(f"{word} 0 gives nothing", place_of(duration), f"{word} takes a number from 1 on")
    return found


def columns_of(columns: list[exp.Column], schema: Schema, names: tuple[str, ...]) -> tuple[int, ...]:
    """The positions of a window's partition columns in the window's input."""
    found = []
    for column in columns:
        table = column.table or None
        scope = Scope(tuple(Binding(name, schema, 0) for name in (names or (None,))[:1]))
        if table and table.lower() not in (name.lower() for name in names):
            scope.column(column.name, table, place_of(column))
        value = scope.column(column.name, None, place_of(column))
        assert isinstance(value, Column)
        found.append(value.index)
    return tuple(found)
