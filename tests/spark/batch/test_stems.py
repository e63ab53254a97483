"""Stems on Spark: many joins over the same streams, which are stored once; each join has its own answers."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tailrace import Engine
from tailrace.engine.explain import spark_text
from tailrace.engine.internals import script_of
from tailrace.staging.plan_version import SHARE_FROM

pytestmark = pytest.mark.spark
STOCKS = [(ts, "abc"[ts % 3], (ts * 7) % 10) for ts in range(60)]
ARTICLES = [(ts, "abcd"[ts % 4], ts) for ts in range(1, 60, 2)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    streams = {"stocks": ("ts", "symbol", "price"), "articles": ("ts", "symbol", "number")}
    for (name, columns), rows in zip(streams.items(), (STOCKS, ARTICLES), strict=True):
        (tmp_path / name).mkdir()
        for part in range(3):
            mine = [dict(zip(columns, row, strict=True)) for row in rows if part * 20 <= row[0] < part * 20 + 20]
            file = tmp_path / name / f"{part}.json"
            file.write_text("".join(json.dumps(row) + "\n" for row in mine))
            os.utime(file, (1_700_000_000 + part,) * 2)
    return tmp_path


def made(spark: SparkSession, folder: Path) -> Engine:
    """An engine with joins of one family, and a few of others that read the same stems."""
    engine = Engine(spark, folder)
    options = "USING json OPTIONS (path '{}', maxFilesPerTrigger '1') TIMESTAMP BY ts"
    engine.execute(f"CREATE STREAM stocks (symbol STRING, price INT) {options.format('stocks')}")
    engine.execute(f"CREATE STREAM articles (symbol STRING, number INT) {options.format('articles')}")
    for least in range(SHARE_FROM):
        engine.query(
            f"SELECT ISTREAM(s.price AS price, a.number AS number) FROM stocks [RANGE {least}] AS s, "
            f"articles [RANGE 5] AS a WHERE s.symbol = a.symbol AND s.price >= {least % 7}",
            f"q{least}",
        )
    engine.query(
        "SELECT s.symbol AS symbol, COUNT(*) AS n FROM stocks [RANGE 30] AS s, articles [RANGE 3] AS a "
        "WHERE s.symbol = a.symbol AND s.price < a.number GROUP BY s.symbol",
        "counts",
    )
    return engine


@pytest.mark.slow
def test_windows_of_rows_and_several_keys(spark: SparkSession, folder: Path) -> None:
    """Numbers are those of the whole stream, though its tuples are in several shards."""
    engine = made(spark, folder)
    for size in range(1, SHARE_FROM + 1):
        engine.query(
            f"SELECT RSTREAM(s.price AS price, a.number AS number) FROM stocks [ROWS {size}] AS s, "
            f"articles [RANGE 5] AS a WHERE s.symbol = a.symbol AND s.price <> {size % 7}",
            f"rows{size}",
        )
        engine.query(
            f"SELECT ISTREAM(s.price AS price) FROM stocks [RANGE {size}] AS s, articles [RANGE 9] AS a "
            f"WHERE s.symbol = a.symbol AND s.price = a.number AND s.price >= {size % 7}",
            f"keys{size}",
        )
    said = spark_text(script_of(engine))
    assert f"stem by symbol for {SHARE_FROM} rows" in said
    assert "broadcast" in said
    assert "stem by price, symbol" in said or "stem by symbol, price" in said
    assert "join" not in said
    engine.run()
    for size in range(1, SHARE_FROM + 1):
        held = [
            (now, price, number)
            for now in range(60)
            for ts, symbol, price in [row for row in STOCKS if row[0] <= now][-size:]
            for at, about, number in ARTICLES
            if symbol == about and price != size % 7 and now - 5 <= at <= now
        ]
        found = sorted((row["_ts"], row["price"], row["number"]) for row in engine.queries[f"rows{size}"].rows())
        assert found == sorted(held) != []
        equal = [(at, price) for at, _, price, number in joined(size, 9) if price == number and price >= size % 7]
        assert sorted((row["_ts"], row["price"]) for row in engine.queries[f"keys{size}"].rows()) == sorted(equal)


def joined(size: int, other: int) -> list[tuple[int, str, int, int]]:
    """When each pair begins to be there, in windows of these sizes, and what it is."""
    return [
        (max(ts, at), symbol, price, number)
        for ts, symbol, price in STOCKS
        for at, about, number in ARTICLES
        if symbol == about and at <= ts + size and ts <= at + other
    ]


@pytest.mark.slow
def test_each_has_its_own_answers(spark: SparkSession, folder: Path) -> None:
    engine = made(spark, folder)
    said = spark_text(script_of(engine))
    assert said.count("stem by symbol") == 2
    assert f"{SHARE_FROM} queries" in said
    assert "join" not in said
    engine.run()
    for least in range(SHARE_FROM):
        found = sorted((row["_ts"], row["price"], row["number"]) for row in engine.queries[f"q{least}"].rows())
        wanted = [(ts, price, number) for ts, _, price, number in joined(least, 5) if price >= least % 7]
        assert found == sorted(wanted)
    last = STOCKS[-1][0]
    held = [
        symbol
        for ts, symbol, price in STOCKS
        for at, about, number in ARTICLES
        if symbol == about and price < number and ts >= last - 30 and at >= last - 3
    ]
    counted = {row["symbol"]: row["n"] for row in engine.queries["counts"].snapshot()}
    assert counted == {symbol: held.count(symbol) for symbol in held} != {}
