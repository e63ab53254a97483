"""Random plans through Spark, several in one script, in one batch and in many, answer as the definition does."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from tailrace.analysis.program import Program
from tailrace.catalog.catalog import Catalog
from tailrace.catalog.sources import Declared, Relation
from tailrace.columnar.arrow_types import arrow_type
from tailrace.columnar.delta import Delta
from tailrace.columnar.segments import sum_equal_rows
from tailrace.engine.pipeline import PlanningSession
from tailrace.errors import Source
from tailrace.logical import nodes
from tailrace.logical.plan import Plan
from tailrace.logical.queries import QueryDefinition
from tailrace.logical.text.explain import tree
from tailrace.rewrite.traverse import bottom_up
from tailrace.settings import Settings
from tailrace.testing.reference.evaluate import evaluate
from tests.conftest import Examples
from tests.operators.local import as_answer, differences
from tests.operators.relational.test_multi_join import has_mjoin
from tests.operators.test_local_run import can_run
from tests.random_plans.joins import seeded_joins
from tests.random_plans.plans import World, seeded_world
from tests.spark.run.loops import run_compiled

pytestmark = pytest.mark.spark
SEEDS = range(3000, 3040)
EXAMPLES, JOINS = 8, 2
TOGETHER = 4  # in one script
Worlds = Mapping[int, World]


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


def script_of(worlds: Worlds, folder: Path, files: int) -> PlanningSession:
    """One script with the plan of each world as a query, over sources of its own."""
    catalog = Catalog()
    for seed, world in worlds.items():
        plan = over_files(seed, world, folder, files)
        names = tuple(f"c{index}" for index in range(len(plan.schema)))
        catalog.add(QueryDefinition(f"q{seed}", plan, names, (), cast(Any, None), None))
    return PlanningSession(Program(Source(""), catalog, Settings(), ()))


def over_files(seed: int, world: World, folder: Path, files: int) -> Plan:
    """The plan of a world over sources that are files, named so that no other world has them."""
    known: dict[str, Declared] = {}

    def moved(node: Plan) -> Plan:
        if not isinstance(node, nodes.Scan):
            return node
        if node.source.name not in known:
            rows = world.inputs[node.source.name]
            static = isinstance(node.source, Relation) and node.source.is_static
            own = replace(node.source, name=f"{node.source.name}{seed}")
            known[node.source.name] = written(own, rows, folder, 1 if static else files)
        return replace(node, source=cast(Any, known[node.source.name]))

    return bottom_up(world.plan, moved)


def as_reference(plan: Plan, found: list[tuple[Any, ...]], last_instant: int) -> Any:
    """The rows that a query delivered, as the reference has them."""
    head = 1 if plan.kind.name == "STREAM" else 2
    start = np.array([row[0] for row in found], np.int64)
    weight = np.array([-1 if head == 2 and row[1] == "-" else 1 for row in found], np.int64)
    columns = tuple(
        pa.array([row[head + index] for row in found], arrow_type(field.type))
        for index, field in enumerate(plan.schema)
    )
    first, weight = sum_equal_rows((pa.array(start), *columns), weight)
    summed = replace(Delta(start, start + 1, start, columns).take(first), weight=weight)
    return as_answer(plan.kind, summed.in_time_order(), last_instant)


def answer_alone(spark: SparkSession, world: World, folder: Path, files: int) -> Any:
    """What a world's query answers alone, its rows in so many files, one a batch."""
    compiled = script_of({0: world}, folder, files)
    _, answers = run_compiled(spark, folder, compiled, str(world.last_instant))
    return as_reference(compiled.program.queries["q0"].plan, answers["q0"], world.last_instant)


def check(spark: SparkSession, worlds: Worlds, folder: Path) -> None:
    """Each world's query answers by its definition, in a script with the others, in one batch and in three."""
    (until,) = {world.last_instant for world in worlds.values()}
    for files in (1, 3):
        place = folder / f"{min(worlds)}-{files}"
        place.mkdir()
        compiled = script_of(worlds, place, files)
        _, answers = run_compiled(spark, place, compiled, str(until))
        for seed, world in worlds.items():
            plan = compiled.program.queries[f"q{seed}"].plan
            expected = evaluate(world.plan, world.inputs, until)
            found = differences(as_reference(plan, answers[f"q{seed}"], until), expected)
            listed = "\n".join(found[:8])
            assert not found, f"seed {seed} of {list(worlds)}, {files} files:\n{listed}\n{tree(world.plan)}"


def test_random_plans(spark: SparkSession, tmp_path: Path, examples: Examples) -> None:
    drawn = ((seed, seeded_world(seed)) for seed in SEEDS)
    worlds = dict(islice(((seed, world) for seed, world in drawn if can_run(world.plan)), EXAMPLES))
    assert len(worlds) == EXAMPLES
    seeds = list(worlds)
    for first in range(0, EXAMPLES, TOGETHER):
        check(spark, {seed: worlds[seed] for seed in seeds[first : first + TOGETHER]}, tmp_path)
    examples("plans through Spark, in one batch and in three", EXAMPLES)


def test_random_joins(spark: SparkSession, tmp_path: Path, examples: Examples) -> None:
    worlds = {seed: world for seed in range(12) if has_mjoin(world := seeded_joins(seed))}
    assert len(worlds) >= JOINS
    check(spark, dict(islice(worlds.items(), JOINS)), tmp_path)
    examples("plans through Spark, in one batch and in three", JOINS)
