"""I-stream and d-stream: what is new and what is gone at each instant (CQL §6.3).

Istream(R) at τ is R(τ) − R(τ−1), Dstream(R) is R(τ−1) − R(τ), both as bags: the positive or the negative net changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tailrace.physical.delta import Delta, Span
from tailrace.physical.operators.changes import Changes, in_time, net
from tailrace.physical.synopses.calendar import Calendar


@dataclass(frozen=True)
class IStream(Changes):
    """The tuples that came."""

    makes_stream: ClassVar[bool] = True

    def takes_back(self, inputs: Sequence[bool]) -> bool:
        return False

    def apply(self, inputs: Sequence[Delta], state: Calendar, span: Span) -> tuple[Delta, Any]:
        events, calendar = self.due(inputs[0], state, span)
        changes = net(events)
        return in_time(changes.where(changes.weight > 0)), calendar


@dataclass(frozen=True)
class DStream(Changes):
    """The tuples that went."""

    makes_stream: ClassVar[bool] = True

    def takes_back(self, inputs: Sequence[bool]) -> bool:
        return False

    def apply(self, inputs: Sequence[Delta], state: Calendar, span: Span) -> tuple[Delta, Any]:
        events, calendar = self.due(inputs[0], state, span)
        changes = net(events)
        return in_time(changes.where(changes.weight < 0)).negated(), calendar
