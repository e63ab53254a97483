"""`tailrace run --once` from the outside: results in the sink or the terminal, and a clear word when it fails."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.spark.io.files import aged, written
from tests.spark.run.speeds import CHANGES, NAMES, SPEEDS, SUMS

pytestmark = pytest.mark.spark

SCRIPT = f"""
CREATE STREAM S (k INT, v INT) USING csv OPTIONS (path 'S.csv') TIMESTAMP BY ts;
CREATE RELATION R (k INT, name STRING) USING csv OPTIONS (path 'R.csv');
CREATE QUERY sums INTO json OPTIONS (path 'out/sums') AS
{SUMS};
CREATE QUERY big AS SELECT k, v FROM S WHERE v > 5;
CREATE QUERY last INTO json OPTIONS (path 'out/last', mode 'snapshot') AS SELECT v FROM S [ROWS 2];
"""


def tailrace(folder: Path, *arguments: str, zone: str | None = None) -> subprocess.CompletedProcess[str]:
    """The command, on a machine in a time zone."""
    command = [sys.executable, "-c", "from tailrace.cli.main import main; main()", *arguments]
    env = {**os.environ, **({"TZ": zone} if zone else {})}
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=env, timeout=PATIENCE)


def prepared(folder: Path) -> Path:
    (folder / "script.cql").write_text(SCRIPT)
    (folder / "S.csv").write_text("ts,v,k\n" + "".join(f"{ts},{v},{k}\n" for ts, k, v in SPEEDS))
    (folder / "R.csv").write_text("k,name\n" + "".join(f"{k},{name}\n" for k, name in NAMES))
    return folder


def test_results_of_all_queries(tmp_path: Path) -> None:
    done = tailrace(prepared(tmp_path), "run", "script.cql", "--once", "--until", "6")
    assert done.returncode == 0, done.stderr
    assert "log level" not in done.stderr
    sums = [(row["_ts"], row["_op"], row["name"], row["total"]) for row in written(tmp_path / "out" / "sums")]
    assert sorted(sums) == sorted(CHANGES)
    assert sorted(row["v"] for row in written(tmp_path / "out" / "last")) == [7, 8]  # type: ignore[type-var]
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["big"] in lines
    assert ["5", "1", "8"] in lines


def test_timestamps_are_shown_in_utc_wherever_the_machine_is(tmp_path: Path) -> None:
    (tmp_path / "S.csv").write_text("at\n2024-03-01 10:00:00\n2024-03-01 23:30:00.5\n")
    (tmp_path / "script.cql").write_text(
        "CREATE STREAM S (at TIMESTAMP) USING csv OPTIONS (path 'S.csv') TIMESTAMP BY at;\n"
        "CREATE QUERY times AS SELECT at, hour(at) AS h, array(at) AS list, named_struct('at', at) AS pair FROM S;"
    )
    done = tailrace(tmp_path, "run", "script.cql", "--once", zone="America/New_York")
    assert done.returncode == 0, done.stderr
    assert [re.split("  +", line.strip()) for line in done.stdout.splitlines()[2:]] == [
        ["2024-03-01 10:00:00", at := "2024-03-01 10:00:00", "10", f"[{at}]", f"{{at: {at}}}"],
        ["2024-03-01 23:30:00", at := "2024-03-01 23:30:00.500000", "23", f"[{at}]", f"{{at: {at}}}"],
    ]


def test_a_missing_file(tmp_path: Path) -> None:
    (prepared(tmp_path) / "S.csv").unlink()
    done = tailrace(tmp_path, "run", "script.cql", "--once")
    assert done.returncode == 1
    assert "error: S: there is no file" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_wrong_script_starts_nothing(tmp_path: Path) -> None:
    (prepared(tmp_path) / "script.cql").write_text(SCRIPT.replace("SUM(v)", "SUM(w)"))
    done = tailrace(tmp_path, "run", "script.cql", "--once")
    assert done.returncode == 2
    assert done.stderr.startswith("script.cql:5:18: error: no column w")
    assert not (tmp_path / "out").exists()


def test_unreadable_rows_are_kept_aside(tmp_path: Path) -> None:
    with (prepared(tmp_path) / "S.csv").open("a") as file:
        file.write("6,abc,1\nno time,1,1\n7,9,1\n")
    (tmp_path / "R.csv").write_text("k,name\n1,one\nx,y\n2,two\n")
    done = tailrace(tmp_path, "run", "script.cql", "--once")
    assert done.returncode == 1
    assert "error: S: 2 rows in S.csv could not be read; they are kept in unreadable/S" in done.stderr
    assert "error: R: 1 row in R.csv could not be read" in done.stderr
    assert "Traceback" not in done.stderr
    kept = written(tmp_path / "unreadable" / "S")
    assert sorted(str(row["unreadable"]) for row in kept) == ["6,abc,1", "no time,1,1"]
    # Everything that could be read is answered.
    assert (7, "+", "one", 17) in [
        (row["_ts"], row["_op"], row["name"], row["total"]) for row in written(tmp_path / "out" / "sums")
    ]


def test_late_rows_are_counted_and_kept_on_request(tmp_path: Path) -> None:
    (tmp_path / "S").mkdir()
    (tmp_path / "S" / "1.csv").write_text("ts,v\n1,1\n9,2\n")
    (tmp_path / "S" / "2.csv").write_text("ts,v\n3,3\n9,4\n10,5\n")
    (tmp_path / "S" / "3.csv").write_text("ts,v\n4,6\n")
    aged(tmp_path / "S")
    (tmp_path / "script.cql").write_text(
        "SET late = 'late';\n"
        "CREATE STREAM S (v INT) USING csv OPTIONS (path 'S', maxFilesPerTrigger '1') TIMESTAMP BY ts;\n"
        "CREATE QUERY total AS SELECT SUM(v) AS total FROM S;"
    )
    done = tailrace(tmp_path, "run", "script.cql", "--once")
    assert done.returncode == 0, done.stderr
    assert "note: S: 2 rows in 2.csv, 3.csv came too late; they are kept in late/S" in done.stderr
    assert sorted(str(row["v"]) for row in written(tmp_path / "late" / "S")) == ["3", "6"]
    assert ["10", "+", "12"] in [line.split() for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    ("master", "message"),
    [
        ("sparc://host:7077", "error: there is no Spark master sparc://host:7077"),
        ("spark://127.0.0.1:1", "error: no Spark master answers at spark://127.0.0.1:1"),
        ("local[many]", "error: "),
    ],
)
def test_a_wrong_master(tmp_path: Path, master: str, message: str) -> None:
    done = tailrace(prepared(tmp_path), "run", "script.cql", "--once", "--master", master)
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert "\tat " not in done.stderr
    assert not (tmp_path / "out").exists()
