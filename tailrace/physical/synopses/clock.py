"""Clock: when the tuples of a stream came in a batch, by their numbers; so it tells when others leave row windows.

>>> clock = Clock(10, np.array([3, 3, 8]))
>>> clock.total, clock.count(np.array([2, 3, 9])).tolist(), clock.came(np.array([10, 11, 13])).tolist()
(13, [10, 12, 13], [-1, 3, 8])
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tailrace.physical.delta import FOREVER, Delta

if TYPE_CHECKING:
    from tailrace.physical.delta import Indexes, Instants


@dataclass(frozen=True, eq=False)
class Clock:
    """So many tuples came `before` the batch, and then one at each of these instants, which rise."""

    before: int
    instants: Instants

    @staticmethod
    def of(rows: Delta, before: int) -> Clock:
        """The clock of a batch, given each tuple's number; without any, so many came before."""
        numbers = rows.columns[0].to_numpy()
        return Clock(int(numbers.min()) - 1 if len(rows) else before, rows.start[np.argsort(numbers)])

    @property
    def total(self) -> int:
        return self.before + len(self.instants)

    def count(self, instants: Instants) -> Indexes:
        """How many tuples have come when instants are over; of those before the batch, when it begins."""
        return self.before + np.searchsorted(self.instants, instants, side="right")

    def came(self, numbers: Indexes) -> Instants:
        """When tuples of these numbers came: -1 for those before the batch, FOREVER for those after it."""
        known = np.concatenate([[-1], self.instants, [FOREVER]])
        return np.asarray(known[np.clip(numbers - self.before, 0, len(known) - 1)])
