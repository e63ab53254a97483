"""A fixed sample of random scripts, by each road, answers as the definition does; `make fuzz` takes fresh scripts."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tailrace.testing.random_scripts.scripts import random_script
from tests.conftest import Examples
from tests.fuzz.check import Checker
from tests.fuzz.sessions import engine_session

pytestmark = pytest.mark.spark

# By road: the first seed, and how many queries each of the scripts has.
SAMPLE = {
    "statements": (10_000, (4, 20, 30)),
    "files": (20_000, (3, 20)),
    "restarts": (30_000, (3, 20)),
    "live": (40_000, (10,)),
}


@pytest.fixture
def checker(spark: SparkSession, tmp_path: Path) -> Checker:
    return Checker(spark, engine_session(spark), tmp_path / "run")


@pytest.mark.parametrize("road", SAMPLE)
def test_random_scripts(checker: Checker, road: str, examples: Examples) -> None:
    first, sizes = SAMPLE[road]
    for number, size in enumerate(sizes):
        problems = checker.check(random_script(first + number, size), road)
        assert not problems, f"python -m tests.fuzz --road {road} --seed {first + number} --size {size}\n{problems[0]}"
    examples(f"queries of random scripts by {road}", checker.tally.counts["queries"])
