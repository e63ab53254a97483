"""Worlds: seeded random queries with their inputs, run in process over shards, as lines of digests.

A line has the kind and seed of the world, a digest of its inputs, and for each number of shards the digests of every
batch: of the rows that it emits, and of the operators' state after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tailrace.columnar.delta import Delta
from tailrace.engine.pipeline import plan_script
from tailrace.errors import Source
from tailrace.logical.plan import Plan
from tailrace.lowering.lower import lower
from tailrace.rewrite.rewriter import rewrite
from tailrace.settings import Settings
from tailrace.staging.cut_stages import cut_stages
from tailrace.staging.plan_version import SHARE_FROM
from tailrace.staging.stages import StagedPlan
from tests.golden.digests import NO_ROWS, answers_digest, digest, state_digest
from tests.operators import test_local_run as test_local
from tests.operators.families import test_families
from tests.operators.families import test_stem as test_stems
from tests.operators.local import batches
from tests.random_plans.joins import seeded_joins
from tests.random_plans.plans import World, seeded_world
from tests.random_plans.sequences import LAST, drawn, drawn_slots
from tests.staging.staged import StagedRun

SHARDS = (2, 5)
BATCHES = 4
Batches = Iterable[tuple[Mapping[str, Delta], int]]


def plan_line(plan: Plan, inputs: Mapping[str, Any], last: int, seed: int) -> str:
    """A plan as rules leave it, over inputs up to an instant."""
    physical = lower({"query": rewrite(plan, Settings(frequency_rewrites=True)).plan})
    staged = cut_stages(physical)
    chance = Random(f"batches {seed}")
    beats = sorted({*chance.sample(range(last), BATCHES - 1), last})
    given = batches(physical, inputs, beats, chance)
    return line(digest(sorted(inputs.items())), {shards: digests(staged, given, shards) for shards in SHARDS})


def digests(plan: StagedPlan, given: Batches, shards: int) -> list[str]:
    run = StagedRun(plan, shards)
    return [f"{answers_digest(run, run.batch(inputs, to))}/{state_digest(run)}" for inputs, to in given]


def line(inputs: str, found: Mapping[int, list[str]]) -> str:
    return " | ".join([inputs, *(" ".join([f"{shards}:", *each]) for shards, each in found.items())])


def plans(seed: int, python: bool = False) -> str | None:
    return world_line(seeded_world(seed, python), seed)


def plans_with_python(seed: int) -> str | None:
    return plans(seed, python=True)


def joins(seed: int) -> str | None:
    return world_line(seeded_joins(seed), seed)


def world_line(world: World, seed: int) -> str | None:
    """None for sequence queries, which have worlds of their own."""
    return plan_line(world.plan, world.inputs, world.last_instant, seed) if test_local.can_run(world.plan) else None


def sequences(seed: int) -> str:
    _, plan, inputs = (drawn_slots if seed % 4 == 3 else drawn)(seed)
    return plan_line(plan, inputs, LAST, seed)


def families(seed: int) -> str:
    """Queries of families, as a run plans them."""
    shape = test_families.SHAPES[seed % len(test_families.SHAPES)]
    chance = Random(f"{shape} {seed}")
    texts = [
        f"CREATE QUERY q{number} AS {shape.format(test_families.predicate(chance))};" for number in range(SHARE_FROM)
    ]
    given = test_families.batches(chance)
    plan = plan_script(Source("\n".join([test_families.STREAM, *texts])))
    return line(digest(texts), {shards: digests(plan, given, shards) for shards in SHARDS})


@dataclass
class Noted(test_stems.Standing):
    """Queries that come and go, with the digests of each batch."""

    digests: list[str] = field(default_factory=list)

    def batch(self, inputs: Mapping[str, Delta], to: int) -> None:
        before = {name: len(parts) for name, parts in self.answers.items()}
        super().batch(inputs, to)
        assert self.run is not None
        found = {name: parts[before.get(name, 0) :] for name, parts in self.answers.items()}
        answers = {name: parts[0] for name, parts in found.items() if parts}
        self.digests.append(f"{answers_digest(self.run, answers)}/{state_digest(self.run)}")


class Unchecked(test_stems.World):
    """A world whose answers are compared elsewhere."""

    def check(self) -> None:
        pass


def stems(seed: int) -> str:
    """Joins of families that share stems, while queries come and go."""
    found, texts = {}, ""
    for shards in SHARDS:
        chance = Random(f"stems {seed}")
        standing = Noted(shards)
        inputs = {name: test_stems.rows_of(chance) for name in test_stems.NAMES}
        world = Unchecked(chance, standing, inputs, test_stems.query)
        world.run(resharded=False)
        found[shards], texts = standing.digests, digest([inputs, world.texts])
    return line(texts, found)


KINDS: dict[str, Callable[[int], str | None]] = {
    each.__name__: each for each in (plans, plans_with_python, joins, sequences, families, stems)
}


def draw_lines(kind: str, worlds: int) -> list[str]:
    """The lines of the first `worlds` worlds of a kind that have answers."""
    found: list[str] = []
    seed = 0
    while len(found) < worlds:
        text = line_of(kind, seed)
        if text is not None and has_answers(text):
            found.append(text)
        seed += 1
    return found


def line_of(kind: str, seed: int) -> str | None:
    text = KINDS[kind](seed)
    return text and f"{kind} {seed} {text}"


def has_answers(text: str) -> bool:
    return any(part.partition("/")[0] != NO_ROWS for part in text.split() if "/" in part)
