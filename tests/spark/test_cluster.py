"""Cluster: the same script on a real standalone cluster, where workers come and go, as on this machine."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tailrace.demos.traffic import positions
from tests.spark.clusters import Cluster, answers, batches_done, cluster, finish, rows_taken, tailrace, until

pytestmark = [pytest.mark.spark, pytest.mark.slow]

DEMO = Path(__file__).resolve().parents[2] / "tailrace" / "demos" / "linear-road.cql"
VEHICLES, FILES = 300, 8
JOIN = """
CREATE STREAM Fast (vehicleId INT, speed INT, xPos INT) USING csv
  OPTIONS (path 'in', maxFilesPerTrigger '1') TIMESTAMP BY ts;
CREATE QUERY meeting INTO json OPTIONS (path 'out/meeting') AS
SELECT ISTREAM(A.vehicleId AS one, B.vehicleId AS other, A.xPos / 5280 AS seg)
FROM Fast [RANGE 60 SECONDS] AS A, Fast [RANGE 60 SECONDS] AS B
WHERE A.xPos / 5280 = B.xPos / 5280 AND A.speed > 70 AND B.speed < 30;
"""


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


def run_until_taken(folder: Path, rows: int, master: str, kept: Path, address: str, middle: object = None) -> None:
    """A standing run until it has taken all rows; `middle` is called once a few batches are done."""
    process = tailrace(folder, "run", "script.cql", "--master", master, "--checkpoint", address)
    try:
        if callable(middle):
            until("some batches", folder, process, lambda: batches_done(kept) >= 3)
            middle()
        until("all rows", folder, process, lambda: rows_taken(kept) >= rows)
        process.send_signal(signal.SIGINT)
        finish(process, folder)
    finally:
        process.kill()


def test_a_worker_dies_and_another_comes(tmp_path: Path) -> None:
    """Both read each row twice: once for Linear Road's stream, once for the join's."""
    taken = 2 * write_inputs(tmp_path / "local")
    run_until_taken(tmp_path / "local", taken, "local[2]", tmp_path / "local" / "kept", "kept")
    expected = answers(tmp_path / "local" / "out")
    assert all(expected.values())
    write_inputs(tmp_path / "far")
    shared = tmp_path / "shared"
    with cluster(tmp_path / "cluster") as made:

        def replaced() -> None:
            made.kill(made.processes[1])
            made.start_worker()

        run_until_taken(tmp_path / "far", taken, made.url, shared, f"file://{shared}", replaced)
        assert started_by(made) >= 3, "each worker ran something"
    assert answers(tmp_path / "far" / "out") == expected


def started_by(made: Cluster) -> int:
    """On how many workers there were executors."""
    return len({path.parents[2] for path in made.folder.glob("work-*/app-*/*/stderr")})
