"""Time bounds: how far apart a join's condition lets the instants of two streams' elements be.

`t.ts BETWEEN s.ts AND s.ts + 4` lets an element of t be at the instant of one of s or up to 4 later.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from tailrace.logical.expressions import Call, Column, Expression, Literal, Parameter, columns_of, conjuncts
from tailrace.logical.nodes import ApplyWindow, Project, Select, Union
from tailrace.logical.plan import Plan
from tailrace.logical.time.event_columns import is_event_column
from tailrace.logical.windows import TimeWindow
from tailrace.types import BIGINT, DATE, INTEGER_BITS, INTERVAL, MICROSECONDS, TIMESTAMP, TIMESTAMP_NTZ, is_integer

MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}

INTERVAL_PART = re.compile(rf"([+-]?[\d.]+) *({'|'.join(MICROSECONDS)})")


@dataclass(frozen=True)
class TimeBounds:
    """The least and the most that right instant − left instant can be, in ticks; None where there is no bound.

    `left` and `right` are the event columns of both sides, in the joined tuple.
    """

    left: Column
    right: Column
    low: int | None = None
    high: int | None = None

    @property
    def there(self) -> bool:
        return self.low is not None or self.high is not None

    def within(self, low: int | None, high: int | None) -> TimeBounds:
        lows = [each for each in (self.low, low) if each is not None]
        highs = [each for each in (self.high, high) if each is not None]
        return replace(self, low=max(lows, default=None), high=min(highs, default=None))


@dataclass(frozen=True)
class LinearSum:
    """`right` right event times − `left` left ones + `constant`, in ticks or microseconds.

    `may_wrap` says that its value may come out far too low: a sum in a type narrower than BIGINT grew too large.
    """

    left: int = 0
    right: int = 0
    constant: int = 0
    may_wrap: bool = False

    def plus(self, other: LinearSum, sign: int = 1) -> LinearSum:
        return LinearSum(
            self.left + sign * other.left,
            self.right + sign * other.right,
            self.constant + sign * other.constant,
            self.may_wrap or other.may_wrap,
        )


def growing_elements(relation: Plan) -> Plan | None:
    """The stream of which a relation holds all elements up to now, as [RANGE UNBOUNDED] does; None for any other."""
    match relation:
        case ApplyWindow(child, TimeWindow() as window):
            return child if window.is_unbounded else None
        case Select(child) | Project(child):
            inner = growing_elements(child)
            return relation.with_children(inner) if inner else None
        case Union(inputs):
            parts = [growing_elements(part) for part in inputs]
            whole = tuple(part for part in parts if part)
            return Union(whole) if len(whole) == len(parts) else None
    return None


def time_bounds(left: Plan, right: Plan, condition: Expression, tick: int) -> TimeBounds | None:
    """What a condition over the columns of two streams says of their instants; None if it bounds neither way.

    >>> from tailrace.catalog.sources import Stream
    >>> from tailrace.logical.nodes import Scan
    >>> from tailrace.schema import Schema
    >>> from tailrace.types import BOOLEAN
    >>> S, T = (Scan(Stream(name, Schema.of(("ts", BIGINT)), timestamp="ts")) for name in "ST")
    >>> mine, theirs, four = Column(0, BIGINT), Column(1, BIGINT), Literal(4, BIGINT)
    >>> soon = Call("<=", (Call("-", (theirs, mine), BIGINT), four), BOOLEAN)
    >>> found = time_bounds(S, T, soon, tick=1)
    >>> (found.low, found.high)
    (None, 4)
    """
    width = len(left.schema)
    both = left.schema + right.schema
    times = {
        index: index < width
        for index in columns_of(condition)
        if (is_event_column(left, index) if index < width else is_event_column(right, index - width))
    }
    mine, theirs = ([index for index, is_left in times.items() if is_left is side] for side in (True, False))
    if not mine or not theirs:
        return None
    columns = [Column(min(side), both[min(side)].type, both[min(side)].name) for side in (mine, theirs)]
    if columns[0].of != columns[1].of and not all(is_integer(column.of) for column in columns):
        return None
    found = TimeBounds(columns[0], columns[1])
    per_tick = 1 if is_integer(columns[0].of) else tick
    for part in conjuncts(condition):
        for sign, difference in comparisons(part, times.get):
            found = found.within(*limits(sign, difference, per_tick))
    return found if found.there else None


def comparisons(part: Expression, side_of: Callable[[int], bool | None]) -> Iterator[tuple[str, LinearSum]]:
    """The comparisons with 0 that a conjunct implies, each a sign and what is compared."""
    if not isinstance(part, Call) or part.name not in MIRRORED:
        return
    first, second = part.arguments
    for sign, one, other in ((part.name, first, second), (MIRRORED[part.name], second, first)):
        if isinstance(one, Call) and one.name == "abs" and sign in ("<", "<="):
            inside, limit = linear(one.arguments[0], side_of), linear(other, side_of)
            if inside and limit:
                yield sign, inside.plus(limit, -1)
                yield MIRRORED[sign], inside.plus(limit)
            return
    mine, theirs = linear(first, side_of), linear(second, side_of)
    if mine is None or theirs is None:
        return
    # A sum that wraps around comes out too low: then the comparison fails where it is on the greater side.
    if not (mine.may_wrap and part.name[0] == "<") and not (theirs.may_wrap and part.name[0] == ">"):
        yield part.name, mine.plus(theirs, -1)


def limits(sign: str, compared: LinearSum, per_tick: int) -> tuple[int | None, int | None]:
    """The bounds on right instant − left instant, given that `compared` is less than, … 0."""
    if (compared.left, compared.right) == (1, -1):
        sign, compared = MIRRORED[sign], LinearSum().plus(compared, -1)
    if (compared.left, compared.right) != (-1, 1):
        return None, None
    limit = -compared.constant
    exact = per_tick == 1
    low = limit + (sign == ">" and exact)
    high = limit - (sign == "<" and exact)
    return (
        low // per_tick if sign[0] in ">=" else None,
        -(-high // per_tick) if sign[0] in "<=" else None,
    )


def linear(value: Expression, side_of: Callable[[int], bool | None]) -> LinearSum | None:
    """A value as a sum of event times and a constant; None for anything else."""
    match value:
        case Column(index):
            side = side_of(index)
            return None if side is None else LinearSum(int(side), int(not side))
        case Parameter() | Literal(None):
            return None
        case Literal(number, of):
            if is_integer(of):
                return LinearSum(constant=int(number))
            length = interval_length(number) if of == INTERVAL else None
            return None if length is None else LinearSum(constant=length)
        case Call("cast", (inner,), to):
            kept = (is_integer(inner.type) and to == BIGINT) or (inner.type, to) in (
                (DATE, TIMESTAMP),
                (TIMESTAMP, TIMESTAMP_NTZ),
                (TIMESTAMP_NTZ, TIMESTAMP),
            )
            return linear(inner, side_of) if kept else None
        case Call("negate", (inner,)):
            found = linear(inner, side_of)
            return LinearSum().plus(found, -1) if found and not (found.left or found.right) else None
        case Call("+" | "-" as sign, (one, other), of):
            return total(linear(one, side_of), linear(other, side_of), sign, value)
    return None


def total(one: LinearSum | None, other: LinearSum | None, sign: str, value: Call) -> LinearSum | None:
    """The sum or difference of two, if it is no more than one time and a constant, or the difference of two times."""
    if one is None or other is None:
        return None
    if value.of == DATE and is_integer(value.arguments[1].type):
        other = replace(other, constant=other.constant * MICROSECONDS["DAY"])
    found = one.plus(other, 1 if sign == "+" else -1)
    times = abs(found.left) + abs(found.right)
    if not is_integer(value.of) or value.of == BIGINT:
        return found
    # Times are not negative, so of narrow integers only a time plus something can grow too large.
    if (times > 1 and found.constant) or abs(found.constant) >= 2 ** (INTEGER_BITS[value.of] - 1):
        return None
    return replace(found, may_wrap=found.may_wrap or (times == 1 and found.constant > 0))


def interval_length(text: str) -> int | None:
    """The microseconds of an interval such as `4 HOUR`; None if its text has another form.

    >>> interval_length("1 DAY"), interval_length("0.5 SECOND")
    (86400000000, 500000)
    """
    found = INTERVAL_PART.findall(text)
    if "".join(amount + unit for amount, unit in found) != "".join(text.split()):
        return None
    return int(sum(Fraction(amount) * MICROSECONDS[unit] for amount, unit in found))
