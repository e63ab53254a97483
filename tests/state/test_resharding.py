"""Resharding: with another number of shards at every batch the answers are what they are with one."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from tailrace.logical.text.explain import tree
from tailrace.lowering.lower import lower
from tailrace.operators.operator import Operator
from tailrace.operators.plan import PhysicalPlan
from tailrace.operators.windows.expire import Expire
from tailrace.rewrite.rewriter import rewrite
from tailrace.settings import Settings
from tailrace.staging.cut_stages import cut_stages
from tailrace.staging.expiry import insert_expiry
from tailrace.staging.stages import StagedPlan
from tailrace.testing.reference.evaluate import evaluate
from tests.conftest import Examples
from tests.operators.local import as_answer, batches, differences, splits
from tests.operators.sequence.test_sequences import decided
from tests.operators.test_local_run import can_run
from tests.random_plans.joins import seeded_joins
from tests.random_plans.plans import World, seeded_world
from tests.random_plans.sequences import LAST, Drawn, drawn, drawn_slots
from tests.staging.staged import run_staged

SHARDS = 2, 5, 2, 1, 3


def check(world: World, seed: int, strategy: str = "probing") -> StagedPlan:
    """Of a plan as it is rewritten; the stages that it was run in."""
    chance = Random(seed)
    expected = evaluate(world.plan, world.inputs, world.last_instant)
    plan = rewrite(world.plan, Settings(frequency_rewrites=True)).plan
    physical = placed(lower({"query": plan}), strategy)
    beats = splits(world.last_instant, chance)
    staged = cut_stages(physical)
    rows = run_staged(staged, batches(physical, world.inputs, beats, chance), *SHARDS)["query"]
    found = as_answer(plan.kind, rows, world.last_instant)
    wrong = differences(decided(plan, found), decided(plan, expected))
    listed = "\n".join(wrong[:8])
    assert not wrong, f"seed {seed}, {strategy}, heartbeats {beats}:\n{listed}\n{tree(plan)}"
    return staged


def placed(plan: PhysicalPlan, strategy: str) -> PhysicalPlan:
    return plan if strategy == "probing" else insert_expiry(plan, {"query": strategy})


def spread(staged: StagedPlan, kind: type[Operator] = Operator) -> bool:
    """Whether some operator of a kind remembers in all shards, so that its state is split."""
    return any(
        isinstance(step.work, kind) and step.work.initial_state() is not None and number not in stage.single
        for stage in staged.stages
        for number, step in enumerate(stage.plan.steps)
    )


def test_random_plans(examples: Examples) -> None:
    seeds = [seed for seed in range(20_000, 20_300) if can_run(seeded_world(seed).plan)]
    for seed in seeds:
        check(seeded_world(seed), seed)
    examples("plans whose shards change at every batch", len(seeds))


@pytest.mark.parametrize("strategy", ["negative", "hybrid"])
def test_random_plans_whose_rows_are_signed(strategy: str, examples: Examples) -> None:
    worlds = {seed: world for seed in range(20_300, 20_350) if can_run((world := seeded_world(seed)).plan)}
    worlds |= {seed: seeded_joins(seed) for seed in range(20_600, 20_610)}
    found = [spread(check(world, seed, strategy), Expire) for seed, world in worlds.items()]
    assert sum(found) > 12, "in many of them a W-expire remembers something in each shard"
    examples(f"plans whose rows are signed ({strategy}) and whose shards change at every batch", len(found))


@pytest.mark.parametrize("draw", [drawn, drawn_slots])
def test_random_sequences(draw: Callable[[int], Drawn], examples: Examples) -> None:
    found = [spread(check(sequence(seed, draw), seed)) for seed in range(20_700, 20_712)]
    assert sum(found) > 2, "in some of them substreams are counted in the shards of their keys"
    examples("sequence queries whose shards change at every batch", len(found))


def sequence(seed: int, draw: Callable[[int], Drawn]) -> World:
    _, plan, inputs = draw(seed)
    return World(plan, inputs, LAST)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(21_000, 31_000, 1000))
def test_very_many_random_plans(start: int) -> None:
    for seed in range(start, start + 1000):
        if can_run((world := seeded_world(seed)).plan):
            for strategy in ("probing", "negative", "hybrid"):
                check(world, seed, strategy)
    for seed in range(start, start + 50):
        for strategy in ("probing", "negative", "hybrid"):
            check(seeded_joins(seed), seed, strategy)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(31_000, 36_000, 1000))
def test_very_many_random_sequences(start: int) -> None:
    for seed in range(start, start + 1000):
        check(sequence(seed, drawn), seed)
        check(sequence(seed, drawn_slots), seed)
