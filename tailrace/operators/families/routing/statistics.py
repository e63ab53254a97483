"""Statistics: what eddies know of their filters from earlier batches, by family, and how a batch adds to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tailrace.operators.families.routing.policies import StatsByFilter, decay_stats, merge_stats

StatsByFamily = Mapping[str, StatsByFilter]


def together(known: StatsByFamily, new: Iterable[StatsByFamily], weight: float) -> dict[str, StatsByFilter]:
    """The statistics known after a batch: those known before, multiplied by `weight`, and the new ones.

    >>> from tailrace.operators.families.routing.policies import FilterCounts
    >>> before, after = {"f": {"a": FilterCounts(taken=8)}}, {"f": {"a": FilterCounts(taken=3)}}
    >>> together(before, [after, after], 0.5)["f"]["a"].taken
    10.0
    """
    found = {family: [decay_stats(lessons, weight)] for family, lessons in known.items()}
    for each in new:
        for family, lessons in each.items():
            found.setdefault(family, []).append(dict(lessons))
    return {family: merge_stats(several) for family, several in found.items()}
