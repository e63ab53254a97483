"""A run that fails says why, for which queries and in which operator, and shows no stack trace unasked."""

from __future__ import annotations

import errno
import os
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from tailrace import Engine
from tailrace.errors import QueryError, RunError
from tailrace.spark.batch import blame
from tailrace.spark.batch.blame import FailureSearch, name_failing_operator
from tailrace.spark.session.errors import TRACE, error_line
from tailrace.staging.stages import StagedPlan
from tailrace.write.result_files import SinkWriteError

pytestmark = pytest.mark.spark
FINE = "SELECT k, v FROM S WHERE v > 0"
COUNTED = "(SELECT k, COUNT(*) AS c, MAX(s) AS m FROM S [RANGE 5] GROUP BY k) AS counted"


@pytest.fixture
def engine(spark: SparkSession, tmp_path: Path) -> Engine:
    (tmp_path / "S.csv").write_text("ts,k,v,s\n1,1,5,(\n2,2,6,abc\n")
    found = Engine(spark, tmp_path)
    found.execute("CREATE STREAM S (k INT, v INT, s STRING) USING csv OPTIONS (path 'S.csv') TIMESTAMP BY ts;")

    def explode(number: int) -> int:
        raise ValueError("no fuse\nleft")

    found.function("explode_now", explode, returns="INT", arguments=["BIGINT"])
    return found


def failure(engine: Engine, text: str) -> str:
    """What the run of a query says that fails, beside two that would not."""
    engine.query(FINE, "fine")
    engine.query(text, "bad")
    engine.query("SELECT k, COUNT(*) AS c FROM S [RANGE 5] GROUP BY k", "counts")
    with pytest.raises(RunError) as failed:
        engine.run()
    assert TRACE in (failed.value.hint or "")
    assert "\tat " not in failed.value.message
    return failed.value.message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            f"SELECT k, explode_now(c) AS x FROM {COUNTED}",
            "query bad: explode_now(1) failed: ValueError: no fuse\\nleft (in project k, explode_now(c) AS x)",
        ),
        (
            "SELECT element_at(array(k, v), k - 1) AS x FROM S",
            "query bad: The index 0 is invalid. An index shall be either < 0 or > 0 (the first element has index 1). "
            "(in project ELEMENT_AT(ARRAY(k, v), k - 1))",
        ),
        (
            f"SELECT element_at(array(k, k), CAST(c - 1 AS INT)) AS x FROM {COUNTED}",
            "query bad: The index 0 is invalid. An index shall be either < 0 or > 0 (the first element has index 1). "
            "(in project ELEMENT_AT(ARRAY(k, k), CAST(c - 1L AS INT)))",
        ),
        ("SELECT k FROM S WHERE 'abc' RLIKE s", "query bad: Unclosed group near index 1 ( (in select 'abc' RLIKE s)"),
        (
            "SELECT COUNT(*) AS n FROM S [RANGE 5] WHERE 'abc' RLIKE s",
            "query bad: Unclosed group near index 1 ( (in select 'abc' RLIKE s)",
        ),
        (
            "SELECT CAST(raise_error(concat('one', chr(10), 'two ', s)) AS INT) AS x FROM S",
            "query bad: one two ( (in project CAST(RAISE_ERROR(CONCAT('one', CHR(10), 'two ', s)) AS INT))",
        ),
    ],
)
def test_the_cause_the_query_and_the_operator(engine: Engine, text: str, said: str) -> None:
    assert failure(engine, text) == said


def test_all_queries_that_share_what_fails(engine: Engine) -> None:
    for bound in (1, 2):
        engine.query(f"SELECT COUNT(*) AS n FROM S [RANGE {bound}] WHERE 'abc' RLIKE s AND v > {bound}", f"bad{bound}")
    with pytest.raises(RunError, match=r"^query bad1|^2 queries \(bad1, bad2\)"):
        engine.run()


