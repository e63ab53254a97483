"""Random subqueries that read the queries around them: at every instant, the reference gives what DuckDB gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import duckdb
import pytest

from tailrace.testing.random_scripts.choices import Choices
from tailrace.testing.random_scripts.drawn_subqueries import DrawnSubqueries
from tailrace.testing.random_scripts.expressions import INTEGER, ScopeColumn
from tailrace.testing.reference.evaluate import evaluate
from tests.operators.local import answered, differences, splits
from tests.testing.reference.test_duckdb import INPUTS, LAST_INSTANT, RANGE, plain, plans

COLUMNS = {"A": ("k", "v"), "B": ("k", "w")}
INSTANTS = (0, 3, 5, 9)
DuckDB = dict[int, duckdb.DuckDBPyConnection]


def columns(name: str, alias: str) -> list[ScopeColumn]:
    return [ScopeColumn(f"{alias}.{column}", INTEGER) for column in COLUMNS[name]]


def draw(seed: int) -> str:
    """A query over A and B with a few subqueries, each in a clause of its own."""
    choices = Choices(Random(seed))

    def source(alias: str) -> tuple[str, list[ScopeColumn]]:
        name = choices.pick(("B", "A"))
        return f"{{{name}}} AS {alias}", columns(name, alias)

    drawn = DrawnSubqueries(choices, source)
    a, both = columns("A", "a"), [*columns("A", "a"), *columns("B", "b")]
    match choices.pick(("where", "select", "or", "having", "inside", "on", "left", "full", "lateral", "left lateral")):
        case "where":
            return f"SELECT a.k, a.v FROM {{A}} AS a WHERE {drawn.predicate(a, 2)} AND {drawn.predicate(a)}"
        case "select":
            return f"SELECT a.k, {drawn.value(a, 2)} AS x, {drawn.predicate(a)} AS y FROM {{A}} AS a"
        case "or":
            return f"SELECT a.k, a.v FROM {{A}} AS a WHERE a.v = 1 OR {drawn.predicate(a)} OR NOT {drawn.predicate(a)}"
        case "having":
            key = a[:1]
            items = f"a.k, SUM(a.v) AS s, {drawn.value(key)} AS x"
            return f"SELECT {items} FROM {{A}} AS a GROUP BY a.k HAVING {drawn.predicate(key)} OR COUNT(*) = 1"
        case "inside":
            case = f"CASE WHEN {drawn.predicate(a)} THEN 1 ELSE 2 END"
            return f"SELECT a.k, SUM({case}) AS x, MAX({drawn.value(a)}) AS y FROM {{A}} AS a GROUP BY a.k"
        case "lateral":
            return f"SELECT a.k, a.v, l.x FROM {{A}} AS a, {drawn.lateral('l', a)[0]}"
        case "left lateral":
            return f"SELECT a.k, a.v, l.x FROM {{A}} AS a LEFT JOIN {drawn.lateral('l', a)[0]} ON TRUE"
        case how:
            join = {"on": "JOIN", "left": "LEFT JOIN", "full": "FULL JOIN"}[how]
            test = drawn.predicate(both if choices.one_in(2) else columns("B", "b"))
            return f"SELECT a.v, b.w FROM {{A}} AS a {join} {{B}} AS b ON a.k = b.k AND {test}"


@pytest.fixture(scope="module")
def databases() -> Iterator[DuckDB]:
    """DuckDB with what the windows hold, at a few instants."""
    found = {}
    for now in INSTANTS:
        found[now] = duckdb.connect()
        found[now].execute("SET threads = 1; CREATE TABLE A (k INT, v INT, s VARCHAR); CREATE TABLE B (k INT, w INT)")
        for name, elements in INPUTS.items():
            for row in (row for instant, row in elements if now - RANGE <= instant <= now):
                found[now].execute(f"INSERT INTO {name} VALUES ({', '.join('?' * len(row))})", row)
    yield found
    for database in found.values():
        database.close()


def opinion(databases: DuckDB, query: str) -> dict[int, Counter[tuple[Any, ...]]] | None:
    """DuckDB's answers; None for a query that it does not take, such as an outer join with a subquery in ON."""
    try:
        rows = {now: each.execute(query.format(A="A", B="B")).fetchall() for now, each in databases.items()}
    except (duckdb.BinderException, duckdb.NotImplementedException):
        return None
    return {now: Counter(map(plain, each)) for now, each in rows.items()}


def compare(databases: DuckDB, query: str, seed: int) -> bool:
    """Whether DuckDB took the query; its answers are then the reference's, and the operators' in any case."""
    expected = opinion(databases, query)
    written, rewritten = plans(query)
    answer = evaluate(rewritten, INPUTS, LAST_INSTANT)
    chance = Random(seed)
    assert differences(answered(rewritten, INPUTS, splits(LAST_INSTANT, chance), chance), answer) == [], query
    if expected is None:
        return False
    for found in (evaluate(written, INPUTS, LAST_INSTANT), answer):
        bags = {now: Counter(map(plain, found.bags[now].elements())) for now in INSTANTS}
        assert bags == expected, query
    return True


@pytest.mark.parametrize("start", range(0, 40, 10))
def test_random_subqueries(start: int, databases: DuckDB) -> None:
    taken = [compare(databases, draw(seed), seed) for seed in range(start, start + 10)]
    assert sum(taken) >= 4


@pytest.mark.slow
@pytest.mark.parametrize("start", range(1000, 1500, 50))
def test_more_random_subqueries(start: int, databases: DuckDB) -> None:
    taken = [compare(databases, draw(seed), seed) for seed in range(start, start + 50)]
    assert sum(taken) >= 25


B_ORDER = "ORDER BY b.w DESC NULLS LAST, b.k NULLS LAST"


@pytest.mark.parametrize(
    "query",
    [
        f"SELECT a.k, a.v, (SELECT b.w FROM {{B}} AS b WHERE b.k = a.k {B_ORDER} LIMIT 1) AS best FROM {{A}} AS a",
        f"SELECT a.k, l.w FROM {{A}} AS a, LATERAL (SELECT b.w FROM {{B}} AS b WHERE b.w > a.v {B_ORDER} LIMIT 2) AS l",
        f"SELECT a.v FROM {{A}} AS a WHERE a.k IN (SELECT b.k FROM {{B}} AS b WHERE b.w > a.v {B_ORDER} LIMIT 1)",
        f"SELECT a.v FROM {{A}} AS a WHERE NOT EXISTS (SELECT 1 FROM {{B}} AS b WHERE b.w > a.v {B_ORDER} LIMIT 1)",
        "SELECT a.k, l.n FROM {A} AS a LEFT JOIN LATERAL (SELECT b.w, ROW_NUMBER() OVER "
        f"({B_ORDER}) AS n FROM {{B}} AS b WHERE b.w >= a.v) AS l ON l.n = 2",
        "SELECT a.v FROM {A} AS a WHERE 1 = (SELECT COUNT(*) FROM (SELECT b.k, RANK() OVER (PARTITION BY b.k "
        f"{B_ORDER}) AS r FROM {{B}} AS b WHERE b.w <> a.v) AS q WHERE q.r = 1)",
        "SELECT a.v, (SELECT MAX(q.s) FROM (SELECT SUM(b.w) OVER (PARTITION BY b.k) AS s FROM {B} AS b "
        "WHERE b.w > a.v) AS q) AS most FROM {A} AS a",
    ],
)
def test_limits_and_window_functions(query: str, databases: DuckDB) -> None:
    assert compare(databases, query, 1)
