"""Shedding: rows are dropped while batches fall behind, all of them counted, and the same ones after a crash."""

from __future__ import annotations

import json
import os
import threading
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tailrace.engine.pipeline import compile_script
from tailrace.engine.run_queries import stand
from tailrace.errors import Source
from tailrace.progress import Progress, RunSummary
from tailrace.spark.time.load_shedding import LEAST, SEED, SheddingState
from tailrace.testing.reference.sampling_hash import sampling_hash
from tailrace.types import INT
from tests.patience import PATIENCE
from tests.spark.run.crashes import FILES, ROWS, Run, made

pytestmark = pytest.mark.spark
# Every batch takes longer than a millisecond, and all that it may take: each falls behind, however fast the machine.
BEHIND = "SET batch.time = '1 millisecond'; SET batch.rows = 10;"


def test_the_share_follows_what_batches_show() -> None:
    shedding = SheddingState()
    for seconds, full, percent in [
        (3.0, True, 100),
        (3.0, True, 50),
        (3.0, True, 50),
        (1.5, True, 50),  # in time, though no faster
        (3.0, False, 50),  # late, and nothing more waits
        (0.5, False, 50),
        (0.5, False, 100),
    ]:
        shedding = shedding.after_batch(10, full, seconds, target=2.0, on=True)
        assert shedding.percent == percent, (seconds, full)


def test_sources_without_a_limit_fall_behind_where_batches_grow() -> None:
    shedding = SheddingState()
    for rows, percent in [(10, 100), (20, 50), (20, 50), (19, 50), (30, 50), (40, 25)]:
        shedding = shedding.after_batch(rows, False, 2.0, target=1.0, on=True)
        assert shedding.percent == percent, rows


def test_it_is_off_unless_asked_for_and_never_drops_all() -> None:
    off = on = SheddingState()
    for _ in range(40):
        off = off.after_batch(10, True, 5.0, target=1.0, on=False)
        on = on.after_batch(10, True, 5.0, target=1.0, on=True)
    assert (off.percent, on.percent) == (100, LEAST)
    assert SheddingState.from_json(json.loads(json.dumps(on.to_json())), on.rows) == on


def written(folder: Path, files: int = 5) -> list[tuple[int, int]]:
    """Files of a stream, one for each batch; the rows of all."""
    (folder / "S").mkdir()
    found = []
    for number in range(files):
        rows = [(number * 10 + row // 10, row) for row in range(100)]
        file = folder / "S" / f"{number}.json"
        file.write_text("".join(json.dumps({"ts": ts, "v": v}) + "\n" for ts, v in rows))
        os.utime(file, (1_700_000_000 + number,) * 2)
        found += rows
    return found


def run(folder: Path, settings: str, instants: int) -> tuple[RunSummary, list[tuple[Any, ...]]]:
    """All rows of a query that passes everything, which also goes to files."""
    script = f"""{settings} CREATE STREAM S (v INT) USING json
        OPTIONS (path 'S', maxFilesPerTrigger '1') TIMESTAMP BY ts;
        CREATE QUERY all AS SELECT v FROM S; CREATE QUERY kept INTO json OPTIONS (path 'out') AS SELECT v FROM S;"""
    found: list[tuple[Any, ...]] = []
    stops: list[threading.Event] = []

    def show(query: object, names: list[str], rows: list[tuple[Any, ...]]) -> None:
        found.extend(rows)
        if found and max(found)[0] >= instants - 1:
            stops[0].set()

    timer = threading.Timer(PATIENCE, lambda: stops[0].set())
    timer.daemon = True
    timer.start()
    compiled = compile_script(Source(script.replace("QUERY all", "QUERY every"), "a.cql"), folder)
    outcome = stand(compiled, str(folder), None, "0 seconds", stops.append, "local[2]", show)
    timer.cancel()
    return outcome, sorted(found)


def test_what_is_dropped_is_counted_and_told(tmp_path: Path) -> None:
    rows = written(tmp_path)
    outcome, found = run(tmp_path, f"{BEHIND} SET shedding = on;", 50)
    # The first two batches show that they fall behind; two more take half, the last one a quarter.
    percents = [100, 100, 50, 50, 25]
    expected = [
        (ts, v)
        for place, (ts, v) in enumerate(rows)
        if (sampling_hash(SEED, ts, (v,), (INT,)) + 2**63) * 100 < Decimal(percents[place // 100]) * 2**64
    ]
    assert found == sorted(expected)
    shed = len(rows) - len(expected)
    assert 100 < shed < 250
    assert [(left.source, left.rows) for left in outcome.shed] == [("S", shed)]
    assert outcome.rows == len(rows)
    told = json.loads((tmp_path / "out" / "_tailrace" / "shed-kept.json").read_text())
    assert told["shed"] == {"S": shed}


@pytest.mark.slow
def test_nothing_is_dropped_unless_asked_for(tmp_path: Path) -> None:
    rows = written(tmp_path)
    outcome, found = run(tmp_path, BEHIND, 50)
    assert (found, outcome.shed) == (sorted(rows), ())


@pytest.mark.slow
def test_streams_stamped_at_arrival_are_counted_as_they_run(tmp_path: Path) -> None:
    """Such a batch is not looked at before it runs."""
    rows = written(tmp_path)
    script = f"""{BEHIND} SET shedding = on;
        CREATE STREAM S (v INT) USING json OPTIONS (path 'S', maxFilesPerTrigger '1');
        CREATE QUERY every AS SELECT v FROM S;"""
    found: list[tuple[Any, ...]] = []
    stops: list[threading.Event] = []

    def watch(progress: Progress) -> None:
        if progress.rows == len(rows):
            stops[0].set()

    timer = threading.Timer(PATIENCE, lambda: stops[0].set())
    timer.daemon = True
    timer.start()
    compiled = compile_script(Source(script, "a.cql"), tmp_path)
    outcome = stand(
        compiled,
        str(tmp_path),
        None,
        "0 seconds",
        stops.append,
        "local[2]",
        lambda query, names, new: found.extend(new),
        watch,
    )
    timer.cancel()
    (left,) = outcome.shed
    assert (outcome.rows, len(found) + left.rows) == (len(rows), len(rows))
    assert left.rows > 50


def shedding_run(folder: Path) -> Run:
    found = made(folder)
    script = folder / "script.cql"
    script.write_text(f"{BEHIND} SET shedding = on;\n{script.read_text()}")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["taken:3", "delivered:3", "noted:3", "moved:20"])
def test_a_batch_that_is_run_again_drops_the_same_rows(fault: str, tmp_path: Path) -> None:
    whole = shedding_run(tmp_path / "whole")
    assert whole.until_done(whole.start()), whole.said()
    assert "dropped, as batches fell behind" in whole.said()
    assert sum(whole.answers()["out/filtered"].values()) < FILES * ROWS * 2 // 3
    killed = shedding_run(tmp_path / "killed")
    assert not killed.until_done(killed.start(fault)), f"{fault} was not reached"
    assert killed.until_done(killed.start()), killed.said()
    assert killed.answers() == whole.answers()
