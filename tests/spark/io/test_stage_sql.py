"""Statements of several queries over several sources: what one query filters reaches no other, and plans stay small."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tailrace import Engine
from tailrace.spark.batch.batch_job import BatchJob

pytestmark = pytest.mark.spark

ROWS = [(0, 1), (1, 2), (2, 5), (3, 7)]  # instants and values of a; b is the same again
STREAMS = "".join(
    f"CREATE STREAM {name} (a INT, b INT) USING csv OPTIONS (path '{name}.csv') TIMESTAMP BY ts;" for name in "AB"
)


@pytest.fixture
def engine(spark: SparkSession, tmp_path: Path) -> Engine:
    for name in "AB":
        (tmp_path / f"{name}.csv").write_text("ts,a,b\n" + "".join(f"{ts},{a},{a}\n" for ts, a in ROWS))
    engine = Engine(spark, tmp_path)
    engine.execute(STREAMS)
    return engine


def elements(rows: list[Any]) -> list[tuple[Any, ...]]:
    return sorted(tuple(row) for row in rows)


def test_a_predicate_with_or_keeps_to_its_own_source(engine: Engine) -> None:
    """The rows of both streams are read by one statement, whose conditions are joined by OR."""
    narrow = engine.query("SELECT a FROM A [ROWS 5] WHERE a = 2")
    wide = engine.query("SELECT b FROM B [RANGE 5] WHERE a IN (1, 5) OR a <> 1")
    medians = engine.query("SELECT MEDIAN(a) AS m FROM A [RANGE 9] WHERE a = 2")
    engine.run()
    assert elements(narrow.rows()) == [(1, "+", 2)]
    assert elements(wide.rows()) == [(ts, "+", a) for ts, a in ROWS]
    assert [tuple(row) for row in medians.rows()] == [(0, "+", None), (1, "-", None), (1, "+", 2.0)]


def test_stages_over_stages_are_planned_once(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each level reads the level below twice, by different keys: a plan that is copied doubles with every level."""
    engine.execute("CREATE VIEW V0 AS SELECT a, b, COUNT(*) AS n FROM A [RANGE 9] GROUP BY a, b;")
    for level, key in enumerate("abab"):
        engine.execute(
            f"CREATE VIEW V{level + 1} AS SELECT x.a, y.b, COUNT(*) AS n FROM V{level} AS x, V{level} AS y "
            f"WHERE x.{key} = y.{key} GROUP BY x.a, y.b;"
        )
    query = engine.query("SELECT a, n FROM V4")
    tasks: list[tuple[int, int]] = []
    deliver = BatchJob.results

    def count_tasks(self: BatchJob) -> Iterator[Any]:
        assert self.messages is not None
        plan = self.messages._jdf.queryExecution().logical().toString()
        tasks.append((plan.count("MapInArrow"), len(self.stages)))
        return deliver(self)

    monkeypatch.setattr(BatchJob, "results", count_tasks)
    engine.run()
    assert elements(query.rows()) == [(ts, "+", a, 1) for ts, a in ROWS]
    assert all(found <= stages + 1 for found, stages in tasks)
    assert max(stages for _, stages in tasks) > 4
