"""A rewrite changes no result, at any instant, of random plans on random inputs: each rule alone, and all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings

from tailrace.logical import nodes
from tailrace.logical.plan import Plan
from tailrace.logical.text.explain import tree
from tailrace.logical.windows import RowWindow, TimeWindow
from tailrace.rewrite.rewriter import FREQUENCY_RULES, RULES, rewrite
from tailrace.rewrite.traverse import bottom_up
from tailrace.settings import Settings
from tailrace.testing.reference.evaluate import evaluate
from tests.conftest import Examples
from tests.random_plans.interval_joins import seeded_interval_join
from tests.random_plans.plans import World, is_sequence, seeded_world, worlds

Rewrite = Callable[[Plan], Plan]


def wholly(plan: Plan) -> Plan:
    return rewrite(plan, Settings(frequency_rewrites=True)).plan


EACH: dict[str, Rewrite] = dict(RULES + FREQUENCY_RULES)
ALL: dict[str, Rewrite] = {**EACH, "all rules": wholly}
UNHURRIED = settings(deadline=None, suppress_health_check=list(HealthCheck))


def check(world: World, rewrites: Mapping[str, Rewrite], which: str = "") -> None:
    """Every rewrite that changes the plan leaves its answer as it was."""
    before = None
    for name, change in rewrites.items():
        after = change(world.plan)
        if after == world.plan:
            continue
        before = before or evaluate(world.plan, world.inputs, world.last_instant)
        found = evaluate(after, world.inputs, world.last_instant)
        same = found == before and after.schema.types == world.plan.schema.types
        if is_sequence(world.plan):
            same = same and found.elements == before.elements
        assert same, f"{which}{name} changes the result\n{tree(world.plan)}\nbecomes\n{tree(after)}"


@settings(UNHURRIED, max_examples=400)
@given(worlds())
def test_rewrites_change_no_result(world: World) -> None:
    check(world, ALL)


@pytest.mark.parametrize("start", range(0, 4000, 1000))
def test_rewrites_change_no_result_of_many_plans(start: int, examples: Examples) -> None:
    for seed in range(start, start + 1000):
        check(seeded_world(seed), ALL, f"seed {seed}: ")
    examples("plans before and after each rewrite", 1000)


def test_a_rewritten_plan_is_left_alone(sample: list[World]) -> None:
    for world in sample:
        after = wholly(world.plan)
        assert wholly(after) == after, tree(after)


@pytest.mark.slow
@settings(UNHURRIED, max_examples=3000)
@given(worlds())
def test_rewrites_change_no_result_at_length(world: World) -> None:
    check(world, ALL)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(10_000, 40_000, 10_000))
def test_rewrites_change_no_result_of_very_many_plans(start: int) -> None:
    for seed in range(start, start + 10_000):
        check(seeded_world(seed), ALL, f"seed {seed}: ")


@pytest.fixture(scope="module")
def sample() -> list[World]:
    return [seeded_world(seed) for seed in range(600)] + [seeded_interval_join(seed) for seed in range(40)]


@pytest.mark.parametrize("name", EACH)
def test_every_rule_meets_plans_it_changes(sample: list[World], name: str) -> None:
    fired = sum(1 for world in sample if EACH[name](world.plan) != world.plan)
    assert fired >= 5


def test_the_plans_drawn_are_of_all_kinds_and_have_results(sample: list[World]) -> None:
    met: Counter[type] = Counter()
    for world in sample:
        met.update({type(node) for node in every_node(world.plan)})
    kinds = {kind for kind in vars(nodes).values() if isinstance(kind, type) and issubclass(kind, Plan)}
    abstract = {Plan, nodes.Unary, nodes.Binary}
    assert {kind.__name__ for kind in kinds - abstract if met[kind] < 5} == set()
    answers = [evaluate(world.plan, world.inputs, world.last_instant) for world in sample]
    assert sum(1 for answer in answers if any(answer.bags)) > len(sample) / 3


def every_node(plan: Plan) -> list[Plan]:
    return [plan, *(node for child in plan.children for node in every_node(child))]


# Rules that are wrong, to see that the property finds them out ------------------------------------------------


def select_below_row_window(plan: Plan) -> Plan:
    match plan:
        case nodes.Select(nodes.ApplyWindow(child, RowWindow() as window), predicate):
            return nodes.ApplyWindow(nodes.Select(child, predicate), window)
    return plan


def istream_as_rstream(plan: Plan) -> Plan:
    match plan:
        case nodes.ToStream(child, "istream"):
            return nodes.ToStream(child, "rstream")
    return plan


def outer_as_inner(plan: Plan) -> Plan:
    return replace(plan, how="inner") if isinstance(plan, nodes.Join) else plan


def no_slide(plan: Plan) -> Plan:
    match plan:
        case nodes.ApplyWindow(child, TimeWindow(size, _)):
            return nodes.ApplyWindow(child, TimeWindow(size))
    return plan


def distinct_dropped(plan: Plan) -> Plan:
    return plan.child if isinstance(plan, nodes.Distinct) else plan


def anti_as_semi(plan: Plan) -> Plan:
    return replace(plan, anti=False) if isinstance(plan, nodes.SemiJoin) else plan


WRONG = (select_below_row_window, istream_as_rstream, outer_as_inner, no_slide, distinct_dropped, anti_as_semi)


@pytest.mark.parametrize("rule", WRONG, ids=lambda rule: rule.__name__)
def test_a_wrong_rule_is_found_out(sample: list[World], rule: Rewrite) -> None:
    wrong = {"a wrong rule": lambda plan: bottom_up(plan, rule)}
    with pytest.raises(AssertionError, match="a wrong rule changes the result"):
        check_all(sample, wrong)


def check_all(sample: list[World], rewrites: Mapping[str, Rewrite]) -> None:
    for world in sample:
        check(world, rewrites)
