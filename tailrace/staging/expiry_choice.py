"""Expiry choice: chooses the expiry strategy that costs a query least, by measured costs and the rows of a batch.

A tuple that enters and leaves a window costs a join or a fold either one row with its end, or two rows, an insertion
and a retraction; the expire operator comes on top of these. A fold that gets an end in advance stores it and handles
it again when it is reached. So retractions can be cheaper if windows outlast batches. `tailrace bench strategies`
measures the costs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tailrace.operators.identity import state_names
from tailrace.operators.plan import PhysicalPlan
from tailrace.staging.expiry import PROBING, ExpiryPlacement

WORTH = 0.9  # a strategy replaces the current one if it costs less than this fraction of it
NEGATIVE, HYBRID = "negative", "hybrid"


@dataclass(frozen=True)
class TupleCost:
    """Nanoseconds for a tuple that enters and leaves a window: as one row with its end (`ends`), or as an insertion and
    a retraction with the expire operator that makes them (`signs`).

    Each is a pair: for windows that end within the batch, and for windows that last much longer than the batch.
    """

    ends: tuple[float, float]
    signs: tuple[float, float]

    def of(self, signed: bool, ahead: float) -> float:
        """The cost if the fraction `ahead` of the tuples ends after the batch.

        >>> TupleCost((100, 200), (150, 160)).of(signed=False, ahead=0.5)
        150.0
        """
        within, beyond = self.signs if signed else self.ends
        return within + (beyond - within) * ahead


# Measured by `tailrace bench strategies costs`: processor time, batches of 50,000 rows.
COSTS = {
    "join": TupleCost((525, 580), (5280, 1480)),
    "aggregate": TupleCost((845, 1855), (785, 1830)),
    "counts": TupleCost((375, 1160), (365, 1200)),
    "changes": TupleCost((240, 162), (245, 167)),
}
OTHER = COSTS["aggregate"]


@dataclass(frozen=True)
class ExpiryWorkload:
    """The operators of a query that handle expiring tuples."""

    joins: tuple[str, ...]  # their names
    folds: tuple[tuple[str, str], ...]  # their names and kinds
    longest: int  # the size of its largest window, in ticks


@dataclass(frozen=True)
class TupleLoad:
    """How many tuples come to the joins, and to the folds by kind; the fraction `ahead` ends after the batch."""

    joins: float
    folds: Mapping[str, float]
    ahead: float

    def cost(self, strategy: str) -> float:
        """The cost of the batch under a strategy, in nanoseconds.

        >>> load = TupleLoad(1000, {"aggregate": 100}, ahead=1.0)
        >>> load.cost("hybrid") < load.cost("negative")
        True
        """
        joins = self.joins * COSTS["join"].of(strategy == NEGATIVE, self.ahead)
        signed = strategy != PROBING
        return joins + sum(many * COSTS.get(kind, OTHER).of(signed, self.ahead) for kind, many in self.folds.items())


def outlines(plan: PhysicalPlan) -> dict[str, ExpiryWorkload]:
    """The expiry workload of each query that has a place for an expire operator."""
    shape = ExpiryPlacement(plan)
    if not shape.places:
        return {}
    names = state_names(plan)
    below: list[frozenset[int]] = []
    for number, step in enumerate(plan.steps):
        below.append(frozenset([number]).union(*(below[each] for each in step.inputs)))
    found = {}
    for output, number in plan.outputs.items():
        mine = sorted(below[number])
        windows = [shape.works[each].time_window for each in mine]
        if shape.places.isdisjoint(mine):
            continue
        meet = [each for each in mine if any(shape.ending[under] for under in plan.steps[each].inputs)]
        joins = tuple(names[each] for each in meet if shape.works[each].is_join)
        folds = tuple((names[each], shape.works[each].cost_group) for each in meet if not shape.ending[each])
        found[output] = ExpiryWorkload(joins, folds, max(window.size or 0 for window in windows if window))
    return found


def may_change(outline: ExpiryWorkload) -> bool:
    """Whether some batch could make another strategy than probing cheaper; if not, rows need not be counted."""
    costs = [COSTS.get(kind, OTHER) for _, kind in outline.folds]
    return any(cost.of(True, ahead) < WORTH * cost.of(False, ahead) for cost in costs for ahead in (0.0, 1.0))


def choose(outline: ExpiryWorkload, now: str, rows: Mapping[str, int], instants: int) -> str:
    """The strategy for a query after a batch. `now` is the current one.

    `rows` has the rows that came to each step, by name. Where retractions are emitted, a tuple is counted as two rows.
    `instants` is the length of the batch in ticks.
    """
    tuples = {name: many / (2 if now == NEGATIVE else 1) for name, many in rows.items()}
    joins = sum(tuples.get(name, 0) for name in outline.joins)
    folds: dict[str, float] = {}
    for name, kind in outline.folds:
        many = sum(rows.get(each, 0) for each in (name, f"{name}-partial")) / (1 if now == PROBING else 2)
        folds[kind] = folds.get(kind, 0) + many
    load = TupleLoad(joins, folds, min(1.0, outline.longest / max(instants, 1)))
    best = min((PROBING, HYBRID, NEGATIVE), key=load.cost)
    return best if load.cost(best) < WORTH * load.cost(now) else now