def test_a_run_that_stands_says_the_same(engine: Engine) -> None:
    engine.query(f"SELECT k, explode_now(c) AS x FROM {COUNTED}", "bad")
    engine.start()
    assert engine._live
    engine._live.thread.join()
    with pytest.raises(RunError, match=r"^query bad: explode_now\(1\) failed: ValueError: no fuse"):
        engine.stop()


def test_all_that_spark_said_where_it_is_asked_for(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failure(engine, "SELECT element_at(array(k, v), k - 1) AS x FROM S")
    assert "org.apache.spark" not in capsys.readouterr().err
    monkeypatch.setenv(TRACE, "1")
    with pytest.raises(RunError):
        engine.run()
    assert "org.apache.spark" in capsys.readouterr().err


def test_a_task_that_cannot_write_a_sink() -> None:
    """The queries of the output are to blame if the disk is full, and nobody if it failed."""
    plan = StagedPlan([], {}, families={"family-1f": {0: "a", 1: "b"}})
    batch: Any = SimpleNamespace(
        plan=SimpleNamespace(staged=plan),
        services=SimpleNamespace(spark=None, setup=SimpleNamespace(trigger_interval="0 seconds", step_time=60.0)),
    )
    text = (
        "[PYTHON_EXCEPTION]\nTraceback (most recent call last):\n  File 'a.py'\n{}\n\tat org.apache.spark.a(B.java:1)"
    )
    for code, words in ((errno.ENOSPC, "the disk is full"), (errno.EACCES, "may not be written")):
        written = SinkWriteError(1, OSError(code, os.strerror(code)))
        said = text.format(f"{SinkWriteError.__module__}.SinkWriteError: {written}")
        with (
            pytest.raises(QueryError, match=rf"^2 queries \(a, b\): .*{words}.* \(in its sink\)$") as failed,
            name_failing_operator(batch, ["q", "family-1f"], lambda problem: None),
        ):
            raise PySparkException(said)
        assert failed.value.queries == ("a", "b")
        assert not failed.value.names_all
    with (
        pytest.raises(PySparkException, match="Input/output error"),
        name_failing_operator(batch, ["q", "family-1f"], lambda problem: None),
    ):
        raise PySparkException(said.replace("[Errno 13] Permission denied", "[Errno 5] Input/output error"))


@pytest.mark.parametrize(("trigger", "limit"), [(None, None), ("0 seconds", 60.0)])
def test_a_run_that_ends_has_no_limit_for_patterns(
    monkeypatch: pytest.MonkeyPatch, trigger: str | None, limit: float | None
) -> None:
    """Its job may be all that there is."""
    limits: list[float | None] = []

    def note(spark: SparkSession, seconds: float | None) -> AbstractContextManager[None]:
        limits.append(seconds)
        return nullcontext()

    monkeypatch.setattr(blame, "limit_jobs", note)
    monkeypatch.setattr(FailureSearch, "outputs_with_patterns", lambda search: ["q"])
    setup = SimpleNamespace(trigger_interval=trigger, step_time=60.0)
    batch: Any = SimpleNamespace(plan=None, services=SimpleNamespace(spark=None, setup=setup))
    with name_failing_operator(batch, ["q"], lambda problem: None):
        pass
    assert limits == [limit]


WORKER = """An exception was thrown from the Python worker:
Traceback (most recent call last):
  File "a.py", line 110, in f
    found = g()
            ^^^
pyarrow.lib.ArrowInvalid: Float value 1.5 was truncated
converting to int64

\tat org.apache.spark.api.python.BasePythonRunner
"""


def test_a_workers_exception_is_told_whole() -> None:
    assert error_line(WORKER) == "Spark: ArrowInvalid: Float value 1.5 was truncated converting to int64"
    twice = WORKER.replace("\n\tat", "\nDuring handling of the above exception, another exception occurred:\n\n\tat")
    assert error_line(twice) == "Spark: ArrowInvalid: Float value 1.5 was truncated converting to int64"
