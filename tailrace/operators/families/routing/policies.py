"""Policies: in which order a chunk of rows visits the filters (CACQ §4).

What is learned of a filter are sums, which lose their weight as rows pass: what several workers learned is added up,
weighed down and handed to all of them with the next batch.

>>> one = {"0 a": FilterCounts(taken=100, returned=10, seconds=1e-3, tickets=90)}
>>> merge_stats([one, one])["0 a"].returned, decay_stats(one, 0.5)["0 a"].tickets
(20, 45.0)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any, ClassVar, Protocol

import numpy as np

Order = Sequence[int]
Numbers = np.ndarray[Any, np.dtype[np.float64]]

HALF_LIFE = 10_000  # rows after which what was learned counts half
EXPLORED = 1 / 32
PRIOR_ROWS = 64.0
LEAST, GROWTH = 256, 2  # the fewest rows that go together; so many known rows allow one more
HICCUP = 4  # times as long as so far is as much as a chunk can count
CALL_ROWS = 2000  # that could have been filtered in the time that a call takes


@dataclass(frozen=True)
class FilterCounts:
    """Rows that a filter took and gave back, the time it spent, and its tickets."""

    taken: float = 0
    returned: float = 0
    seconds: float = 0
    tickets: float = 0


StatsByFilter = Mapping[str, FilterCounts]  # by the filters' names


def merge_stats(several: Iterable[StatsByFilter]) -> dict[str, FilterCounts]:
    found: dict[str, FilterCounts] = {}
    for lessons in several:
        for name, new in lessons.items():
            old = found.get(name)
            both = zip(astuple(old), astuple(new), strict=True) if old else None
            found[name] = FilterCounts(*(one + other for one, other in both)) if both else new
    return found


def decay_stats(lessons: StatsByFilter, factor: float) -> dict[str, FilterCounts]:
    return {name: FilterCounts(*(factor * each for each in astuple(known))) for name, known in lessons.items()}


class FilterStats:
    """What is known of the filters of one block: from earlier, and what this worker learns now.

    A filter is given a ticket for each predicate it applies to a row it takes, and gives them back with the row.
    """

    def __init__(self, names: Sequence[str], predicates: Sequence[int], known: StatsByFilter) -> None:
        self.names = tuple(names)
        self.predicates = tuple(predicates)
        self.ahead: Order = ()
        self._sums = np.zeros((2, len(self.names), 4))
        for place, name in enumerate(self.names):
            self._sums[0, place] = astuple(known.get(name, FilterCounts()))
        self._seen = int(self._sums[0, :, 0].max(initial=0))  # rows, in earlier batches those that still count

    def __len__(self) -> int:
        return len(self.names)

    def record(self, place: int, taken: int, returned: int, seconds: float) -> None:
        """What a filter did with a chunk.

        A call takes time whatever the rows, and now and then the machine does something else: neither is held
        against the filter.
        """
        seconds *= taken / (taken + CALL_ROWS)
        rows, _, spent, _ = self._sums[:, place].sum(axis=0).tolist()
        if rows > PRIOR_ROWS:
            seconds = min(seconds, HICCUP * taken * spent / rows)
        self._sums[1, place] += (taken, returned, seconds, self.predicates[place] * (taken - returned))

    def decay(self, rows: int) -> None:
        """So many rows have passed."""
        self._seen += rows
        self._sums *= 0.5 ** (rows / HALF_LIFE)

    def removed_share(self) -> Numbers:
        """By filter, the part of its rows that did not go on; 1 while little is known."""
        taken, returned, _, _ = self.sums().T
        return np.where(taken > PRIOR_ROWS, 1 - returned / np.maximum(taken, 1), 1.0)

    def sums(self) -> Numbers:
        """Filters × (taken, returned, seconds, tickets)."""
        return np.asarray(self._sums.sum(axis=0))

    def chunk(self, most: int) -> int:
        """How many rows go the same way: few while little is known, so that lots are drawn often."""
        return min(max(self._seen // GROWTH, LEAST), most)

    def new_counts(self) -> dict[str, FilterCounts]:
        """What was learned here, without what was known before."""
        return {name: FilterCounts(*new) for name, new in zip(self.names, self._sums[1].tolist(), strict=True)}


class Policy(Protocol):
    """Draws the order for a chunk. One that looks ahead is told the order that a sample of the next rows shows."""

    looks_ahead: ClassVar[bool]

    def order(self, standing: FilterStats, random: np.random.Generator) -> Order: ...


def seconds_a_row(sums: Numbers) -> Numbers:
    """By filter; where it is not known, as all others on average."""
    taken, seconds = sums[:, 0], sums[:, 2]
    average = (seconds.sum() + 1e-9) / (taken.sum() + 1)
    return np.asarray((seconds + average * PRIOR_ROWS) / (taken + PRIOR_ROWS))


@dataclass(frozen=True)
class Tickets:
    """A lottery: the chance to be next is in proportion to the tickets, at least one, over the time a row takes."""

    looks_ahead: ClassVar[bool] = False

    def order(self, standing: FilterStats, random: np.random.Generator) -> Order:
        sums = standing.sums()
        chances = np.maximum(sums[:, 3], 1.0) / seconds_a_row(sums)
        # The first of exponential clocks rings with a chance in proportion to its rate; so does the next of the rest.
        return np.argsort(random.exponential(size=len(chances)) / chances).tolist()


@dataclass(frozen=True)
class Best:
    """By rows removed in a second: as some of the rows to come show it or, where none were looked at, as was learned.

    What is only learned stays true by a random order now and then.
    """

    looks_ahead: ClassVar[bool] = True

    def order(self, standing: FilterStats, random: np.random.Generator) -> Order:
        if standing.ahead:
            return standing.ahead
        if random.random() < EXPLORED:
            return Random().order(standing, random)
        sums = standing.sums()
        removed = (sums[:, 0] - sums[:, 1] + PRIOR_ROWS) / (sums[:, 0] + PRIOR_ROWS)
        return np.argsort(-removed / seconds_a_row(sums), kind="stable").tolist()


@dataclass(frozen=True)
class Random:
    looks_ahead: ClassVar[bool] = False

    def order(self, standing: FilterStats, random: np.random.Generator) -> Order:
        return random.permutation(len(standing)).tolist()


@dataclass(frozen=True)
class Fixed:
    """The filters at these places first, then the others."""

    places: tuple[int, ...] = ()
    looks_ahead: ClassVar[bool] = False

    def order(self, standing: FilterStats, random: np.random.Generator) -> Order:
        first = [place for place in self.places if place < len(standing)]
        return [*first, *(place for place in range(len(standing)) if place not in first)]


POLICIES: dict[str, Callable[[], Policy]] = {"tickets": Tickets, "best": Best, "random": Random, "fixed": Fixed}
