"""How much a batch takes: all that is new, or so much that batches stay near their target time."""

from __future__ import annotations

import json
import os
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tailrace.engine.pipeline import compile_script
from tailrace.engine.run_queries import stand
from tailrace.errors import Source
from tailrace.progress import RunSummary
from tailrace.settings import DEFAULTS
from tailrace.spark.time.batch_size import FASTER, FILES, BatchSize
from tests.patience import PATIENCE

pytestmark = pytest.mark.spark
A_FILE = 10
UNHURRIED = "SET batch.time = '1 hour';"


def write(folder: Path, first: int, files: int) -> None:
    """Files of a stream, each some instants later than the one before."""
    (folder / "S").mkdir(exist_ok=True)
    for number in range(first, first + files):
        rows = [{"ts": number * A_FILE + row, "v": row} for row in range(A_FILE)]
        file = folder / "S" / f"{number:03}.json"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        os.utime(file, (1_700_000_000 + number,) * 2)


def run(folder: Path, query: str, pace: str | None, settings: str = "", until: int = 0) -> tuple[RunSummary, list[Any]]:
    """Run the query. Returns the run's summary, and the answers of each batch.

    Without a pace the run ends once nothing more is there, otherwise once `until` rows came.
    """
    script = (
        f"{settings} CREATE STREAM S (v INT) USING json OPTIONS (path 'S') TIMESTAMP BY ts; CREATE QUERY q AS {query};"
    )
    found = compile_script(Source(script, "a.cql"), folder)
    batches: list[Any] = []
    stops: list[threading.Event] = []

    def show(query: object, names: list[str], rows: list[tuple[Any, ...]]) -> None:
        batches.append(rows)
        if until and sum(map(len, batches)) >= until:
            stops[0].set()

    timer = threading.Timer(PATIENCE, lambda: stops[0].set())
    timer.daemon = True
    timer.start()
    outcome = stand(found, str(folder), str(folder / "kept"), pace, stops.append, "local[2]", show)
    timer.cancel()
    return outcome, [rows for rows in batches if rows]


def test_all_that_is_new_and_no_more(tmp_path: Path) -> None:
    counted = "SELECT COUNT(*) AS n FROM S [RANGE 14]"
    write(tmp_path, 0, 2)
    first, (rows,) = run(tmp_path, counted, None)
    # The newest instant is decided too, as in any run that ends.
    assert (first.rows, rows[-1]) == (20, (14, "+", 15))
    write(tmp_path, 2, 1)
    (tmp_path / "S" / "late.json").write_text(json.dumps({"ts": 19, "v": 0}) + "\n")
    second, changed = run(tmp_path, counted, None)
    # The window was full of what the run before had taken, and stays so.
    assert second.rows == 31
    assert changed == []
    assert [(each.rows, each.source) for each in second.late] == [(1, "S")]
    assert run(tmp_path, counted, None)[1] == []


def test_no_batch_takes_more_than_it_may(tmp_path: Path) -> None:
    write(tmp_path, 0, 7)
    _, batches = run(
        tmp_path, "SELECT ISTREAM(v) FROM S", "0 seconds", f"{UNHURRIED} SET maxRowsPerBatch = {2 * A_FILE};", 70
    )
    sizes = [len(rows) for rows in batches]
    # One file at a time until it is known how many rows a file has. Where Spark is started again with other limits, a
    # file that it had listed but not taken yet comes on top.
    assert (sizes[:2], sum(sizes)) == ([A_FILE] * 2, 70)
    assert max(sizes) in (2 * A_FILE, 3 * A_FILE)


def test_limits_follow_the_time_that_batches_take() -> None:
    first, full = BatchSize(2.0), FILES * 1000
    size = first.after_batch(full, FILES, 8.0)
    assert (size.files, size.rows) == (first.files, first.rows)
    size = size.after_batch(full, FILES, 8.0)
    assert (size.files, size.rows) == (FILES // 4, full // 4)
    for seconds in (2.1, 1.9, 0.01):
        size = size.after_batch(full // 4, FILES // 4, seconds)
        assert (size.files, size.rows) == (FILES // 4, full // 4)
    assert size.after_batch(full // 4, FILES // 4, 0.01).files == FILES // 4 * FASTER


def test_one_slow_batch_says_nothing() -> None:
    size = BatchSize(2.0)
    for _ in range(3):
        size = size.after_batch(1000, 1, 30.0).after_batch(1000, 1, 0.3)
    assert size == BatchSize(2.0)


def test_limits_that_a_source_has_already_are_left_alone() -> None:
    intake = BatchSize.of(replace(DEFAULTS, batch_rows=500))
    assert intake.options("json", set()) == {"maxFilesPerTrigger": 1}
    assert intake.options("json", {"maxfilespertrigger"}) == {}
    assert intake.options("kafka", set()) == {"maxOffsetsPerTrigger": 500}
    assert intake.options("rate", set()) == {}
