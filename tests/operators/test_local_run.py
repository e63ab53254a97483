"""The physical operators answer as the definition does: worked cases and random plans, in any split into batches."""

from __future__ import annotations

from random import Random

import pytest

from tailrace.logical import nodes
from tailrace.logical.explain import tree
from tailrace.logical.plan import Plan, walk
from tailrace.rewrite.rewriter import rewrite
from tailrace.settings import Settings
from tailrace.testing.reference.evaluate import evaluate
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
