"""Policies: in which order a chunk of rows visits the filters (CACQ §4).

The statistics of a filter are sums that decay as rows pass. Those of several workers are added up, decayed, and given
to all workers with the next batch.

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

HALF_LIFE = 10_000  # rows after which a statistic counts half
EXPLORED = 1 / 32  # the share of chunks that get a random order, if no rows were looked at ahead
PRIOR_ROWS = 64.0  # little is known of a filter that took fewer rows; a first guess weighs as much as these
LEAST, GROWTH = 256, 2  # the fewest rows of a chunk; a chunk grows by a row for each GROWTH rows seen
HICCUP = 4  # a chunk counts as at most this many times as slow as the filter was so far
CALL_ROWS = 2000  # how many rows could be filtered in the time that a call takes anyway


@dataclass(frozen=True)
class FilterCounts:
    """How many rows a filter took and returned, the seconds it spent, and its tickets."""

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
    """Statistics of the filters of one block: those of earlier batches, and those that this worker records now.

    A filter gets a ticket for each predicate that it applies to a row, and gives the tickets back if it returns the
    row: so its tickets count what it removes.
    """

    def __init__(self, names: Sequence[str], predicates: Sequence[int], known: StatsByFilter) -> None:
        self.names = tuple(names)
        self.predicates = tuple(predicates)
        self.ahead: Order = ()
        self._sums = np.zeros((2, len(self.names), 4))
        for place, name in enumerate(self.names):
            self._sums[0, place] = astuple(known.get(name, FilterCounts()))
        self._seen = int(self._sums[0, :, 0].max(initial=0))  # rows, of earlier batches those that still count

    def __len__(self) -> int:
        return len(self.names)

    def record(self, place: int, taken: int, returned: int, seconds: float) -> None:
        """Record what a filter did with a chunk.

        A call takes some time however few the rows, and now and then the machine does something else: neither is held
        against the filter.
        """
        seconds *= taken / (taken + CALL_ROWS)
        rows, _, spent, _ = self._sums[:, place].sum(axis=0).tolist()
        if rows > PRIOR_ROWS:
            seconds = min(seconds, HICCUP * taken * spent / rows)
        self._sums[1, place] += (taken, returned, seconds, self.predicates[place] * (taken - returned))

    def decay(self, rows: int) -> None:
        """Let all statistics decay, since this many rows have passed."""
        self._seen += rows
        self._sums *= 0.5 ** (rows / HALF_LIFE)

    def removed_share(self) -> Numbers:
        """For each filter the share of its rows that it removed; 1 while little is known."""
        taken, returned, _, _ = self.sums().T
        return np.where(taken > PRIOR_ROWS, 1 - returned / np.maximum(taken, 1), 1.0)

    def sums(self) -> Numbers:
        """Filters × (taken, returned, seconds, tickets)."""
        return np.asarray(self._sums.sum(axis=0))

    def chunk(self, most: int) -> int:
        """How many rows are routed in one order: few while little is known, so that the order is drawn often."""
        return min(max(self._seen // GROWTH, LEAST), most)

    def new_counts(self) -> dict[str, FilterCounts]:
        """The statistics recorded here, without those of earlier batches."""
        return {name: FilterCounts(*new) for name, new in zip(self.names, self._sums[1].tolist(), strict=True)}


class Policy(Protocol):
    """Chooses the order of filters for a chunk. One that looks ahead gets the order that some of the next rows show."""

    looks_ahead: ClassVar[bool]

    def order(self, standing: FilterStats, random: np.random.Generator) -> Order: ...


def seconds_a_row(sums: Numbers) -> Numbers:
    """For each filter the seconds it spends on a row; where little is known, about the average of all filters."""
    taken, seconds = sums[:, 0], sums[:, 2]
    average = (seconds.sum() + 1e-9) / (taken.sum() + 1)
    return np.asarray((seconds + average * PRIOR_ROWS) / (taken + PRIOR_ROWS))


@dataclass(frozen=True)
class Tickets:
    """CACQ's lottery: the chance to be next is in proportion to tickets, at least one, divided by seconds for a row."""

    looks_ahead: ClassVar[bool] = False

    def order(self, standing: FilterStats, random: np.random.Generator) -> Order:
        sums = standing.sums()
        chances = np.maximum(sums[:, 3], 1.0) / seconds_a_row(sums)
        # Of exponential random times each is the least with a chance in proportion to its rate; then of the rest.
        return np.argsort(random.exponential(size=len(chances)) / chances).tolist()


@dataclass(frozen=True)
class Best:
    """By rows removed in a second, as the next rows show, or else statistics; now and then at random, to try orders."""

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
