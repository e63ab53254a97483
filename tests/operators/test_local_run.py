"""The physical operators answer as the definition does: worked cases and random plans, in any split into batches."""

from __future__ import annotations

import time
from dataclasses import dataclass
from random import Random
from typing import Any

import pyarrow as pa
import pytest

from tailrace.columnar.delta import Delta, empty
from tailrace.logical import nodes
from tailrace.logical.plan import Plan, walk
from tailrace.logical.text.explain import tree
from tailrace.operators.local_run import LocalRun
from tailrace.operators.operator import Operator
from tailrace.operators.plan import PhysicalPlan
from tailrace.rewrite.rewriter import rewrite
from tailrace.settings import Settings
from tailrace.testing.reference.evaluate import evaluate
from tailrace.time_limit import TimeLimitError
from tests.conftest import Examples
from tests.operators.local import answered, differences, splits
from tests.random_plans.plans import World, is_sequence, seeded_world

SEQUENCE = (nodes.JumpWindow, nodes.Append, nodes.FrequencySample)


def can_run(plan: Plan) -> bool:
    """Sequence queries are in test_sequences.py, where it is looked at whether what they count has an order."""
    return not is_sequence(plan) and not any(isinstance(node, SEQUENCE) for node in walk(plan))


def check(world: World, seed: int) -> None:
    chance = Random(seed)
    expected = evaluate(world.plan, world.inputs, world.last_instant)
    for plan in (world.plan, rewrite(world.plan, Settings()).plan):
        beats = splits(world.last_instant, chance)
        found = differences(answered(plan, world.inputs, beats, chance), expected)
        listed = "\n".join(found[:8])
        assert not found, f"seed {seed}, heartbeats {beats}:\n{listed}\n{tree(plan)}"


@pytest.mark.parametrize("start", [0, 500, *(pytest.param(n, marks=pytest.mark.slow) for n in (1000, 1500))])
def test_random_plans(start: int, examples: Examples) -> None:
    ran = 0
    for seed in range(start, start + 500):
        world = seeded_world(seed)
        if can_run(world.plan):
            check(world, seed)
            ran += 1
    assert ran > 200
    examples("plans in process, as written and as rewritten, in batches split at random", ran)


@pytest.mark.parametrize("start", [0, pytest.param(500, marks=pytest.mark.slow)])
def test_random_plans_with_functions_from_python(start: int, examples: Examples) -> None:
    worlds = {seed: world for seed in range(start, start + 500) if can_run((world := seeded_world(seed, True)).plan)}
    for seed, world in worlds.items():
        check(world, seed)
    assert len(worlds) > 200
    examples("plans with functions from Python", len(worlds))


@pytest.mark.slow
@pytest.mark.parametrize("start", range(10_000, 30_000, 1000))
def test_very_many_random_plans(start: int) -> None:
    for seed in range(start, start + 1000):
        world = seeded_world(seed)
        if can_run(world.plan):
            check(world, seed)


@dataclass(frozen=True)
class SlowOperator(Operator):
    """An operator that takes some seconds, and has no rows."""

    seconds: float

    def apply(self, *_: Any) -> tuple[Delta, Any]:
        time.sleep(self.seconds)
        return empty(self.types), None


def test_a_step_may_take_so_long_and_not_all_of_them_together() -> None:
    """Each of three steps takes half of what one may; one that takes longer is the one that failed."""
    plan = PhysicalPlan()
    for below in ([], [0], [1]):
        plan.add(SlowOperator((pa.int64(),), 0.5), *below)
    run = LocalRun(plan, step_time=1.0)
    run.advance({}, {}, 0)
    plan.add(SlowOperator((pa.int64(),), 60), 2)
    run = LocalRun(plan, step_time=1.0)
    with pytest.raises(TimeLimitError):
        run.advance({}, {}, 0)
    assert run.at == 3
