"""Samples on Spark: Catalyst computes the same sampling hashes as Python does, and batches do not matter."""

from __future__ import annotations

import json
import os
from decimal import Decimal
from pathlib import Path
from random import Random

import numpy as np
import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from tailrace import types
from tailrace.columnar.arrow_types import arrow_type
from tailrace.columnar.sampling_hash import sample_hashes
from tailrace.logical.expressions import Column, SampleTest
from tailrace.logical.sampling import SampleRate, has_lot
from tailrace.logical.text.spark_sql import INSTANT, spark_text
from tailrace.testing.reference.sampling_hash import sampling_hash
from tests.columnar.test_sampling_hash import ROWS, TYPES, values
from tests.spark.run.loops import run

pytestmark = pytest.mark.spark


def test_catalyst_draws_the_same_lots(spark: SparkSession) -> None:
    chance = Random(2)
    instants = np.array([chance.randrange(2**40) for _ in range(ROWS)])
    arrays = [pa.array(values(type, chance), arrow_type(type)) for type in TYPES]
    names = [f"c{place}" for place in range(len(TYPES))]
    frame = spark.createDataFrame(pa.table([pa.array(instants), *arrays], [INSTANT, *names]))
    groups = [[place] for place, type in enumerate(TYPES) if has_lot(type)] + [list(range(len(TYPES)))]
    shares = [SampleRate(Decimal("0.000001"), 0), SampleRate(Decimal(40), 3), SampleRate(Decimal(100), 2**62)]
    asked = [(share, group) for group in groups for share in shares]
    texts = [
        spark_text(SampleTest(share, tuple(Column(place, TYPES[place]) for place in group)), lambda c: f"c{c.index}")
        for share, group in asked
    ]
    found = frame.selectExpr(*(f"{text} AS d{number}" for number, text in enumerate(texts))).toArrow()
    for number, (share, group) in enumerate(asked):
        expected = sample_hashes(share.seed, instants, [arrays[place] for place in group]) <= share.most
        assert found[f"d{number}"].to_pylist() == expected.tolist(), (share, [TYPES[place] for place in group])


def test_batches_do_not_matter(spark: SparkSession, tmp_path: Path) -> None:
    """A share and a reservoir over files, one a batch or all at once, against the definition."""
    chance = Random(3)
    rows = [(at // 5, chance.randrange(4), chance.choice(["a", "b", None])) for at in range(200)]
    (tmp_path / "S").mkdir()
    for number in range(4):
        lines = [json.dumps({"ts": ts, "k": k, "t": t}) for ts, k, t in rows[number * 50 : number * 50 + 50]]
        file = tmp_path / "S" / f"{number}.json"
        file.write_text("\n".join(lines) + "\n")
        os.utime(file, (1_700_000_000 + number,) * 2)
    of = (types.INT, types.STRING)
    share = sorted((ts, k) for ts, k, t in rows if (sampling_hash(5, ts, (k, t), of) + 2**63) * 100 < 30 * 2**64)
    answers = []
    for files in ("1", "10"):
        script = (
            "CREATE STREAM S (k INT, t STRING) USING json "
            f"OPTIONS (path 'S', maxFilesPerTrigger '{files}') TIMESTAMP BY ts;"
            "CREATE QUERY share AS SELECT k FROM S SAMPLE 30 PERCENT SEED 5;"
            "CREATE QUERY counted AS SELECT COUNT(*) AS n FROM S SAMPLE 30 PERCENT SEED 5 [RANGE UNBOUNDED];"
            "CREATE QUERY held AS SELECT k, COUNT(*) AS n FROM S [SAMPLE 7 ROWS SEED 5] GROUP BY k;"
        )
        answers.append(run(spark, tmp_path, script)[1])
    assert answers[0]["share"] == answers[1]["share"] == share
    assert 30 < len(share) < 90
    assert max(n for _, op, n in answers[0]["counted"] if op == "+") == len(share)
    assert answers[0]["held"] == answers[1]["held"]
