"""The worked cases through Spark: each script, run once, leaves the rows its case expects in its sink."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from tailrace.analysis.program import Query
from tailrace.engine.compile import compile_script
from tailrace.errors import Source
from tailrace.physical.cut_stages import cut_stages
from tailrace.physical.lower import lower
from tailrace.spark import sinks
from tailrace.spark.batch_loop import BatchLoop
from tests.reference.compare import differences, read_stamp
from tests.spark.loops import Each

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases"
if not CASES.is_dir():
    pytest.skip(f"the worked cases are not at {CASES}", allow_module_level=True)

pytestmark = pytest.mark.spark


@pytest.fixture(autouse=True)
def as_the_engine_runs(spark: SparkSession) -> Iterator[None]:
    """The session as `tailrace run` sets it."""
    spark.conf.set("spark.sql.ansi.enabled", "false")
    yield
    spark.conf.unset("spark.sql.ansi.enabled")


ANSWERED = [p.parent for p in sorted(CASES.glob("*/case.json")) if "exit" not in json.loads(p.read_text())]


def run(spark: SparkSession, folder: Path, until: Any) -> dict[str, Query]:
    """Run a script as `tailrace run --once` does, in the session that all cases share."""
    compiled = compile_script(Source((folder / "script.cql").read_text(), "script.cql"), folder)
    queries = list(compiled.program.queries.values())
    plans = {name: rewritten.plan for name, rewritten in compiled.rewritten.items()}
    plan = lower(plans, {query.name for query in queries if query.is_snapshot})

    def deliver(query: Query, frame: DataFrame) -> None:
        sinks.write(frame, query, str(folder))

    limit = None if until is None else str(until)
    BatchLoop(spark, cut_stages(plan), queries, compiled.program.settings, Each(deliver), limit).run_once()
    return compiled.program.queries


@pytest.mark.parametrize("case", ANSWERED, ids=lambda folder: folder.name)
def test_case(spark: SparkSession, case: Path, tmp_path: Path) -> None:
    folder = tmp_path / case.name
    shutil.copytree(case, folder)
    told = json.loads((folder / "case.json").read_text())
    (query,) = run(spark, folder, told["until"]).values()
    rows = [json.loads(line) for path in (folder / "out" / query.name).glob("*.json") for line in path.open()]
    names = {name.lower(): name for name in query.names}
    found = [
        (
            read_stamp(row.get("_ts")),
            row.get("_op"),
            tuple(row.get(names[name.lower()]) for name in query.names),
        )
        for row in rows
    ]
    expected = [json.loads(line) for line in (folder / "expected" / f"{query.name}.jsonl").open()]
    problems = differences(found, expected, query.names, told.get("exact_names", False))
    listed = "\n".join(problems[:8])
    assert not problems, f"{len(problems)} rows differ from {told['notes']}:\n{listed}"
