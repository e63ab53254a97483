"""Expiry: places expire operators (W-expire), by which operators learn that tuples leave their windows (SW §3).

A row with an end is a tuple with [minTS, maxTS]: an operator that stores it knows when it expires (time probing). A row
without end that is retracted later, by a row of negative weight, is a negative tuple. Operators take both, so a
strategy only says where ends are turned into retractions: nowhere (probing), above the windows (negative), or above the
joins (hybrid), which then get half as many rows. `input` is the paper's baseline: rows have ends, but an operator
learns of time by its own rows only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tailrace.operators.operator import Operator
from tailrace.operators.plan import PhysicalPlan, Step
from tailrace.operators.windows.expire import Expire

PROBING = "probing"


def insert_expiry(plan: PhysicalPlan, strategies: Mapping[str, str]) -> PhysicalPlan:
    """The plan with an expire operator wherever one can stand; it emits retractions if its query's strategy says so.

    The operators stand in the same places under every strategy, so a strategy may change from one batch to the next.
    A step that several queries share follows the strategy of the first of them.
    """
    shape = ExpiryPlacement(plan)
    found = PhysicalPlan(begins=dict(plan.begins))
    at: list[int] = []  # the new number of each step of the plan
    above: dict[int, int] = {}  # the expire operator above a step
    for number, step in enumerate(plan.steps):
        inputs = (at[below] if shape.is_within(below, number) else above.get(below, at[below]) for below in step.inputs)
        at.append(found.append(Step(step.work, tuple(inputs))))
        if number in shape.places:
            signs = shape.signs(number, strategies.get(shape.asked_by.get(number, ""), PROBING))
            above[number] = found.append(Step(Expire(step.work.types, signs), (at[number],)))
    found.outputs = {name: above.get(number, at[number]) for name, number in plan.outputs.items()}
    return found


class ExpiryPlacement:
    """The steps of a plan above which an expire operator can stand (`places`), and what reads each of them."""

    def __init__(self, plan: PhysicalPlan) -> None:
        self.plan = plan
        works = (step.work for step in plan.steps)
        # A source counts as the base of all operators, which says no to what is asked here.
        self.works = [work if isinstance(work, Operator) else Operator(work.types) for work in works]
        self.of_joins: list[bool] = []  # whether a step is a join, or filters or projects the rows of joins
        self.ending: list[bool] = []  # whether its rows may have ends in the future
        for work, step in zip(self.works, plan.steps, strict=True):
            between = work.keeps_ends and len(step.inputs) == 1 and self.of_joins[step.inputs[0]]
            self.of_joins.append(work.is_join or between)
            passes = work.keeps_ends and any(self.ending[number] for number in step.inputs)
            self.ending.append(work.sets_ends or passes)
        self.leaving = set(plan.outputs.values())  # steps with a reader that is no join, or that are a query's result
        for number, step in enumerate(plan.steps):
            if not self.of_joins[number]:
                self.leaving.update(step.inputs)
        self.below_join, self.asked_by = self.readers_below()
        kept = set(self.steps_that_need_ends())
        self.places = {
            number
            for number, work in enumerate(self.works)
            if number not in kept and (work.sets_ends or self.is_last_join(number))
        }

    def readers_below(self) -> tuple[set[int], dict[int, str]]:
        """The steps that have a join above them, and for each step the first query that reads it."""
        below_join: set[int] = set()
        asked_by: dict[int, str] = {}
        order = {name: place for place, name in enumerate(self.plan.outputs)}
        for name, number in self.plan.outputs.items():
            asked_by.setdefault(number, name)
        for number in reversed(range(len(self.works))):
            work = self.works[number]
            inputs = self.plan.steps[number].inputs
            if work.is_join or (number in below_join and not work.makes_stream):
                below_join.update(inputs)
            if number in asked_by:
                mine = asked_by[number]
                asked_by |= {below: min(mine, asked_by.get(below, mine), key=order.__getitem__) for below in inputs}
        return below_join, asked_by

    def steps_that_need_ends(self) -> Iterator[int]:
        """The steps below a MIN or MAX over insert-only rows.

        Such a fold forgets a value once a better one outlives it, so it must see when rows end: no expire operator may
        stand there.
        """
        waiting = [number for number, work in enumerate(self.works) if work.needs_ends]
        while waiting:
            for below in self.plan.steps[waiting.pop()].inputs:
                yield below
                if not self.works[below].makes_stream:
                    waiting.append(below)

    def is_within(self, below: int, number: int) -> bool:
        """Whether step `number`, which reads step `below`, belongs to the same tree of joins."""
        return self.of_joins[below] and self.of_joins[number]

    def is_last_join(self, number: int) -> bool:
        """Whether a step is the top of a tree of joins: something other than a join reads its rows."""
        return self.of_joins[number] and self.ending[number] and number in self.leaving

    def signs(self, number: int, strategy: str) -> bool:
        if strategy == "hybrid":
            return self.of_joins[number] or number not in self.below_join
        return strategy == "negative" and not self.of_joins[number]
