"""Cluster: the same script on a real standalone cluster, where workers come and go, as on this machine."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tailrace import fault_injection as faults
from tailrace.bench.inputs.standalone import bare, cluster, spark_home
from tailrace.demos.linear_road import positions
from tailrace.spark.session.package import PYTHON
from tests.patience import PATIENCE
from tests.spark.run import crashes
from tests.spark.session.clusters import (
    ROOT,
    answers,
    batches_done,
    events,
    finish,
    run_until_taken,
    said,
    tailrace,
    used,
)

pytestmark = [pytest.mark.spark, pytest.mark.slow]

DEMO, JOB = ROOT / "tailrace" / "demos" / "linear-road.cql", ROOT / "examples" / "tailrace_job.py"
VEHICLES, FILES, BATCHES = 150, 6, 100
JOIN = """
CREATE STREAM Fast (vehicleId INT, speed INT, xPos INT) USING csv
  OPTIONS (path 'in', maxFilesPerTrigger '1') TIMESTAMP BY ts;
CREATE QUERY meeting INTO json OPTIONS (path 'out/meeting') AS
SELECT ISTREAM(A.vehicleId AS one, B.vehicleId AS other, A.xPos / 5280 AS seg)
FROM Fast [RANGE 60 SECONDS] AS A, Fast [RANGE 60 SECONDS] AS B
WHERE A.xPos / 5280 = B.xPos / 5280 AND A.speed > 70 AND B.speed < 30;
"""


@pytest.fixture(autouse=True)
def one_package(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is sent to executors is put together once for all tests here."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))


def script() -> str:
    """Linear Road in small batches and into files, and a window join."""
    text = DEMO.read_text(encoding="utf-8").replace("path 'PosSpeedStr.csv'", "path 'in', maxFilesPerTrigger '1'")
    for name in ("TollStr", "CongestedNow"):
        text = text.replace(f"QUERY {name} AS", f"QUERY {name} INTO json OPTIONS (path 'out/{name}') AS")
    return f"SET spark.executor.memory = '512m';\n{text}\n{JOIN}"


def write_inputs(folder: Path) -> int:
    """An hour of traffic in several files; how many rows there are."""
    (folder / "in").mkdir(parents=True)
    rows = positions(VEHICLES)
    size = -(-len(rows) // FILES)
    for number in range(FILES):
        part = rows[number * size : (number + 1) * size].tolist()
        lines = ["ts,vehicleId,speed,xPos", *(",".join(map(str, row)) for row in part)]
        file = folder / "in" / f"{number:03}.csv"
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        os.utime(file, (1_700_000_000 + number, 1_700_000_000 + number))
    (folder / "script.cql").write_text(script(), encoding="utf-8")
    return len(rows)


def test_a_worker_dies_and_another_comes(tmp_path: Path) -> None:
    """Both read each row twice: once for Linear Road's stream, once for the join's."""
    taken = 2 * write_inputs(tmp_path / "local")
    run_until_taken(tmp_path / "local", taken, "local[2]", tmp_path / "local" / "kept", "kept")
    expected = answers(tmp_path / "local" / "out")
    assert all(expected.values())
    write_inputs(tmp_path / "far")
    shared, later = tmp_path / "shared", sorted((tmp_path / "far" / "in").iterdir())[FILES // 2 :]
    for file in later:
        file.rename(tmp_path / file.name)
    with cluster(tmp_path / "cluster") as made:

        def replaced() -> None:
            """A shard has the state that a batch leaves, others have not. The rest comes once the new worker works."""
            begun = time.monotonic()
            while not any(shared.rglob(f"{(done := batches_done(shared))}-*.manifest")):
                assert time.monotonic() - begun < PATIENCE, "no batch is under way"
                time.sleep(0.01)
            made.kill(made.processes[1])
            assert batches_done(shared) == done, "it was lost in the middle of a batch"
            made.start_worker()
            begun = time.monotonic()
            while len(used(made)) < 3:
                assert time.monotonic() - begun < PATIENCE, "the new worker runs nothing"
                time.sleep(0.1)
            for file in later:
                (tmp_path / file.name).rename(file)

        run_until_taken(tmp_path / "far", taken, made.url, shared, f"file://{shared}", replaced)
        folders = used(made)
        assert len(folders) == 3, "each worker ran something"
        assert all((folder / PYTHON).exists() for folder in folders), "with what it was sent"
    assert answers(tmp_path / "far" / "out") == expected


ATTEMPTS = """
SET spark.executor.memory = '512m';
SET spark.executorEnv.TAILRACE_STUMBLE = '10';
SET spark.task.maxFailures = '8';
SET spark.speculation = 'true';
SET spark.speculation.interval = '50ms';
SET spark.speculation.quantile = '0.5';
SET spark.speculation.multiplier = '1.2';
SET spark.eventLog.enabled = 'true';
SET spark.eventLog.rolling.enabled = 'false';
SET spark.eventLog.compress = 'false';
SET spark.eventLog.dir = 'file://{events}';
"""


def test_tasks_that_fail_and_tasks_that_run_twice(tmp_path: Path) -> None:
    """A hundred batches; one task in ten fails, some stall until Spark starts them a second time elsewhere."""
    for name in ("local", "far", "events"):
        (tmp_path / name).mkdir()
    for name, head in (("local", ""), ("far", ATTEMPTS.format(events=tmp_path / "events"))):
        folder = tmp_path / name
        (folder / "script.cql").write_text(head + small_script(), encoding="utf-8")
        for source in "SR":
            (folder / source).mkdir()
            for number in range(BATCHES):
                rows = [{"ts": number * 2 + at % 2, "k": (at * 7 + number) % 5, "v": (at * 13 + number) % 101}
                        for at in range(20)]  # fmt: skip
                file = folder / source / f"{number:03}.json"
                file.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
                os.utime(file, (1_700_000_000 + number, 1_700_000_000 + number))
    taken = 2 * 20 * BATCHES
    run_until_taken(tmp_path / "local", taken, "local[2]", tmp_path / "local" / "kept", "kept")
    expected = answers(tmp_path / "local" / "out")
    assert all(expected.values())
    shared = tmp_path / "shared"
    # Spark starts a task a second time on another host only.
    with cluster(tmp_path / "cluster", ("127.0.0.1", "127.0.0.2")) as made:
        run_until_taken(tmp_path / "far", taken, made.url, shared, f"file://{shared}")
    assert batches_done(shared) >= BATCHES
    ended = events(tmp_path / "events", "TaskEnd")
    failed = [event for event in ended if "was made to fail" in json.dumps(event["Task End Reason"])]
    doubled = [event for event in ended if event["Task Info"]["Speculative"] and event["Task Info"]["Killed"] is False]
    # Spark says of those that another attempt succeeded or, if theirs was the last task, that the stage is finished.
    overtaken = [event for event in ended if event["Task End Reason"]["Reason"] == "TaskKilled"]
    print(f"{len(ended)} tasks, {len(failed)} failed, {len(doubled)} of the second starts and {len(overtaken)} ended")
    assert len(failed) > BATCHES / 5
    assert doubled
    assert overtaken
    assert answers(tmp_path / "far" / "out") == expected


def small_script() -> str:
    options = "OPTIONS (path '{name}', maxFilesPerTrigger '1') TIMESTAMP BY ts"
    sources = [f"CREATE STREAM {name} (k INT, v INT) USING json {options.format(name=name)};" for name in "SR"]
    queries = [
        f"CREATE QUERY {name} INTO json OPTIONS (path 'out/{name}') AS {crashes.QUERIES[name]};"
        for name in ("joined", "latest", "nested")
    ]
    return "\n".join([*sources, *queries])


def test_drivers_that_die_and_start_again_elsewhere(tmp_path: Path) -> None:
    """Each has a host, a working folder and a temporary folder of its own, which go with it; addresses stay."""
    (tmp_path / "local").mkdir()
    crashes.write_inputs(tmp_path / "local")
    (tmp_path / "local" / "script.cql").write_text(crash_script(), encoding="utf-8")
    taken = 2 * crashes.FILES * crashes.ROWS
    run_until_taken(tmp_path / "local", taken, "local[2]", tmp_path / "local" / "kept", "kept")
    expected = answers(tmp_path / "local" / "out")
    assert all(expected.values())
    shared = tmp_path / "shared"
    crashes.write_inputs(shared)
    text = crash_script().replace("path '", f"path 'file://{shared}/")
    with cluster(tmp_path / "cluster") as made:
        for number, fault in enumerate(("written:9", "delivered:2", "")):
            own, temporary = tmp_path / f"node-{number}", tmp_path / f"node-{number}-tmp"
            own.mkdir()
            temporary.mkdir()
            (own / "script.cql").write_text(text, encoding="utf-8")
            variables = {"TMPDIR": str(temporary), "SPARK_LOCAL_DIRS": str(temporary)}
            variables |= {"SPARK_LOCAL_IP": f"127.0.0.{2 + number}"} | ({faults.VARIABLE: fault} if fault else {})
            address = f"file://{shared}/kept"
            if not fault:
                run_until_taken(own, taken, made.url, shared / "kept", address, **variables)
                break
            process = tailrace(own, "run", "script.cql", "--master", made.url, "--checkpoint", address, **variables)
            assert process.wait(PATIENCE) == -signal.SIGKILL, said(own)
            assert batches_done(shared / "kept") == 1 + number, "it died in the middle of the next batch"
            shutil.rmtree(own)
            shutil.rmtree(temporary)
    assert answers(shared / "out") == expected


def crash_script() -> str:
    return "SET spark.executor.memory = '512m';\n" + crashes.script().replace("SET late = 'late';", "")


def test_a_job_by_spark_submit(tmp_path: Path) -> None:
    """In a session that somebody else made, on workers that have nothing but what they are sent."""
    write_inputs(tmp_path)
    archive = tmp_path / "sent.tar.gz"
    finish(tailrace(tmp_path, "package", str(archive)), tmp_path)
    arguments = [str(tmp_path / name) for name in ("in", "out/congested", "scratch")]
    own = ["--archives", f"{archive}#tailrace", "--conf", f"spark.pyspark.python={PYTHON}"]
    own += ["--conf", f"spark.pyspark.driver.python={sys.executable}", "--conf", "spark.executor.memory=512m"]
    own += ["--conf", "spark.sql.ansi.enabled=true"]
    with cluster(tmp_path / "cluster") as made:
        command = [str(spark_home() / "bin" / "spark-submit"), "--master", made.url, *own, str(JOB), *arguments]
        env = {**bare(), "PYTHONPATH": str(ROOT)}
        job = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=PATIENCE)
    assert job.returncode == 0, job.stderr[-3000:]
    assert "settings of the session that changed: []" in job.stdout
    assert not list((tmp_path / "scratch").iterdir())
    (tmp_path / "once.cql").write_text(CONGESTED, encoding="utf-8")
    finish(tailrace(tmp_path, "run", "once.cql", "--once", "--master", "local[2]"), tmp_path)
    found = answers(tmp_path / "out")
    assert found["congested"]
    assert found["congested"] == found["here"]


CONGESTED = """
CREATE STREAM PosSpeedStr (vehicleId INT, speed INT, xPos INT) USING csv OPTIONS (path 'in') TIMESTAMP BY ts;
CREATE QUERY here INTO json OPTIONS (path 'out/here') AS
SELECT xPos / 5280 AS segment, AVG(speed) AS speed FROM PosSpeedStr [RANGE 5 MINUTES]
GROUP BY xPos / 5280 HAVING AVG(speed) < 40;
"""
