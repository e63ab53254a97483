"""Keys that share a hash stay apart: with hashes of only two values, answers are the same as with real hashes."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tailrace.columnar import keys
from tests.conftest import Examples
from tests.operators.families.test_stem import NAMES, Standing, World, query, rows_of
from tests.operators.test_local_run import can_run, check
from tests.random_plans.plans import seeded_world


@pytest.fixture(autouse=True)
def two_numbers_a_column(monkeypatch: pytest.MonkeyPatch) -> None:
    true = keys._column
    monkeypatch.setattr(keys, "_column", lambda column: true(column) % np.uint64(2))


def test_random_plans(examples: Examples) -> None:
    worlds = {seed: world for seed in range(200) if can_run((world := seeded_world(seed)).plan)}
    for seed, world in worlds.items():
        check(world, seed)
    examples("plans whose keys share hashes", len(worlds))


@pytest.mark.parametrize("seed", range(6))
def test_joins_that_are_answered_together(seed: int, examples: Examples) -> None:
    chance = Random(f"collisions {seed}")
    world = World(chance, Standing(chance.choice([1, 2, 3])), {name: rows_of(chance) for name in NAMES}, query)
    world.run(resharded=False)  # keys that share a hash cannot be told apart there, and are refused
    examples("joins answered together whose keys share hashes", len(world.together))
