"""Regions: sets of values of one column, each with or without NULL.

Values are keys here: whole numbers, or texts, in Spark's order, each with a next one (ordinals.py). So every set that
comparisons with constants make is a few cuts: at each cut, keys change from in the set to out of it, or back.

>>> teens = Region(False, (13, 20), False)
>>> union([teens, point(20, 21)]), intersection([teens, complement(point(15, 16))])
(Region(below=False, cuts=(13, 21), null=False), Region(below=False, cuts=(13, 15, 16, 20), null=False))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

Key = Any  # int or str; the keys of one column can be compared


@dataclass(frozen=True, slots=True)
class Region:
    """A set of keys. `below` says whether the keys below the first cut are in it, `null` whether NULL is."""

    below: bool
    cuts: tuple[Key, ...]
    null: bool

    @property
    def is_empty(self) -> bool:
        return not (self.below or self.cuts or self.null)

    @property
    def is_everything(self) -> bool:
        return self.below and not self.cuts and self.null


NOTHING = Region(False, (), False)
NULL = Region(False, (), True)
EVERYTHING = Region(True, (), True)


def point(at: Key, after: Key) -> Region:
    """The keys from `at` up to, not including, `after`; there may be none."""
    return Region(False, (at, after), False) if at < after else NOTHING


def points(steps: Iterable[tuple[Key, Key]]) -> Region:
    """The union of many points, each given by its key and the next."""
    cuts: list[Key] = []
    for at, after in sorted({step for step in steps if step[0] < step[1]}):
        if cuts and cuts[-1] == at:
            cuts[-1] = after
        else:
            cuts += (at, after)
    return Region(False, tuple(cuts), False)


def complement(region: Region) -> Region:
    return Region(not region.below, region.cuts, not region.null)


def opposite(region: Region) -> Region:
    """The other values, without NULL: where a comparison is FALSE that is TRUE in this region."""
    return Region(not region.below, region.cuts, False)


def union(regions: Sequence[Region]) -> Region:
    return in_at_least(1, regions)


def intersection(regions: Sequence[Region]) -> Region:
    return _between(regions) or in_at_least(len(regions), regions)


def _between(regions: Sequence[Region]) -> Region | None:
    """The intersection of a lower and an upper bound, the most frequent case; None for other regions."""
    if len(regions) != 2 or len(regions[0].cuts) != 1 or len(regions[1].cuts) != 1:
        return None
    low, high = regions if regions[1].below else regions[::-1]
    if low.below or not high.below or (low.null and high.null):
        return None
    return point(low.cuts[0], high.cuts[0])


def in_at_least(least: int, regions: Sequence[Region]) -> Region:
    """The keys that are in at least `least` of the regions; NULL likewise."""
    if len(regions) == 1:
        return regions[0]
    count = sum(region.below for region in regions)
    steps = sorted(
        (cut, 1 if (place % 2 == 0) != region.below else -1)
        for region in regions
        for place, cut in enumerate(region.cuts)
    )
    below = inside = count >= least
    cuts = []
    for place, (cut, step) in enumerate(steps):
        count += step
        last = place + 1 == len(steps) or steps[place + 1][0] != cut
        if last and (count >= least) != inside:
            inside = not inside
            cuts.append(cut)
    return Region(below, tuple(cuts), sum(region.null for region in regions) >= least)
