"""Changes: what each instant adds to and takes from a relation, net and tuple by tuple.

At τ a tuple's change is R(τ) − R(τ−1): the weights of the rows that begin at τ less those that end there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tailrace.physical.delta import FOREVER, Delta, Span, concat
from tailrace.physical.keys import groups
from tailrace.physical.operator import Operator
from tailrace.physical.synopses.calendar import Calendar


@dataclass(frozen=True)
class Changes(Operator):
    """A relation's changelog: rows of one instant, whose weight is the change. This is what a sink writes."""

    def start(self) -> Calendar:
        return Calendar()

    def apply(self, inputs: Sequence[Delta], state: Calendar, span: Span) -> tuple[Delta, Any]:
        net, calendar = self.net(inputs[0], state, span)
        return net, calendar

    def net(self, delta: Delta, calendar: Calendar, span: Span) -> tuple[Delta, Calendar]:
        """The net changes up to the span's end, and the ends still to come."""
        due, calendar = calendar.take(span.to)
        events = self.events(delta)
        now = events.start <= span.to
        later = events.where(~now)
        if len(later):
            calendar = calendar.add(later.start, (pa.array(later.weight), *later.columns))
        parts = [events.where(now)]
        if due is not None:
            weight = due.columns[0].to_numpy()
            parts.append(Delta(due.order, due.order + 1, weight, due.columns[1:]))
        return consolidated(concat(parts, self.types)), calendar

    def events(self, delta: Delta) -> Delta:
        """Each row as the instant it begins and, if it ends, the instant it ends, with the weight turned round."""
        begins = Delta(delta.start, delta.start + 1, delta.weight, delta.columns)
        ending = delta.where(delta.until != FOREVER)
        ends = Delta(ending.until, ending.until + 1, -ending.weight, ending.columns)
        return concat([begins, ends], self.types)


def consolidated(delta: Delta) -> Delta:
    """Rows of one instant with the weights of equal tuples summed, and none of weight zero; by instant."""
    if not len(delta):
        return delta
    instants = pa.array(delta.start)
    codes, first = groups((instants, *delta.columns), len(delta))
    weight = np.zeros(len(first), np.int64)
    np.add.at(weight, codes, delta.weight)
    kept = np.flatnonzero(weight)
    rows = delta.take(first[kept])
    order = np.argsort(rows.start, kind="stable")
    return Delta(rows.start, rows.until, weight[kept], rows.columns).take(order)
