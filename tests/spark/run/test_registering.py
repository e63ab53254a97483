"""Registering many queries at once, and one more while many run."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path

from pyspark.sql import SparkSession

from tailrace import Engine
from tailrace.analysis.program import TemplatedQuery
from tests.patience import PATIENCE

MANY = 2_000
STREAM = "CREATE STREAM S (k INT, v INT) USING json OPTIONS (path 'S') TIMESTAMP BY ts;"


def put(folder: Path, number: int, rows: list[tuple[int, int, int]]) -> None:
    """One more file, there all at once."""
    (folder / "S").mkdir(exist_ok=True)
    aside = folder / f"{number}.json"
    aside.write_text("".join(json.dumps({"ts": ts, "k": k, "v": v}) + "\n" for ts, k, v in rows))
    aside.rename(folder / "S" / aside.name)


def test_many_of_one_shape(spark: SparkSession, tmp_path: Path) -> None:
    rows = [(ts, (ts * 7) % 10, (ts * 13) % 2003) for ts in range(300)]
    put(tmp_path, 0, rows)
    engine = Engine(spark, tmp_path)
    query = "SELECT ISTREAM(v) FROM S WHERE v >= {} AND k < {}"
    created = [f"CREATE QUERY q{least} AS {query.format(least, least % 11)};" for least in range(MANY)]
    engine.execute(STREAM + "\n".join(created))
    assert sum(isinstance(each.definition, TemplatedQuery) for each in engine.queries.values()) == MANY - 1
    engine.run()
    for least in range(0, MANY, 7):
        found = Counter((row["_ts"], row["v"]) for row in engine.queries[f"q{least}"].rows())
        assert found == Counter((ts, v) for ts, k, v in rows if v >= least and k < least % 11)


def test_one_more_takes_effect_with_the_next_batch(spark: SparkSession, tmp_path: Path) -> None:
    engine = Engine(spark, tmp_path)
    engine.execute(STREAM)
    for least in range(40):
        engine.query(f"SELECT COUNT(*) AS n FROM S WHERE v > {least}")
    put(tmp_path, 0, [(ts, 0, ts) for ts in range(5)])
    engine.start()
    try:
        assert engine._live is not None
        standing = engine._live.standing
        wait(lambda: standing.state.next_batch == 1)
        more = engine.query("SELECT COUNT(*) AS n FROM S WHERE v > 6")
        assert more.name == "q41"
        put(tmp_path, 1, [(ts, 0, ts) for ts in range(5, 10)])
        wait(lambda: standing.state.next_batch == 2)
        assert standing.version is not None
        assert standing.version.begins[more.name].batch == 1
        # Of instant 9 more may come.
        assert [row["n"] for row in more.snapshot()] == [2]
        assert [row["n"] for row in engine.queries["q7"].snapshot()] == [2]
    finally:
        engine.stop()


def wait(until: object) -> None:
    assert callable(until)
    begun = time.monotonic()
    while not until():
        assert time.monotonic() - begun < PATIENCE
        time.sleep(0.02)
