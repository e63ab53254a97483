"""The system's streams: queries over them watch a run that goes on, and change nothing in it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from pyspark.sql import SparkSession

import tailrace
from tailrace.errors import RunError, ScriptError
from tests.patience import PATIENCE
from tests.spark.run.growing import A_FILE, Flow

pytestmark = pytest.mark.spark
SCRIPT = """
SET tick = '100 milliseconds';
CREATE STREAM S (k INT, v INT) USING json OPTIONS (path 'S') TIMESTAMP BY ts;
CREATE QUERY sums AS SELECT k, SUM(v) AS s FROM S [RANGE 20] GROUP BY k;
"""


@pytest.fixture
def flow(tmp_path: Path) -> Flow:
    return Flow(tmp_path, Random(1))


@pytest.fixture
def engine(spark: SparkSession, flow: Flow) -> Iterator[tailrace.Engine]:
    found = tailrace.Engine(spark, flow.folder)
    found.execute(SCRIPT)
    yield found
    found.stop()


def wait(true: Callable[[], bool]) -> None:
    begun = time.monotonic()
    while not true():
        assert time.monotonic() - begun < PATIENCE
        time.sleep(0.05)


def test_queries_over_the_systems_streams(engine: tailrace.Engine, flow: Flow) -> None:
    batches = engine.query("SELECT batch, rows, queries FROM tailrace.batches", name="batches")
    total = engine.query("SELECT SUM(rows) AS n FROM tailrace.sources [RANGE UNBOUNDED]", name="total")
    flow.more()
    engine.start()
    wait(lambda: any(row.rows == A_FILE for row in batches.rows()))
    # Others may come while the run goes on.
    work = engine.query("SELECT operator, rows_in FROM tailrace.operators WHERE operator = 'aggregate'", name="work")
    answered = engine.query("SELECT b.batch, q.rows FROM tailrace.batches [NOW] b JOIN tailrace.queries [NOW] q "
                            "ON b.batch = q.batch WHERE q.query = 'sums'", name="answered")  # fmt: skip
    flow.more()
    flow.more()
    wait(lambda: [row.n for row in total.snapshot()] == [3 * A_FILE])
    wait(lambda: bool(work.rows()) and bool(answered.rows()))
    wait(lambda: sum(row.rows for row in batches.rows()) == 3 * A_FILE)
    seen = batches.rows()
    assert [row.batch for row in seen] == sorted({row.batch for row in seen}), "each batch once"
    assert {row.queries for row in seen} == {1}, "those who watch are not among the watched"
    assert {row.operator for row in work.rows()} == {"aggregate"}
    # Nothing of this goes on by itself: without rows there are no batches, and without batches no rows.
    quiet = len(batches.rows())
    time.sleep(1.5)
    assert len(batches.rows()) == quiet


def test_windows_empty_though_nothing_comes(engine: tailrace.Engine, flow: Flow) -> None:
    late = engine.query("SELECT COUNT(*) AS n FROM tailrace.batches [RANGE 1 SECOND]", name="late")
    flow.more()
    engine.start()
    wait(lambda: any(row.n > 0 for row in late.rows()))
    wait(lambda: [row.n for row in late.snapshot()] == [0])


def test_into_files_and_after_a_restart(engine: tailrace.Engine, flow: Flow, tmp_path: Path) -> None:
    engine.execute("CREATE QUERY told INTO json OPTIONS (path 'told') AS SELECT batch, rows FROM tailrace.batches;")
    kept = tmp_path / "kept"

    def told() -> list[tuple[int, int]]:
        lines = [line for file in (tmp_path / "told").glob("part-*.json") for line in file.read_text().splitlines()]
        return sorted((row["batch"], row["rows"]) for row in map(json.loads, lines))

    for runs in (1, 2):
        flow.more()
        engine.start(checkpoint=kept)
        wait(lambda runs=runs: sum(rows for _, rows in told()) == runs * A_FILE)
        engine.stop()
    assert len({batch for batch, _ in told()}) == len(told())


def test_a_query_reads_the_system_or_something_else(engine: tailrace.Engine) -> None:
    with pytest.raises(ScriptError, match="one query cannot read both"):
        engine.query("SELECT S.k FROM S [NOW], tailrace.batches [NOW] WHERE S.v = batches.rows")
    with pytest.raises(ScriptError, match=r"did you mean tailrace\.batches"):
        engine.query("SELECT batch FROM tailrace.batch")
    engine.query("SELECT batch FROM tailrace.batches", name="b")
    with pytest.raises(RunError, match="b reads a system stream") as refused:
        engine.run()
    assert "leave --once out" in (refused.value.hint or "")
    engine.execute("DROP QUERY b;")


def test_what_only_spark_computes_is_refused(engine: tailrace.Engine) -> None:
    engine.start()
    with pytest.raises(RunError, match="is computed by Spark"):
        engine.query("SELECT soundex(query) AS s FROM tailrace.queries")
    assert engine.running
