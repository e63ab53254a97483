"""The clock of a machine is set back, and a run that stamps rows at arrival goes on and loses nothing."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from zlib import crc32

import pytest
from pyspark.sql import SparkSession

from tailrace import Engine
from tailrace.spark.io.sources import TICKS
from tailrace.spark.run import run_once
from tailrace.spark.run.checkpoint import read_json, write_json
from tailrace.spark.time.steady_clock import SteadyClock
from tailrace.state.storage import store_at
from tests.patience import PATIENCE

HOUR = 3_600_000_000  # microseconds


class Machine:
    """A machine's clocks, in microseconds."""

    def __init__(self) -> None:
        self.wall, self.passed = HOUR, 0

    def clock(self) -> SteadyClock:
        return SteadyClock(lambda: self.wall * 1000, lambda: self.passed * 1000)

    def wait(self, microseconds: int) -> None:
        self.wall += microseconds
        self.passed += microseconds


def test_it_tells_the_machine_s_clock() -> None:
    machine = Machine()
    clock = machine.clock()
    told = [clock.now()]
    for _ in range(3):
        machine.wait(1000)
        told.append(clock.now())
    machine.wall += HOUR
    assert [*told, clock.now()] == [HOUR, HOUR + 1000, HOUR + 2000, HOUR + 3000, 2 * HOUR + 3000]


def test_a_clock_that_is_set_back_goes_on_more_slowly_until_the_machine_s_has_caught_up() -> None:
    machine = Machine()
    clock = machine.clock()
    assert clock.now() == HOUR
    machine.wall -= HOUR
    assert clock.now() == HOUR
    machine.wait(5000)
    assert clock.now() == HOUR + 4500
    machine.wait(9 * HOUR)
    assert clock.now() == HOUR + 4500 + 81 * HOUR // 10
    machine.wait(HOUR)
    assert clock.now() == machine.wall


def test_a_later_run_goes_on_from_what_the_one_before_decided() -> None:
    machine = Machine()
    clock = machine.clock()
    clock.reach(HOUR + 1000)
    machine.wait(100)
    assert clock.now() == HOUR + 1090
    clock.reach(HOUR)
    assert clock.now() == HOUR + 1090


def test_it_says_once_that_the_machine_s_clock_was_set_back() -> None:
    machine = Machine()
    clock = machine.clock()
    assert not clock.has_been_set_back()
    machine.wait(5000)
    machine.wall -= 900_000
    assert not clock.has_been_set_back(), "less than a second"
    machine.wall -= HOUR
    machine.wait(5000)
    clock.now()
    assert clock.has_been_set_back()
    machine.wait(5000)
    assert not clock.has_been_set_back()
    machine.wall += HOUR
    assert not clock.has_been_set_back()


def await_answer(what: Callable[[], bool], engine: Engine) -> None:
    begun = time.monotonic()
    while not what():
        assert engine.running, engine.problem
        assert time.monotonic() - begun < PATIENCE
        time.sleep(0.05)


def write(folder: Path, k: int) -> None:
    aside = folder.parent / "aside"
    aside.write_text(json.dumps({"k": k}) + "\n")
    aside.rename(folder / f"{k}.json")


@pytest.mark.spark
@pytest.mark.parametrize("scan", ["arrow", pytest.param("spark", marks=pytest.mark.slow)])
def test_a_run_goes_on(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scan: str) -> None:
    """The run's clock is an hour ahead, also of Spark's, and is set right after the first answer."""
    ahead = [HOUR]
    wall = lambda: time.time_ns() + ahead[0] * 1000  # noqa: E731
    monkeypatch.setattr(run_once, "SteadyClock", lambda: SteadyClock(wall))
    (tmp_path / "S").mkdir()
    engine = Engine(spark, tmp_path)
    engine.execute(f"SET scan = '{scan}'; CREATE STREAM S (k INT) USING json OPTIONS (path 'S');")
    query = engine.query("SELECT ISTREAM(k) FROM S [NOW]")
    write(tmp_path / "S", 1)
    engine.start()
    try:
        for k in (2, 3):
            await_answer(lambda k=k: len(query.rows()) == k - 1, engine)  # type: ignore[misc]
            ahead[0] = 0
            write(tmp_path / "S", k)
        await_answer(lambda: len(query.rows()) == 3, engine)
        live = engine._live
        assert live
        assert not live.standing.state.late
    finally:
        engine.stop()
    rows = query.rows()
    assert [row["k"] for row in rows] == [1, 2, 3]
    first, *others = [row["_ts"] for row in rows]
    assert all((other - first).total_seconds() > 3000 for other in others), "what was decided stays decided"


def set_log_ahead(kept: Path) -> None:
    """Make a checkpoint as it is if the clock was an hour ahead when its last batch ran, for Spark too."""
    logs, batches = kept / "offsets" / "offsets", store_at(str(kept / "batches"))
    newest = max(int(file.name) for file in logs.iterdir() if file.name.isdigit())
    head, known, *offsets = (logs / str(newest)).read_text().splitlines()
    metadata = json.loads(known)
    metadata["batchTimestampMs"] += HOUR // 1000
    (place,) = (place for place, line in enumerate(offsets) if line.startswith(TICKS))
    name, _, seconds = offsets[place].partition(":")
    offsets[place] = f"{name}:{int(seconds) + HOUR // 1_000_000}"
    content = "\n".join([head, json.dumps(metadata), *offsets]).encode()
    (logs / str(newest)).write_bytes(content)
    (logs / f".{newest}.crc").unlink()
    last = max(int(name.partition(".")[0]) for name in batches.names())
    record = read_json(batches, f"{last}.json")
    if f"offsets/{newest}" in record["logs"]:
        record["logs"][f"offsets/{newest}"] = crc32(content)
        write_json(batches, f"{last}.json", record)


@pytest.mark.spark
@pytest.mark.slow
def test_a_restart_with_a_clock_that_is_behind(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first run's clock was an hour ahead; the second one goes on behind what the first has decided."""
    (tmp_path / "S").mkdir()
    stamps: list[datetime] = []
    for k, ahead in ((1, HOUR), (2, 0), (3, 0)):
        wall = lambda ahead=ahead: time.time_ns() + ahead * 1000  # noqa: E731
        monkeypatch.setattr(run_once, "SteadyClock", partial(SteadyClock, wall))
        engine = Engine(spark, tmp_path)
        engine.execute("CREATE STREAM S (k INT) USING json OPTIONS (path 'S');")
        query = engine.query("SELECT ISTREAM(k) FROM S [NOW]", "q")
        write(tmp_path / "S", k)
        engine.start(checkpoint=str(tmp_path / "kept"))
        try:
            await_answer(lambda query=query: len(query.rows()) == 1, engine)  # type: ignore[misc]
        finally:
            engine.stop()
        assert [row["k"] for row in query.rows()] == [k]
        stamps += [row["_ts"] for row in query.rows()]
        if ahead:
            set_log_ahead(tmp_path / "kept")
    assert stamps == sorted(set(stamps))
