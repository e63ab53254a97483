"""Random interval joins: two streams without windows, joined on a key and on how far apart their times are."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from typing import Any

from tailrace.catalog.sources import Declared, Stream
from tailrace.logical import nodes
from tailrace.logical.expressions import Call, Column, Expression, Literal, all_of
from tailrace.logical.plan import Plan
from tailrace.logical.windows import TimeWindow
from tailrace.schema import Field, Schema
from tailrace.types import BIGINT, BOOLEAN, INT, INTERVAL, TIMESTAMP, Type
from tests.random_plans.expressions import Seeded
from tests.random_plans.plans import COUNTS, LAST_INSTANT, Plans, World

ORIGIN = datetime(2024, 3, 1, 10)
SIGNS = ("<", "<=", ">", ">=", "=")


def seeded_interval_join(seed: int) -> World:
    """The same join and inputs each time. A tick is a second."""
    drawing = IntervalJoins(Seeded(Random(seed)))
    plan = drawing.over(drawing.interval_join())
    inputs = {name: drawing.arrivals(source) for name, source in drawing.sources.items()}
    return World(plan, inputs, LAST_INSTANT)


class IntervalJoins(Plans):
    """Draws joins of the streams L and M, which have the columns a and ts, and what reads them."""

    def declared(self, name: str) -> Declared:
        if name not in ("L", "M"):
            return super().declared(name)
        others = [source for source in self.sources.values() if source.name in ("L", "M")]
        of: Type = self.pick((BIGINT, INT, TIMESTAMP))
        if others and TIMESTAMP in (of, others[0].schema[1].type):
            of = others[0].schema[1].type
        return Stream(name, Schema((Field("a", INT), Field("ts", of))), timestamp="ts")

    def arrivals(self, source: Declared) -> list[Any]:
        if source.name not in ("L", "M"):
            return super().arrivals(source)
        instants = sorted(self.number(0, LAST_INSTANT) for _ in range(2 * self.pick(COUNTS)))
        return [(instant, (self.pick((0, 1, 1, 2, None)), self.time(source, instant))) for instant in instants]

    def time(self, source: Declared, instant: int) -> Any:
        """A time of an instant: any within its second, or its number."""
        if source.schema[1].type != TIMESTAMP:
            return instant
        return ORIGIN + timedelta(seconds=instant, milliseconds=self.pick((0, 0, 250, 500, 999)))

    def interval_join(self) -> Plan:
        left, right = self.side("L"), self.side(self.pick(("M", "M", "L")))
        columns = left.schema + right.schema
        key = Call("=", (Column(0, INT), Column(2, INT)), BOOLEAN)
        tests = [self.bound(columns[1].type, columns[3].type) for _ in range(self.number(1, 3))]
        parts = self.shuffled([*tests, *([key] if self.number(0, 3) else [])])
        above = self.pick((0, 0, len(parts)))
        joined: Plan = nodes.Join(left, right, "inner", all_of(parts[above:]))
        for part in parts[:above]:
            joined = nodes.Select(joined, part)
        return joined

    def side(self, name: str) -> Plan:
        """All elements of a stream so far, perhaps of a derived one, with the columns a and ts."""
        scan = self.scan(name)
        columns = (Column(0, INT, "a"), Column(1, scan.schema[1].type, "ts"))
        known = Call("is not null", (columns[0],), BOOLEAN)
        unbounded: Callable[[Plan], Plan] = lambda plan: nodes.ApplyWindow(plan, TimeWindow(None))  # noqa: E731
        match self.number(0, 5):
            case 0:
                return unbounded(nodes.Select(scan, known))
            case 1:
                return nodes.Project(nodes.Select(unbounded(scan), known), columns, ("b", "at"))
            case 2:
                return unbounded(nodes.ToStream(nodes.Project(unbounded(scan), columns, ("b", "at")), "istream"))
            case 3:
                return unbounded(nodes.ToStream(nodes.ApplyWindow(scan, TimeWindow(0)), "rstream"))
        return unbounded(scan)

    def bound(self, mine: Type, theirs: Type) -> Expression:
        """A comparison of the times: with a sum on one side, or of their difference."""
        timed = mine == TIMESTAMP
        wide = mine if mine == theirs else BIGINT
        sides: list[Expression] = [Column(1, mine), Column(3, theirs)]
        sides = [side if side.type == wide else Call("cast", (side,), wide) for side in sides]
        one, other = self.shuffled(sides)
        by = self.number(-2, 4)
        apart = Literal(f"{by}.5 SECOND", INTERVAL) if timed and by > 0 else Literal(f"{by} SECOND", INTERVAL)
        distance = apart if timed else Literal(by, wide)
        match self.number(0, 3):
            case 0:
                return Call(self.pick(SIGNS), (one, other), BOOLEAN)
            case 1:
                return Call(self.pick(SIGNS), (one, Call(self.pick(("+", "-")), (other, distance), wide)), BOOLEAN)
            case 2 if not timed:
                difference = Call("abs", (Call("-", (one, other), wide),), wide)
                return Call(self.pick(("<", "<=")), self.pick(((difference, distance),)), BOOLEAN)
        difference = Call("-", (one, other), INTERVAL if timed else wide)
        return Call(self.pick(SIGNS), (difference, distance), BOOLEAN)

    def over(self, joined: Plan) -> Plan:
        """The join's keys, or something that reads them."""
        keys = nodes.Project(joined, (Column(0, INT), Column(2, INT)), ("a", "b"))
        match self.number(0, 5):
            case 0:
                return self.aggregate(0, lambda _: keys)
            case 1:
                return nodes.Distinct(keys)
            case 2:
                return keys
        return nodes.ToStream(keys, self.pick(("istream", "istream", "rstream", "dstream")))
