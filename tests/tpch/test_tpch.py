"""TPC-H's 22 queries in their standard texts, over relations that change.

At every instant the definition, and the operators in process over any split into batches, give what DuckDB gives for
the rows of that instant.
"""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from random import Random
from typing import Any

import duckdb
import pytest

from tailrace.analysis.program import analyse
from tailrace.errors import ErrorGroup, Source
from tailrace.language.script import parse_script
from tailrace.logical.plan import Plan
from tailrace.rewrite.rewriter import rewrite
from tailrace.testing.answers import is_close
from tailrace.testing.reference.evaluate import evaluate
from tests.operators.local import answered, splits
from tests.tpch.queries import QUERIES, VIEWS
from tests.tpch.relations import COLUMNS, DECLARED, LAST_INSTANT, bag_at, make_changes

SEED = 0
CHANGES = make_changes(SEED)
Bags = list[list[tuple[Any, ...]]]


@pytest.fixture(scope="module")
def expected() -> dict[str, Bags]:
    """DuckDB's answers at each instant."""
    found: dict[str, Bags] = {name: [] for name in QUERIES}
    with duckdb.connect() as database:
        for name, columns in COLUMNS.items():
            database.execute(f"CREATE TABLE {name} ({columns.replace('STRING', 'VARCHAR')})")
        database.execute(VIEWS)
        for now in range(LAST_INSTANT + 1):
            for name, changes in CHANGES.items():
                database.execute(f"DELETE FROM {name}")
                for row in bag_at(changes, now):
                    database.execute(f"INSERT INTO {name} VALUES ({', '.join('?' * len(row))})", row)
            for name, query in QUERIES.items():
                text = query.replace("day (3)", "day")
                found[name].append(database.execute(text).fetchall())
    return found


def analyse_query(name: str) -> Plan:
    script = parse_script(Source(f"{DECLARED} {VIEWS}; CREATE QUERY q AS {QUERIES[name]};"))
    if script.problems:
        raise ErrorGroup(list(script.problems))
    program = analyse(script)
    return rewrite(program.queries["q"].plan, program.settings).plan


def plain(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(float(each) if isinstance(each, Decimal | float) else each for each in row)


def differences(ours: Counter[Any], theirs: list[tuple[Any, ...]]) -> list[str]:
    """The rows of one side that the other has not; numbers with a fraction may differ from the sixth digit on.

    An average or a quotient of decimals has six digits in Spark and is a double in DuckDB.
    """
    left = [plain(row) for row in ours.elements()]
    problems = []
    for row in map(plain, theirs):
        near = next((other for other in left if all(map(is_near, other, row))), None)
        if near is None:
            problems.append(f"missing {row}")
        else:
            left.remove(near)
    return [*problems, *(f"unexpected {row}" for row in left)]


def is_near(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= 2e-6 * max(1.0, abs(one))
    return one == other or is_close(one, other)


@pytest.mark.parametrize("name", QUERIES)
def test_by_definition(name: str, expected: dict[str, Bags]) -> None:
    bags = evaluate(analyse_query(name), CHANGES, LAST_INSTANT).bags
    for now, (ours, theirs) in enumerate(zip(bags, expected[name], strict=True)):
        assert (now, differences(ours, theirs)) == (now, [])


@pytest.mark.parametrize("name", QUERIES)
def test_in_batches(name: str, expected: dict[str, Bags]) -> None:
    chance = Random(name)
    found = answered(analyse_query(name), CHANGES, splits(LAST_INSTANT, chance), chance)
    for now, (ours, theirs) in enumerate(zip(found.bags, expected[name], strict=True)):
        assert (now, differences(ours, theirs)) == (now, [])


def test_every_query_has_rows(expected: dict[str, Bags]) -> None:
    """An answer that is empty, or NULL, at all instants would compare nothing."""
    silent = [
        name
        for name, bags in expected.items()
        if not any(value not in (None, 0) for rows in bags for row in rows for value in row)
    ]
    assert silent == []
    constant = [name for name, bags in expected.items() if all(Counter(rows) == Counter(bags[0]) for rows in bags)]
    assert constant == []
