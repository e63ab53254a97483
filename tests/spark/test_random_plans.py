"""Random plans through Spark, in one batch and in many, answer as the definition does."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import DataFrame, SparkSession

from tailrace.analysis.program import Query
from tailrace.catalog.sources import Declared, Relation
from tailrace.logical import nodes
from tailrace.logical.explain import tree
from tailrace.logical.plan import Plan
from tailrace.physical.arrow_types import arrow_type
from tailrace.physical.cut_stages import cut_stages
from tailrace.physical.delta import Delta
from tailrace.physical.lower import lower
from tailrace.rewrite.rules import rewrite
from tailrace.rewrite.traverse import bottom_up
from tailrace.settings import Settings
from tailrace.spark.batch_loop import BatchLoop
from tests.conftest import Examples
from tests.physical.local import as_answer, differences
from tests.physical.test_local import can_run
from tests.physical.test_multi_join import has_mjoin
from tests.reference.evaluate import evaluate
from tests.reference.random_joins import seeded_joins
from tests.reference.random_plans import World, seeded_world
from tests.spark.loops import Each

pytestmark = pytest.mark.spark
SEEDS = range(3000, 3040)
EXAMPLES = 8
JOINS = 2


@pytest.fixture(autouse=True)
def as_the_engine_runs(spark: SparkSession) -> Iterator[None]:
    spark.conf.set("spark.sql.ansi.enabled", "false")
    yield
    spark.conf.unset("spark.sql.ansi.enabled")


def written(source: Declared, rows: list[Any], folder: Path, files: int) -> Declared:
    """The source with its rows in Parquet files, one a batch, in order of time."""
    instants = [row[0] or 0 for row in rows]
    columns = {field.name: pa.array([row[-1][i] for row in rows], arrow_type(field.type))
               for i, field in enumerate(source.schema)}  # fmt: skip
    columns["_at"] = pa.array(instants, pa.int64())
    if isinstance(source, Relation) and source.op:
        columns[source.op] = pa.array([row[1] if len(row) == 3 else "+" for row in rows], pa.string())
    table = pa.table(columns)
    place = folder / source.name
    place.mkdir()
    edges = [len(rows) * number // files for number in range(files + 1)]
    for number in range(files):
        file = place / f"{number}.parquet"
        pq.write_table(table.slice(edges[number], edges[number + 1] - edges[number]), file)
        os.utime(file, (number + 1, number + 1))
    options = (("path", str(place)), ("maxFilesPerTrigger", "1"))
    timestamp = None if isinstance(source, Relation) and source.is_static else "_at"
    # Rows of one instant may be in two files: with a delay none of them is late.
    return replace(source, format="parquet", options=options, timestamp=timestamp, delay=100)


def answered(spark: SparkSession, world: World, folder: Path, files: int) -> Any:
    known: dict[str, Declared] = {}

    def moved(node: Plan) -> Plan:
        if not isinstance(node, nodes.Scan):
            return node
        if node.source.name not in known:
            rows = world.inputs[node.source.name]
            static = isinstance(node.source, Relation) and node.source.is_static
            known[node.source.name] = written(node.source, rows, folder, 1 if static else files)
        return replace(node, source=cast(Any, known[node.source.name]))

    plan = bottom_up(rewrite(world.plan, Settings()).plan, moved)
    names = tuple(f"c{index}" for index in range(len(plan.schema)))
    query = Query("query", plan, names, (), cast(Any, None), None)
    found: list[tuple[Any, ...]] = []

    def deliver(_: Query, frame: DataFrame) -> None:
        found.extend(tuple(row) for row in frame.collect())

    staged = cut_stages(lower({"query": plan}))
    BatchLoop(spark, staged, [query], Settings(), Each(deliver), str(world.last_instant)).run_once()
    head = 1 if plan.kind.name == "STREAM" else 2
    start = np.array([row[0] for row in found], np.int64)
    weight = np.array([-1 if head == 2 and row[1] == "-" else 1 for row in found], np.int64)
    columns = tuple(
        pa.array([row[head + index] for row in found], arrow_type(field.type))
        for index, field in enumerate(plan.schema)
    )
    return as_answer(plan.kind, copied(Delta(start, start + 1, weight, columns)), world.last_instant)


def copied(rows: Delta) -> Delta:
    """Copies of a tuple at an instant as one row."""
    from tailrace.physical.operators.changes import in_time, summed

    return in_time(summed(rows))


def check(spark: SparkSession, world: World, seed: int, folder: Path) -> None:
    expected = evaluate(world.plan, world.inputs, world.last_instant)
    for files in (1, 3):
        place = folder / f"{seed}-{files}"
        place.mkdir()
        found = differences(answered(spark, world, place, files), expected)
        listed = "\n".join(found[:8])
        assert not found, f"seed {seed}, {files} files:\n{listed}\n{tree(world.plan)}"


def test_random_plans(spark: SparkSession, tmp_path: Path, examples: Examples) -> None:
    ran = 0
    for seed in SEEDS:
        world = seeded_world(seed)
        if ran == EXAMPLES or not can_run(world.plan):
            continue
        check(spark, world, seed, tmp_path)
        ran += 1
    assert ran == EXAMPLES
    examples("plans through Spark, in one batch and in three", ran)


def test_random_joins(spark: SparkSession, tmp_path: Path, examples: Examples) -> None:
    worlds = {seed: world for seed in range(12) if has_mjoin(world := seeded_joins(seed))}
    for seed in list(worlds)[:JOINS]:
        check(spark, worlds[seed], seed, tmp_path)
    assert len(worlds) >= JOINS
    examples("plans through Spark, in one batch and in three", JOINS)
