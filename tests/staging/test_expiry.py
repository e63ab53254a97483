"""Strategies: rows with ends, or with signs above windows or above joins, give the same answers (SW §3)."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from tailrace.catalog.sources import Declared, Relation
from tailrace.columnar.delta import Delta, concat
from tailrace.engine.pipeline import compile_script
from tailrace.errors import Source
from tailrace.logical import nodes
from tailrace.logical.plan import Plan, walk
from tailrace.logical.text.explain import tree
from tailrace.lowering.lower import lower
from tailrace.operators.local_run import LocalRun
from tailrace.operators.plan import PhysicalPlan
from tailrace.operators.windows.expire import Expire
from tailrace.rewrite.rewriter import rewrite
from tailrace.settings import Settings
from tailrace.staging import expiry_choice as choice
from tailrace.staging.cut_stages import cut_stages
from tailrace.staging.expiry import insert_expiry
from tailrace.staging.expiry_choice import ExpiryWorkload, TupleCost, outlines
from tailrace.testing.reference.evaluate import Answer, evaluate
from tailrace.types import DOUBLE, STRING
from tests.conftest import Examples
from tests.operators.local import Rows, as_answer, batches, differences, splits
from tests.operators.test_local_run import can_run
from tests.random_plans.joins import seeded_joins
from tests.random_plans.plans import World, seeded_world
from tests.staging.staged import StagedRun

STRATEGIES = ("probing", "negative", "hybrid")


def planned(plan: Plan, strategy: str) -> PhysicalPlan:
    return insert_expiry(lower({"query": plan}), {"query": strategy})


def expires(plan: PhysicalPlan) -> int:
    return sum(isinstance(step.work, Expire) for step in plan.steps)


def switching(plan: Plan, inputs: dict[str, Rows], beats: list[int], chance: Random, chosen: list[str]) -> Answer:
    """The answers of a run whose strategy is drawn anew for each batch; the state goes on."""
    first = planned(plan, chosen[0])
    run, parts = LocalRun(first), []
    for rows, to in batches(first, inputs, beats, chance):
        run = LocalRun(planned(plan, chance.choice(chosen)), run.past, run.state)
        parts.append(run.batch(rows, to)["query"])
    return as_answer(plan.kind, concat(parts, first.types(first.outputs["query"])), beats[-1])


def check(world: World, seed: int) -> int:
    chance = Random(seed)
    expected = evaluate(world.plan, world.inputs, world.last_instant)
    plan = rewrite(world.plan, Settings()).plan
    for among in (["negative"], ["hybrid"], list(STRATEGIES)):
        beats = splits(world.last_instant, chance)
        found = differences(switching(plan, dict(world.inputs), beats, chance, among), expected)
        listed = "\n".join(found[:8])
        assert not found, f"seed {seed}, {among}, heartbeats {beats}:\n{listed}\n{tree(plan)}"
    return expires(planned(plan, "negative"))


@pytest.mark.parametrize("start", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(250, 2000, 250))])
def test_random_plans(start: int, examples: Examples) -> None:
    found = [check(world, seed) for seed in range(start, start + 250) if can_run((world := seeded_world(seed)).plan)]
    assert sum(places > 0 for places in found) > 50
    examples("plans under each strategy, and under one that changes from batch to batch", len(found))


def test_random_joins(examples: Examples) -> None:
    found = [check(seeded_joins(seed), seed) for seed in range(100)]
    assert sum(places > 1 for places in found) > 30
    examples("joins under each strategy, and under one that changes from batch to batch", len(found))


def check_staged(world: World, seed: int) -> int:
    chance = Random(seed)
    expected = evaluate(world.plan, world.inputs, world.last_instant)
    plan = rewrite(world.plan, Settings()).plan
    beats, shards = splits(world.last_instant, chance), chance.choice([1, 2, 3])
    run = StagedRun(cut_stages(planned(plan, "probing")), shards)
    parts: list[Delta] = []
    for rows, to in batches(lower({"query": plan}), world.inputs, beats, chance):
        strategy = chance.choice(STRATEGIES)
        staged = cut_stages(planned(plan, strategy))
        for locals, stage in zip(run.runs, staged.stages, strict=True):
            for local in locals:
                local.plan = stage.plan
        run.plan = staged
        parts.append(run.batch(rows, to)["query"])
    rows = concat(parts, run.plan.outputs["query"].types)
    found = differences(as_answer(plan.kind, rows, world.last_instant), expected)
    listed = "\n".join(found[:8])
    assert not found, f"seed {seed}, heartbeats {beats}, {shards} shards:\n{listed}\n{tree(plan)}"
    return sum(expires(stage.plan) for stage in run.plan.stages)


@pytest.mark.parametrize("start", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in (250, 500, 750))])
def test_random_plans_in_shards(start: int, examples: Examples) -> None:
    worlds = {seed: world for seed in range(start, start + 250) if can_run((world := seeded_world(seed)).plan)}
    found = [check_staged(world, seed) for seed, world in worlds.items()]
    assert sum(places > 0 for places in found) > 50
    examples("plans in shards whose strategy changes from batch to batch", len(found))


# Input-triggered: late, never wrong ------------------------------------------------------------------------


def decided_until(run: LocalRun, number: int) -> int:
    """The instant up to which a step has decided."""
    return run.clocks[number] if run.clocks else run.past


def check_triggered(world: World, seed: int) -> bool:
    """Check a run under `input`. Returns whether answers came late.

    Up to the instant that the last operator has decided, answers are those of the reference; none is later.
    """
    chance = Random(seed)
    expected = evaluate(world.plan, world.inputs, world.last_instant)
    plan = rewrite(world.plan, Settings()).plan
    physical = lower({"query": plan})
    number = physical.outputs["query"]
    run, parts, late = LocalRun(physical, triggered=True), [], False
    for rows, to in batches(physical, world.inputs, splits(world.last_instant, chance), chance):
        after = decided_until(run, number)
        out = run.batch(rows, to)["query"]
        remembers = run.state[number] is not None
        assert not remembers or ((out.start > after) & (out.start <= decided_until(run, number))).all(), f"seed {seed}"
        late |= decided_until(run, number) < to
        parts.append(out)
    told = decided_until(run, number)
    whole = concat(parts, physical.types(number))
    found = as_answer(plan.kind, whole.where(whole.start <= told), world.last_instant)
    wrong = differences(cut(found, told), cut(expected, told))
    assert not wrong, f"seed {seed}:\n{wrong[:8]}\n{tree(plan)}"
    return late


def cut(answer: Answer, last: int) -> Answer:
    return Answer(answer.kind, answer.bags[: last + 1])


@pytest.mark.parametrize("start", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in (250, 500, 750))])
def test_input_triggered_is_late_and_right(start: int, examples: Examples) -> None:
    worlds = {seed: world for seed in range(start, start + 250) if can_run((world := seeded_world(seed)).plan)}
    found = [check_triggered(world, seed) for seed, world in worlds.items()]
    assert sum(found) > 25
    examples("plans whose operators learn of time by their own rows only", len(found))


# The queries of the paper ----------------------------------------------------------------------------------

CORPUS = Path(__file__).resolve().parents[1] / "corpus" / "sw"
LAST = 90


def paper_queries() -> dict[str, tuple[Plan, dict[str, Rows]]]:
    """Every query of SW, over random rows; an hour and a minute are 30 instants, so that all can be evaluated."""
    found = {}
    for file in sorted(CORPUS.glob("*.cql")):
        text = file.read_text().replace("1 HOUR", "30 SECONDS").replace("1 MINUTE", "30 SECONDS")
        compiled = compile_script(Source(text))
        for name, plan in compiled.final_plans.items():
            sources = {node.source for node in walk(plan) if isinstance(node, nodes.Scan)}
            inputs = {source.name: drawn(source, Random(source.name)) for source in sources}
            found[f"{file.stem}-{name}"] = plan, inputs
    return found


def drawn(source: Declared, chance: Random) -> Rows:
    """Rows that come about every instant, of few values, so that they meet; a static relation has some of each."""
    values = {STRING: list("abcd"), DOUBLE: [2.5, 5.0, 9.5, 12.0]}
    few = [tuple(chance.choice(values.get(field.type, range(1, 15))) for field in source.schema) for _ in range(70)]
    if isinstance(source, Relation):
        return [(None, None, row) for row in sorted(set(few))[::2]]
    return sorted(((chance.randrange(LAST), row) for row in few), key=lambda row: row[0])


@pytest.mark.parametrize("name", sorted(paper_queries()))
def test_queries_of_the_paper(name: str, examples: Examples) -> None:
    plan, inputs = paper_queries()[name]
    expected = evaluate(plan, inputs, LAST)
    assert sum(one != other for one, other in pairwise(expected.bags)) > 10, "the answer hardly changes"
    for among in (*([each] for each in STRATEGIES), list(STRATEGIES)):
        for beats in ([LAST], [*range(0, LAST, 7), LAST]):
            found = differences(switching(plan, inputs, beats, Random(1), among), expected)
            assert not found, f"{among}: {found[:8]}\n{tree(plan)}"
    check_triggered(World(plan, inputs, LAST), 1)
    examples("queries of SW at every instant under each strategy", 1)


# The choice ------------------------------------------------------------------------------------------------

STREAMS = "CREATE STREAM S (k INT, v INT) TIMESTAMP BY ts; CREATE STREAM R (k INT, v INT) TIMESTAMP BY ts;"


def outline(query: str) -> ExpiryWorkload:
    compiled = compile_script(Source(f"{STREAMS} CREATE QUERY q AS {query};"))
    return outlines(lower({"q": compiled.final_plans["q"]}))["q"]


def test_an_outline_has_what_tuples_meet_on_their_way_out_of_windows() -> None:
    found = outline("SELECT S.k, SUM(R.v) FROM S [RANGE 9], R [RANGE 4] WHERE S.k = R.k GROUP BY S.k")
    assert (len(found.joins), [kind for _, kind in found.folds], found.longest) == (1, ["aggregate"], 9)
    found = outline("SELECT DISTINCT v FROM S [RANGE 3]")
    assert (found.joins, [kind for _, kind in found.folds]) == ((), ["counts"])


def test_windows_that_only_grow_have_nothing_to_choose() -> None:
    compiled = compile_script(Source(f"{STREAMS} CREATE QUERY q AS SELECT k, COUNT(*) FROM S GROUP BY k;"))
    assert outlines(lower({"q": compiled.final_plans["q"]})) == {}


def test_the_choice_goes_by_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Joins keep ends; folds take what is cheaper for them; what is nearly as good as the best stays."""
    found = ExpiryWorkload(("j",), (("f", "aggregate"),), 100)
    costs = {"join": TupleCost((10, 10), (20, 20)), "aggregate": TupleCost((10, 30), (15, 15))}
    monkeypatch.setattr(choice, "COSTS", costs)
    assert choice.may_change(found)
    assert not choice.may_change(ExpiryWorkload(("j",), (("f", "join"),), 100))
    rows = {"j": 1000, "f": 1000}
    assert choice.choose(found, "probing", rows, instants=1) == "hybrid"
    assert choice.choose(found, "hybrid", {"j": 1000, "f": 2000}, instants=1) == "hybrid"
    assert choice.choose(found, "negative", {"j": 2000, "f": 2000}, instants=1) == "hybrid"
    # In batches that outlast the window, ends are cheaper; where hardly a row is folded, nothing is gained.
    assert choice.choose(found, "hybrid", {"j": 1000, "f": 20000}, instants=10_000) == "probing"
    assert choice.choose(found, "probing", {"j": 100_000, "f": 10}, instants=1) == "probing"
    assert choice.choose(found, "probing", {}, instants=1) == "probing"
