"""What fails at a sink: that a disk failed or a state cannot be used is not the sink's fault, a full disk is."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyspark.errors import PySparkException

from tailrace.analysis.program import analyse
from tailrace.errors import QueryError, Source, StateError
from tailrace.language.script import parse_script
from tailrace.logical.queries import QueryDefinition
from tailrace.spark.io.sink_errors import failure_of
from tailrace.spark.io.sink_files import FileGroup, OutputFiles
from tailrace.spark.io.sinks import BatchId, SinkTarget
from tailrace.spark.session.errors import error_line, is_known
from tailrace.state import disk
from tailrace.write.result_files import StagedFile
from tailrace.write.write_spec import WriteSpec

TEXT = "CREATE STREAM S (k INT); CREATE QUERY q INTO json OPTIONS (path 'out') AS SELECT k FROM S;"
JAVA = "An error occurred while calling o1.save.\n: java.io.IOException: {}\n\tat java.base/java.io.a(B.java:1)\n"
WORKER = "[PYTHON_EXCEPTION] no\nTraceback (most recent call last):\n  File 'a.py', line 1\n{}\n\tat org.apache.spark\n"
NO_FAULT = [
    OSError(errno.EIO, "Input/output error"),
    PySparkException(JAVA.format("Input/output error")),
    PySparkException(WORKER.format("OSError: [Errno 5] Input/output error: 'out/part'")),
    StateError("kept/state/7.manifest is damaged"),
    PySparkException(WORKER.format("tailrace.errors.StateError: kept/state/7.manifest is damaged")),
]


@pytest.fixture
def query() -> QueryDefinition:
    return analyse(parse_script(Source(TEXT))).queries["q"]


@pytest.mark.parametrize("problem", NO_FAULT)
def test_what_is_not_the_fault_of_a_sink(query: QueryDefinition, problem: Exception) -> None:
    with pytest.raises(type(problem)) as raised, failure_of(query):
        raise problem
    assert raised.value is problem
    assert isinstance(problem, (OSError, StateError)) or is_known(str(problem))


@pytest.mark.parametrize("problem", [OSError(errno.ENOSPC, "No space left on device"), OSError(errno.EACCES, "no")])
def test_what_is_the_fault_of_a_sink(query: QueryDefinition, problem: OSError) -> None:
    with pytest.raises(QueryError, match=r"query q: .* \(in its sink\)"), failure_of(query):
        raise problem


@pytest.mark.parametrize("call", ["make_folders", "rename"])
def test_a_disk_that_fails_while_files_are_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    """The batch must not count: nobody knows what is in the folder."""
    spec = WriteSpec("json", (), pa.schema([("v", pa.int64())]), 17)
    groups = [FileGroup("q", spec, {None: SinkTarget("q", "json", "out")}, {None: str(tmp_path)})]
    files = OutputFiles(BatchId(7, "ab", False), groups)
    files.prepare()
    (Path(groups[0].staging_folder(files.batch)) / "a.json").write_text("{}\n")

    def fail(*_: Any) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(disk, call, fail)
    with pytest.raises(OSError, match="Input/output error"):
        files.prepare() if call == "make_folders" else files.publish([StagedFile(0, None, "a.json", 1)])


def test_words_about_files_in_what_a_query_raises() -> None:
    """A query that raises them is to blame itself."""
    for words in (
        "Permission denied",
        "No space left on device",
        "Input/output error",
        "tailrace.errors.StateError: no",
    ):
        said = f"[USER_RAISED_EXCEPTION] {words} SQLSTATE: P0001"
        job = (
            f"Job aborted due to stage failure: Task 0 failed: org.apache.spark.SparkRuntimeException: {said}\n\tat a.b"
        )
        assert not is_known(said)
        assert not is_known(job)
    assert error_line("[USER_RAISED_EXCEPTION] Permission denied SQLSTATE: P0001") == "Spark: Permission denied"


@pytest.mark.parametrize(
    "text",
    [
        JAVA.format("No space left on device"),
        "Caused by: java.io.FileNotFoundException: /out/part-0 (Permission denied)",
        "org.apache.hadoop.security.AccessControlException: Permission denied: user=a, access=WRITE",
        "(TID 1) (host executor driver): org.apache.hadoop.fs.FSError: java.io.IOException: No space left on device",
        WORKER.format("PermissionError: [Errno 13] Permission denied: 'out'"),
        WORKER.format("OSError: [Errno 28] Error writing bytes to file. Detail: [errno 28] No space left on device"),
    ],
)
def test_words_about_files_in_exceptions_about_files(text: str) -> None:
    assert is_known(text)
