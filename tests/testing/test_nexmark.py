"""NEXMark's queries of windows, as users of Flink write them, in process: by definition, and by the operators."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from tailrace.engine.pipeline import compile_script
from tailrace.errors import Source
from tailrace.logical.nodes import Scan
from tailrace.logical.plan import walk
from tailrace.testing import evaluate_script
from tailrace.testing.answers import date_rows
from tailrace.testing.files import read_inputs
from tests.operators.local import answered, differences, splits

SOURCES = """
CREATE STREAM bid (auction BIGINT, bidder BIGINT, price BIGINT, dateTime TIMESTAMP) TIMESTAMP BY dateTime;
CREATE STREAM person (id BIGINT, name STRING, dateTime TIMESTAMP) TIMESTAMP BY dateTime;
CREATE STREAM auction (id BIGINT, seller BIGINT, dateTime TIMESTAMP) TIMESTAMP BY dateTime;
"""
ZERO = datetime(2024, 1, 1)
BIDS = [(3, 1, 1, 10), (4, 2, 1, 30), (9, 1, 2, 20), (14, 1, 1, 50), (15, 1, 2, 5), (39, 3, 3, 1)]
PERSONS = [(1, 1, "ann"), (12, 2, "bob"), (39, 9, "cem")]
AUCTIONS = [(5, 7, 1), (25, 8, 2)]


def moment(seconds: int) -> datetime:
    return ZERO + timedelta(seconds=seconds)


ROWS = {
    name: [(moment(at), *values, moment(at)) for at, *values in rows]
    for name, rows in {"bid": BIDS, "person": PERSONS, "auction": AUCTIONS}.items()
}
Q5 = """
SELECT AuctionBids.auction, AuctionBids.num
FROM (
  SELECT auction, count(*) AS num, window_start AS starttime, window_end AS endtime
  FROM TABLE(HOP(TABLE bid, DESCRIPTOR(dateTime), INTERVAL '2' SECOND, INTERVAL '10' SECOND))
  GROUP BY auction, window_start, window_end
) AS AuctionBids
JOIN (
  SELECT max(CountBids.num) AS maxn, CountBids.starttime, CountBids.endtime
  FROM (
    SELECT count(*) AS num, window_start AS starttime, window_end AS endtime
    FROM TABLE(HOP(TABLE bid, DESCRIPTOR(dateTime), INTERVAL '2' SECOND, INTERVAL '10' SECOND))
    GROUP BY auction, window_start, window_end
  ) AS CountBids
  GROUP BY CountBids.starttime, CountBids.endtime
) AS MaxBids
ON AuctionBids.starttime = MaxBids.starttime AND AuctionBids.endtime = MaxBids.endtime
  AND AuctionBids.num >= MaxBids.maxn"""
Q7 = """
SELECT B.auction, B.price, B.bidder
FROM bid B
JOIN (
  SELECT MAX(price) AS maxprice, window_end as dateTime
  FROM TABLE(TUMBLE(TABLE bid, DESCRIPTOR(dateTime), INTERVAL '10' SECOND))
  GROUP BY window_start, window_end
) B1
ON B.price = B1.maxprice
WHERE B.dateTime BETWEEN B1.dateTime - INTERVAL '10' SECOND AND B1.dateTime"""
Q8 = """
SELECT P.id, P.name, P.starttime
FROM (
  SELECT id, name, window_start AS starttime, window_end AS endtime
  FROM TABLE(TUMBLE(TABLE person, DESCRIPTOR(dateTime), INTERVAL '10' SECOND))
  GROUP BY id, name, window_start, window_end
) P
JOIN (
  SELECT seller, window_start AS starttime, window_end AS endtime
  FROM TABLE(TUMBLE(TABLE auction, DESCRIPTOR(dateTime), INTERVAL '10' SECOND))
  GROUP BY seller, window_start, window_end
) A
ON P.id = A.seller AND P.starttime = A.starttime AND P.endtime = A.endtime"""
Q11 = """
SELECT B.bidder, count(*) as bid_count, SESSION_START(B.dateTime, INTERVAL '10' SECOND) as starttime,
  SESSION_END(B.dateTime, INTERVAL '10' SECOND) as endtime
FROM bid B
GROUP BY B.bidder, SESSION(B.dateTime, INTERVAL '10' SECOND)"""
Q11_IN_FROM = """
SELECT bidder, count(*) as bid_count, window_start AS starttime, window_end AS endtime
FROM TABLE(SESSION(TABLE bid PARTITION BY bidder, DESCRIPTOR(dateTime), INTERVAL '10' SECOND))
GROUP BY bidder, window_start, window_end"""
SESSIONS = [(1, 2, moment(3), moment(14)), (1, 1, moment(14), moment(24)), (2, 2, moment(9), moment(25))]
EXPECTED = {
    "q5": (Q5, {10: [(1, 2)], 14: [(1, 1), (2, 1)], 16: [(1, 3)], 26: [], 30: []}),
    "q7": (Q7, {10: [(2, 30, 1)], 20: [(1, 50, 1)], 30: []}),
    "q8": (Q8, {10: [(1, "ann", moment(0))], 20: [], 30: []}),
    "q11": (Q11, {row[3].second: [row] for row in SESSIONS}),
    "q11 in FROM": (Q11_IN_FROM, {row[3].second: [row] for row in SESSIONS}),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_nexmark(name: str) -> None:
    text, expected = EXPECTED[name]
    script = f"{SOURCES}CREATE QUERY q AS {text};"
    answer = evaluate_script(script, ROWS)["q"]
    assert answer.is_stream
    assert {at: answer.at(moment(at)) for at in expected} == expected
    compiled = compile_script(Source(script), Path())
    plan = compiled.final_plans["q"]
    sources = {node.source for node in walk(plan) if isinstance(node, Scan)}
    dated = {source.name: date_rows(source, ROWS[source.name]) for source in sources}
    inputs = read_inputs(sources, compiled.program.settings, given=dated)
    for seed in range(5):
        chance = Random(seed)
        beats = splits(inputs.last_instant, chance)
        found = answered(plan, inputs.rows, beats, chance, inputs.clock.ticks_to_origin)
        assert differences(found, answer.answer) == [], f"watermarks {beats}"
