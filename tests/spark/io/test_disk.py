"""Disks that are full and folders that cannot be written: one clear line, status 1, and nothing that looks finished."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tailrace.spark.session.errors import TRACE_HINT
from tests.patience import PATIENCE

pytestmark = pytest.mark.spark

ROWS = 100_000
SCRIPT = """
CREATE STREAM S (k BIGINT, v BIGINT) USING parquet OPTIONS (path 'S.parquet') TIMESTAMP BY ts;
CREATE QUERY answers INTO parquet OPTIONS (path '{path}') AS {query};
"""
EVERY = "SELECT k, v FROM S"
SUMS = "SELECT k, SUM(v) AS total FROM S GROUP BY k"
RUN = [sys.executable, "-c", "from tailrace.cli.main import main; main()", "run", "script.cql", "--once"]
# A disk of its own in the folder `disk`, seen by this command only; what it holds at the end is listed beside it.
SMALL_DISK = 'mount -t tmpfs -o size=512k tmpfs disk && { "$@"; status=$?; find disk > listed; exit $status; }'
ON_SMALL_DISK = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", SMALL_DISK, "sh"]
# Permissions do not bind root, unless it gives its powers up.
AS_ANYBODY = ["unshare", "--user"] if os.geteuid() == 0 else []


def prepared(folder: Path, path: str, query: str) -> Path:
    chance = np.random.default_rng(1)
    columns = {"ts": np.arange(ROWS), "k": np.arange(ROWS), "v": chance.integers(0, 1 << 60, ROWS)}
    pq.write_table(pa.table(columns), folder / "S.parquet")
    (folder / "script.cql").write_text(SCRIPT.format(path=path, query=query))
    return folder


def failed(folder: Path, before: list[str], **environment: str) -> str:
    """The one line that a run says when it fails."""
    tried = subprocess.run([*before, "true"], cwd=folder, capture_output=True, text=True)
    if tried.returncode:
        pytest.skip(f"not possible here: {tried.stderr.strip()}")
    done = subprocess.run(
        [*before, *RUN],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **environment},
    )
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert "\tat " not in done.stderr
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    _, _, after = done.stderr.partition(f"{line}\n")
    assert after in ("", f"  hint: {TRACE_HINT}\n")
    return line


@pytest.mark.parametrize("full", ["sink", pytest.param("state", marks=pytest.mark.slow)])
def test_a_full_disk(tmp_path: Path, full: str) -> None:
    folder = prepared(tmp_path, "disk/out" if full == "sink" else "out", EVERY if full == "sink" else SUMS)
    (folder / "disk").mkdir()
    line = failed(folder, ON_SMALL_DISK, **({"TMPDIR": str(folder / "disk")} if full == "state" else {}))
    said = "the disk is full: what this run had not finished was not written"
    assert line == (f"error: query answers: {said} (in its sink)" if full == "sink" else f"error: {said}")
    left = [*(folder / "listed").read_text().split(), *map(str, (folder / "out").glob("*"))]
    assert not [name for name in left if "_SUCCESS" in name or name.endswith(".parquet")]


@pytest.mark.slow
def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    folder = prepared(tmp_path, "locked/out", EVERY)
    (folder / "locked").mkdir(mode=0o555)
    line = failed(folder, AS_ANYBODY)
    said = f"{folder}/locked/out cannot be written: it may not be, or its disk is full"
    assert line == f"error: query answers: {said} (in its sink)"
    assert not list((folder / "locked").iterdir())


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("taken", "error: answers: taken is a file, not a folder"),
        pytest.param(
            "taken/out",
            "error: query answers: {folder}/taken/out cannot be written: a part of its path is a file (in its sink)",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_file_where_a_folder_is_wanted(tmp_path: Path, path: str, message: str) -> None:
    folder = prepared(tmp_path, path, EVERY)
    (folder / "taken").write_text("mine\n")
    assert failed(folder, []) == message.format(folder=folder)
    assert (folder / "taken").read_text() == "mine\n"
