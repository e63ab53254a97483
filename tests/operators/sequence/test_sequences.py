"""Sequence queries through the physical operators answer as the definition does, in any split into batches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random

import pytest

from tailrace.logical import nodes
from tailrace.logical.plan import Kind, Plan, walk
from tailrace.logical.text.explain import tree
from tailrace.lowering.lower import lower
from tailrace.rewrite.rewriter import rewrite
from tailrace.settings import Settings
from tailrace.staging.cut_stages import cut_stages
from tailrace.testing.reference.evaluate import Answer, evaluate
from tests.conftest import Examples
from tests.operators.local import Rows, answered, as_answer, batches, differences, splits
from tests.random_plans.plans import World, seeded_world
from tests.random_plans.sequences import LAST, Drawn, drawn, drawn_slots
from tests.staging.staged import run_staged

COUNTING = (nodes.JumpWindow, nodes.FrequencySample)


def has_sequence(plan: Plan) -> bool:
    return any(isinstance(node, nodes.Append | nodes.FrequencySample) for node in walk(plan))


def has_an_order(plan: Plan) -> bool:
    """Whether the language fixes the order of all elements that the plan counts."""
    return all(fixed(node.child) for node in walk(plan) if counts(node))


def counts(node: Plan) -> bool:
    return isinstance(node, COUNTING) or (isinstance(node, nodes.ApplyWindow) and not hasattr(node.window, "is_now"))


def fixed(stream: Plan) -> bool:
    """Whether the order is fixed.

    It is not for a step's join partners, nor for changes of a relation from a sequence query.
    """
    for node in walk(stream):
        if isinstance(node, nodes.Join) and node.kind is Kind.STEPS:
            return False
        if isinstance(node, nodes.ToStream) and has_sequence(node):
            return False
    return True


def decided(plan: Plan, answer: Answer) -> Answer:
    """The answer up to the plan's output watermark: a time slot's last element is known only once the slot is over."""
    physical = lower({"query": plan})
    pace = physical.paces[physical.outputs["query"]]
    return replace(answer, bags=answer.bags[: pace.at(len(answer.bags) - 1) + 1])


def check(world: World, seed: int) -> None:
    chance = Random(seed)
    expected = evaluate(world.plan, world.inputs, world.last_instant)
    for plan in (world.plan, rewrite(world.plan, Settings(frequency_rewrites=True)).plan):
        beats = splits(world.last_instant, chance)
        found = differences(decided(plan, answered(plan, world.inputs, beats, chance)), decided(plan, expected))
        listed = "\n".join(found[:8])
        assert not found, f"seed {seed}, heartbeats {beats}:\n{listed}\n{tree(plan)}"


def staged(plan: Plan, inputs: Mapping[str, Rows], beats: list[int], shards: int, chance: Random) -> Answer:
    """What the plan answers when it is cut into stages over shards."""
    physical = lower({"query": plan})
    rows = run_staged(cut_stages(physical), batches(physical, inputs, beats, chance), shards)["query"]
    return as_answer(plan.kind, rows, beats[-1])


def check_text(seed: int, draw: Callable[[int], Drawn] = drawn) -> None:
    """A query as it is written and as rewritten, in one process and over shards."""
    text, written, inputs = draw(seed)
    chance = Random(seed)
    expected = evaluate(written, inputs, LAST)
    for plan in (written, rewrite(written, Settings(frequency_rewrites=True)).plan):
        beats, shards = splits(LAST, chance), chance.choice([1, 2, 3])
        for found in (answered(plan, inputs, beats, chance), staged(plan, inputs, beats, shards, chance)):
            listed = "\n".join(differences(decided(plan, found), decided(plan, expected))[:8])
            assert not listed, f"seed {seed}, heartbeats {beats}, {shards} shards:\n{text}\n{listed}\n{tree(plan)}"


@pytest.mark.parametrize("start", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(60, 600, 60))])
def test_random_queries(start: int, examples: Examples) -> None:
    for seed in range(start, start + 60):
        check_text(seed)
    examples("sequence queries as text, in process and over shards, in batches split at random", 60)


@pytest.mark.parametrize("start", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(60, 600, 60))])
def test_random_slots(start: int, examples: Examples) -> None:
    for seed in range(start, start + 60):
        check_text(seed, drawn_slots)
    examples("sequence queries over parts of slots, in process and over shards, in batches split at random", 60)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(10_000, 20_000, 1000))
def test_very_many_random_queries(start: int) -> None:
    for seed in range(start, start + 1000):
        check_text(seed)


@pytest.mark.parametrize("start", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1000, 4000, 1000))])
def test_random_plans(start: int, examples: Examples) -> None:
    ran = 0
    for seed in range(start, start + 1000):
        world = seeded_world(seed)
        if has_sequence(world.plan) and has_an_order(world.plan):
            check(world, seed)
            ran += 1
    assert ran > 100
    examples("sequence plans in process, in batches split at random", ran)
