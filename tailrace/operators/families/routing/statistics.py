"""Lessons: what the eddies of a process know from earlier batches, and what they have learned in this one.

A worker is given what all workers learned in the batches before, and hands over what it learned itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tailrace.operators.families.routing.policies import Learned, Lessons, decayed, merged

Taught = Mapping[str, Lessons]  # by family

_known: dict[str, Lessons] = {}
_learned: dict[str, list[dict[str, Learned]]] = {}


def teach(known: Taught) -> None:
    """Before a batch: what is known."""
    _known.clear()
    _known.update(known)
    _learned.clear()


def known_of(family: str) -> Lessons:
    return _known.get(family, {})


def learn(family: str, new: dict[str, Learned]) -> None:
    _learned.setdefault(family, []).append(new)


def handed_over() -> dict[str, dict[str, Learned]]:
    """After a batch: what was learned in it."""
    return {family: merged(several) for family, several in _learned.items()}


def together(known: Taught, new: Iterable[Taught], weight: float) -> dict[str, Lessons]:
    """What is known after a batch; what was known before counts so much.

    >>> before, after = {"f": {"a": Learned(taken=8)}}, {"f": {"a": Learned(taken=3)}}
    >>> together(before, [after, after], 0.5)["f"]["a"].taken
    10.0
    """
    found = {family: [decayed(lessons, weight)] for family, lessons in known.items()}
    for each in new:
        for family, lessons in each.items():
            found.setdefault(family, []).append(dict(lessons))
    return {family: merged(several) for family, several in found.items()}
