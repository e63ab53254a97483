"""Time in continuous runs with real sources: idle sources, sources that are ahead, and time that passes by itself."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tailrace import Engine
from tests.patience import PATIENCE

FILES = "USING json OPTIONS (path '{name}')"


@pytest.fixture
def engine(spark: SparkSession, tmp_path: Path) -> Iterator[Engine]:
    for name in "SR":
        (tmp_path / name).mkdir()
    engine = Engine(spark, tmp_path)
    yield engine
    engine.stop()


def write(engine: Engine, stream: str, *rows: dict[str, int]) -> None:
    """One more file of a stream."""
    folder = Path(engine._folder or "") / stream
    aside = folder.parent / "aside"
    aside.write_text("".join(json.dumps(row) + "\n" for row in rows))
    aside.rename(folder / f"{len(list(folder.iterdir())):03}.json")


def until(engine: Engine, what: Callable[[], bool]) -> None:
    begun = time.monotonic()
    while not what():
        assert engine.running
        assert time.monotonic() - begun < PATIENCE, [query.rows() for query in engine.queries.values()]
        time.sleep(0.05)


def test_windows_empty_while_nothing_arrives(engine: Engine) -> None:
    engine.execute(f"CREATE STREAM S (k INT) {FILES.format(name='S')};")
    query = engine.query("SELECT COUNT(*) AS n FROM S [RANGE 2 SECONDS]")
    write(engine, "S", {"k": 1}, {"k": 2})
    engine.start()
    until(engine, lambda: [row["n"] for row in query.rows() if row["_op"] == "+"][-2:] == [2, 0])
    came, left = [row["_ts"] for row in query.rows() if row["_op"] == "+"][-2:]
    assert (left - came).total_seconds() == 3


def test_an_idle_source_holds_nobody_back(engine: Engine) -> None:
    idle = "TIMESTAMP BY ts IDLE AFTER 2 SECONDS"
    engine.execute(f"CREATE STREAM S (k INT) {FILES.format(name='S')} TIMESTAMP BY ts;")
    engine.execute(f"CREATE STREAM R (k INT) {FILES.format(name='R')} {idle};")
    query = engine.query("SELECT S.k FROM S [RANGE 5] WHERE S.k NOT IN (SELECT k FROM R [RANGE 5])")
    write(engine, "S", *({"ts": ts, "k": ts} for ts in range(6)))
    write(engine, "R", {"ts": 0, "k": 3}, {"ts": 1, "k": 4})
    engine.start()
    until(engine, lambda: bool(query.rows()))
    # R says nothing after 1, so nothing is decided beyond 0 until it is taken for idle.
    until(engine, lambda: max(row["_ts"] for row in query.rows()) == 2)
    assert {row["k"] for row in query.rows()} == {0, 1, 2}


def test_a_source_whose_clock_is_ahead_waits_for_the_others(engine: Engine) -> None:
    for name in "SR":
        engine.execute(f"CREATE STREAM {name} (k INT) {FILES.format(name=name)} TIMESTAMP BY ts;")
    query = engine.query("SELECT S.k FROM S [RANGE 100], R [RANGE 100] WHERE S.k = R.k")
    write(engine, "S", {"ts": 5000, "k": 1}, {"ts": 6000, "k": 2})
    write(engine, "R", {"ts": 10, "k": 1}, {"ts": 20, "k": 2})
    engine.start()
    live = engine._live
    assert live
    until(engine, lambda: live.standing.state.decided_until == 19)
    held = live.standing.progress().held
    assert held
    assert (held.source, held.next, held.behind) == ("R", "S", "5,980 ticks")
    write(engine, "R", {"ts": 4950, "k": 1}, {"ts": 5990, "k": 9}, {"ts": 6000, "k": 2}, {"ts": 7000, "k": 2})
    write(engine, "S", {"ts": 7000, "k": 7})
    until(engine, lambda: live.standing.state.decided_until >= 6999)
    assert [tuple(row) for row in query.rows()] == [
        (5000, "+", 1),
        (5051, "-", 1),
        (6000, "+", 2),
        (6101, "-", 2),
    ]
