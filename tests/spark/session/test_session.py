"""A user's session is left as it was found; what does not fit is said, and its pages say what is done there."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pyspark import java_gateway
from pyspark.sql import SparkSession

from tailrace import Engine
from tailrace.errors import RunError
from tailrace.spark.session import session
from tests.patience import PATIENCE

pytestmark = pytest.mark.spark
DESCRIPTION = "spark.job.description"


def asked(spark: SparkSession, folder: Path, query: str) -> Engine:
    (folder / "S.csv").write_text("ts,v\n1,2\n")
    engine = Engine(spark, folder)
    engine.execute("CREATE STREAM S (v INT) USING csv OPTIONS (path 'S.csv') TIMESTAMP BY ts;")
    engine.query(query, name="q")
    return engine


@pytest.mark.parametrize("described", ["a user's", None])
def test_what_a_thread_calls_its_jobs_stays(described: str | None, spark: SparkSession, tmp_path: Path) -> None:
    engine = asked(spark, tmp_path, "SELECT v FROM S")
    spark.sparkContext.setLocalProperty(DESCRIPTION, described)  # type: ignore[arg-type]
    try:
        assert engine.run(once=True).rows == 1
        assert spark.sparkContext.getLocalProperty(DESCRIPTION) == described
    finally:
        spark.sparkContext.setLocalProperty(DESCRIPTION, None)  # type: ignore[arg-type]


def test_a_file_of_an_odd_size_is_cut_into_no_more_parts_than_there_are_cores(
    spark: SparkSession, tmp_path: Path
) -> None:
    (tmp_path / "odd.txt").write_text("a\n" * 50_000 + "b")
    with session.small_batches(spark, str(tmp_path), 1000):
        parts = spark.read.text(str(tmp_path / "odd.txt")).rdd.getNumPartitions()
    assert parts == spark.sparkContext.defaultParallelism


def identities(statements: Any) -> set[int]:
    """Of the statements that Spark still knows; it forgets the oldest."""
    known = statements.executionsList()
    return {known.apply(place).executionId() for place in range(known.size())}


def test_pages_of_spark_tell_queries_and_operators(spark: SparkSession, tmp_path: Path) -> None:
    """What they show is what its stores hold: of jobs a description, of statements a graph with a node for a stage."""
    java: Any = spark.sparkContext._jsc
    statements: Any = spark._jsparkSession.sharedState().statusStore()
    before = identities(statements)
    engine = asked(spark, tmp_path, "SELECT v, COUNT(DISTINCT v) AS n FROM S [RANGE 5] GROUP BY v")
    engine.run(once=True)
    java.sc().listenerBus().waitUntilEmpty(10_000)
    jobs = java.sc().statusStore().jobsList(None)
    told = [jobs.apply(place).description() for place in range(jobs.size())]
    described = {each.get() for each in told if each.isDefined()}
    assert "Tailrace, batch 0: q" in described
    graphs = [statements.planGraph(each).allNodes() for each in identities(statements) - before]
    nodes = [graph.apply(place).desc() for graph in graphs for place in range(graph.size())]
    assert any("stage 1: window, aggregate, changelog" in node for node in nodes)


def stand_in(version: str = "4.3.0", executors: int = 1, java: bool = True) -> Any:
    """What looks like a session of a cluster; the driver is one of its executors."""
    status = SimpleNamespace(size=lambda: executors)
    context = SimpleNamespace(
        master="spark://host:7077",
        getConf=lambda: {"spark.dynamicAllocation.enabled": "false"},
        _jsc=SimpleNamespace(sc=lambda: SimpleNamespace(getExecutorMemoryStatus=lambda: status)) if java else None,
    )
    return SimpleNamespace(_jsparkSession=object(), sparkContext=context, version=version)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (SimpleNamespace(version="4.3.0"), "Spark Connect has no batches to follow"),
        (stand_in(java=False), "this Spark session was stopped"),
        (stand_in(version="3.5.6"), "this is Spark 3.5.6\nhint: Tailrace needs Spark 4.3"),
        (stand_in(), "gave no executor in 0 seconds\nhint: its workers may be taken"),
    ],
)
def test_sessions_that_do_not_fit(given: Any, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "GATHERING", 0.2)
    with pytest.raises(RunError) as told:
        session.private_session(given)
    assert said in f"{told.value}\nhint: {told.value.hint}"


def test_a_cluster_must_be_told_where_state_goes() -> None:
    with pytest.raises(RunError) as told, session.open_state_folder(stand_in(), None, None):
        pytest.fail("there is no such folder")
    assert "spark://host:7077 must reach the state of queries, and no folder is named" in str(told.value)
    assert "SET scratch" in (told.value.hint or "")


def test_a_setting_that_is_fixed_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    """What belongs to a session that is there cannot be set by a script any more."""
    engine = asked(spark, tmp_path, "SELECT v FROM S")
    engine.execute("SET spark.executor.memory = '512m';")
    known = dict(spark.conf.getAll)
    with pytest.raises(RunError, match=r"spark\.executor\.memory"):
        engine.run(once=True)
    assert dict(spark.conf.getAll) == known


def test_java_ignores_that_a_run_is_asked_to_end() -> None:
    """This process hears it meanwhile."""
    heard: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: heard.append(number))
    gateway: Any = java_gateway
    popen = gateway.Popen
    try:
        with session.ignore_end_in_java():
            child = gateway.Popen(["sleep", "1"], preexec_fn=lambda: None)
            child.terminate()
            os.kill(os.getpid(), signal.SIGTERM)
        assert heard == [signal.SIGTERM]
        assert child.wait(PATIENCE) == 0
        assert gateway.Popen is popen
    finally:
        signal.signal(signal.SIGTERM, before)
