"""A second opinion: at every instant, the reference gives what DuckDB gives for the instantaneous relations.

`{A}` and `{B}` are windows in CQL and, for DuckDB, tables with what the windows hold at the instant.
"""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from random import Random
from typing import Any

import duckdb
import pytest

from tailrace.analysis.program import analyse
from tailrace.errors import Source
from tailrace.language.script import parse_script
from tailrace.logical.plan import Plan
from tailrace.logical.text.explain import tree
from tailrace.rewrite.rewriter import rewrite
from tailrace.testing.reference.evaluate import evaluate

SOURCES = """
CREATE STREAM A (k INT, v INT, s STRING) TIMESTAMP BY ts;
CREATE STREAM B (k INT, w INT) TIMESTAMP BY ts;
"""
RANGE = 4
LAST_INSTANT = 9
QUERIES = """
SELECT k, v FROM {A} WHERE NOT (v > 1 OR k IS NULL)
SELECT a.k, b.w FROM {A} AS a LEFT JOIN {B} AS b ON a.k = b.k AND b.w > 1
SELECT a.k, b.w FROM {A} AS a RIGHT JOIN {B} AS b ON a.k = b.k AND a.v > 1
SELECT * FROM {A} AS a FULL JOIN {B} AS b ON a.k = b.k
SELECT k, w, v FROM {A} AS a JOIN {B} AS b USING (k)
SELECT * FROM {A} AS a LEFT JOIN {B} AS b USING (k)
SELECT * FROM {A} AS a FULL JOIN {B} AS b USING (k)
SELECT a.k, b.k AS other FROM {A} AS a CROSS JOIN {B} AS b WHERE a.v = b.w
SELECT a.k FROM {A} AS a, {B} AS b, {B} AS c WHERE a.k = b.k AND b.w = c.w
SELECT a.k FROM {A} AS a JOIN {B} AS b ON a.k = b.k LEFT JOIN {B} AS c ON b.w = c.w AND c.k = 1
SELECT k, v FROM {A} AS a WHERE EXISTS (SELECT 1 FROM {B} AS b WHERE b.k = a.k AND b.w < a.v)
SELECT k, v FROM {A} AS a WHERE NOT EXISTS (SELECT 1 FROM {B} AS b WHERE b.k = a.k)
SELECT a.k, NOT EXISTS (SELECT 1 FROM {B} AS b WHERE b.k = a.k) AS x FROM {A} AS a
SELECT k, v FROM {A} WHERE k NOT IN (SELECT k FROM {B} WHERE k IS NOT NULL)
SELECT k, v FROM {A} WHERE k NOT IN (SELECT k FROM {B})
SELECT k, v FROM {A} WHERE v IN (SELECT w FROM {B}) OR k = 1
SELECT k, v IN (SELECT w FROM {B}) AS x FROM {A}
SELECT k, v FROM {A} WHERE (k, v) IN (SELECT k, w FROM {B})
SELECT k, v FROM {A} WHERE (k, v) NOT IN (SELECT k, w FROM {B})
SELECT a.k FROM {A} AS a WHERE a.k IN (SELECT b.k FROM {B} AS b WHERE b.w = a.v)
SELECT a.k FROM {A} AS a WHERE a.k NOT IN (SELECT b.k FROM {B} AS b WHERE b.w = a.v)
SELECT k, v FROM {A} WHERE k IN (1, NULL)
SELECT k, v FROM {A} WHERE k NOT IN (1, NULL)
SELECT k, (SELECT MAX(w) FROM {B} AS b WHERE b.k = a.k) AS m FROM {A} AS a
SELECT k, (SELECT COUNT(*) FROM {B} AS b WHERE b.k = a.k) AS m FROM {A} AS a
SELECT k, v FROM {A} AS a WHERE v > (SELECT AVG(w) FROM {B} AS b WHERE b.k = a.k)
SELECT k, v FROM {A} WHERE v = (SELECT MAX(v) FROM {A})
SELECT k, MAX(v) - MIN(v) AS d FROM {A} GROUP BY k HAVING (SELECT COUNT(*) FROM {B}) > 2
SELECT k, COUNT(*) AS n, COUNT(DISTINCT v) AS d, SUM(v) AS s FROM {A} GROUP BY k HAVING COUNT(*) > 1 AND MAX(v) > 2
SELECT COUNT(*) AS n FROM {A} HAVING COUNT(*) > 3
SELECT MIN(v) AS lo, MAX(s) AS hi, AVG(v) AS a FROM {A} WHERE k = 99
SELECT COUNT(v) AS c, SUM(DISTINCT v) AS sd, MEDIAN(v) AS m, STDDEV(v) AS d, VAR_POP(v) AS p FROM {A}
SELECT k + 1 AS g, SUM(v) AS s FROM {A} GROUP BY k + 1
SELECT k AS g, COUNT(*) AS n FROM {A} GROUP BY g
SELECT s, k, SUM(v) FILTER (WHERE v > 1) AS x FROM {A} GROUP BY s, k
SELECT AVG(n) AS a FROM (SELECT DISTINCT k, COUNT(*) AS n FROM {A} GROUP BY k, s) AS q
SELECT x.k, y.n FROM (SELECT k, COUNT(*) AS n FROM {A} GROUP BY k) AS y, {B} AS x WHERE x.k = y.k
SELECT DISTINCT k, s FROM {A}
SELECT k, s, COUNT(*) AS n, SUM(v) + 1 AS t FROM {A} GROUP BY ALL
SELECT COUNT(*) AS n, MAX(v) AS m FROM {A} GROUP BY ALL
SELECT k, v FROM {A} ORDER BY ALL DESC NULLS LAST LIMIT 4
SELECT k FROM {A} UNION ALL SELECT w FROM {B} ORDER BY ALL NULLS FIRST LIMIT 5
SELECT a.* EXCLUDE (s), b.* REPLACE (b.w + a.v AS w) FROM {A} AS a JOIN {B} AS b ON a.k = b.k
SELECT * EXCLUDE (v) REPLACE (k + 1 AS k) FROM {A}
SELECT s, k FROM {A} UNION BY NAME SELECT k, w FROM {B}
SELECT k, w AS v FROM {B} UNION ALL BY NAME SELECT s, v, k FROM {A}
SELECT k FROM {A} UNION SELECT k FROM {B}
SELECT k FROM {A} UNION ALL SELECT w FROM {B}
SELECT k FROM {A} EXCEPT SELECT k FROM {B}
SELECT k FROM {A} INTERSECT ALL SELECT k FROM {B}
(SELECT k FROM {A} EXCEPT ALL SELECT k FROM {B}) UNION ALL SELECT w FROM {B}
SELECT k FROM {A} UNION SELECT k FROM {B} EXCEPT SELECT w FROM {B}
SELECT k FROM {A} UNION ALL SELECT k FROM {B} INTERSECT SELECT w FROM {B}
SELECT k, v, s FROM {A} ORDER BY k NULLS LAST, v DESC NULLS LAST, s NULLS FIRST LIMIT 3
SELECT k, SUM(v) AS t FROM {A} GROUP BY k ORDER BY t DESC NULLS LAST, k NULLS FIRST LIMIT 2
SELECT CASE WHEN v IS NULL THEN -1 WHEN v BETWEEN 1 AND 2 THEN 0 ELSE v * 2 END AS c FROM {A}
SELECT COALESCE(v, k, 0) AS c, NULLIF(v, 2) AS n, v <> 2 AS ne, k IS DISTINCT FROM v AS d FROM {A}
SELECT s || '-' AS t, UPPER(s) AS u, s LIKE 'a%' AS l, LENGTH(s) AS n FROM {A}
SELECT CAST(v AS STRING) AS t, CAST('12' AS INT) + v AS u, v % 3 AS r, -v AS n, v * 1.5 AS p FROM {A}
""".strip().splitlines()


