"""Statistics: what the eddies of this process know from earlier batches, and what they record in this one.

A worker gets the merged statistics of all workers from the batches before, and returns those that it recorded itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tailrace.operators.families.routing.policies import FilterCounts, StatsByFilter, decay_stats, merge_stats

Taught = Mapping[str, StatsByFilter]  # by family

_known: dict[str, StatsByFilter] = {}
_learned: dict[str, list[dict[str, FilterCounts]]] = {}


def teach(known: Taught) -> None:
    """Before a batch: set the known statistics, and drop what was recorded."""
    _known.clear()
    _known.update(known)
    _learned.clear()


def statistics_of(family: str) -> StatsByFilter:
    return _known.get(family, {})


def learn(family: str, new: dict[str, FilterCounts]) -> None:
    _learned.setdefault(family, []).append(new)


def drain_statistics() -> dict[str, dict[str, FilterCounts]]:
    """After a batch: the statistics recorded in it, by family."""
    return {family: merge_stats(several) for family, several in _learned.items()}


def together(known: Taught, new: Iterable[Taught], weight: float) -> dict[str, StatsByFilter]:
    """The statistics known after a batch: those known before, multiplied by `weight`, and the new ones.

    >>> before, after = {"f": {"a": FilterCounts(taken=8)}}, {"f": {"a": FilterCounts(taken=3)}}
    >>> together(before, [after, after], 0.5)["f"]["a"].taken
    10.0
    """
    found = {family: [decay_stats(lessons, weight)] for family, lessons in known.items()}
    for each in new:
        for family, lessons in each.items():
            found.setdefault(family, []).append(dict(lessons))
    return {family: merge_stats(several) for family, several in found.items()}
