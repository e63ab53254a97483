"""Continuous runs: killed at any step of a batch and started again, they leave what a run never killed leaves."""

from __future__ import annotations

import json
import random
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tailrace import fault_injection as faults
from tailrace.engine.pipeline import compile_script
from tailrace.engine.run_queries import stand
from tailrace.errors import Source
from tests.patience import PATIENCE
from tests.spark.run.crashes import Run, kill, made

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run that is never killed."""
    run = made(tmp_path_factory.mktemp("whole") / "run")
    assert run.until_done(run.start()), run.said()
    return run


def check_killed(whole: Run, run: Run, fault: str) -> None:
    assert not run.until_done(run.start(fault)), f"{fault} was not reached"
    assert run.until_done(run.start()), run.said()
    assert run.answers() == whole.answers()


def test_nothing_is_lost_or_doubled(whole: Run, tmp_path: Path) -> None:
    """Killed while results are moved into place; the other steps are among the slow tests."""
    assert all(whole.answers().values())
    check_killed(whole, made(tmp_path / "run"), "moved:9")


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 3])
@pytest.mark.parametrize("point", faults.POINTS)
def test_every_step_of_a_batch(point: str, number: int, whole: Run, tmp_path: Path) -> None:
    check_killed(whole, made(tmp_path / "run"), f"{point}:{number}")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
def test_any_moment(seed: int, whole: Run, tmp_path: Path) -> None:
    run = made(tmp_path / "run")
    process = run.start()
    time.sleep(random.Random(seed).uniform(3, 20))
    if process.poll() is None:
        kill(process)
    assert run.until_done(run.start()), run.said()
    assert run.answers() == whole.answers()


@pytest.mark.parametrize("time", ["", " TIMESTAMP BY ts HEARTBEAT BY beat"], ids=["clock", "heartbeats"])
def test_answers_do_not_wait_for_the_next_batch(time: str, spark: SparkSession, tmp_path: Path) -> None:
    """Each file comes once the answer to the one before is there."""
    columns = "v INT" if time else "v INT, beat BOOLEAN"
    script = (
        f"SET tick = '1 millisecond'; CREATE STREAM S ({columns}) USING json OPTIONS (path 'S'){time};"
        f"CREATE QUERY counted AS SELECT ISTREAM(COUNT(v) AS n) FROM S;"
    )
    (tmp_path / "S").mkdir()
    answers: list[int] = []
    stops: list[threading.Event] = []

    def write(number: int) -> None:
        moment = f"2024-03-01 10:00:{number:02}"
        rows = [{"ts": moment, "v": number, "beat": False}, {"ts": moment, "beat": True}]
        aside = tmp_path / f"{number}.json"
        aside.write_text("".join(json.dumps(row) + "\n" for row in rows))
        aside.rename(tmp_path / "S" / aside.name)

    def show(query: object, names: list[str], rows: list[tuple[Any, ...]]) -> None:
        fresh = [row[names.index("n")] for row in rows]
        answers.extend(fresh)
        if fresh and len(answers) >= 4:
            stops[0].set()
        elif fresh:
            write(len(answers))

    write(0)
    found = compile_script(Source(script, "a.cql"), tmp_path)
    timer = threading.Timer(PATIENCE, lambda: stops[0].set())
    timer.daemon = True
    timer.start()
    stand(found, str(tmp_path), None, "0 seconds", stops.append, "local[2]", show)
    timer.cancel()
    assert answers == [1, 2, 3, 4]


def test_a_run_that_ends_takes_all_that_is_there_at_once(spark: SparkSession, tmp_path: Path) -> None:
    """A limit of one file a batch would make the second file of S late, since R is further by then."""
    for name, files in {"S": [[1], [2]], "R": [[9]]}.items():
        (tmp_path / name).mkdir()
        for number, instants in enumerate(files):
            lines = [json.dumps({"ts": ts, "v": ts}) for ts in instants]
            (tmp_path / name / f"{number}.json").write_text("\n".join(lines) + "\n")
    script = "".join(
        f"CREATE STREAM {name} (v INT) USING json OPTIONS (path '{name}', maxFilesPerTrigger '1') TIMESTAMP BY ts;"
        f"CREATE QUERY of_{name} AS SELECT v FROM {name};"
        for name in "SR"
    )
    answers: list[tuple[Any, ...]] = []
    compiled = compile_script(Source(script, "a.cql"), tmp_path)
    checkpoint = str(tmp_path / "kept")
    stand(
        compiled,
        str(tmp_path),
        checkpoint,
        None,
        lambda stop: None,
        "local[2]",
        lambda *taken: answers.extend(taken[2]),
    )
    assert sorted(answers) == [(1, 1), (2, 2), (9, 9)]


def test_only_sinks_of_queries_that_ran_to_the_end_are_marked(spark: SparkSession, tmp_path: Path) -> None:
    """A quarantined query has left its folder as it was when it failed."""
    (tmp_path / "S").mkdir()
    (tmp_path / "S" / "0.json").write_text(json.dumps({"ts": 1, "v": 0}) + "\n")
    texts = {"fine": "v", "bad": "element_at(array(v), v) AS v"}
    script = "CREATE STREAM S (v INT) USING json OPTIONS (path 'S') TIMESTAMP BY ts;" + "".join(
        f"CREATE QUERY {name} INTO json OPTIONS (path 'out/{name}') AS SELECT {text} FROM S;"
        for name, text in texts.items()
    )
    compiled, kept = compile_script(Source(script, "a.cql"), tmp_path), str(tmp_path / "kept")
    summary = stand(compiled, str(tmp_path), kept, None, lambda stop: None, "local[2]", lambda *taken: None)
    assert [failure.partition(":")[0] for failure in summary.failed] == ["query bad"]
    assert (tmp_path / "out" / "fine" / "_SUCCESS").exists()
    assert not (tmp_path / "out" / "bad" / "_SUCCESS").exists()
