"""Choice: which strategy costs a query least, from what operators cost and from what a batch brought to them.

A tuple that leaves a window costs a join one row with its end or two signed ones, and so it does a fold; W-expire comes
on top. A fold that is told of an end ahead of time notes it and takes it up again when it comes, so that signs can be
cheaper where windows outlast batches. `tailrace bench strategies` measures the costs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tailrace.operators.plan import PhysicalPlan
from tailrace.operators.relational.aggregate import Aggregate
from tailrace.operators.relational.counts import CountOperator
from tailrace.operators.streams.changelog import Changelog
from tailrace.operators.windows.time_window import TimeWindowOp
from tailrace.staging.expiry import JOINS, PROBING, ExpiryPlacement
from tailrace.state.identity import fingerprints

WORTH = 0.9  # what another strategy may cost at most of the one in force, for a change
NEGATIVE, HYBRID = "negative", "hybrid"


@dataclass(frozen=True)
class TupleCost:
    """Nanoseconds for a tuple that comes and leaves: as a row with its end and as two signed ones, W-expire included.

    Each for windows that end within the batch, and for those that last much longer than it.
    """

    ends: tuple[float, float]
    signs: tuple[float, float]

    def of(self, signed: bool, ahead: float) -> float:
        """The cost where so large a part of the ends lies ahead of the batch.

        >>> TupleCost((100, 200), (150, 160)).of(signed=False, ahead=0.5)
        150.0
        """
        within, beyond = self.signs if signed else self.ends
        return within + (beyond - within) * ahead


# `tailrace bench strategies costs`, in time of the processor, batches of 50,000 rows.
COSTS = {
    "join": TupleCost((525, 580), (5280, 1480)),
    "aggregate": TupleCost((845, 1855), (785, 1830)),
    "counts": TupleCost((375, 1160), (365, 1200)),
    "changes": TupleCost((240, 162), (245, 167)),
}
OTHER = COSTS["aggregate"]


@dataclass(frozen=True)
class ExpiryWorkload:
    """What a query's tuples meet on their way out of windows: joins, and folds by their kinds, by name; how long it is
    at most until they leave."""

    joins: tuple[str, ...]
    folds: tuple[tuple[str, str], ...]
    longest: int


@dataclass(frozen=True)
class TupleLoad:
    """How many tuples come to the joins and to the folds, and what part of them ends after the batch."""

    joins: float
    folds: Mapping[str, float]
    ahead: float

    def cost(self, strategy: str) -> float:
        """Nanoseconds.

        >>> load = TupleLoad(1000, {"aggregate": 100}, ahead=1.0)
        >>> load.cost("hybrid") < load.cost("negative")
        True
        """
        joins = self.joins * COSTS["join"].of(strategy == NEGATIVE, self.ahead)
        signed = strategy != PROBING
        return joins + sum(many * COSTS.get(kind, OTHER).of(signed, self.ahead) for kind, many in self.folds.items())


def outlines(plan: PhysicalPlan) -> dict[str, ExpiryWorkload]:
    """Of each query that W-expires can serve."""
    shape = ExpiryPlacement(plan)
    if not shape.places:
        return {}
    names = fingerprints(plan)
    below: list[frozenset[int]] = []
    for number, step in enumerate(plan.steps):
        below.append(frozenset([number]).union(*(below[each] for each in step.inputs)))
    found = {}
    for output, number in plan.outputs.items():
        mine = sorted(below[number])
        sizes = [
            work.window.size or 0 for work in (shape.works[each] for each in mine) if isinstance(work, TimeWindowOp)
        ]
        if shape.places.isdisjoint(mine):
            continue
        meet = [each for each in mine if any(shape.ending[under] for under in plan.steps[each].inputs)]
        joins = tuple(names[each] for each in meet if isinstance(shape.works[each], JOINS))
        folds = tuple((names[each], kind_of(shape.works[each])) for each in meet if not shape.ending[each])
        found[output] = ExpiryWorkload(joins, folds, max(sizes))
    return found


def may_change(outline: ExpiryWorkload) -> bool:
    """Whether there are batches for which another strategy than probing would be chosen; else nobody need count."""
    costs = [COSTS.get(kind, OTHER) for _, kind in outline.folds]
    return any(cost.of(True, ahead) < WORTH * cost.of(False, ahead) for cost in costs for ahead in (0.0, 1.0))


def kind_of(work: object) -> str:
    kinds = {Aggregate: "aggregate", CountOperator: "counts", Changelog: "changes"}
    return next((kind for of, kind in kinds.items() if isinstance(work, of)), "")


def choose(outline: ExpiryWorkload, now: str, rows: Mapping[str, int], instants: int) -> str:
    """The strategy for a query after a batch of so many instants, in which so many rows came to each step."""
    tuples = {name: many / (2 if now == NEGATIVE else 1) for name, many in rows.items()}
    joins = sum(tuples.get(name, 0) for name in outline.joins)
    folds: dict[str, float] = {}
    for name, kind in outline.folds:
        many = sum(rows.get(each, 0) for each in (name, f"{name}-partial")) / (1 if now == PROBING else 2)
        folds[kind] = folds.get(kind, 0) + many
    load = TupleLoad(joins, folds, min(1.0, outline.longest / max(instants, 1)))
    best = min((PROBING, HYBRID, NEGATIVE), key=load.cost)
    return best if load.cost(best) < WORTH * load.cost(now) else now
