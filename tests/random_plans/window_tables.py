"""Random plans with windows of a start and an end: TUMBLE, HOP, CUMULATE and SESSION among all other operators."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from tailrace.logical import nodes
from tailrace.logical.expressions import Column
from tailrace.logical.plan import Plan
from tailrace.logical.time.window_tables import AssignWindows, CumulateWindow, HopWindow, SessionWindow, TableWindow
from tailrace.types import BIGINT
from tests.random_plans.expressions import Seeded
from tests.random_plans.plans import DEPTHS, LAST_INSTANT, Plans, World


def windowed_world(seed: int) -> World:
    """The same plan with its inputs each time; it has a window with a start and an end."""
    drawing = WindowPlans(Seeded(Random(seed)))
    plan = drawing.per_window(drawing.pick(DEPTHS))
    return World(plan, {name: drawing.arrivals(source) for name, source in drawing.sources.items()}, LAST_INSTANT)


class WindowPlans(Plans):
    """Draws plans over windows with a start and an end; below and above them is any other plan."""

    def per_window(self, depth: int) -> Plan:
        match self.number(0, 5):
            case 0:
                return self.relation(depth)
            case 1:
                return nodes.ToStream(self.finished_groups(depth), "rstream")
            case 2:
                return self.select(depth, self.finished_groups)
            case 3:
                return self.select(depth, self.assigned_stream)
            case 4:
                left, right = self.finished_groups(depth), self.finished_groups(min(depth, 1))
                how = self.pick(("inner", "left", "right", "full"))
                return nodes.Join(left, right, how, self.link(left.schema, right.schema))
        return self.finished_groups(depth)

    def windowed(self, depth: int, plan: Any) -> Plan:
        if self.number(0, 1):
            return super().windowed(depth, plan)
        return self.finished_windows(depth)

    def finished_windows(self, depth: int) -> Plan:
        child = self.stream(min(depth, 1))
        return AssignWindows(child, self.table_window(child), BIGINT, 1, True)

    def assigned_stream(self, depth: int) -> Plan:
        return AssignWindows(self.stream(min(depth, 1)), self.pane(), BIGINT, 1, False)

    def finished_groups(self, depth: int) -> Plan:
        child = self.some(
            min(depth, 2), self.finished_windows, (self.filter_windows,), lambda: self.finished_windows(0)
        )
        width = len(child.schema)
        keys = tuple(Column(place, child.schema[place].type) for place in (width - 2, width - 1))
        return nodes.Aggregate(child, keys, (self.aggregation(child.schema),), ("start", "end", "value"))

    def filter_windows(self, depth: int, plan: Callable[[int], Plan]) -> Plan:
        """A selection over the windows, which may go below them."""
        return nodes.Select(child := plan(depth), self.condition(child.schema))

    def table_window(self, child: Plan) -> TableWindow:
        if self.number(0, 2):
            return self.pane()
        return SessionWindow(self.number(1, 3), self.partition(child))

    def pane(self) -> HopWindow | CumulateWindow:
        size, offset = self.number(1, 4), self.number(0, 2)
        match self.number(0, 2):
            case 0:
                return HopWindow(size, size, offset)
            case 1:
                return HopWindow(size, self.number(1, 3), offset)
        step = self.number(1, 2)
        return CumulateWindow(step * self.number(1, 3), step, offset)
