"""Families: queries that share a plan answer as each of them does alone."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tailrace.columnar.delta import Delta, concat, elements
from tailrace.engine.pipeline import compile_script, plan_queries, query_set
from tailrace.errors import Source
from tailrace.operators.plan import StartPoint
from tailrace.staging.plan_version import SHARE_FROM, PlanVersion
from tests.conftest import Examples
from tests.staging.staged import StagedRun

SHAPES = [
    "SELECT ISTREAM(a, s) FROM S WHERE {}",
    "SELECT ISTREAM(a + b AS c) FROM S WHERE {}",
    "SELECT COUNT(*) AS n FROM S WHERE {}",
    "SELECT COUNT(*) AS n, SUM(a) AS total, MAX(s) AS s FROM S [RANGE 3] WHERE {}",
    "SELECT a, COUNT(*) AS n FROM S [RANGE 4 SLIDE 2] WHERE {} GROUP BY a",
    "SELECT DISTINCT b FROM S [RANGE 5] WHERE {}",
    "SELECT ISTREAM(MAX(n) AS n) FROM (SELECT b, COUNT(*) AS n FROM S [RANGE 3] WHERE {} GROUP BY b) AS counts",
    "SELECT RSTREAM(a) FROM S [RANGE 2] WHERE {}",
    "SELECT COUNT(DISTINCT a) AS n FROM S [RANGE 3] WHERE {} HAVING COUNT(*) > 1",
    "SELECT a, b FROM S [NOW] WHERE {}",
]
STREAM = "CREATE STREAM S (a INT, b INT, s STRING) USING json OPTIONS (path 'S') TIMESTAMP BY ts;"
TYPES = (pa.int32(), pa.int32(), pa.string())
LAST = 12


def term(chance: Random) -> str:
    number = chance.randrange(6)
    return chance.choice(
        [
            f"{chance.choice('ab')} {chance.choice(['<', '>', '<=', '>=', '=', '<>'])} {number}",
            f"a BETWEEN {number} AND {number + 2}",
            f"b IN ({number}, {chance.randrange(6)}, NULL)",
            f"s {chance.choice(['>', '=', '<>'])} '{chance.choice('abc')}'",
            "s LIKE '%b%'",
            "a + b > 5",
            "b IS NULL",
        ]
    )


def predicate(chance: Random) -> str:
    parts = [term(chance) for _ in range(chance.randrange(1, 4))]
    text = f" {chance.choice(['AND', 'OR'])} ".join(parts)
    return f"NOT ({text})" if chance.random() < 0.2 else text


def batches(chance: Random) -> list[tuple[dict[str, Delta], int]]:
    """Rows in order of time, with silences, in random batches."""
    found = []
    past = -1
    while past < LAST:
        to = min(LAST, past + chance.randrange(1, 6))
        count = chance.randrange(12)
        instants = np.sort([chance.randrange(past + 1, to + 1) for _ in range(count)]).astype(np.int64)
        values = [[chance.choice([None, *range(6)]) for _ in range(count)] for _ in range(2)]
        texts = [chance.choice([None, "a", "b", "abc", ""]) for _ in range(count)]
        columns = tuple(pa.array(each, type) for each, type in zip([*values, texts], TYPES, strict=True))
        found.append(({"S": elements(instants, columns)}, to))
        past = to
    return found


def bags(rows: Delta) -> dict[int, Counter[Any]]:
    """For each instant what holds."""
    found: dict[int, Counter[Any]] = {}
    tuples = list(zip(*(column.to_pylist() for column in rows.columns), strict=True)) or [()] * len(rows)
    for instant in range(LAST + 1):
        held: Counter[Any] = Counter()
        covers = (rows.start <= instant) & (rows.until > instant)
        for place in np.flatnonzero(covers).tolist():
            held[tuples[place]] += int(rows.weight[place])
        found[instant] = Counter({each: count for each, count in held.items() if count})
    return found


def answers(plan: Any, given: list[tuple[dict[str, Delta], int]], shards: int) -> dict[str, Delta]:
    run = StagedRun(plan, shards)
    parts: dict[str, list[Delta]] = {}
    for inputs, to in given:
        for name, rows in run.batch(inputs, to).items():
            parts.setdefault(name, []).append(rows)
    return {name: concat(each, tuple(column.type for column in each[0].columns)) for name, each in parts.items()}


@pytest.mark.parametrize("shape", SHAPES)
def test_answered_together_as_alone(shape: str, examples: Examples) -> None:
    for seed in range(8):
        chance = Random(f"{shape} {seed}")
        queries = [f"CREATE QUERY q{number} AS {shape.format(predicate(chance))};" for number in range(SHARE_FROM)]
        session = compile_script(Source("\n".join([STREAM, *queries])))
        found = query_set(session)
        given = batches(chance)
        begins = {name: StartPoint(0, chance.choice([0, 0, 4])) for name in found.profiles}
        numbers = {name: 3 * place for place, name in enumerate(found.families)}
        assert len(numbers) > SHARE_FROM // 2, "predicates of one table should mostly be alike"
        alone = answers(plan_queries(session, found.profiles, PlanVersion(begins=begins), {}), given, 1)
        plan = plan_queries(session, found.profiles, PlanVersion(begins=begins, member_ids=numbers), {})
        together = answers(plan, given, chance.choice([1, 2, 3]))
        for family, members in plan.families.items():
            rows = together[family]
            for number, name in members.items():
                mine = rows.where(rows.columns[0].to_numpy() == number)
                one, all = bags(alone[name]), bags(mine.with_columns(mine.columns[1:]))
                first = begins[name].instant
                differ = [at for at in range(first, LAST + 1) if one[at] != all[at]]
                assert not differ, f"{name} at {differ[0]}: {all[differ[0]]}, alone {one[differ[0]]}\n{queries}"
    examples("queries answered together as alone", 8 * SHARE_FROM)
