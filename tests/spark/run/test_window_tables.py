"""Windows with a start and an end: finished ones are sent once, in whatever batches and runs their rows come."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tailrace.engine.pipeline import compile_script
from tailrace.engine.run_queries import stand
from tailrace.errors import Source
from tests.spark.io.files import aged

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("as_the_engine_runs")]

SCRIPT = """
CREATE STREAM Clicks (who STRING, page INT) USING csv OPTIONS (path 'Clicks', maxFilesPerTrigger '1') TIMESTAMP BY at;
CREATE QUERY counts AS
SELECT window_start, window_end, COUNT(*) AS n, MAX(page) AS last
FROM TUMBLE(TABLE Clicks, DESCRIPTOR(at), INTERVAL '10' SECOND)
GROUP BY window_start, window_end;
CREATE QUERY visits AS
SELECT who, window_start, window_end, COUNT(*) AS n FROM Clicks [PARTITION BY who SESSION 5 SECONDS] GROUP BY who;
CREATE QUERY hops AS SELECT who, COUNT(*) AS n FROM Clicks [HOP 10 SECONDS EVERY 5 SECONDS] GROUP BY who;
"""
# The first row is on no second, and on no border of a window: 10:00:03.7.
FILES = (
    [(3.7, "a", 1), (4.2, "b", 2)],
    [(7.1, "a", 3), (11.5, "a", 4)],
    [(13.0, "b", 5), (15.9, "a", 6), (16.2, "a", 7)],
    [(40.0, "a", 8)],
)
ZERO = datetime(2024, 3, 1, 10)


def moment(seconds: float) -> datetime:
    return ZERO + timedelta(seconds=seconds)


def write(folder: Path, number: int) -> None:
    lines = [f"{moment(at)},{who},{page}\n" for at, who, page in FILES[number]]
    (folder / f"{number}.csv").write_text("at,who,page\n" + "".join(lines))


def run(folder: Path, runs: list[list[int]]) -> dict[str, list[tuple[Any, ...]]]:
    """The rows of each query, of runs that go on from each other, each over some more files."""
    (folder / "Clicks").mkdir(parents=True)
    found: dict[str, list[tuple[Any, ...]]] = {}

    def show(query: Any, names: list[str], rows: list[tuple[Any, ...]]) -> None:
        plain = [tuple(v.replace(tzinfo=None) if isinstance(v, datetime) else v for v in row) for row in rows]
        found.setdefault(query.name, []).extend(plain)

    for numbers in runs:
        for number in numbers:
            write(folder / "Clicks", number)
        aged(folder / "Clicks")
        compiled = compile_script(Source(SCRIPT), folder)
        stand(compiled, str(folder), str(folder / "kept"), None, lambda stop: None, "local[2]", show)
    return {name: sorted(rows) for name, rows in found.items()}


@pytest.mark.parametrize("runs", [[[0, 1, 2, 3]], [[0, 1], [2], [3]]], ids=["one run", "restarts"])
def test_finished_windows(spark: SparkSession, tmp_path: Path, runs: list[list[int]]) -> None:
    found = run(tmp_path / "run", runs)
    assert found["counts"] == [
        (moment(10), moment(0), moment(10), 3, 3),
        (moment(20), moment(10), moment(20), 4, 7),
    ]
    # A row has the instant at which its second begins: b's first visit is that of second 4.
    assert found["visits"] == [
        (moment(9), "b", moment(4), moment(9), 1),
        (moment(18), "b", moment(13), moment(18), 1),
        (moment(21), "a", moment(3), moment(21), 5),
    ]
    assert found["hops"] == [
        (moment(5), "a", 1),
        (moment(5), "b", 1),
        (moment(10), "a", 2),
        (moment(10), "b", 1),
        (moment(15), "a", 2),
        (moment(15), "b", 1),
        (moment(20), "a", 3),
        (moment(20), "b", 1),
        (moment(25), "a", 2),
    ]
