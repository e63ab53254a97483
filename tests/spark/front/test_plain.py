"""Plain Spark, which measurements compare with, gives the answers that Tailrace gives where both do the same."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from tailrace.bench.inputs.plain_spark import run_plain
from tailrace.bench.spark import latency
from tailrace.bench.spark.windows import CASES, STREAMS, Case, Inputs
from tailrace.engine.pipeline import compile_script
from tailrace.engine.run_queries import run_once
from tailrace.errors import Source

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Inputs:
    made = Inputs(tmp_path_factory.mktemp("inputs"), 6000, 3)
    made.generate()
    return made


# A minute of CQL holds both its ends and is emitted as changes: near Spark's tumbling count, but not the same.
SAME = [case for case in CASES if case.line in ("filter", "window join")]


def in_no_zone(value: object) -> object:
    return value.astimezone().replace(tzinfo=None) if isinstance(value, datetime) else value


@pytest.mark.parametrize("case", SAME, ids=lambda case: case.line)
def test_same_answers(case: Case, inputs: Inputs, spark: SparkSession, tmp_path: Path) -> None:
    found: Counter[tuple[object, ...]] = Counter()

    def keep(query: object, names: list[str], rows: list[tuple[object, ...]]) -> None:
        # Plain Spark adds no `_ts`, and its TIMESTAMPs have no zone.
        found.update(tuple(in_no_zone(value) for value in row[1:]) for row in rows)

    compiled = compile_script(Source(inputs.script(case, into=""), "a.cql"), inputs.folder)
    run_once(compiled, str(inputs.folder), None, "local[2]", keep)
    plain = Counter(plain_rows(case, inputs, spark, tmp_path))
    assert plain
    assert found == plain


def test_tumbling_counts_every_row_of_the_minutes_that_are_over(
    inputs: Inputs, spark: SparkSession, tmp_path: Path
) -> None:
    case = next(case for case in CASES if case.line == "tumbling")
    rows = plain_rows(case, inputs, spark, tmp_path)
    newest = pq.read_table(inputs.folder / "S")["ts"].cast("int64").to_numpy() // 1_000_000
    over = (newest.max() - 1) // 60 * 60
    assert sum(int(str(row[-1])) for row in rows) == (newest < over).sum()


def test_latency_measures_both(spark: SparkSession) -> None:
    (line,) = latency.lines(latency.CASES[:1], 0.5, 0.5, 0.0, lambda text: None)
    assert (line.unit, line.beside) == ("s", "plain Spark")
    assert line.ratio == line.value / line.beside_value > 0
    assert line.more["p99"] >= line.value


def plain_rows(case: Case, inputs: Inputs, spark: SparkSession, folder: Path) -> list[tuple[object, ...]]:
    streams = [(str(inputs.folder / name), STREAMS[name]) for name in case.streams]
    ends = run_plain(case.plain, streams, str(folder / "checkpoint"), "local[2]", str(folder / "out"))
    assert len(ends) == inputs.files
    assert ends[-1][0] == inputs.read_by(case)
    return [tuple(row) for row in spark.read.parquet(str(folder / "out")).collect()]
