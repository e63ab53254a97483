"""A plan cut into stages over shards answers as the plan itself does."""

from __future__ import annotations

from random import Random

import pytest

from tailrace.logical.text.explain import tree
from tailrace.lowering.lower import lower
from tailrace.rewrite.rewriter import rewrite
from tailrace.settings import Settings
from tailrace.staging.cut_stages import cut_stages
from tailrace.testing.reference.evaluate import evaluate
from tests.conftest import Examples
from tests.operators.local import as_answer, batches, differences, splits
from tests.operators.test_local_run import can_run
from tests.random_plans.plans import World, seeded_world
from tests.staging.staged import run_staged


def check(world: World, seed: int) -> int:
    chance = Random(seed)
    expected = evaluate(world.plan, world.inputs, world.last_instant)
    plan = rewrite(world.plan, Settings()).plan
    physical = lower({"query": plan})
    staged = cut_stages(physical)
    beats = splits(world.last_instant, chance)
    shards = chance.choice([1, 2, 3, 5])
    rows = run_staged(staged, batches(physical, world.inputs, beats, chance), shards)["query"]
    found = differences(as_answer(plan.kind, rows, world.last_instant), expected)
    listed = "\n".join(found[:8])
    assert not found, f"seed {seed}, heartbeats {beats}, {shards} shards:\n{listed}\n{tree(plan)}"
    return len(staged.stages)


@pytest.mark.parametrize("start", range(0, 1000, 250))
def test_random_plans_in_shards(start: int, examples: Examples) -> None:
    stages = [check(world, seed) for seed in range(start, start + 250) if can_run((world := seeded_world(seed)).plan)]
    assert len(stages) > 100
    assert max(stages) > 1
    examples("plans in stages over one to five shards", len(stages))