def arrivals() -> dict[str, list[tuple[int, tuple[Any, ...]]]]:
    random = Random(7)
    a = [
        (random.choice([None, 1, 2, 3]), random.choice([None, 0, 1, 2, 5]), random.choice([None, "a", "b", "ab"]))
        for _ in range(24)
    ]
    b = [(random.choice([None, 1, 2, 4]), random.choice([None, 0, 1, 2, 5])) for _ in range(14)]
    return {"A": timed(random, a), "B": timed(random, b)}


def timed(random: Random, rows: list[tuple[Any, ...]]) -> list[tuple[int, tuple[Any, ...]]]:
    instants = sorted(random.randint(0, LAST_INSTANT - 2) for _ in rows)
    return list(zip(instants, rows, strict=True))


INPUTS = arrivals()


@pytest.fixture(scope="module")
def opinions() -> dict[str, list[Counter[tuple[Any, ...]]]]:
    """DuckDB's answers at each instant."""
    found: dict[str, list[Counter[tuple[Any, ...]]]] = {query: [] for query in QUERIES}
    with duckdb.connect() as database:
        database.execute("CREATE TABLE A (k INT, v INT, s VARCHAR); CREATE TABLE B (k INT, w INT)")
        for now in range(LAST_INSTANT + 1):
            for name, elements in INPUTS.items():
                held = [row for instant, row in elements if now - RANGE <= instant <= now]
                database.execute(f"DELETE FROM {name}")
                for row in held:
                    database.execute(f"INSERT INTO {name} VALUES ({', '.join('?' * len(row))})", row)
            for query in QUERIES:
                rows = database.execute(query.format(A="A", B="B")).fetchall()
                found[query].append(Counter(map(plain, rows)))
    return found


def plain(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(round(float(each), 9) if isinstance(each, Decimal | float) else each for each in row)


def plans(query: str) -> list[Plan]:
    text = query.format(A=f"A [RANGE {RANGE}]", B=f"B [RANGE {RANGE}]")
    program = analyse(parse_script(Source(f"{SOURCES} CREATE QUERY q AS {text};")))
    plan = program.queries["q"].plan
    return [plan, rewrite(plan, program.settings).plan]


@pytest.mark.parametrize("query", QUERIES)
def test_an_instant_of_sql(query: str, opinions: dict[str, list[Counter[tuple[Any, ...]]]]) -> None:
    for plan in plans(query):
        bags = evaluate(plan, INPUTS, LAST_INSTANT).bags
        found = [Counter(plain(row) for row in bag.elements()) for bag in bags]
        assert found == opinions[query], tree(plan)


def test_the_second_opinion_sees_tuples_come_and_go(opinions: dict[str, list[Counter[tuple[Any, ...]]]]) -> None:
    held = [answer.total() for answer in opinions["SELECT k FROM {A} UNION ALL SELECT w FROM {B}"]]
    assert max(held) > 10
    assert held[-1] < max(held)
