"""Prefilters: Catalyst drops the rows before the shuffle that the operator would drop, and answers stay right."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from tailrace.analysis.program import analyse
from tailrace.errors import Source
from tailrace.language.script import parse_script
from tailrace.logical.expressions import Column
from tailrace.logical.windows import Every
from tailrace.operators.sequence.frequency import Prefilter, PushedPrefilter
from tailrace.spark.batch import stage_inputs as batch
from tailrace.spark.io.stage_sql import prefilter_sql
from tailrace.testing.reference.evaluate import evaluate
from tailrace.types import INT
from tests.operators.local import differences
from tests.operators.sequence.test_sequences import decided
from tests.random_plans.plans import World
from tests.random_plans.sequences import DECLARED, LAST, arrivals
from tests.spark.batch.test_random_plans import answer_alone

pytestmark = pytest.mark.spark
QUERIES = (
    "SELECT COUNT(*) AS n, SUM(v) AS v FROM S [RANGE 2 SECONDS, FREQUENCY 5 SECONDS]",
    "SELECT k, g, SUM(v) AS v FROM S [RANGE 1 SECOND, FREQUENCY 6 SECONDS PARTITIONED BY g, k] GROUP BY k, g",
    "SELECT k, g, v FROM S [FREQUENCY 4 SECONDS PARTITIONED BY k] WHERE v > 2",
)


@pytest.mark.parametrize("seed", range(4))
def test_catalyst_keeps_what_the_operator_keeps(spark: SparkSession, seed: int) -> None:
    chance = Random(seed)
    size = Every(chance.randint(1, 4), "ticks") if seed % 2 else None
    by = Prefilter((), size, Every(chance.randint(5, 9), "ticks"), (0,) if seed > 1 else ())
    rows = [(instant, chance.choice([1, 2, None]), number) for number, instant in enumerate(instants(chance))]
    start, key = np.array([row[0] for row in rows]), pa.array([row[1] for row in rows], pa.int32())
    kept = by.is_needed(start, [key] if by.key else [])
    assert 0 < kept.sum() < len(rows)
    spark.createDataFrame(rows, "_start BIGINT, w0 INT, w1 INT").createOrReplaceTempView("tailrace_thin")
    what = PushedPrefilter(by, (Column(0, INT, "k"),) if by.key else ())
    found = spark.sql(
        f"SELECT w1 FROM {prefilter_sql('tailrace_thin', what, lambda column: f'w{column.index}')}"
    ).collect()
    assert sorted(row[0] for row in found) == np.flatnonzero(kept).tolist()


def instants(chance: Random) -> list[int]:
    return [chance.choice([chance.randint(0, 40), chance.randint(10, 14)]) for _ in range(80)]


@pytest.mark.parametrize("text", QUERIES)
def test_answers(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(batch, "FEW", 0)
    monkeypatch.setattr(batch, "NARROW", 0)
    spark.conf.set("spark.sql.ansi.enabled", "false")
    plan = analyse(parse_script(Source(f"{DECLARED}CREATE QUERY q AS {text};"))).queries["q"].plan
    world = World(plan, arrivals(Random(len(text))), LAST)
    expected = decided(plan, evaluate(plan, world.inputs, LAST))
    assert any(expected.bags)
    assert not differences(decided(plan, answer_alone(spark, world, tmp_path, 3)), expected)
    spark.conf.unset("spark.sql.ansi.enabled")
