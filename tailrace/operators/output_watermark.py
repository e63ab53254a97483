"""Pace: how far a step of a plan is decided once time has come to an instant, and in what it counts.

Most steps are decided as far as time has come. What reads the last elements of slots of time is decided up to the end
of the last slot that is over. Inside a sequence query relations are not of instants but of elements: a row's times are
*places*, an element's place being its instant and, in the lower bits, its rank among those of the instant. So places
are in order of time, a place is decided when its instant is, and windows, joins and folds work on them as on instants.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from tailrace.columnar.delta import FOREVER, Span
from tailrace.errors import RunError

BITS = 22  # of a place, for the rank
MOST = 1 << BITS


@dataclass(frozen=True)
class OutputWatermark:
    """`slots` are the lengths of the slots that must be over, one within the other, in each of several ways."""

    slots: frozenset[tuple[int, ...]] = frozenset([()])
    in_positions: bool = False

    @staticmethod
    def together(paces: Iterable[OutputWatermark]) -> OutputWatermark:
        """Of an operator with these inputs: as far as all of them are decided.

        >>> OutputWatermark.together([OutputWatermark(), OutputWatermark(frozenset([(20,)]))]).at(50)
        40
        """
        known = list(paces)
        slots = frozenset[tuple[int, ...]]().union(*(pace.slots for pace in known))
        return OutputWatermark(slots or OutputWatermark().slots, any(pace.in_positions for pace in known))

    def delayed_by_slots(self, length: int) -> OutputWatermark:
        """Of the last elements of slots of this length."""
        return replace(self, slots=frozenset((*lengths, length) for lengths in self.slots))

    def at(self, instant: int) -> int:
        """What is decided when all is up to an instant.

        >>> OutputWatermark(frozenset([(20, 15)])).at(50), OutputWatermark(frozenset([(20,)])).at(19)
        (30, -1)
        """
        decided = min(over(instant, lengths) for lengths in self.slots)
        return min(((decided + 1) << BITS) - 1, FOREVER - 1) if self.in_positions else decided

    def span(self, after: int, to: int) -> Span:
        return Span(self.at(after), self.at(to))


WITH_WATERMARK = OutputWatermark()
IN_PLACES = OutputWatermark(in_positions=True)


def over(instant: int, lengths: Iterable[int]) -> int:
    """The end of the last slot that is over; the first slot holds instant 0 as well."""
    for length in lengths:
        instant = instant // length * length if instant >= length else -1
    return instant


def places_of(instants: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    """The places of elements.

    >>> places_of(np.array([0, 1]), np.array([3, 0])).tolist()
    [3, 4194304]
    """
    if int(ranks.max(initial=0)) >= MOST:
        raise RunError(
            f"more than {MOST:,} elements at one instant, which a sequence query cannot tell apart",
            hint="SET tick to something shorter",
        )
    if int(instants.max(initial=0)) >= FOREVER >> BITS:
        raise RunError(
            f"instant {int(instants.max()):,} is beyond what a sequence query can count",
            hint="make the timestamp a TIMESTAMP, or its unit longer",
        )
    return (instants << BITS) | ranks


def first_place(instants: np.ndarray) -> np.ndarray:
    """The places from which on everything is at or after these instants; FOREVER stays."""
    return np.where(instants >= FOREVER >> BITS, FOREVER, np.minimum(instants, FOREVER >> BITS) << BITS)
