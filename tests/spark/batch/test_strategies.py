"""Strategies on Spark: each gives the rows of the reference, also if it changes while a query runs."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tailrace import Engine
from tailrace.engine.internals import staged_plan
from tailrace.engine.pipeline import compile_script, query_set
from tailrace.engine.run_queries import run_once
from tailrace.errors import RunError, Source
from tailrace.logical.plan import Kind
from tailrace.operators.windows.expire import Expire
from tailrace.staging import stage as staging
from tailrace.staging import stages
from tailrace.staging.expiry_choice import ExpiryWorkload
from tailrace.staging.plan_version import PlanVersion
from tailrace.testing.reference.evaluate import changelog, evaluate
from tests.spark.front.serving import wait_for

pytestmark = pytest.mark.spark
LAST = 40
QUERIES = {
    "joined": "SELECT DISTINCT S.v FROM S [RANGE 6], R [RANGE 4] WHERE S.k = R.k",
    "summed": "SELECT k, SUM(v) AS s FROM S [RANGE 5 SLIDE 2] GROUP BY k",
    "less": "SELECT k, MAX(v) AS m FROM (SELECT * FROM S [RANGE 8] EXCEPT SELECT * FROM R [RANGE 3]) AS d GROUP BY k",
}


def rows_of(name: str) -> list[Any]:
    chance = Random(name)
    return sorted((chance.randrange(LAST), (chance.randrange(5), chance.randrange(6))) for _ in range(80))


def write(folder: Path, name: str, number: int, files: int) -> None:
    """One of so many files of a stream."""
    first, after = number * LAST // files, (number + 1) * LAST // files
    mine = [row for row in rows_of(name) if first <= row[0] < after]
    lines = [json.dumps({"ts": instant, "k": k, "v": v}) + "\n" for instant, (k, v) in mine]
    file = folder / f"{name}.{number}"
    file.write_text("".join(lines))
    os.utime(file, (number + 1, number + 1))
    file.rename(folder / name / f"{number}.json")


def script(strategy: str, folder: Path, files: int = 4) -> str:
    """The queries over files of rows, one of each stream a batch."""
    created = []
    for name in ("S", "R"):
        (folder / name).mkdir()
        for number in range(files):
            write(folder, name, number, files)
        created.append(
            f"CREATE STREAM {name} (k INT, v INT) USING json "
            f"OPTIONS (path '{name}', maxFilesPerTrigger '1') TIMESTAMP BY ts;"
        )
    asked = [f"CREATE QUERY {name} AS {text};" for name, text in QUERIES.items()]
    return "\n".join([f"SET strategy = '{strategy}';", *created, *asked])


def expected(text: str) -> dict[str, list[Any]]:
    compiled = compile_script(Source(text))
    inputs = {name: rows_of(name) for name in ("S", "R")}
    found = {}
    for name, plan in compiled.final_plans.items():
        assert plan.kind is Kind.RELATION
        found[name] = sorted(changelog(evaluate(plan, inputs, LAST)))
    return found


def answered(text: str, folder: Path) -> dict[str, list[Any]]:
    """The changelog of each query, in order."""
    found: dict[str, list[Any]] = {name: [] for name in QUERIES}

    def show(query: Any, names: list[str], rows: list[tuple[Any, ...]]) -> None:
        found[query.name] += [(row[0], row[1], tuple(row[2:])) for row in rows]

    run_once(compile_script(Source(text), folder), str(folder), str(LAST), "local[2]", show)
    return {name: sorted(rows) for name, rows in found.items()}


@pytest.mark.parametrize("strategy", ["hybrid", pytest.param("negative", marks=pytest.mark.slow)])
def test_each_gives_the_rows_of_the_reference(strategy: str, spark: SparkSession, tmp_path: Path) -> None:
    text = script(strategy, tmp_path)
    assert answered(text, tmp_path) == expected(text)


def test_input_triggered_is_late_and_right(spark: SparkSession, tmp_path: Path) -> None:
    """Instants after an operator's last row stay open; up to there all answers are right and complete."""
    text = script("input", tmp_path)
    found, wanted = answered(text, tmp_path), expected(text)
    for name, rows in found.items():
        told = rows[-1][0]
        assert told > LAST // 2, name
        assert rows == [row for row in wanted[name] if row[0] <= told], name


def test_the_choice_may_change_with_every_batch(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = script("auto", tmp_path)
    turns, seen = cycle(["negative", "hybrid", "probing", "hybrid"]), []

    def choose(outline: ExpiryWorkload, now: str, rows: Mapping[str, int], instants: int) -> str:
        seen.append((now, sum(rows.values())))
        return next(turns)

    monkeypatch.setattr(staging, "may_change", lambda outline: True)
    monkeypatch.setattr(stages, "choose", choose)
    assert answered(text, tmp_path) == expected(text)
    assert {now for now, _ in seen} == {"negative", "hybrid", "probing"}
    assert sum(rows > 0 for _, rows in seen) > len(QUERIES)


def test_the_setting_may_change_while_queries_stand(spark: SparkSession, tmp_path: Path) -> None:
    engine = Engine(spark, tmp_path)
    text = script("probing", tmp_path, files=0)
    for name in ("S", "R"):
        write(tmp_path, name, 0, 4)  # which tells that time is in ticks
    engine.execute(text)
    engine.start()
    with pytest.raises(RunError, match="SET may only change"):
        engine.execute("SET strategy = 'input'")
    for number, strategy in enumerate(["probing", "negative", "hybrid", "negative"]):
        engine.execute(f"SET strategy = '{strategy}'")
        for name in ("S", "R") if number else ():
            write(tmp_path, name, number, 4)
        wanted = sum(instant < (number + 1) * LAST // 4 for name in ("S", "R") for instant, _ in rows_of(name))
        wait_for(lambda wanted=wanted: engine.progress().rows == wanted)
    plan, _ = staged_plan(engine)
    assert set(plan.strategies.values()) == {"negative"}
    engine.stop()
    found = {name: [(row[0], row[1], tuple(row[2:])) for row in query.rows()] for name, query in engine.queries.items()}
    told = min(max(instant for instant, _ in rows_of(name)) for name in ("S", "R"))
    for name, rows in expected(text).items():
        assert sorted(found[name]) == [row for row in rows if row[0] < told], name
        assert found[name]


def test_state_does_not_depend_on_the_strategy() -> None:
    """Plans of all strategies keep their state under the same names, W-expires apart, in the same stages."""
    kept = {}
    for strategy in ("probing", "negative", "hybrid"):
        created = "CREATE STREAM S (k INT, v INT) TIMESTAMP BY ts; CREATE STREAM R (k INT, v INT) TIMESTAMP BY ts;"
        asked = [f"CREATE QUERY {name} AS {text};" for name, text in QUERIES.items()]
        compiled = compile_script(Source("\n".join([f"SET strategy = '{strategy}';", created, *asked])))
        edition, plan = query_set(compiled).versions.advance(PlanVersion(), 0, -1, -1, {})
        assert edition.has_expires == (strategy != "probing")
        kept[strategy] = [
            {name for step, names in stage.names.items() if not is_expire(stage, step) for name in names}
            for stage in plan.stages
        ]
    assert kept["probing"] == kept["negative"] == kept["hybrid"]


def is_expire(stage: Any, step: int) -> bool:
    return isinstance(stage.plan.steps[step].work, Expire)
