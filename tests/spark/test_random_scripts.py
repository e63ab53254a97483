"""A fixed sample of random scripts, by each road, answers as the definition does; `make fuzz` takes fresh scripts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tailrace.testing.random_scripts.expressions import INTEGER, kind_of
from tailrace.testing.random_scripts.scripts import RandomScript, random_script
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


# {a} and {b} are two whole numbers, columns of the FROM items {A} and {B}.
CORRELATED = {
    "counts": "SELECT x.{a}, (SELECT COUNT(*) FROM {B} AS y WHERE y.{b} > x.{a}) AS n FROM {A} AS x",
    "most": "SELECT x.{a} FROM {A} AS x WHERE x.{a} >= ALL (SELECT y.{b} FROM {B} AS y WHERE y.{b} <> x.{a} + 1)",
    "sums": "SELECT x.{a}, l.s FROM {A} AS x, LATERAL (SELECT SUM(y.{b}) AS s FROM {B} AS y WHERE y.{b} <= x.{a}) AS l",
}


def correlated_script(seed: int) -> RandomScript:
    """Random sources that change, and queries whose subqueries read the query around them by inequality."""
    script = random_script(seed, 1)
    items, columns = [], []
    for source in script.sources:
        integers = [name for name, type in source.columns if kind_of(type) == INTEGER]
        if integers and not source.is_static:
            items.append(f"{source.name} [RANGE 3]" if source.is_stream else source.name)
            columns.append(integers[0])
    places = {"A": items[0], "B": items[-1], "a": columns[0], "b": columns[-1]}
    queries = {name: text.format(**places) for name, text in CORRELATED.items()}
    return replace(script, views={}, queries=queries, laws=(), drawn={})


@pytest.mark.parametrize("road", ["files", "restarts"])
def test_subqueries_that_read_the_query_around(checker: Checker, road: str) -> None:
    problems = checker.check(correlated_script(50_001), road)
    assert not problems, problems[0]
    assert checker.tally.counts["instants compared"] > len(CORRELATED)
