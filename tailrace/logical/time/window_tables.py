"""Window tables: the windows with a start and an end, and the node that gives each element the windows it is in.

A window is [start, end): half-open. Sizes are in ticks; starts are counted from 1970, or from 0 where timestamps count
ticks, and not from the run's origin.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from tailrace.logical.nodes import Unary
from tailrace.logical.plan import Kind, Plan, require
from tailrace.schema import Schema
from tailrace.stable_encoding import stable
from tailrace.types import TIMESTAMP, TIMESTAMP_NTZ, Type

START, END = "window_start", "window_end"


@stable("window/hop")
@dataclass(frozen=True)
class HopWindow:
    """Windows of one size, of which one begins every `slide` ticks; those of TUMBLE begin where the last one ends."""

    size: int
    slide: int
    offset: int = 0

    def last_end(self, tick: int) -> int:
        """The end of the last window that has begun at a tick."""
        return (tick - self.offset) // self.slide * self.slide + self.offset + self.size

    def __str__(self) -> str:
        text = f"[TUMBLE {self.size}" if self.slide == self.size else f"[HOP {self.size} EVERY {self.slide}"
        return f"{text}{f' OFFSET {self.offset}' if self.offset else ''}]"


@stable("window/cumulate")
@dataclass(frozen=True)
class CumulateWindow:
    """Windows that begin together, every `size` ticks, and end `step`, 2 · `step`, … `size` ticks later."""

    size: int
    step: int
    offset: int = 0

    def last_end(self, tick: int) -> int:
        """The end of the last window that has begun at a tick."""
        return (tick - self.offset) // self.size * self.size + self.offset + self.size

    def __str__(self) -> str:
        return f"[CUMULATE {self.size} EVERY {self.step}{f' OFFSET {self.offset}' if self.offset else ''}]"


@stable("window/session")
@dataclass(frozen=True)
class SessionWindow:
    """For each value of the partition columns, runs of elements with at most `gap` ticks between neighbours."""

    gap: int
    partition: tuple[int, ...] = ()

    def last_end(self, tick: int) -> int:
        """The end of a session whose last element is at a tick."""
        return tick + self.gap

    def __str__(self) -> str:
        columns = ", ".join(f"#{index}" for index in self.partition)
        return f"[{f'PARTITION BY {columns} ' if columns else ''}SESSION {self.gap}]"


PaneWindow = HopWindow | CumulateWindow
TableWindow = HopWindow | CumulateWindow | SessionWindow


@stable("plan/assign-windows")
@dataclass(frozen=True, eq=False)
class AssignWindows(Unary):
    """The elements of a stream with window_start and window_end behind their columns, once for each window.

    If `finished`, it is the relation that holds an element at the instant of window_end only; otherwise it is the
    stream of these elements at their own instants. A tick is `tick` units of the two columns: microseconds of a
    TIMESTAMP, 1 of a BIGINT. `lasts` says that the author wants the unfinished windows.
    """

    window: TableWindow
    type: Type
    tick: int
    finished: bool
    lasts: bool = field(default=False, compare=False)

    def check(self) -> None:
        require(self.child.kind is Kind.STREAM, "windows on something that is no stream")
        require(self.finished or not isinstance(self.window, SessionWindow), "a session that is not finished")

    @cached_property
    def schema(self) -> Schema:
        return self.child.schema + Schema.of((START, self.type), (END, self.type))

    @cached_property
    def kind(self) -> Kind:
        return Kind.RELATION if self.finished else Kind.STREAM

    @property
    def has_timestamps(self) -> bool:
        return self.type in (TIMESTAMP, TIMESTAMP_NTZ)


def end_of_windows(plans: Iterable[Plan], newest: int, origin: int) -> int:
    """The instant at which all windows are finished that have begun by the newest instant of any input.

    Where no plan asks for finished windows it is the newest instant itself. Instant 0 is at tick `origin`.
    """

    def last_of(plan: Plan) -> int:
        last = max(map(last_of, plan.children), default=newest)
        if isinstance(plan, AssignWindows) and plan.finished:
            return max(last, plan.window.last_end(last + origin) - origin)
        return last

    return max(map(last_of, plans), default=newest)
