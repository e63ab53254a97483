"""Resharding: with another number of shards at every batch the answers are what they are with one."""

from __future__ import annotations

from random import Random

import pytest

from tailrace.logical.explain import tree
from tailrace.physical.cut_stages import cut_stages
from tailrace.physical.lower import lower
from tailrace.rewrite.rules import rewrite
from tailrace.settings import Settings
from tests.conftest import Examples
from tests.physical.local import as_answer, batches, differences, splits
from tests.physical.staged import run_staged
from tests.physical.test_local import can_run
from tests.reference.evaluate import evaluate
from tests.reference.random_plans import World, seeded_world


def check(world: World, seed: int) -> None:
    chance = Random(seed)
    expected = evaluate(world.plan, world.inputs, world.last_instant)
    plan = rewrite(world.plan, Settings()).plan
    physical = lower({"query": plan})
    beats = splits(world.last_instant, chance)
    rows = run_staged(cut_stages(physical), batches(physical, world.inputs, beats, chance), 2, 5, 2, 1, 3)["query"]
    found = differences(as_answer(plan.kind, rows, world.last_instant), expected)
    listed = "\n".join(found[:8])
    assert not found, f"seed {seed}, heartbeats {beats}:\n{listed}\n{tree(plan)}"


def test_random_plans(examples: Examples) -> None:
    seeds = [seed for seed in range(20_000, 20_300) if can_run(seeded_world(seed).plan)]
    for seed in seeds:
        check(seeded_world(seed), seed)
    examples("plans whose shards change at every batch", len(seeds))


@pytest.mark.slow
@pytest.mark.parametrize("start", range(21_000, 31_000, 1000))
def test_very_many_random_plans(start: int) -> None:
    for seed in range(start, start + 1000):
        if can_run((world := seeded_world(seed)).plan):
            check(world, seed)
