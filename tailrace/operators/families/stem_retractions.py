"""Stem retractions: when tuples leave row windows in a batch, finds their combinations again and retracts them.

A combination of remembered tuples was emitted as if none of them would ever leave a row window. It is found again from
the first of its stems that loses its tuple in the batch, in a member's window: so it is retracted once for a member.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from tailrace.columnar.delta import FOREVER, Span
from tailrace.operators.families.routing.lineage import WORD, Words, any_member_wants
from tailrace.operators.families.routing.policies import StatsByFilter
from tailrace.operators.families.stem import StemBatch
from tailrace.operators.families.stem_probe import StemProbe, together
from tailrace.state.runs import Run

if TYPE_CHECKING:
    from tailrace.columnar.delta import Indexes, Instants
    from tailrace.operators.families.stem_join import StemJoin
    from tailrace.operators.families.stem_probe import ByPlace, StemCombination


class StemRetraction(StemProbe):
    """The same search, beginning with remembered tuples that leave some member's row window in this batch."""

    weight = -1

    def __init__(self, join: StemJoin, held: Sequence[StemBatch], span: Span, known: StatsByFilter) -> None:
        super().__init__(join, held, span, known)
        self.since = span.after
        self.smaller: dict[int, tuple[Indexes, Words]] = {}  # by stem: window sizes, and for each the members up to it

    @property
    def origins(self) -> list[int]:
        return [place for place, clock in self.clocks.items() if len(clock.instants) and self.stems[place].old]

    def runs(self, origin: int, place: int) -> tuple[Run, ...]:
        return self.stems[place].old

    def beginners(self, origin: int) -> Iterator[tuple[int, Indexes]]:
        sizes, clock = self.join.flow.windows.sizes[origin], self.clocks[origin]
        for which, run in enumerate(self.stems[origin].old):
            numbers = run.columns[0].to_numpy()
            leaves = (numbers + sizes.max() > clock.before) & (numbers + sizes.min() <= clock.total)
            yield which, np.flatnonzero(leaves)

    def start_combinations(self, origin: int, number: int, rows: Indexes) -> StemCombination:
        """Combinations of one tuple each, only for the members whose windows lose the tuple in this batch."""
        found, clock = super().start_combinations(origin, number, rows), self.clocks[origin]
        numbers = found.numbers[origin]
        return only(
            found,
            self.members_that_lost(origin, numbers, clock.total)
            & ~self.members_that_lost(origin, numbers, clock.before),
        )

    def join_stem_rows(self, rows: StemCombination, place: int, at: tuple[Indexes, Indexes]) -> StemCombination:
        """Only for the members whose windows had the tuple before the batch and, of an earlier stem, still have it."""
        found, clock = super().join_stem_rows(rows, place, at), self.clocks.get(place)
        if clock is None:
            return found
        total = clock.total if place < rows.origin else clock.before
        return only(found, ~self.members_that_lost(place, found.numbers[place], total))

    def members_that_lost(self, place: int, numbers: Indexes, total: int) -> Words:
        """The members whose windows have lost the tuples of these numbers when `total` tuples have come."""
        if place not in self.smaller:
            windows = self.join.flow.windows
            sizes = np.unique(windows.sizes[place])
            found = np.zeros((len(sizes) + 1, len(windows.words)), np.uint64)
            words = np.searchsorted(windows.words, windows.numbers // WORD)
            bits = np.uint64(1) << (windows.numbers % WORD).astype(np.uint64)
            np.bitwise_or.at(found, (np.searchsorted(sizes, windows.sizes[place]) + 1, words), bits)
            self.smaller[place] = sizes, np.bitwise_or.accumulate(found, axis=0)
        sizes, members = self.smaller[place]
        return np.asarray(members[np.searchsorted(sizes, total - numbers, side="right")])

    def lasts(self, place: int, first: Instants | Indexes) -> Instants:
        """As known before the batch, when tuples in row windows had no end."""
        return np.full(len(first), FOREVER - 1) if place in self.clocks else super().lasts(place, first)

    def common_interval(
        self, instants: ByPlace, numbers: ByPlace, sizes: Indexes, slides: Indexes
    ) -> tuple[Instants, Instants]:
        """From when until when a combination is gone that was emitted as being there."""
        start, until = together(instants, numbers, sizes, slides)
        leaves = [self.clocks[place].came(each + sizes[place]) for place, each in numbers.items()]
        return np.maximum(start, np.minimum.reduce(leaves)), until


def only(rows: StemCombination, members: Words) -> StemCombination:
    """The combinations, each for some members only; those that no member is left for are dropped."""
    lineage = rows.lineage & members
    return replace(rows, lineage=lineage).take(np.flatnonzero(any_member_wants(lineage)))
