"""Output watermark: up to which instant a step's output is final, given the watermark; and whether it has positions.

Most steps are final up to the watermark. A step that reads the last element of each slot of time, as `FREQUENCY 20
SECONDS` does, is final up to the end of the last slot that is over. Inside a sequence query the times of rows are not
instants but *positions* (`place` in the code): an element's position is its instant and, in the lower bits, its rank
among the elements of that instant. So positions are in order of time, a position is final when its instant is, and
windows, joins and aggregates work on positions as on instants.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from tailrace.columnar.delta import FOREVER, Span
from tailrace.errors import RunError
from tailrace.stable_encoding import stable

BITS = 22  # of a position, for the rank
MOST = 1 << BITS


@stable("output-watermark")
@dataclass(frozen=True)
class OutputWatermark:
    """How far a step lags behind the watermark because it waits for slots of time to be over.

    Each tuple of `slots` is a way from a source up to the step: the lengths of the slots that are waited for on that
    way, the first one nearest to the source. The step is final as far as all ways are. With `in_positions` its rows
    have positions instead of instants.
    """

    slots: frozenset[tuple[int, ...]] = frozenset([()])
    in_positions: bool = False

    @staticmethod
    def together(paces: Iterable[OutputWatermark]) -> OutputWatermark:
        """The output watermark of an operator with these inputs: final as far as all of them are.

        >>> OutputWatermark.together([OutputWatermark(), OutputWatermark(frozenset([(20,)]))]).at(50)
        40
        """
        known = list(paces)
        slots = frozenset[tuple[int, ...]]().union(*(pace.slots for pace in known))
        return OutputWatermark(slots or OutputWatermark().slots, any(pace.in_positions for pace in known))

    def delayed_by_slots(self, length: int) -> OutputWatermark:
        """The output watermark of an operator that emits the last element of each slot of this length."""
        return replace(self, slots=frozenset((*lengths, length) for lengths in self.slots))

    def at(self, instant: int) -> int:
        """Up to which instant, or position, the output is final when all sources are final up to `instant`.

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
    """The end of the last slot that is over at an instant, −1 if none is; several lengths are slots within slots."""
    for length in lengths:
        instant = instant // length * length if instant >= length else -1
    return instant


def places_of(instants: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    """The positions of elements, given their instants and their ranks among the elements of the instant.

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
    """The first position of each of these instants; FOREVER stays."""
    return np.where(instants >= FOREVER >> BITS, FOREVER, np.minimum(instants, FOREVER >> BITS) << BITS)
